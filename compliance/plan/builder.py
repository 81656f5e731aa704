"""Makes the plan of a rulebook: every question of every rule as a node, equal ones written once."""

from __future__ import annotations

from collections import Counter
from datetime import date, datetime
from datetime import time as clock
from typing import Any
from zoneinfo import ZoneInfo

from compliance.plan.expressions import Expressions, Hand, key_text
from compliance.plan.lookouts import sought_in
from compliance.plan.node_table import PlanProblem
from compliance.plan.nodes import NONE
from compliance.plan.pattern_parts import conditions, parts_of, phrases_in
from compliance.plan.plan import Plan, PlannedEdition
from compliance.values.moments import microseconds
from event_schemas import Schema
from rules_dsl import core

_LONG_AGO, _FAR_AHEAD = -(2**62), 2**62


def build_plan(rulebook: core.Rulebook, schema: Schema) -> Plan:
    """The plan of a rulebook. It is written twice: the first time tells which conditions patterns
    have in common, so that the second time these come first and their events are found once."""
    draft = _Builder(rulebook, schema, Counter())
    draft.write()
    final = _Builder(rulebook, schema, draft.uses)
    final.write()
    return final.plan()


class _Builder(Expressions):
    def __init__(self, rulebook: core.Rulebook, schema: Schema, common: Counter[Any]) -> None:
        super().__init__(rulebook, schema, common)
        self._slicings: dict[tuple[object, ...], int] = {}
        self._trigger_lists: dict[Any, int] = {}
        self._keys: list[tuple[str, ...]] = []
        self._intervals: list[int] = []
        self._editions: list[PlannedEdition] = []

    def write(self) -> None:
        """Write every interval and every edition."""
        for interval in self.rulebook.intervals.values():
            opens, closes = self._edge(interval.opens, {}), self._edge(interval.closes, {})
            self._intervals.append(self._node("interval", opens=opens, closes=closes))
        for number, rule in enumerate(self.rulebook.rules):
            for place, edition in enumerate(rule.editions):
                try:
                    self._editions.append(self._edition(edition, number, place))
                except PlanProblem as problem:
                    raise PlanProblem(f"{rule.name}: {problem}") from None

    def plan(self) -> Plan:
        """The plan, once everything is written."""
        memos = self._number_memos()
        return Plan(
            self.code.tobytes(),
            tuple(self._columns),
            tuple(self._constants),
            tuple(self._options),
            tuple(self._tables),
            tuple(self._intervals),
            tuple(self._editions),
            len(self._pools),
            memos,
            len(self._trigger_lists),
            len(self._keys),
            self._type_names,
            tuple(self._keys),
        )

    # ---- rules

    def _edition(self, edition: core.Edition, rule: int, place: int) -> PlannedEdition:
        trigger, zone = edition.trigger, self.rulebook.time_zone
        hand: Hand = {core.TRIGGER: 0}
        own = parts_of(trigger.pattern)
        asks = [part for clause in edition.only_if for part in conditions(clause)]
        plain = [part for part in asks if not phrases_in(part)]
        costly = self._frequent_first([part for part in asks if phrases_in(part)], hand)
        required = sorted(
            range(len(edition.requirements)),
            key=lambda number: phrases_in(edition.requirements[number].condition),
        )
        elections = [
            node for condition in asks if (node := self._election(condition, hand)) != NONE
        ]
        quotes = [part.value for part in edition.message if part.value is not None]
        begins, expires = self._moments_in_force(edition, zone)
        source = self._pattern(trigger.pattern.types, [*own.plain, *plain], hand)
        first = self._edge(trigger.pattern, {})
        since = NONE if trigger.since is None else self._edge(trigger.since, hand)
        ends = NONE if trigger.ends is None else self._interval_numbers[trigger.ends]
        slicing = self._slicing(edition.slice)
        asked = [self._clause(part, hand) for part in costly]
        at = self._node(
            "edition",
            source=source,
            trigger=first,
            since=since,
            ends=ends,
            slicing=slicing,
            begins=begins,
            expires=expires,
            triggers=self._triggers((source, first, since, ends, slicing), asked),
            # The list of triggers has asked these.
            applies=self._items(
                [self._clause(part, hand) for part in (*plain, *costly)], asks=False
            ),
            plain=len(plain),
            requires=self._items(
                [self._clause(edition.requirements[i].condition, hand) for i in required]
            ),
            excuses=self._items([self._exemption(item, hand) for item in edition.exemptions]),
            quotes=self._items([self._expr(value, hand) for value in quotes]),
            elections=self._items(elections),
            lookout=self._lookout([item.condition for item in edition.requirements], hand),
        )
        types = tuple(sorted(self._types[name] for name in trigger.pattern.types))
        return PlannedEdition(
            at, rule, place, edition.slice.across, tuple(required), types, begins, expires
        )

    def _frequent_first(self, asks: list[core.Expr], hand: Hand) -> list[core.Expr]:
        """Conditions in the order in which to ask them: what most rules ask comes first, so that
        rules begin alike."""
        texts = {id(part): key_text(part, hand) for part in asks}
        for text in texts.values():
            self.uses["ask", text] += 1
        return sorted(
            asks, key=lambda part: (-self._common["ask", texts[id(part)]], phrases_in(part))
        )

    def _triggers(self, beginning: tuple[int, ...], asks: list[int]) -> int:
        """The triggers of which some conditions hold; who begins alike shares them."""
        key: tuple[object, ...] = beginning
        place = NONE
        for condition in (NONE, *asks):
            key = (*key, condition)
            number = self._numbered(self._trigger_lists, key)
            place = self._node("triggers", number=number, wider=place, condition=condition)
        return place

    def _clause(self, condition: core.Expr, hand: Hand) -> int:
        """What a rule asks or requires; other rules may say the same."""
        node = self._expr(condition, hand)
        return self._memo(node) if phrases_in(condition) else node

    def _exemption(self, exemption: core.Exemption, hand: Hand) -> int:
        limits = [self._exemption(item, hand) for item in exemption.but_not]
        condition = self._clause(exemption.condition, hand)
        return self._node("exemption", items=limits, condition=condition)

    def _slicing(self, slice_: core.Slice) -> int:
        """By what the log is cut: for each key and each type the column that tells it."""
        columns: list[int] = []
        for key in slice_.keys:
            kinds = {
                event.fields[key].kind.name
                for event in self.schema.events.values()
                if key in event.fields
            }
            if len(kinds) > 1:
                raise PlanProblem(f"{key} is of several kinds and cannot stand after `for each`")
            columns += [
                self._column(key, event.fields[key].kind.name) if key in event.fields else NONE
                for event in self.schema.events.values()
            ]
        relevant = [int(name in slice_.relevant) for name in self.schema.events]
        interval = NONE if slice_.interval is None else self._interval_numbers[slice_.interval]
        by = (
            self._node("numbers", items=columns),
            self._node("numbers", items=relevant if slice_.keys else []),
        )
        number = self._slicings.setdefault((interval, slice_.keys, *by), len(self._slicings))
        if number == len(self._keys):
            self._keys.append(slice_.keys)
        return self._node(
            "slicing",
            number=number,
            interval=interval,
            keys=len(slice_.keys),
            columns=by[0],
            relevant=by[1],
            borders=self._borders(slice_.interval),
        )

    def _borders(self, name: str | None) -> int:
        """The types of event that may begin or end the runs of an interval."""
        intervals = self.rulebook.intervals
        found = [] if name is None else sought_in(intervals[name], intervals)
        return self._types_of(part for part, _ in found)

    def _moments_in_force(self, edition: core.Edition, zone: str) -> tuple[int, int]:
        """From which moment on an edition is applied, and from which on it no longer is."""
        day = self.rulebook.law_of
        if day is None:
            return moments_in_force(edition, zone)
        begun = edition.since is None or edition.since <= day
        held = begun and (edition.until is None or day < edition.until)
        return (_LONG_AGO if held else _FAR_AHEAD), _FAR_AHEAD


def moments_in_force(edition: core.Edition, zone: str) -> tuple[int, int]:
    """From which moment on an edition is law, and from which on it no longer is."""
    return (
        _LONG_AGO if edition.since is None else _midnight(edition.since, zone),
        _FAR_AHEAD if edition.until is None else _midnight(edition.until, zone),
    )


def _midnight(day: str, zone: str) -> int:
    return microseconds(datetime.combine(date.fromisoformat(day), clock(), ZoneInfo(zone)))
