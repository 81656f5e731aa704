"""Makes the plan of a rulebook: every question of every rule as a node, equal ones written once.

The events that a question speaks of have numbers in its hand: 0 is the trigger, and each phrase
inside takes the next one. What a pattern says of its event alone is written as if that event were
the trigger: then it is the same wherever it stands.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date, datetime
from datetime import time as clock
from typing import Any
from zoneinfo import ZoneInfo

from compliance.moments import microseconds
from compliance.plan.constants import planned_constant
from compliance.plan.lookouts import sought_in
from compliance.plan.nodes import KIND_OF, NODE_KINDS, NONE, NUMBER_OF, WORDS, number_of
from compliance.plan.pattern_parts import conditions, free_vars, options_in, parts_of, phrases_in
from compliance.plan.plan import Plan, PlannedConstant, PlannedEdition, PlannedTable
from compliance.plan.printed_tables import planned_table
from compliance.plan.value_kinds import kind_of
from event_schemas import Schema
from rules_dsl import core

Hand = Mapping[int, int]
"""The numbers of the events in hand, by the variables of the rule."""
_LONG_AGO, _FAR_AHEAD = -(2**62), 2**62
_PHRASES = (core.HowMany, core.Every, core.Aggregate, core.InOrder, core.NextSeat)
_MOST_VARS = 16


class PlanProblem(Exception):
    """A rule says something that has no place in a plan; the text says what."""


def build_plan(rulebook: core.Rulebook, schema: Schema) -> Plan:
    """The plan of a rulebook. It is written twice: the first time tells which conditions patterns
    have in common, so that the second time these come first and their events are found once."""
    draft = _Builder(rulebook, schema, Counter())
    draft.write()
    final = _Builder(rulebook, schema, draft.uses)
    final.write()
    return final.plan()


class _Builder:
    def __init__(self, rulebook: core.Rulebook, schema: Schema, common: Counter[Any]) -> None:
        self.rulebook = rulebook
        self.schema = schema
        self.code = array("q")
        self.uses: Counter[Any] = Counter()
        """How often a pattern of some types asks a condition."""
        self._common = common
        self._places: dict[tuple[int, ...], int] = {}
        self._columns: dict[tuple[str, str], int] = {}
        self._constants: dict[PlannedConstant, int] = {}
        self._options: dict[str, int] = {}
        self._tables: dict[PlannedTable, int] = {}
        self._pools: dict[tuple[int, ...], int] = {}
        self._slicings: dict[tuple[object, ...], int] = {}
        self._keys: list[tuple[str, ...]] = []
        self._memos: dict[int, int] = {}
        """Of nodes whose answers may be kept: where the memo of each stands."""
        self._asked: Counter[int] = Counter()
        """How often each memo is asked for."""
        self._types = {name: number for number, name in enumerate(schema.events)}
        self._interval_numbers = {name: i for i, name in enumerate(rulebook.intervals)}
        self._intervals: list[int] = []
        self._editions: list[PlannedEdition] = []
        self._type_names = False

    # ---- the whole

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
        memos = 0
        for at in self._memos.values():
            if self._asked[at] > 1:
                self.code[at + 2] = memos
                memos += 1
        self._pass_over_idle_memos()
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
            len(self._keys),
            self._type_names,
            tuple(self._keys),
        )

    def _pass_over_idle_memos(self) -> None:
        """Let who asks a memo that nobody else asks ask its node itself."""
        memo = NUMBER_OF["memo"]

        def target(place: int) -> int:
            while place >= 0 and self.code[place] == memo and self.code[place + 2] == NONE:
                place = self.code[place + 1]
            return place

        for at in (*self._places.values(), *self._memos.values()):
            kind = NODE_KINDS[self.code[at]]
            for number, name in enumerate(kind.parts, start=1):
                if name in kind.nodes:
                    self.code[at + number] = target(self.code[at + number])
            end = at + 1 + len(kind.parts)
            if kind.items == "nodes":
                for item in range(end + 1, end + 1 + self.code[end]):
                    self.code[item] = target(self.code[item])
            elif kind.name == "edge":
                for item in range(end + 2, end + 1 + self.code[end], 2):
                    self.code[item] = target(self.code[item])

    # ---- nodes

    def _node(self, kind: str, /, items: Sequence[int] | None = None, **parts: int) -> int:
        """Where a node stands; an equal one is not written again."""
        known = KIND_OF[kind]
        assert set(parts) == set(known.parts), (kind, parts)
        numbers = [NUMBER_OF[kind], *(parts[name] for name in known.parts)]
        if known.items:
            assert items is not None
            numbers += [len(items), *items]
        key = tuple(numbers)
        place = self._places.get(key)
        is_new = place is None
        if place is None:
            place = self._places[key] = len(self.code)
            self.code.extend(numbers)
        # Each edition asks its own questions, also where another asks the very same.
        if is_new or kind in ("items", "exemption"):
            for name in known.nodes:
                # What is seen from another event is asked again and again.
                self._note_use(parts[name], 2 if kind == "seen_from" else 1)
            for item in items or () if known.items == "nodes" else ():
                self._note_use(item)
        return place

    def _note_use(self, place: int, times: int = 1) -> None:
        if place >= 0 and self.code[place] == NUMBER_OF["memo"]:
            self._asked[place] += times

    def _memo(self, node: int) -> int:
        """A node whose answers are kept once several ask for them."""
        if self.code[node] == NUMBER_OF["memo"]:
            return node
        if node not in self._memos:
            # By itself, not among the others: its number is known only at the end.
            self._memos[node] = len(self.code)
            self.code.extend((NUMBER_OF["memo"], node, NONE))
        return self._memos[node]

    def _items(self, nodes: Sequence[int]) -> int:
        return self._node("items", items=nodes)

    # ---- expressions

    def _expr(self, expr: core.Expr, hand: Hand) -> int:
        if len(hand) > 1 and phrases_in(expr):
            alone = free_vars(expr)
            if len(alone) == 1:
                # It is the same whoever asks, and from wherever.
                var = next(iter(alone))
                node = self._memo(self._expr(expr, {var: 0}))
                return self._node("seen_from", var=hand[var], node=node)
        node = _WRITERS[type(expr)](self, expr, hand)
        return self._memo(node) if isinstance(expr, _PHRASES) and len(hand) == 1 else node

    def _optional(self, expr: core.Expr | None, hand: Hand) -> int:
        return NONE if expr is None else self._expr(expr, hand)

    def _constant(self, expr: core.Expr, hand: Hand) -> int:
        constant = planned_constant(expr, self.rulebook, self.schema)
        return self._node("constant", number=self._numbered(self._constants, constant))

    @staticmethod
    def _numbered(known: dict[Any, int], item: Any) -> int:
        return known.setdefault(item, len(known))

    def _column(self, name: str, kind: str) -> int:
        return self._numbered(self._columns, (name, kind))

    def _field(self, expr: core.Field, hand: Hand) -> int:
        var = hand[expr.var]
        if expr.name == "ts":
            return self._node("moment", var=var)
        if expr.name == "seq":
            return self._node("sequence", var=var)
        if expr.name == "type":
            self._type_names = True
            return self._node("type_name", var=var)
        return self._node("field", var=var, column=self._column(expr.name, expr.kind))

    def _option(self, expr: core.OptionValue, hand: Hand) -> int:
        option = self._numbered(self._options, expr.name)
        return self._node("option", var=hand[expr.at], option=option)

    def _arithmetic(self, expr: core.Arithmetic, hand: Hand) -> int:
        results = {"duration": "length", "time": "moment"}
        gives = results.get(kind_of(expr, self.rulebook), "number")
        return self._node(
            "arithmetic",
            sign=number_of("calculation", expr.sign),
            left=self._expr(expr.left, hand),
            right=self._expr(expr.right, hand),
            gives=number_of("result", gives),
        )

    def _rounding(self, expr: core.Rounding, hand: Hand) -> int:
        return self._node(
            "rounding",
            way=number_of("way", expr.way),
            value=self._expr(expr.value, hand),
            unit=self._expr(expr.unit, hand),
        )

    def _apply(self, expr: core.Apply, hand: Hand) -> int:
        if expr.function not in WORDS["function"]:
            raise PlanProblem(f"the engine has no function {expr.function}")
        arguments = [self._expr(part, hand) for part in expr.arguments]
        return self._node(
            "function",
            function=number_of("function", expr.function),
            left=arguments[0],
            right=arguments[1] if len(arguments) > 1 else NONE,
        )

    def _lookup(self, expr: core.Lookup, hand: Hand) -> int:
        kinds = [kind_of(key, self.rulebook) for key in expr.keys]
        table = planned_table(self.rulebook.tables[expr.table], kinds, self.rulebook, self.schema)
        keys = [self._expr(key, hand) for key in expr.keys]
        return self._node(
            "lookup",
            table=self._numbered(self._tables, table),
            row=keys[0],
            column=keys[1] if len(keys) > 1 else NONE,
        )

    def _choice(self, expr: core.If, hand: Hand) -> int:
        return self._node(
            "choice",
            condition=self._expr(expr.condition, hand),
            then=self._expr(expr.then, hand),
            otherwise=self._expr(expr.otherwise, hand),
        )

    # ---- conditions

    def _comparison(self, expr: core.Compare, hand: Hand) -> int:
        return self._node(
            "comparison",
            sign=number_of("sign", expr.sign),
            left=self._expr(expr.left, hand),
            right=self._expr(expr.right, hand),
        )

    def _recorded(self, expr: core.Recorded, hand: Hand) -> int:
        return self._node(
            "recorded",
            value=self._expr(expr.value, hand),
            known=int(expr.known),
            lookout=self._lookout([expr.value], hand),
        )

    def _lookout(self, parts: Sequence[core.Expr], hand: Hand) -> int:
        """By what lost records may change some expressions."""
        intervals = self.rulebook.intervals
        sought = [item for part in parts for item in sought_in(part, intervals)]
        asked = {
            (
                self._numbered(self._options, option.name),
                hand.get(option.at, NONE) if option.at not in inside else NONE,
            )
            for option, inside in sought
            if isinstance(option, core.OptionValue)
        }
        return self._node(
            "lookout",
            items=[number for pair in sorted(asked) for number in pair],
            types=self._types_of(pattern for pattern, _ in sought),
        )

    def _types_of(self, sought: Iterable[core.Core]) -> int:
        """The types of event that patterns among some parts of a rule mean."""
        patterns = [part for part in sought if isinstance(part, core.Pattern)]
        names = {name for pattern in patterns for name in pattern.types}
        return self._node("numbers", items=sorted(self._types[name] for name in names))

    def _about(self, expr: core.About, hand: Hand) -> int:
        return self._node(
            "about",
            value=self._expr(expr.value, hand),
            target=self._expr(expr.target, hand),
            tolerance=self._expr(expr.tolerance, hand),
            relative=int(expr.relative),
            rounded=int(kind_of(expr.target, self.rulebook) == "duration"),
        )

    def _all_of(self, expr: core.And, hand: Hand) -> int:
        return self._node("all_of", items=self._cheapest_first(expr.parts, hand))

    def _any_of(self, expr: core.Or, hand: Hand) -> int:
        return self._node("any_of", items=self._cheapest_first(expr.parts, hand))

    def _cheapest_first(self, parts: Sequence[core.Expr], hand: Hand) -> list[int]:
        """Conditions in the order in which to ask them: those on other events come last."""
        return [self._expr(part, hand) for part in sorted(parts, key=phrases_in)]

    def _negation(self, expr: core.Not, hand: Hand) -> int:
        return self._node("negation", part=self._expr(expr.part, hand))

    # ---- other events

    def _how_many(self, expr: core.HowMany, hand: Hand) -> int:
        return self._node(
            "how_many",
            bound=number_of("bound", expr.bound),
            count=self._expr(expr.number, hand),
            events=self._events(expr.events, hand)[0],
        )

    def _every(self, expr: core.Every, hand: Hand) -> int:
        events, inner = self._events(expr.events, hand)
        return self._node("every", events=events, condition=self._expr(expr.condition, inner))

    def _aggregate(self, expr: core.Aggregate, hand: Hand) -> int:
        events, inner = self._events(expr.events, hand)
        return self._node(
            "aggregate",
            function=number_of("aggregate", expr.function),
            events=events,
            value=self._optional(expr.value, inner),
            money=int(isinstance(expr.value, core.Field) and expr.value.kind == "money"),
        )

    def _in_order(self, expr: core.InOrder, hand: Hand) -> int:
        events, inner = self._events(expr.events, hand)
        return self._node(
            "in_order",
            events=events,
            value=self._expr(expr.value, inner),
            direction=number_of("direction", expr.direction),
            start=self._optional(expr.start, hand),
        )

    def _next_seat(self, expr: core.NextSeat, hand: Hand) -> int:
        events, inner = self._events(expr.events, hand)
        return self._node(
            "next_seat",
            direction=number_of("direction", expr.direction),
            start=self._expr(expr.start, hand),
            events=events,
            value=self._expr(expr.value, inner),
        )

    def _events(self, events: core.Events, hand: Hand) -> tuple[int, Hand]:
        """Where a phrase looks for which events, and the hand with its own event."""
        window = events.window
        inner = self._with_next(hand, events.pattern.var)
        kinds = {
            name: self.schema.events[events.pattern.types[0]].fields[name].kind.name
            for name in events.per_fields
        }
        node = self._node(
            "events",
            items=[self._column(name, kind) for name, kind in kinds.items()],
            at=hand[events.at],
            edge=self._edge(events.pattern, hand),
            reach=number_of("reach", window.reach),
            inclusive=int(window.inclusive),
            interval=NONE if window.interval is None else self._interval_numbers[window.interval],
            which=number_of("which", window.which),
            since=NONE if window.since is None else self._edge(window.since, hand),
            before=NONE if window.before is None else self._edge(window.before, hand),
            within=self._optional(window.within, hand),
            at_least=self._optional(window.at_least, hand),
            per=number_of("per", events.per),
        )
        return node, inner

    @staticmethod
    def _with_next(hand: Hand, var: int) -> Hand:
        inner = {**hand, var: len(hand)}
        if len(inner) > _MOST_VARS:
            raise PlanProblem(f"its phrases are nested more than {_MOST_VARS} deep")
        return inner

    # ---- patterns

    def _edge(self, pattern: core.Pattern, hand: Hand) -> int:
        """The events of a pattern, with their ties to the events in hand."""
        parts = parts_of(pattern)
        inner = self._with_next(hand, pattern.var)
        alone = {pattern.var: 0}
        costly = self._joined([self._expr(part, alone) for part in parts.costly])
        joins = [
            number
            for field, value in parts.joins
            for number in (self._column(field.name, field.kind), self._expr(value, inner))
        ]
        for value in joins[1::2]:
            self._note_use(value)
        return self._node(
            "edge",
            items=joins,
            own=inner[pattern.var],
            pattern=self._pattern(pattern.types, parts.plain, alone),
            costly=costly if costly == NONE else self._memo(costly),
            ties=self._joined(self._cheapest_first(parts.ties, inner)),
        )

    def _joined(self, nodes: Sequence[int]) -> int:
        if not nodes:
            return NONE
        return nodes[0] if len(nodes) == 1 else self._node("all_of", items=nodes)

    def _pattern(self, types: Sequence[str], plain: Sequence[core.Expr], alone: Hand) -> int:
        """Events of some types of which conditions on their own fields hold: each condition
        narrows the events of a wider pattern, and those that most patterns have come first."""
        numbers = sorted(self._types[name] for name in types)
        nodes = {self._expr(part, alone): key_text(part, alone) for part in plain}
        by_options = {self._expr(part, alone): self._election(part, alone) for part in plain}
        for text in nodes.values():
            self.uses[tuple(numbers), text] += 1

        def frequent_first(node: int) -> tuple[int, str]:
            text = nodes[node]
            return -self._common[tuple(numbers), text], text

        wider = self._numbered_pattern(numbers, NONE, NONE, NONE)
        for node in sorted(nodes, key=frequent_first):
            wider = self._numbered_pattern(numbers, wider, node, by_options[node])
        return wider

    def _numbered_pattern(self, types: Sequence[int], wider: int, plain: int, by: int) -> int:
        pool = self._numbered(self._pools, (wider, plain, *types))
        return self._node("pattern", items=types, pool=pool, wider=wider, plain=plain, election=by)

    def _election(self, condition: core.Expr, hand: Hand) -> int:
        """A condition on options alone, which changes only where one of them is elected."""
        names = options_in(condition)
        if not names:
            return NONE
        return self._node(
            "election",
            items=sorted(self._numbered(self._options, name) for name in names),
            condition=self._expr(condition, hand),
        )

    # ---- rules

    def _edition(self, edition: core.Edition, rule: int, place: int) -> PlannedEdition:
        trigger, zone = edition.trigger, self.rulebook.time_zone
        hand: Hand = {core.TRIGGER: 0}
        own = parts_of(trigger.pattern)
        asks = [part for clause in edition.only_if for part in conditions(clause)]
        plain = [part for part in asks if not phrases_in(part)]
        costly = sorted((part for part in asks if phrases_in(part)), key=phrases_in)
        required = sorted(
            range(len(edition.requirements)),
            key=lambda number: phrases_in(edition.requirements[number].condition),
        )
        elections = [
            node for condition in asks if (node := self._election(condition, hand)) != NONE
        ]
        quotes = [part.value for part in edition.message if part.value is not None]
        begins, expires = moments_in_force(edition, zone)
        at = self._node(
            "edition",
            source=self._pattern(trigger.pattern.types, [*own.plain, *plain], hand),
            trigger=self._edge(trigger.pattern, {}),
            since=NONE if trigger.since is None else self._edge(trigger.since, hand),
            ends=NONE if trigger.ends is None else self._interval_numbers[trigger.ends],
            slicing=self._slicing(edition.slice),
            begins=begins,
            expires=expires,
            applies=self._items([self._clause(part, hand) for part in (*plain, *costly)]),
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


def key_text(node: object, hand: Hand) -> str:
    """An expression as a text that is the same wherever and of whichever event it is asked."""
    if isinstance(node, tuple):
        return "(" + ",".join(key_text(part, hand) for part in node) + ")"
    if not isinstance(node, core.Core):
        return repr(node)
    parts = []
    for name in node.__struct_fields__:
        value = getattr(node, name)
        if name in ("var", "at") and value in hand:
            parts.append(f"{name}={hand[value]}")
        elif name != "place":
            parts.append(f"{name}={key_text(value, hand)}")
    return f"{type(node).__name__}({','.join(parts)})"


def moments_in_force(edition: core.Edition, zone: str) -> tuple[int, int]:
    """From which moment on an edition is law, and from which on it no longer is."""
    return (
        _LONG_AGO if edition.since is None else _midnight(edition.since, zone),
        _FAR_AHEAD if edition.until is None else _midnight(edition.until, zone),
    )


def _midnight(day: str, zone: str) -> int:
    return microseconds(datetime.combine(date.fromisoformat(day), clock(), ZoneInfo(zone)))


_WRITERS: dict[type, Callable[[_Builder, Any, Hand], int]] = {
    core.Const: _Builder._constant,
    core.ReadingValue: _Builder._constant,
    core.SettingValue: _Builder._constant,
    core.Field: _Builder._field,
    core.OptionValue: _Builder._option,
    core.Arithmetic: _Builder._arithmetic,
    core.Rounding: _Builder._rounding,
    core.Apply: _Builder._apply,
    core.Lookup: _Builder._lookup,
    core.If: _Builder._choice,
    core.Compare: _Builder._comparison,
    core.Recorded: _Builder._recorded,
    core.About: _Builder._about,
    core.And: _Builder._all_of,
    core.Or: _Builder._any_of,
    core.Not: _Builder._negation,
    core.HowMany: _Builder._how_many,
    core.Every: _Builder._every,
    core.Aggregate: _Builder._aggregate,
    core.InOrder: _Builder._in_order,
    core.NextSeat: _Builder._next_seat,
}
