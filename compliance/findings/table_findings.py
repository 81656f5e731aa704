"""What checks tell a reader: a finding for every breach, and the first places left undecided.

Findings of one table are made where the table is checked and travel packed, so that those of many
tables and nights can wait in little memory until the result is put together.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from heapq import nsmallest
from itertools import chain
from typing import NamedTuple

import polars as pl

from compliance.engine.shown_checks import FoundCheck
from compliance.findings.acts import same_acts
from compliance.findings.breach_context import TIMELINES, breach_contexts
from compliance.findings.finding import finding, without_timeline
from compliance.table_check.check_table import RuleCount
from compliance.table_check.earliest_breaches import EarliestBreaches
from compliance.table_check.settings import Settings
from event_schemas.lost_record import LOST_RECORD, UNRECORDED
from reports.model import Finding, ReadingOrder, Witness, reading_order
from reports.packed import Packed
from reports.surroundings import Timeline
from reports.verdicts import Verdict

SHOWN_UNDECIDED = 3
"""How many checks of one verdict a rule names before it only counts them."""
_UNDECIDED = (Verdict.EXCUSED, Verdict.OPEN, Verdict.UNDETERMINED)
_QUICK = 1

Undecided = Mapping[Verdict, Sequence[str]]
"""By verdict: where the first checks that ended so stand, in words."""


class PackedFinding(NamedTuple):
    """A finding, packed, with its place among the others and its timeline apart."""

    order: ReadingOrder
    bare: bytes
    timeline: bytes | None


@dataclass(frozen=True)
class TableFindings:
    """What the checks of one table, or of several together, tell. Everything is by rule."""

    findings: Mapping[str, Sequence[PackedFinding]] = field(default_factory=dict)
    undecided: Mapping[str, Undecided] = field(default_factory=dict)
    undecided_by_loss: int = 0
    """How many checks could not be decided because a record is lost."""


def table_findings(
    settings: Settings,
    seen: pl.DataFrame,
    results: Iterable[RuleCount],
    fresh_from: int = 0,
    earliest: EarliestBreaches | None = None,
) -> TableFindings:
    """What is to be said of results. Events before `fresh_from` were judged in an earlier log.

    `earliest` knows what was told of other tables before.
    """
    results = tuple(results)
    shown = _by_rule(results)
    contexts = breach_contexts(settings, seen, shown, fresh_from, earliest)
    acts = same_acts([pair for result in shown for pair in result.breaches])
    rules = {rule.name: rule for rule in settings.rulebook.rules}

    def findings(result: RuleCount) -> Iterator[Finding]:
        rule = rules[result.rule]
        for item, check in result.breaches:
            trigger = item.log.source[item.row]
            near = contexts.get(id(check))
            place = item.log.source.place(item.row)
            act = acts.get(id(check))
            yield finding(check, rule, item.edition, trigger, settings.schema, near, place, act)

    return TableFindings(
        {result.rule: packed_findings(findings(result)) for result in shown},
        {result.rule: _undecided(result.found) for result in shown}
        | {
            result.rule: {Verdict.UNDETERMINED: [_too_costly(result.too_costly_at)]}
            for result in results
            if result.too_costly_at
        },
        sum(result.undecided_by_loss for result in results),
    )


def _by_rule(results: Iterable[RuleCount]) -> list[RuleCount]:
    """One for each rule that has checks to show: a rule for each pit comes once with every pit."""
    checks: dict[str, list[FoundCheck]] = {}
    for result in results:
        if result.found:
            checks.setdefault(result.rule, []).extend(result.found)
    return [RuleCount(rule, {}, tuple(found)) for rule, found in checks.items()]


def packed_findings(findings: Iterable[Finding]) -> tuple[PackedFinding, ...]:
    """Findings, ready to travel and to wait."""
    return tuple(
        PackedFinding(
            reading_order(found),
            zlib.compress(_bare(found).model_dump_json().encode(), _QUICK),
            None if found.timeline is None else found.timeline.model_dump_json().encode(),
        )
        for found in findings
    )


def _bare(found: Finding) -> Finding:
    return found if found.timeline is None else without_timeline(found)


def _undecided(found: Iterable[FoundCheck]) -> dict[Verdict, list[str]]:
    """Where the first checks stand that were excused or not decided, without writing more of a
    check than is named."""
    places: dict[Verdict, list[str]] = {}
    for item in found:
        if item.verdict in _UNDECIDED:
            named = places.setdefault(item.verdict, [])
            if len(named) < SHOWN_UNDECIDED:
                doubtful = item.verdict is Verdict.UNDETERMINED and item.log.lost is not None
                witnesses = item.lost_witnesses() if doubtful else ()
                trigger = item.log.source.witness(item.row, "trigger")
                named.append(named_undecided(trigger, item.excused_by, witnesses))
    return places


def _too_costly(where: str) -> str:
    return f"everything at {where} (the rule is too costly: its work grows faster than the log)"


def named_undecided(
    trigger: Witness, excused_by: str | None, witnesses: Iterable[Witness] = ()
) -> str:
    """A check that was excused, or that a lost or unrecorded event left undecided."""
    under = f" (under {excused_by})" if excused_by else ""
    doubt = _doubt(witnesses)
    because = f" ({doubt.line_text})" if doubt else ""
    return f"{trigger.type} {trigger.event_id} at {trigger.table}{under}{because}"


def _doubt(witnesses: Iterable[Witness]) -> Witness | None:
    """The first record that is lost or, without any, the first that is not recorded."""
    unrecorded = None
    for item in witnesses:
        if item.type == LOST_RECORD:
            return item
        if item.type == UNRECORDED:
            unrecorded = unrecorded or item
    return unrecorded


class LogFindings:
    """The findings of all tables, rule by rule, of which only the first ones keep a timeline."""

    def __init__(self) -> None:
        self._waiting: dict[str, list[tuple[ReadingOrder, bytes]]] = {}
        self._first: dict[str, list[tuple[ReadingOrder, bytes | None]]] = {}

    def add(self, findings: Mapping[str, Sequence[PackedFinding]]) -> None:
        """Take in what another table tells."""
        for rule, found in findings.items():
            self._waiting.setdefault(rule, []).extend((item.order, item.bare) for item in found)
            timelines = ((item.order, item.timeline) for item in found)
            before = self._first.get(rule, ())
            self._first[rule] = nsmallest(
                TIMELINES, chain(before, timelines), key=lambda item: item[0]
            )

    def findings(self) -> dict[str, Packed[Finding]]:
        """All of them in order of time. Nothing stays behind."""
        found = {}
        while self._waiting:
            rule, waiting = self._waiting.popitem()
            waiting.sort()
            found[rule] = Packed(Finding, self._in_order(waiting, self._first.pop(rule)))
        return found

    def _in_order(
        self,
        waiting: Sequence[tuple[ReadingOrder, bytes]],
        first: Sequence[tuple[ReadingOrder, bytes | None]],
    ) -> Iterator[bytes]:
        for number, (_, bare) in enumerate(waiting):
            written = zlib.decompress(bare)
            timeline = first[number][1] if number < len(first) else None
            if timeline is not None:
                near = {"timeline": Timeline.model_validate_json(timeline)}
                whole = Finding.model_validate_json(written).model_copy(update=near)
                written = whole.model_dump_json().encode()
            yield written
