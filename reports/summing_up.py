"""Sums a run up: its verdict in a word, the numbers behind it, and what the shell is told.

summary = summary_of(run)
verdict_sentence(summary), summary.doubts, exit_code(run)
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from reports.model import RuleOutcome, Run
from reports.summary import RunVerdict, Summary
from reports.verdicts import Concern, ExitCode, FindingKind, RuleStatus, Severity
from reports.wording import counted, told_of_loss

CAREFUL = frozenset({Concern.VIOLATION, Concern.DEFECT, Concern.UNDETERMINED, Concern.QUARANTINE})
"""What keeps an exit code from being 0 unless something else is asked for: an unattended job must
not take a log for clean of which a part is lost."""


def summary_of(run: Run) -> Summary:
    """The numbers and the verdict of a run."""
    rules = _rules(run)
    broken = _broken(rules)
    lacking = [item for item in rules if item.counts.undetermined]
    doubts = tuple(sentence for _, sentence in _doubts(run, rules))
    clean = RunVerdict.NOT_SUPPORTED if doubts else RunVerdict.CLEAN
    return Summary(
        verdict=RunVerdict.VIOLATIONS if broken else clean,
        violations=sum(item.counts.violated for item in broken),
        violations_waived=sum(_waived(item) for item in broken) if run.waivers else 0,
        rules_violated=len(broken),
        checks=sum(item.counts.total for item in rules),
        checks_undetermined=sum(item.counts.undetermined for item in lacking),
        rules=len(rules),
        rules_applied=sum(item.counts.total > 0 for item in rules),
        rules_undetermined=len(lacking),
        indicators=len(run.findings(FindingKind.INDICATOR)),
        defects=len(run.findings(FindingKind.DATA_DEFECT)),
        defects_that_matter=_that_matter(run),
        doubts=doubts,
    )


def summed_up(run: Run) -> Run:
    """The run with its summary, for those who read it as JSON."""
    return run.model_copy(update={"summary": summary_of(run)})


def exit_code(run: Run, fail_on: Collection[Concern] = CAREFUL) -> ExitCode:
    """What the shell is told. A log from which nothing could be decided is never clean."""
    rules = _rules(run)
    if Concern.VIOLATION in fail_on and _broken(rules):
        return ExitCode.VIOLATIONS
    if Concern.NEW in fail_on and run.changes and run.changes.of(FindingKind.VIOLATION).new:
        return ExitCode.VIOLATIONS
    if any(concern is None or concern in fail_on for concern, _ in _doubts(run, rules)):
        return ExitCode.NOT_SUPPORTED
    return ExitCode.CLEAN


def verdict_sentence(summary: Summary) -> str:
    """The verdict in one sentence, without its end."""
    if summary.verdict is RunVerdict.VIOLATIONS:
        waived = f"; {summary.violations_waived:,} of them waived"
        number = counted(summary.violations, "violation")
        said = f"{number} of {counted(summary.rules_violated, 'rule')}"
        return said + (waived if summary.violations_waived else "")
    if summary.verdict is RunVerdict.CLEAN:
        return "No violation found"
    if not summary.checks:
        return "Nothing could be checked"
    return "No violation found, but the evidence does not support a clean verdict"


def extent_sentence(summary: Summary) -> str:
    """How much was looked at, and how much was not, without its end."""
    never = summary.rules - summary.rules_applied
    left = f"; {never:,} of {counted(summary.rules, 'rule')} never applied" if never else ""
    return f"{counted(summary.checks, 'check')} of {counted(summary.rules_applied, 'rule')}{left}"


def _doubts(run: Run, rules: list[RuleOutcome]) -> Iterator[tuple[Concern | None, str]]:
    """Why a run cannot be called clean, each with what it is a matter of."""
    decided = sum(item.counts.total - item.counts.open - item.counts.undetermined for item in rules)
    if not decided:
        yield None, "Nothing could be decided: no check of any rule came to an end."
    lacking = [item for item in rules if item.counts.undetermined]
    if lacking:
        number = sum(item.counts.undetermined for item in lacking)
        which = f"{counted(number, 'check')} of {counted(len(lacking), 'rule')}"
        yield Concern.UNDETERMINED, f"{which} could not be decided for want of evidence."
    if run.quarantined:
        lines = counted(run.quarantined, "line of the log was", "lines of the log were")
        yield Concern.QUARANTINE, f"{lines} not readable as an event, and set aside."
    defects = _that_matter(run)
    if defects:
        lost = told_of_loss(run.lost_records, run.undecided_by_loss)
        more = f"; {lost}" if lost else ""
        yield Concern.DEFECT, f"{counted(defects, 'defect')} of the evidence{more}."


def _rules(run: Run) -> list[RuleOutcome]:
    return [item for item in run.outcomes if item.kind is not FindingKind.DATA_DEFECT]


def _broken(rules: list[RuleOutcome]) -> list[RuleOutcome]:
    return [
        item
        for item in rules
        if item.kind is FindingKind.VIOLATION and item.status is RuleStatus.VIOLATED
    ]


def _that_matter(run: Run) -> int:
    """Defects of which something stays lost or in doubt once they are known."""
    return sum(
        len(item.findings)
        for item in run.outcomes
        if item.kind is FindingKind.DATA_DEFECT and item.severity is not Severity.MINOR
    )


def _waived(outcome: RuleOutcome) -> int:
    return sum(found.waiver is not None for found in outcome.findings)
