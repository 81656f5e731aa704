"""Shows the result of a run on a terminal: what held, what is in doubt, and every violation."""

from __future__ import annotations

from collections.abc import Sequence

from compliance.cli.screen import TONES, Screen, Styled, Words
from compliance.run import summary
from reports.model import Finding, RuleOutcome, Run
from reports.verdicts import RuleStatus
from reports.wording import MEANING, counted, label

SHOWN_FINDINGS = 10
"""How many findings of one rule are shown; the report has them all."""
_UNDECIDED = (RuleStatus.EXCUSED, RuleStatus.OPEN, RuleStatus.UNDETERMINED)
_NO_CHECK = (RuleStatus.NOT_EXERCISED, RuleStatus.NOT_EVALUABLE, RuleStatus.NOT_IN_FORCE)


def show_run(screen: Screen, result: Run) -> None:
    events = sum(source.events for source in result.inputs)
    screen.line(
        f"{counted(events, 'event')} of {counted(len(result.scope.tables), 'table')} "
        f"({_few(result.scope.tables)}), {result.rulebook.name}."
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
        for found in rule.findings[:SHOWN_FINDINGS]:
            _finding(screen, found)
        if len(rule.findings) > SHOWN_FINDINGS:
            screen.line(f"and {len(rule.findings) - SHOWN_FINDINGS:,} more", indent=6)
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


def _few(names: Sequence[str]) -> str:
    return ", ".join(names) if len(names) <= 12 else ", ".join([*names[:12], "..."])
