"""Everything that a part of a rule names: event types, and fields of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import msgspec

from event_schemas import Schema
from rules_dsl import core

Types = tuple[str, ...]
_OF_SUITS: Final = ("suit", "color", "poker_class", "poker_rank", "low_poker_rank")
_OF_RANKS: Final = (
    *("rank", "pip_value", "hard_total", "blackjack_total", "is_soft", "baccarat_points", "size"),
)


class Need(msgspec.Struct, frozen=True, order=True, array_like=True):
    """An event type, or a field of it."""

    event: str
    field: str = ""

    def __str__(self) -> str:
        return f"the field {self.field} of {self.event}" if self.field else self.event


@dataclass(frozen=True)
class RuleWalk:
    """Goes through the parts of a rule and lists what they name."""

    rulebook: core.Rulebook
    readings: Mapping[str, str]
    schema: Schema
    taken_otherwise: set[Need] = field(default_factory=set)
    """Fields, as far as it went, that would be taken for something else if the source does not
    tell them: `is missing` is not meant of a source that never knows."""

    def of(self, node: Any, bound: Mapping[int, Types], *, runs: bool = True) -> Iterator[Need]:
        """Everything that a part of a rule names; `bound` are the events that it speaks of.

        Without `runs` what tells where intervals begin and end is left out.
        """
        if isinstance(node, tuple):
            for part in node:
                yield from self.of(part, bound, runs=runs)
        elif isinstance(node, core.Field):
            yield from self.field(node.name, bound[node.var])
        elif isinstance(node, core.Pattern):
            yield from map(Need, node.types)
            yield from self.of(node.where, {**bound, node.var: node.types}, runs=runs)
        elif isinstance(node, core.Recorded):
            named = set(self.of(node.value, bound, runs=runs))
            self.taken_otherwise.update(need for need in named if need.field)
            yield from named
        elif isinstance(node, core.Events):
            for name in node.per_fields:
                yield from self.field(name, node.pattern.types)
            if node.window.interval is not None and runs:
                yield from self.run_of(node.window.interval)
            yield from self._parts(node, bound, runs)
        elif isinstance(node, core.If):
            yield from self._choice(node, bound, runs)
        elif isinstance(node, core.And | core.Or):
            # One part that is decided beforehand may decide the whole.
            decided = {self.decided(part) for part in node.parts}
            if isinstance(node, core.Or) not in decided:
                yield from self.of(node.parts, bound, runs=runs)
        elif isinstance(node, core.Core):
            yield from self._parts(node, bound, runs)

    def _parts(self, node: core.Core, bound: Mapping[int, Types], runs: bool) -> Iterator[Need]:
        inside = bound
        if isinstance(events := getattr(node, "events", None), core.Events):
            inside = {**bound, events.pattern.var: events.pattern.types}
        for name in node.__struct_fields__:
            yield from self.of(getattr(node, name), inside, runs=runs)

    def _choice(self, node: core.If, bound: Mapping[int, Types], runs: bool) -> Iterator[Need]:
        decided = self.decided(node.condition)
        if decided is not True:
            yield from self.of(node.otherwise, bound, runs=runs)
        if decided is not False:
            yield from self.of(node.then, bound, runs=runs)
        if decided is None:
            asked = node.condition
            if isinstance(asked, core.Recorded) and not isinstance(node.otherwise, core.Const):
                # The rule says itself what holds where the field is not told.
                yield from self.of(asked.value, bound, runs=runs)
            else:
                yield from self.of(asked, bound, runs=runs)

    def run_of(self, interval: str) -> Iterator[Need]:
        """What tells where the runs of an interval begin and end."""
        found = self.rulebook.intervals[interval]
        yield from self.of((found.opens, found.closes), {})

    def field(self, name: str, types: Types) -> Iterator[Need]:
        """A field of those of the event types that have it."""
        for event in types:
            if name in self.schema.events[event].fields:
                yield Need(event, name)

    def decided(self, node: core.Expr) -> bool | None:
        """The answer of a condition on readings alone, which is known beforehand."""
        if isinstance(node, core.Not):
            part = self.decided(node.part)
            return None if part is None else not part
        if not isinstance(node, core.Compare) or not isinstance(node.left, core.ReadingValue):
            return None
        if not isinstance(node.right, core.Const) or node.sign not in ("=", "!="):
            return None
        same = self.readings[node.left.name] == node.right.text
        return same if node.sign == "=" else not same


def asks_for_suits(node: object, never: frozenset[str] = frozenset()) -> bool:
    """Whether a part of a rule tells cards of one rank from each other, at events other than those
    that never happen."""

    def asks(part: object) -> bool:
        return asks_for_suits(part, never)

    if isinstance(node, core.Edition):
        parts = (node.trigger, node.only_if, node.requirements, node.exemptions)
        return any(map(asks, parts))
    if isinstance(node, tuple):
        return any(map(asks, node))
    if isinstance(node, core.Pattern) and never.issuperset(node.types):
        return False  # no event is ever asked what cards it has
    if isinstance(node, core.Apply | core.Aggregate) and node.function in _OF_SUITS:
        return True
    if isinstance(node, core.Apply) and node.function in _OF_RANKS:
        return any(asks(getattr(part, "events", None)) for part in node.arguments)
    if isinstance(node, core.Aggregate) and node.function in _OF_RANKS:
        return asks(node.events)
    if isinstance(node, core.Recorded):
        return asks(getattr(node.value, "events", None))
    if isinstance(node, core.Field | core.Aggregate) and node.kind in ("card", "cards", "suit"):
        return True
    names = getattr(node, "__struct_fields__", ())
    return any(asks(getattr(node, name)) for name in names)


def needs_listed(found: Iterable[Need]) -> str:
    """Needs as a sentence names them: fields of one event type together."""
    fields: dict[str, list[str]] = {}
    for need in found:
        fields.setdefault(need.event, []).append(need.field)
    parts = []
    for event, names in fields.items():
        if "" in names:
            parts.append(event)
        else:
            some = _and(names)
            parts.append(f"the {'field' if len(names) == 1 else 'fields'} {some} of {event}")
    return _and(parts)


def _and(parts: Sequence[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"
