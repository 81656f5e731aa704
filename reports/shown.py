"""What a report shows of a run: findings in groups, the first ones in full, and clauses by section.

A report stays readable and small however many findings there are: each rule shows its first ones
in full, more as single lines, and says how many are left to the attached table.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from reports.model import ClauseStatement, Finding, RuleOutcome, Run, Witness
from reports.surroundings import TimelineEvent
from reports.verdicts import ClauseStatus, FindingKind, RuleStatus, Severity
from reports.wording import MEANING, lost_records
from reports.zone import Clock

MOST_NOT_RECORDED = 20
"""How many of the things that a source does not record are listed."""
FULL_OF_A_RULE = 25
FULL_IN_ALL = 800
LINES_OF_A_RULE = 200
LINES_IN_ALL = 4_000


@dataclass(frozen=True)
class Group:
    """The findings of one rule."""

    number: int
    outcome: RuleOutcome
    law: str
    """What the law asks, where it is the same for all of them and more than the title."""
    full: Sequence[Finding]
    lines: Sequence[Finding]
    left: int
    """How many more there are."""
    waived: int


@dataclass(frozen=True)
class Step:
    """One line of a timeline: an event, events left out, the place of a missing one, or a gap in
    the log."""

    event: TimelineEvent | None = None
    skipped: int = 0
    missing: str = ""
    in_gap: bool = False
    """Whether the line lies in the stretch in which an event was looked for in vain."""
    trigger: bool = False
    new_day: bool = False
    """Whether day or offset differ from the line before."""
    lost: str = ""
    """How many records are lost here, in words."""


@dataclass(frozen=True)
class Section:
    """The clauses of one section of the law for one game."""

    game: str
    name: str
    statements: tuple[ClauseStatement, ...]

    @property
    def counts(self) -> dict[ClauseStatus, int]:
        """How many clauses there are of each status that occurs, the gravest first."""
        found = {s: sum(item.status is s for item in self.statements) for s in ClauseStatus}
        return {status: number for status, number in found.items() if number}


@dataclass(frozen=True)
class Choices:
    """What findings can be filtered by."""

    rules: tuple[tuple[str, str], ...]
    tables: tuple[str, ...]
    dealers: tuple[str, ...]
    severities: tuple[Severity, ...]


def told_in_full(run: Run) -> bool:
    """Whether the report tells everything about every finding."""
    return not any(item.lines or item.left for kind in FindingKind for item in groups(run, kind))


def groups(run: Run, kind: FindingKind) -> list[Group]:
    """The rules with findings of a kind, the gravest first."""
    gravity = list(Severity)
    found = [item for item in run.outcomes if item.kind is kind and item.findings]
    found.sort(key=lambda item: gravity.index(item.severity))
    in_all = sum(bool(item.findings) for item in run.outcomes) or 1
    full = max(1, min(FULL_OF_A_RULE, FULL_IN_ALL // in_all))
    lines = min(LINES_OF_A_RULE, LINES_IN_ALL // in_all)
    return [_group(number, item, full, lines) for number, item in enumerate(found, start=1)]


def _group(number: int, outcome: RuleOutcome, full: int, lines: int) -> Group:
    findings = outcome.findings
    laws = {found.law for found in findings[: full + lines]} - {outcome.title}
    return Group(
        number,
        outcome,
        laws.pop() if len(laws) == 1 else "",
        findings[:full],
        findings[full : full + lines],
        max(0, len(findings) - full - lines),
        sum(found.waiver is not None for found in findings),
    )


LETTERS = {
    FindingKind.VIOLATION: "V",
    FindingKind.INDICATOR: "I",
    FindingKind.DATA_DEFECT: "D",
}
"""What the numbers of findings begin with."""


def numbered(run: Run) -> Iterator[tuple[str, Finding]]:
    """Every finding in the order of the report, with the number that it has there: V1.2."""
    for kind in FindingKind:
        for item in groups(run, kind):
            for place, found in enumerate(item.outcome.findings, start=1):
                yield f"{LETTERS[kind]}{item.number}.{place}", found


def going_with(shown: Iterable[Group], kind: FindingKind) -> dict[str, list[tuple[str, Finding]]]:
    """By the fingerprint of a finding: the findings of the same act that are shown, numbered."""
    found: dict[str, list[tuple[str, Finding]]] = {}
    for group in shown:
        for place, item in enumerate((*group.full, *group.lines), start=1):
            if item.same_act is not None:
                number = f"{LETTERS[kind]}{group.number}.{place}"
                found.setdefault(item.same_act.fingerprint, []).append((number, item))
    return found


def choices(shown: Iterable[Group]) -> Choices:
    """What the findings that are on the page can be filtered by."""
    rules: dict[str, str] = {}
    tables: set[str] = set()
    dealers: set[str] = set()
    severities: set[Severity] = set()
    for group in shown:
        rules[group.outcome.rule] = group.outcome.title
        severities.add(group.outcome.severity)
        for found in (*group.full, *group.lines):
            tables.add(found.where.get("table", ""))
            dealers.add(found.where.get("dealer", ""))
    return Choices(
        tuple(rules.items()),
        tuple(sorted(tables - {""})),
        tuple(sorted(dealers - {""})),
        tuple(severity for severity in Severity if severity in severities),
    )


def rules_by_status(run: Run) -> dict[RuleStatus, int]:
    """How many rules have each status; a pattern that was seen violates nothing."""
    law = Counter(
        item.status
        for item in run.outcomes
        if item.kind is FindingKind.VIOLATION
        or (item.kind is FindingKind.INDICATOR and item.status is not RuleStatus.VIOLATED)
    )
    return {status: law[status] for status in MEANING}


@dataclass(frozen=True)
class Levels:
    """How many clauses the rules cover in full, in part and in name only."""

    full: int
    partial: int
    nominal: int

    @property
    def total(self) -> int:
        return self.full + self.partial + self.nominal


def levels(statements: Iterable[ClauseStatement]) -> Levels:
    """Count how far the rules go of clauses that were law here and whose games were played."""
    elsewhere = (ClauseStatus.NOT_IN_FORCE, ClauseStatus.NOT_PLAYED)
    counts = Counter(item.level for item in statements if item.status not in elsewhere)
    return Levels(counts["full"], counts["partial"], counts["nominal"])


def sections(statements: Iterable[ClauseStatement]) -> list[Section]:
    """The clauses by game and section, in the order of the law."""
    by_section: dict[tuple[str, str], list[ClauseStatement]] = {}
    for item in statements:
        by_section.setdefault((item.game, item.section), []).append(item)
    games = {game: place for place, game in enumerate(dict.fromkeys(g for g, _ in by_section))}
    ordered = sorted(
        by_section.items(), key=lambda entry: (games[entry[0][0]], natural(entry[0][1]))
    )
    return [Section(game, name, tuple(found)) for (game, name), found in ordered]


def natural(name: str) -> tuple[tuple[int, str], ...]:
    """Numbers in a name count as numbers: 2.9 comes before 2.10."""
    parts = re.findall(r"[0-9]+|[^0-9]+", name)
    return tuple((int(part), "") if part.isdecimal() else (-1, part) for part in parts)


def steps(found: Finding, clock: Clock) -> list[Step]:
    """The lines of a finding's timeline; without one, its witnesses alone."""
    timeline = found.timeline
    if timeline is None:
        bare = (Step(event=event, trigger=first) for event, first in _bare(found))
        return list(_with_days(bare, clock))
    begin, end = timeline.missing_from, timeline.missing_to
    lines: list[Step] = []
    trigger = (found.trigger.table, found.trigger.event_id) if found.trigger else None
    for place, event in enumerate(timeline.events):
        inside = begin is not None and end is not None and begin <= place < end
        if event.skipped:
            lines.append(Step(skipped=event.skipped, in_gap=inside))
        if timeline.missing and place == end:
            lines.append(Step(missing=timeline.missing, in_gap=True))
        if event.lost:
            lines.append(Step(lost=lost_records(event.lost), in_gap=inside))
            continue
        is_trigger = (event.table, event.event_id) == trigger
        lines.append(Step(event=event, in_gap=inside, trigger=is_trigger))
    if timeline.missing and end == len(timeline.events):
        lines.append(Step(missing=timeline.missing, in_gap=True))
    return list(_with_days(lines, clock))


def _bare(found: Finding) -> Iterator[tuple[TimelineEvent, bool]]:
    events: Sequence[Witness] = found.witnesses
    if found.trigger is not None and found.trigger not in events:
        events = (found.trigger, *events)
    ordered = sorted(events, key=lambda event: (event.ts.timestamp(), event.table, event.seq))
    for _, same in groupby(ordered, key=lambda event: (event.table, event.seq, event.event_id)):
        witnesses = list(same)
        event = witnesses[0]
        yield (
            TimelineEvent(
                event_id=event.event_id,
                ts=event.ts,
                type=event.type,
                table=event.table,
                seq=event.seq,
                text=event.line_text.removeprefix(event.type).strip(),
                part=", ".join(dict.fromkeys(item.part for item in witnesses)),
            ),
            found.trigger is not None and event.event_id == found.trigger.event_id,
        )


def _with_days(lines: Iterable[Step], clock: Clock) -> Iterator[Step]:
    """Marks the lines on which the reader needs the day."""
    last: tuple[object, object] | None = None
    for line in lines:
        if line.event is None:
            yield line
            continue
        here = clock.here(line.event.ts)
        day = (here.date(), here.utcoffset())
        yield Step(line.event, 0, "", line.in_gap, line.trigger, new_day=day != last)
        last = day
