"""Shows the result of a run at a glance: the verdict, what is violated, all else in a line each."""

from __future__ import annotations

from collections.abc import Sequence

from compliance.cli.changes_text import show_changes
from compliance.cli.screen import TONES, Screen, Styled, Words
from reports.changes import change_sentences
from reports.model import Finding, RuleOutcome, Run
from reports.summary import Summary
from reports.summing_up import extent_sentence, summary_of, verdict_sentence
from reports.verdicts import FindingKind, RuleStatus, Severity
from reports.wording import MEANING, VERDICTS, counted, day, label, moment, told_of_loss

SHOWN_FINDINGS = 3
"""How many findings of one rule are shown; the report has them all."""
_MANY = 10
"""From how many broken rules on one finding of each is enough for a glance."""
_CITED = 2
_REASONS = 5
_PLACES = ("pit", "table", "round", "seat")
_NAMED = 6
"""How many rules of one status are named."""
_EXPLAINED = 3
"""Up to how many rules of one status are shown with their reasons."""
_GRAVEST_FIRST = (Severity.CRITICAL, Severity.MAJOR, Severity.MINOR)
_IN_DOUBT = (RuleStatus.UNDETERMINED, RuleStatus.OPEN, RuleStatus.NOT_EVALUABLE)
_QUIET = (
    RuleStatus.EXCUSED,
    RuleStatus.COMPLIED,
    RuleStatus.NOT_EXERCISED,
    RuleStatus.NOT_PLAYED,
    RuleStatus.NOT_IN_FORCE,
)
_LACKING = 5
"""How much of what is not recorded is named."""


def show_run(screen: Screen, result: Run) -> None:
    """Everything that a person should see before opening the report."""
    summary = summary_of(result)
    _verdict(screen, summary)
    screen.line()
    _scope(screen, result)
    if result.changes is not None:
        screen.line()
        show_changes(screen, result.changes, result.time_zone)
    for kind in (FindingKind.VIOLATION, FindingKind.INDICATOR, FindingKind.DATA_DEFECT):
        _found(screen, result, kind)
    screen.line()
    rules = [item for item in result.outcomes if item.kind is not FindingKind.DATA_DEFECT]
    for status in _IN_DOUBT:
        _in_doubt(screen, status, [item for item in rules if item.status is status])
    _lacking(screen, result)
    for status in _QUIET:
        _one_line(screen, status, [item for item in rules if item.status is status])
    if result.set_aside or result.notes or result.lost_records:
        screen.line()
    reasons = list(result.set_aside.items())
    for reason, number in reasons[:_REASONS]:
        lines = counted(number, "line")
        screen.line(Styled(f"{lines} set aside, not readable as events: {reason}", "yellow"))
    if len(reasons) > _REASONS:
        screen.line(Styled(f"and {len(reasons) - _REASONS:,} more reasons", "yellow"))
    if result.lost_records:
        lost = told_of_loss(result.lost_records, result.undecided_by_loss)
        screen.line(Styled(f"{lost}.", "yellow"))
    for note in result.notes:
        screen.line(Styled(note, "dim"))
    screen.line()
    # Again: of a long answer the terminal shows the end.
    end = f"{verdict_sentence(summary)}: {extent_sentence(summary)}."
    screen.line(Styled(end, f"bold {TONES[VERDICTS[summary.verdict].tone]}"))


def show_verdict(screen: Screen, result: Run) -> None:
    """The verdict alone, with what it rests on and what it does not."""
    summary = summary_of(result)
    _verdict(screen, summary)
    screen.line(f"{extent_sentence(summary)}.", indent=2)
    if result.changes is not None:
        told = "; ".join(change_sentences(result.changes))
        screen.line(f"Since {result.changes.since}: {told}.", indent=2)


def _verdict(screen: Screen, summary: Summary) -> None:
    shown = VERDICTS[summary.verdict]
    said = f"{shown.symbol} Verdict: {verdict_sentence(summary)}."
    screen.line(Styled(said, f"bold {TONES[shown.tone]}"))
    for doubt in summary.doubts:
        screen.line(Styled(doubt, "yellow"), indent=2)


def _scope(screen: Screen, result: Run) -> None:
    scope = result.scope
    events = sum(source.events for source in result.inputs)
    tables = counted(len(scope.tables), "table")
    screen.line(f"{counted(events, 'event')} of {tables} ({_few(scope.tables, 12)})")
    if scope.first is not None and scope.last is not None:
        screen.line(f"from {moment(scope.first)} to {moment(scope.last)}")
    screen.line(f"under {result.rulebook.name}")


def _found(screen: Screen, result: Run, kind: FindingKind) -> None:
    """Every rule that was broken, the gravest and then the most often broken first."""
    broken = [
        item for item in result.outcomes if item.kind is kind and item.status is RuleStatus.VIOLATED
    ]
    if not broken:
        return
    broken.sort(key=lambda item: (_GRAVEST_FIRST.index(item.severity), -item.counts.violated))
    shown = label(RuleStatus.VIOLATED, kind)
    number = sum(item.counts.violated for item in broken)
    words = {
        FindingKind.VIOLATION: counted(number, "violation"),
        FindingKind.INDICATOR: counted(number, "pattern") + " worth a look",
        FindingKind.DATA_DEFECT: counted(number, "defect") + " of the evidence",
    }
    screen.line()
    screen.line(
        Styled(f"{shown.symbol} {words[kind]}", f"bold {TONES[shown.tone]}"),
        "" if kind is FindingKind.DATA_DEFECT else f" of {counted(len(broken), 'rule')}",
    )
    new = frozenset(item.fingerprint for item in result.changes.new) if result.changes else None
    for rule in broken:
        _rule(screen, rule, 1 if len(broken) > _MANY else SHOWN_FINDINGS, new)


def _rule(screen: Screen, rule: RuleOutcome, most: int, new: frozenset[str] | None) -> None:
    number, total = rule.counts.violated, rule.counts.total
    often = f"{number:,} of {counted(total, 'check')}" if total > number else f"{number:,} times"
    if rule.kind is FindingKind.DATA_DEFECT:
        often = f"{number:,} found"
    waived = sum(found.waiver is not None for found in rule.findings)
    screen.line(
        Styled(f"{rule.severity.value:<8}", "bold" if rule.severity is Severity.CRITICAL else ""),
        "  ",
        Styled(rule.rule, "cyan"),
        f"  {'once' if often == '1 times' else often}{f', {waived:,} waived' if waived else ''} ",
        *_apart(rule.citations[:_CITED], "; "),
        " and others" if len(rule.citations) > _CITED else "",
        indent=2,
    )
    for found in rule.findings[:most]:
        _finding(screen, found, is_new=new is not None and found.fingerprint in new)
    if len(rule.findings) > most:
        screen.line(f"and {len(rule.findings) - most:,} more", indent=12)
    if rule.reason:
        screen.line(Styled(rule.reason, "dim"), indent=12)


def _finding(screen: Screen, found: Finding, *, is_new: bool) -> None:
    at = f"{found.trigger.ts:%H:%M:%S}  " if found.trigger else ""
    places = [f"{name} {value}" for name, value in found.where.items() if name in _PLACES]
    screen.line(
        Styled(at, "dim"),
        Styled("new  ", "bold") if is_new else "",
        found.sentence,
        " ",
        *_apart(places, ", "),
        indent=12,
    )
    if found.same_act is not None:
        screen.line(Styled(f"the same act as in {found.same_act.rule}", "dim"), indent=22)
    if found.waiver is not None:
        by = f"waived until {day(found.waiver.expires)} by {found.waiver.authority}"
        screen.line(Styled(by, "yellow"), indent=22)


def _in_doubt(screen: Screen, status: RuleStatus, rules: Sequence[RuleOutcome]) -> None:
    """What could not be decided: by name, and with reasons where these are few."""
    _one_line(screen, status, rules, named=len(rules) > _EXPLAINED)
    if len(rules) <= _EXPLAINED:
        for rule in rules:
            screen.line(Styled(rule.rule, "cyan"), f"  {rule.reason}", indent=4)


def _lacking(screen: Screen, result: Run) -> None:
    """What would have to be recorded so that more can be judged."""
    opening = [item for item in result.not_recorded if item.clauses]
    if not opening:
        return
    screen.line(
        "To judge more, record this, or say in the manifest that it never happens:", indent=4
    )
    for item in opening[:_LACKING]:
        often = f"  opens {counted(item.clauses, 'clause')}"
        screen.line(Styled(item.record, "cyan"), often, indent=6)
    if len(opening) > _LACKING:
        screen.line(f"and {len(opening) - _LACKING:,} more (in the JSON result)", indent=6)


def _one_line(
    screen: Screen, status: RuleStatus, rules: Sequence[RuleOutcome], *, named: bool = False
) -> None:
    if not rules:
        return
    shown = label(status)
    checks = sum(rule.counts.total for rule in rules)
    often = f" in {counted(checks, 'check')}" if checks else ""
    names = f": {_few([rule.rule for rule in rules], _NAMED)}" if named else ""
    screen.line(
        Styled(f"{shown.symbol} {shown.word:<16}", TONES[shown.tone]),
        f"{counted(len(rules), 'rule')}{often}",
        Styled(f" ({MEANING[status]})", "dim"),
        names,
        indent=2,
    )


def _apart(texts: Sequence[str], mark: str) -> list[Words]:
    """Texts with a mark between them, none of them broken over two lines."""
    words: list[Words] = []
    for text in texts:
        words += [mark if words else " ", Styled(text, "dim", whole=True)]
    return words


def _few(names: Sequence[str], most: int) -> str:
    more = len(names) - most
    return ", ".join(names[:most]) + (f" and {more:,} more" if more > 0 else "")
