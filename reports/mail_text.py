"""A run as a few lines of text for an e-mail: the verdict, the worst findings, what is in doubt."""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Iterator

from reports.hidden_characters import one_line
from reports.model import Finding, RuleOutcome, Run
from reports.run_hash import run_hash
from reports.summing_up import extent_sentence, summary_of, verdict_sentence
from reports.verdicts import FindingKind, RuleStatus, Severity
from reports.wording import MEANING, counted, label, told_of_loss
from reports.zone import Clock

WIDTH = 76
WORST = 5
"""How many broken rules are named, each with its first finding."""
_LONGEST = 2 * WIDTH
_IN_DOUBT = (RuleStatus.UNDETERMINED, RuleStatus.OPEN, RuleStatus.NOT_EVALUABLE)


def render_mail(run: Run) -> bytes:
    """At most about forty lines; a log can add none."""
    return ("\n".join(_lines(run)) + "\n").encode("utf-8")


def _lines(run: Run) -> Iterator[str]:
    clock = Clock(run.time_zone)
    scope = run.scope
    yield from _wrapped(f"Compliance of table games: {', '.join(scope.casinos) or 'no casino'}")
    if scope.first and scope.last:
        yield from _wrapped(f"{clock.moment(scope.first)} to {clock.moment(scope.last)}")
    yield from _wrapped(f"{counted(len(scope.tables), 'table')} under {run.rulebook.name}")
    yield ""
    law = [item for item in run.outcomes if item.kind is FindingKind.VIOLATION]
    broken = [item for item in law if item.status is RuleStatus.VIOLATED]
    yield from _verdict(run, broken)
    yield from _worst(broken, clock)
    yield from _doubts(law)
    yield ""
    yield from _evidence(run)
    yield f"Result {run_hash(run)[:16]}: the full report carries the same number."


def _verdict(run: Run, broken: list[RuleOutcome]) -> Iterator[str]:
    summary = summary_of(run)
    yield from _wrapped(f"VERDICT: {verdict_sentence(summary)}.")
    if broken:
        found = Counter(item.severity for outcome in broken for item in outcome.findings)
        tally = ((severity.value, found[severity]) for severity in Severity)
        yield ", ".join(f"{number:,} {name}" for name, number in tally if number) + "."
    for doubt in summary.doubts:
        yield from _wrapped(doubt)
    yield from _wrapped(f"{extent_sentence(summary)}.")


def _worst(broken: list[RuleOutcome], clock: Clock) -> Iterator[str]:
    if not broken:
        return
    gravity = list(Severity)
    ranked = sorted(broken, key=lambda item: (gravity.index(item.severity), -item.counts.violated))
    yield ""
    yield "The worst:"
    for outcome in ranked[:WORST]:
        cited = f" ({outcome.citations[0]})" if outcome.citations else ""
        yield from _wrapped(
            f"- {outcome.severity.value}, {counted(outcome.counts.violated, 'time')}: "
            f"{outcome.title}{cited}"
        )
        if outcome.findings:
            yield from _wrapped(_first(outcome.findings[0], clock), indent="  ")
    if len(ranked) > WORST:
        yield f"  and {counted(len(ranked) - WORST, 'more broken rule')}"


def _first(found: Finding, clock: Clock) -> str:
    when = f"{clock.moment(found.trigger.ts)}: " if found.trigger else ""
    table = f" [{found.where['table']}]" if "table" in found.where else ""
    return f"{when}{found.sentence}{table}"


def _doubts(law: list[RuleOutcome]) -> Iterator[str]:
    doubts = [(status, [item for item in law if item.status is status]) for status in _IN_DOUBT]
    if not any(rules for _, rules in doubts):
        return
    yield ""
    yield "Could not be judged:"
    for status, rules in doubts:
        if rules:
            word = label(status).word
            yield from _wrapped(f"- {counted(len(rules), 'rule')} {word}: {MEANING[status]}")


def _evidence(run: Run) -> Iterator[str]:
    patterns = len(run.findings(FindingKind.INDICATOR))
    defects = len(run.findings(FindingKind.DATA_DEFECT))
    if patterns:
        yield f"{counted(patterns, 'pattern')} worth a look, no breach in itself."
    told = [counted(defects, "defect") + " of the evidence"] if defects else []
    told += [counted(run.quarantined, "unreadable line") + " set aside"] if run.quarantined else []
    yield f"{', '.join(told)}." if told else "The evidence shows no defect."
    if run.lost_records:
        yield from _wrapped(f"{told_of_loss(run.lost_records, run.undecided_by_loss)}.")


def _wrapped(text: str, indent: str = "") -> list[str]:
    shown = textwrap.shorten(one_line(text), _LONGEST, placeholder=" ...")
    more = indent + ("  " if shown.startswith("- ") else "")
    return textwrap.wrap(shown, WIDTH, initial_indent=indent, subsequent_indent=more)
