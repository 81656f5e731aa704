"""`compliance demo`: an invented night, checked against the law of New Jersey, and its report."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from compliance.cli.opening import open_rules
from compliance.cli.screen import TONES, Screen, Styled, Words
from compliance.cli.writing import write_whole
from compliance.demo import NIGHT
from compliance.json_lines import read_json_lines
from compliance.run import run, summary
from event_schemas import builtin_schema
from reports.html import render_html
from reports.model import Finding, RuleOutcome, Run
from reports.verdicts import RuleStatus
from reports.wording import MEANING, counted, label

_UNDECIDED = (RuleStatus.EXCUSED, RuleStatus.OPEN, RuleStatus.UNDETERMINED)
_NO_CHECK = (RuleStatus.NOT_EXERCISED, RuleStatus.NOT_EVALUABLE, RuleStatus.NOT_IN_FORCE)


def run_demo(output: Path, rulebook: Path, form: str) -> int:
    """Check the bundled log, write the report, and show the result; a demonstration never fails."""
    schema = builtin_schema()
    loaded = open_rules([rulebook], schema)
    log = read_json_lines(NIGHT, schema)
    result = run(
        loaded.rulebook,
        schema,
        log.events,
        [log.source],
        quarantined=len(log.set_aside),
        notes=log.notes,
    )
    write_whole(output, render_html(result))
    screen = Screen()
    if form == "json":
        screen.json(
            {
                "schema_version": "1",
                "report": str(output),
                "exit_code": int(result.exit_code),
                "run": result.model_dump(mode="json"),
            }
        )
        return 0
    _show(screen, result)
    screen.line()
    screen.line("The report: ", Styled(str(output), "bold"))
    screen.line(
        f"This is a demonstration. A check of this log would exit with {int(result.exit_code)}."
    )
    return 0


def _show(screen: Screen, result: Run) -> None:
    events = sum(source.events for source in result.inputs)
    screen.line(
        f"{counted(events, 'event')} of {counted(len(result.scope.tables), 'table')} "
        f"({', '.join(result.scope.tables)}), {result.rulebook.name}."
    )
    for status in _NO_CHECK:
        rules = _with_status(result, status)
        if rules:
            _heading(screen, status, rules, f": {MEANING[status]}")
    complied = _with_status(result, RuleStatus.COMPLIED)
    if complied:
        _heading(screen, RuleStatus.COMPLIED, complied, ", with the number of checks")
        screen.listing([f"{rule.rule} {rule.counts.total}" for rule in complied], indent=4)
    for status in _UNDECIDED:
        rules = _with_status(result, status)
        if rules:
            _heading(screen, status, rules, f": {MEANING[status]}")
        for rule in rules:
            _rule(screen, rule)
            screen.line(rule.reason, indent=6)
    violated = _with_status(result, RuleStatus.VIOLATED)
    if violated:
        _heading(screen, RuleStatus.VIOLATED, violated, "")
    for rule in violated:
        _rule(screen, rule)
        for found in rule.findings:
            _finding(screen, found)
    screen.line()
    for note in result.notes:
        screen.line(Styled(note, "dim"))
    screen.line(Styled(summary(result) + ".", "bold"))


def _with_status(result: Run, status: RuleStatus) -> list[RuleOutcome]:
    return [outcome for outcome in result.outcomes if outcome.status is status]


def _heading(screen: Screen, status: RuleStatus, rules: Sequence[RuleOutcome], more: str) -> None:
    shown = label(status)
    style = TONES[shown.tone]
    screen.line()
    screen.line(
        Styled(f"{shown.symbol} {shown.word}", f"bold {style}"),
        f"  {counted(len(rules), 'rule')}{more}",
    )


def _rule(screen: Screen, rule: RuleOutcome) -> None:
    counts = ", ".join(
        f"{number} {verdict.value}"
        for verdict, number in rule.counts.by_verdict().items()
        if number
    )
    screen.line(
        Styled(rule.rule, "cyan"),
        f"  {counted(rule.counts.total, 'check')} ({counts}) ",
        *_apart(rule.citations, "; "),
        indent=4,
    )


def _finding(screen: Screen, found: Finding) -> None:
    at = f"{found.trigger.ts:%H:%M:%S}  " if found.trigger else ""
    places = [f"{name} {value}" for name, value in found.where.items() if name != "casino"]
    screen.line(Styled(at, "dim"), found.sentence, " ", *_apart(places, ", "), indent=6)


def _apart(texts: Sequence[str], mark: str) -> list[Words]:
    """Texts with a mark between them, none of them broken over two lines."""
    words: list[Words] = []
    for text in texts:
        words += [mark if words else " ", Styled(text, "dim", whole=True)]
    return words
