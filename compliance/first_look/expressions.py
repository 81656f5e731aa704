"""Writes rules as numbers, in the form that the compiled first look reads.

A node is an operation followed by its operands; an operand that is a node is the place where that
node stands. Equal nodes are written once, so that rules share what is found for them. The events in
hand have numbers: 0 is the trigger, and each phrase inside takes the next one. What a pattern says
of its event alone is written as if that event were the trigger: then it is the same wherever it
stands.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from compliance.columnar.split import conditions, free_vars, split
from compliance.first_look import operations
from compliance.first_look.nodes import NONE, Hand, Nodes
from compliance.first_look.operations import Operation
from event_schemas import PLAIN_KINDS, Schema, parse_value
from rules_dsl import core


class CannotSayError(Exception):
    """A rule that says something of which compiled code knows nothing; its text names it."""


@dataclass
class Needs:
    """What a rule asks for besides its own words, by their numbers in the program."""

    columns: set[int] = field(default_factory=set)
    constants: set[int] = field(default_factory=set)
    options: set[int] = field(default_factory=set)
    lookups: set[int] = field(default_factory=set)
    intervals: set[int] = field(default_factory=set)
    type_words: bool = False


class Expressions(Nodes):
    """Expressions of a rulebook as numbers, each written once."""

    def __init__(self, rulebook: core.Rulebook, schema: Schema) -> None:
        super().__init__()
        self.columns: dict[tuple[str, str], int] = {}
        self.constants: list[core.Expr] = []
        self.options: dict[str, int] = {}
        self.lookups: list[core.Lookup] = []
        self.intervals = {name: number for number, name in enumerate(rulebook.intervals)}
        self._rulebook = rulebook
        self._schema = schema
        self._types = {name: number for number, name in enumerate(schema.events)}
        self._pools: dict[int, int] = {}
        self._constants: dict[tuple[str, ...], int] = {}
        self._lookups: dict[tuple[str, tuple[core.Expr, ...]], int] = {}
        self._needs = Needs()
        self._vars: dict[int, tuple[core.Expr, frozenset[int]]] = {}

    # ---- expressions

    def _costed(self, expr: core.Expr, hand: Hand) -> tuple[int, int]:
        """How many times an expression looks at other events, and its node."""
        before = self._phrases
        node = self._node(expr, hand)
        return self._phrases - before, node

    _phrases = 0

    def _node(self, expr: core.Expr, hand: Hand) -> int:
        mark = self._mark()
        place = _WRITERS[type(expr)](self, expr, hand)
        self._asked_once_inside(place, mark)
        return self._write_kept(place) if len(hand) == 1 and type(expr) in _PHRASES else place

    def _constant(self, expr: core.Expr) -> int:
        if isinstance(expr, core.Const):
            key: tuple[str, ...] = ("const", expr.kind, expr.text)
        elif isinstance(expr, core.ReadingValue):
            key = ("reading", expr.name)
        else:
            assert isinstance(expr, core.SettingValue)
            key = ("setting", expr.name, expr.kind)
        number = self._constants.get(key)
        if number is None:
            number = self._constants[key] = len(self.constants)
            self.constants.append(expr)
        self._needs.constants.add(number)
        return number

    def _fixed(self, expr: core.Expr, hand: Hand) -> int:
        return self._write(Operation.CONSTANT, self._constant(expr))

    def _column(self, name: str, kind: str) -> int:
        if name in ("id", "table", "casino"):
            raise CannotSayError(f"it asks for the {name} of an event")
        number = self.columns.setdefault((name, kind), len(self.columns))
        self._needs.columns.add(number)
        return number

    def _field(self, expr: core.Field, hand: Hand) -> int:
        event = hand[expr.var]
        if expr.name == "ts":
            return self._write(Operation.MOMENT, event)
        if expr.name == "seq":
            return self._write(Operation.SEQUENCE, event)
        if expr.name == "type":
            self._needs.type_words = True
            return self._write(Operation.TYPE, event)
        return self._write(Operation.FIELD, event, self._column(expr.name, expr.kind))

    def _option(self, expr: core.OptionValue, hand: Hand) -> int:
        number = self.options.setdefault(expr.name, len(self.options))
        self._needs.options.add(number)
        return self._write(Operation.OPTION, hand[expr.at], number)

    def _arithmetic(self, expr: core.Arithmetic, hand: Hand) -> int:
        sign = operations.CALCULATIONS.index(expr.sign)
        left, right = self._node(expr.left, hand), self._node(expr.right, hand)
        return self._write(Operation.ARITHMETIC, sign, left, right)

    def _rounding(self, expr: core.Rounding, hand: Hand) -> int:
        way = operations.WAYS_OF_ROUNDING.index(expr.way)
        value, unit = self._node(expr.value, hand), self._node(expr.unit, hand)
        return self._write(Operation.ROUNDING, way, value, unit)

    def _apply(self, expr: core.Apply, hand: Hand) -> int:
        operation = operations.FUNCTIONS.get(expr.function)
        if operation is None:
            raise CannotSayError(f"it asks for the {expr.function} of a value")
        return self._write(operation, *(self._node(part, hand) for part in expr.arguments))

    def _lookup(self, expr: core.Lookup, hand: Hand) -> int:
        table = self._rulebook.tables[expr.table]
        for kind, heads in ((table.row_kind, table.rows), (table.column_kind, table.columns)):
            for head in heads:
                if kind == "number" and not (_is_whole(head.low) and _is_whole(head.high)):
                    raise CannotSayError(f"{expr.table} has heads that are no whole numbers")
        key = (expr.table, expr.keys)
        number = self._lookups.get(key)
        if number is None:
            number = self._lookups[key] = len(self.lookups)
            self.lookups.append(expr)
        self._needs.lookups.add(number)
        keys = [self._node(part, hand) for part in expr.keys]
        return self._write(Operation.LOOKUP, number, keys[0], keys[1] if len(keys) > 1 else NONE)

    def _if(self, expr: core.If, hand: Hand) -> int:
        parts = (expr.condition, expr.then, expr.otherwise)
        return self._write(Operation.IF, *(self._node(part, hand) for part in parts))

    def _compare(self, expr: core.Compare, hand: Hand) -> int:
        sign = operations.SIGNS.index(expr.sign)
        left, right = self._node(expr.left, hand), self._node(expr.right, hand)
        if self.code[left] == Operation.FIELD and self.code[right] == Operation.CONSTANT:
            # By far the most frequent question, asked in one step.
            event, column = self.code[left + 1 : left + 3]
            constant = self.code[right + 1]
            return self._write(Operation.FIELD_AGAINST_CONSTANT, event, column, sign, constant)
        if self.code[left] == self.code[right] == Operation.FIELD:
            # So are the ties of one event to another.
            numbers = (*self.code[left + 1 : left + 3], sign, *self.code[right + 1 : right + 3])
            return self._write(Operation.FIELD_AGAINST_FIELD, *numbers)
        return self._write(Operation.COMPARE, sign, left, right)

    def _recorded(self, expr: core.Recorded, hand: Hand) -> int:
        value = self._node(expr.value, hand)
        if self.code[value] == Operation.FIELD:
            event, column = self.code[value + 1 : value + 3]
            return self._write(Operation.RECORDED, event, column, int(expr.known))
        return self._write(Operation.IS_RECORDED, value, int(expr.known))

    def _about(self, expr: core.About, hand: Hand) -> int:
        parts = (expr.value, expr.target, expr.tolerance)
        nodes = [self._node(part, hand) for part in parts]
        return self._write(Operation.ABOUT, *nodes, int(expr.relative))

    def _several(self, operation: Operation, parts: Sequence[core.Expr], hand: Hand) -> int:
        """All parts, or one of them: those that cost least are asked first."""
        nodes = sorted(self._costed(part, hand) for part in parts)
        if len(nodes) == 1:
            return nodes[0][1]
        return self._write(operation, len(nodes), *(node for _, node in nodes))

    def _and(self, expr: core.And, hand: Hand) -> int:
        return self._several(Operation.AND, expr.parts, hand)

    def _or(self, expr: core.Or, hand: Hand) -> int:
        return self._several(Operation.OR, expr.parts, hand)

    def _not(self, expr: core.Not, hand: Hand) -> int:
        return self._write(Operation.NOT, self._node(expr.part, hand))

    # ---- events

    def _how_many(self, expr: core.HowMany, hand: Hand) -> int:
        bound = operations.BOUNDS.index(expr.bound)
        number = self._node(expr.number, hand)
        phrase = self._phrase(expr.events, hand)
        what = (Operation.HOW_MANY, phrase)
        return self._write_counting(hand, what, Operation.HOW_MANY, bound, number, phrase)

    def _every(self, expr: core.Every, hand: Hand) -> int:
        phrase, var = self._phrase(expr.events, hand), expr.events.pattern.var
        # What is asked of each event alone is asked as if it were the trigger, like in a pattern.
        alone = self._free_vars(expr.condition) <= {var}
        inside = {var: 0} if alone else {**hand, var: len(hand)}
        condition = self._node(expr.condition, inside)
        return self._write(Operation.EVERY, phrase, condition, int(alone))

    def _aggregate(self, expr: core.Aggregate, hand: Hand) -> int:
        if expr.function not in operations.AGGREGATES:
            raise CannotSayError(f"it asks for the {expr.function} of cards")
        phrase = self._phrase(expr.events, hand)
        column = NONE if expr.function == "count" else self._value_column(expr.value)
        function = operations.AGGREGATES.index(expr.function)
        return self._write(Operation.AGGREGATE, function, phrase, column)

    def _in_order(self, expr: core.InOrder, hand: Hand) -> int:
        phrase = self._phrase(expr.events, hand)
        start = NONE if expr.start is None else self._node(expr.start, hand)
        direction = operations.DIRECTIONS.index(expr.direction)
        column = self._value_column(expr.value)
        what = (Operation.IN_ORDER, phrase, column, direction)
        return self._write_counting(hand, what, *what, start)

    def _next_seat(self, expr: core.NextSeat, hand: Hand) -> int:
        phrase = self._phrase(expr.events, hand)
        direction = operations.DIRECTIONS.index(expr.direction)
        column, start = self._value_column(expr.value), self._node(expr.start, hand)
        return self._write(Operation.NEXT_SEAT, phrase, column, direction, start)

    def _value_column(self, value: core.Expr | None) -> int:
        assert isinstance(value, core.Field)
        if value.name in ("ts", "seq", "type"):
            raise CannotSayError(f"it puts together the {value.name} of several events")
        return self._column(value.name, value.kind)

    def _phrase(self, events: core.Events, hand: Hand) -> int:
        self._phrases += 1
        per = [self._per_field(events, name) for name in events.per_fields if events.per]
        window = events.window
        pool, pattern, ties = self._pattern(events.pattern, hand)
        key, key_value = (NONE, NONE) if ties == NONE else self._key(events.pattern, hand)
        return self._write(
            hand[events.at],
            len(hand),
            pool,
            pattern,
            ties,
            operations.REACHES.index(window.reach),
            int(window.inclusive),
            NONE if window.interval is None else self._interval(window.interval),
            operations.WHICH_RUN.index(window.which),
            NONE if window.since is None else self._edge(window.since, hand),
            NONE if window.before is None else self._edge(window.before, hand),
            NONE if window.within is None else self._node(window.within, hand),
            NONE if window.at_least is None else self._node(window.at_least, hand),
            int(
                any((window.interval, window.since, window.before, window.within, window.at_least))
            ),
            key,
            key_value,
            operations.WHICH_OF_EACH.index(events.per),
            len(per),
            *per,
        )

    def _per_field(self, events: core.Events, name: str) -> int:
        """A field of which only one event for each value counts."""
        kinds = self._schema.events[events.pattern.types[0]].fields
        return self._column(name, kinds[name].kind.name)

    def _edge(self, pattern: core.Pattern, hand: Hand) -> int:
        self._phrases += 1
        return self._write(len(hand), *self._pattern(pattern, hand))

    def _interval(self, name: str) -> int:
        number = self.intervals[name]
        self._needs.intervals.add(number)
        return number

    def _pattern(self, pattern: core.Pattern, hand: Hand) -> tuple[int, int, int]:
        """The number of a pattern's pool, where it stands, and its ties to other events."""
        if len(hand) + 1 >= operations.MOST_EVENTS or len(pattern.types) > operations.MOST_TYPES:
            raise CannotSayError("it speaks of too many events at once")
        alone = {pattern.var: 0}
        mark = self._mark()
        own, tied = [], []
        for condition in conditions(pattern.where):
            if self._free_vars(condition) <= {pattern.var}:
                own.append(self._costed(condition, alone))
            else:
                tied.append(self._costed(condition, {**hand, pattern.var: len(hand)}))
        types = sorted(self._types[name] for name in pattern.types)
        fields = self._together([item for item in own if not item[0]])
        number, place = self._pool(len(types), *types, fields, NONE)
        others = self._together([item for item in own if item[0]])
        if others != NONE:
            # The same events for all who ask something else of what lies around them.
            number, place = self._pool(len(types), *types, fields, others, number, place)
        # A pool keeps what its own conditions say.
        self._asked_once_inside(place, mark)
        return number, place, self._together(tied)

    def _pool(self, *pattern: int) -> tuple[int, int]:
        """The number of the pool of a pattern, and where the pattern stands."""
        place = self._write(*pattern)
        return self._pools.setdefault(place, len(self._pools)), place

    def _free_vars(self, condition: core.Expr) -> frozenset[int]:
        """Which events a condition speaks of; patterns inside patterns are asked many times."""
        known = self._vars.get(id(condition))
        if known is None:
            # The condition is kept, so that its identity cannot pass to another one.
            known = self._vars[id(condition)] = (condition, free_vars(condition))
        return known[1]

    def _together(self, costed: list[tuple[int, int]]) -> int:
        nodes = [node for _, node in sorted(costed)]
        if len(nodes) < 2:
            return nodes[0] if nodes else NONE
        return self._write(Operation.AND, len(nodes), *nodes)

    def _key(self, pattern: core.Pattern, hand: Hand) -> tuple[int, int]:
        """The field by which a pattern is tied to other events, and the value that it must have."""
        for join in split(pattern).joins:
            if join.field.name not in ("ts", "seq", "type"):
                column = self._column(join.field.name, join.field.kind)
                return column, self._node(join.other, hand)
        return NONE, NONE


def _is_whole(text: str) -> bool:
    return text == "none" or isinstance(parse_value(PLAIN_KINDS["number"], text), int)


_WRITERS: dict[type, Callable[[Expressions, Any, Hand], int]] = {
    core.Const: Expressions._fixed,
    core.ReadingValue: Expressions._fixed,
    core.SettingValue: Expressions._fixed,
    core.Field: Expressions._field,
    core.OptionValue: Expressions._option,
    core.Arithmetic: Expressions._arithmetic,
    core.Rounding: Expressions._rounding,
    core.Apply: Expressions._apply,
    core.Lookup: Expressions._lookup,
    core.If: Expressions._if,
    core.Compare: Expressions._compare,
    core.Recorded: Expressions._recorded,
    core.About: Expressions._about,
    core.And: Expressions._and,
    core.Or: Expressions._or,
    core.Not: Expressions._not,
    core.HowMany: Expressions._how_many,
    core.Every: Expressions._every,
    core.Aggregate: Expressions._aggregate,
    core.InOrder: Expressions._in_order,
    core.NextSeat: Expressions._next_seat,
}
_PHRASES = (core.HowMany, core.Every, core.Aggregate, core.InOrder, core.NextSeat)
