"""Writes the expressions of rules as nodes: one small function for each.

The events that a question speaks of have numbers in its hand: 0 is the trigger, and each phrase
inside takes the next one. What a pattern says of its event alone is written as if that event were
the trigger: then it is the same wherever it stands.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import timedelta
from typing import Any, Final

from compliance.plan.constants import planned_constant, valued
from compliance.plan.lookouts import sought_in
from compliance.plan.node_table import NodeTable, PlanProblem
from compliance.plan.nodes import KIND_OF, NONE, WORDS, NodeKind, number_of
from compliance.plan.pattern_parts import elected_by, options_in, parts_of, phrases_in
from compliance.plan.plan import PlannedConstant, PlannedTable
from compliance.plan.printed_tables import planned_table
from compliance.plan.value_kinds import kind_of
from event_schemas import Schema
from rules_dsl import core
from rules_dsl.traverse import asked_of_each, free_events

Hand = Mapping[int, int]
"""The numbers of the events in hand, by the variables of the rule."""
_MOST_VARS = 16


class Expressions(NodeTable):
    """The expressions of a rulebook, and the events that they look for."""

    def __init__(self, rulebook: core.Rulebook, schema: Schema, common: Counter[Any]) -> None:
        """`common` tells which conditions most patterns have: these come first."""
        super().__init__()
        self.rulebook = rulebook
        self.schema = schema
        self.uses: Counter[Any] = Counter()
        """How often a pattern of some types asks a condition."""
        self._common = common
        self._columns: dict[tuple[str, str], int] = {}
        self._constants: dict[PlannedConstant, int] = {}
        self._options: dict[str, int] = {}
        self._tables: dict[PlannedTable, int] = {}
        self._pools: dict[tuple[int, ...], int] = {}
        self._types = {name: number for number, name in enumerate(schema.events)}
        self._interval_numbers = {name: i for i, name in enumerate(rulebook.intervals)}
        self._type_names = False

    # ---- expressions

    def _expr(self, expr: core.Expr, hand: Hand) -> int:
        if len(hand) > 1 and phrases_in(expr):
            alone = free_events(expr)
            if len(alone) == 1:
                # It is the same whoever asks, and from wherever.
                var = next(iter(alone))
                node = self._memo(self._expr(expr, {var: 0}))
                return self._node("seen_from", var=hand[var], node=node)
        node = WRITERS.get(type(expr), Expressions._described)(self, expr, hand)
        return self._memo(node) if len(hand) == 1 and phrases_in(expr) else node

    def _described(self, expr: core.Expr, hand: Hand, **more: int) -> int:
        """A node with the parts that the expression has; `more` are those that it has not."""
        kind = node_kind(type(expr))
        inner, written = hand, dict(more)
        if asked_of_each(type(expr)):
            inner = self._with_next(hand, expr.events.pattern.var)  # type: ignore[union-attr]
        for name in sorted(kind.parts, key=lambda name: name != "events"):
            if name not in more:
                known = inner if name in asked_of_each(type(expr)) else hand
                written[name] = self._part(kind.name, name, getattr(expr, name), known)
        return self._node(kind.name, None, asks=True, **written)

    def _part(self, kind: str, name: str, value: Any, hand: Hand) -> int:
        if isinstance(value, core.Events):
            return self._events(value, hand)
        if isinstance(value, core.Core):
            return self._expr(value, hand)  # type: ignore[arg-type]
        if isinstance(value, str):
            return number_of(_VOCABULARIES.get((kind, name), name), value)
        return NONE if value is None else int(value)

    def _optional(self, expr: core.Expr | None, hand: Hand) -> int:
        return NONE if expr is None else self._expr(expr, hand)

    def _constant(self, expr: core.Expr, hand: Hand) -> int:
        constant = planned_constant(expr, self.rulebook, self.schema)
        return self._node("constant", number=self._numbered(self._constants, constant))

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
        return self._described(expr, hand, gives=number_of("result", gives))

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

    # ---- conditions

    def _recorded(self, expr: core.Recorded, hand: Hand) -> int:
        value = self._expr(expr.value, hand)
        return self._described(expr, hand, value=value, lookout=self._lookout([expr.value], hand))

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
        rounded = kind_of(expr.target, self.rulebook) == "duration"
        return self._described(expr, hand, rounded=int(rounded))

    def _all_of(self, expr: core.And, hand: Hand) -> int:
        return self._node("all_of", items=self._cheapest_first(expr.parts, hand))

    def _any_of(self, expr: core.Or, hand: Hand) -> int:
        return self._node("any_of", items=self._cheapest_first(expr.parts, hand))

    def _cheapest_first(self, parts: Sequence[core.Expr], hand: Hand) -> list[int]:
        """Conditions in the order in which to ask them: those on other events come last."""
        return [self._expr(part, hand) for part in sorted(parts, key=phrases_in)]

    # ---- other events

    def _how_many(self, expr: core.HowMany, hand: Hand) -> int:
        return self._described(expr, hand, count=self._expr(expr.number, hand))

    def _aggregate(self, expr: core.Aggregate, hand: Hand) -> int:
        money = isinstance(expr.value, core.Field) and expr.value.kind == "money"
        return self._described(expr, hand, money=int(money))

    def _events(self, events: core.Events, hand: Hand) -> int:
        """Where a phrase looks for which events."""
        window = events.window
        kinds = {
            name: self.schema.events[events.pattern.types[0]].fields[name].kind.name
            for name in events.per_fields
        }
        return self._node(
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
            within=self._length(window.within, "-" if window.less_than else "", hand),
            at_least=self._length(window.at_least, "+" if window.more_than else "", hand),
            per=number_of("per", events.per),
            after=NONE if window.after is None else hand[window.after],
        )

    def _length(self, length: core.Expr | None, instant: str, hand: Hand) -> int:
        """A length of time, or the next shorter or longer one: moments are whole microseconds."""
        node = self._optional(length, hand)
        if node == NONE or not instant:
            return node
        constant = self._numbered(self._constants, valued("duration", timedelta(microseconds=1)))
        return self._node(
            "arithmetic",
            sign=number_of("calculation", instant),
            left=node,
            right=self._node("constant", number=constant),
            gives=number_of("result", "length"),
        )

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
            elected=self._elected(parts.ties, pattern.var, inner),
        )

    def _elected(self, ties: Sequence[core.Expr], var: int, hand: Hand) -> int:
        """The ties that are alike for all events at which the same was elected."""
        by = {part: elected_by(part, var) for part in ties}
        names = frozenset[str]().union(*by.values())
        if not names:
            return NONE
        return self._node(
            "election",
            items=sorted(self._numbered(self._options, name) for name in names),
            condition=self._joined([self._expr(part, hand) for part in ties if by[part]]),
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


def key_text(node: object, hand: Hand) -> str:
    """An expression as a text that is the same wherever and of whichever event it is asked."""
    if isinstance(node, tuple):
        return "(" + ",".join(key_text(part, hand) for part in node) + ")"
    if not isinstance(node, core.Core):
        return repr(node)
    parts = []
    for name in node.__struct_fields__:
        value = getattr(node, name)
        if name in ("var", "at", "after") and value in hand:
            parts.append(f"{name}={hand[value]}")
        elif name != "place":
            parts.append(f"{name}={key_text(value, hand)}")
    return f"{type(node).__name__}({','.join(parts)})"


WRITERS: Final[dict[type, Callable[[Expressions, Any, Hand], int]]] = {
    core.Const: Expressions._constant,
    core.ReadingValue: Expressions._constant,
    core.SettingValue: Expressions._constant,
    core.Field: Expressions._field,
    core.OptionValue: Expressions._option,
    core.Arithmetic: Expressions._arithmetic,
    core.Apply: Expressions._apply,
    core.Lookup: Expressions._lookup,
    core.Recorded: Expressions._recorded,
    core.About: Expressions._about,
    core.And: Expressions._all_of,
    core.Or: Expressions._any_of,
    core.HowMany: Expressions._how_many,
    core.Aggregate: Expressions._aggregate,
}
"""Expressions of which a node holds more, or other things, than their own description has."""
_NODE_NAMES: Final[dict[type, str]] = {
    core.Compare: "comparison",
    core.If: "choice",
    core.Not: "negation",
}
"""Nodes that are not called as their expressions are."""
_VOCABULARIES: Final = {
    ("arithmetic", "sign"): "calculation",
    ("aggregate", "function"): "aggregate",
}
"""Parts whose words are not called as they are."""


def node_kind(form: type) -> NodeKind:
    """The kind of node that a kind of expression becomes."""
    plain = re.sub("(?<=[a-z])(?=[A-Z])", "_", form.__name__).lower()
    return KIND_OF[_NODE_NAMES.get(form, plain)]
