"""What a rule reads: what it asks for, and what only tells whether it applies."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from compliance.simulate.table import SECOND
from compliance.table_check.rule_walk import RuleWalk
from event_schemas import PLAIN_KINDS, parse_value
from rules_dsl import core

Fields = Mapping[str, frozenset[str]]
"""By event type the fields of it."""


@dataclass(frozen=True)
class Reads:
    """What one edition of a rule reads."""

    asked: Fields
    """What its requirements read, and whose slice it is."""
    occasion: Fields
    """What its trigger, its conditions and its exceptions read."""
    owed: frozenset[str]
    """The event types that it asks for: acts, not facts that it looks at."""
    options: frozenset[str]
    limits: tuple[int, ...]
    """The limits of time in it, in milliseconds."""

    @classmethod
    def of(cls, edition: core.Edition, walk: RuleWalk) -> Reads:
        """What an edition reads under the readings that hold."""
        conditions = tuple(item.condition for item in edition.requirements)
        around = (edition.trigger, edition.only_if, edition.exemptions)
        nodes = list(_nodes((around, conditions)))
        return cls(
            _fields(edition, walk, conditions),
            _fields(edition, walk, around),
            frozenset(name for item in conditions for name in _owed(item, asked=True)),
            frozenset(node.name for node in nodes if isinstance(node, core.OptionValue)),
            tuple(sorted({limit for node in nodes for limit in _limits(node)})),
        )

    def fields(self, event: str) -> list[str]:
        """All fields of an event type that are read."""
        none: frozenset[str] = frozenset()
        return sorted(self.asked.get(event, none) | self.occasion.get(event, none))


def _fields(edition: core.Edition, walk: RuleWalk, parts: tuple[Any, ...]) -> Fields:
    bound = {core.TRIGGER: edition.trigger.pattern.types}
    found: dict[str, set[str]] = {}
    for need in walk.of(parts, bound):
        found.setdefault(need.event, set(edition.slice.keys)).add(need.field)
    return {event: frozenset(names - {""}) for event, names in found.items()}


def _nodes(part: Any) -> Iterator[core.Core]:
    if isinstance(part, tuple):
        for item in part:
            yield from _nodes(item)
    elif isinstance(part, core.Core):
        yield part
        for name in part.__struct_fields__:
            yield from _nodes(getattr(part, name))


def _limits(node: core.Core) -> Iterator[int]:
    if isinstance(node, core.Window):
        for bound in (node.within, node.at_least):
            if isinstance(bound, core.Const):
                length = parse_value(PLAIN_KINDS["duration"], bound.text)
                if isinstance(length, timedelta):
                    yield int(length.total_seconds() * SECOND)


def _owed(node: core.Expr | None, *, asked: bool) -> Iterator[str]:
    """The types of which a condition asks for events; `asked`: whether it is to be true."""
    if isinstance(node, core.And | core.Or):
        yield from _all_owed(node.parts, asked=asked)
    elif isinstance(node, core.Not):
        yield from _owed(node.part, asked=not asked)
    elif isinstance(node, core.If):
        yield from _all_owed((node.then, node.otherwise), asked=asked)
    elif isinstance(node, core.Every):
        yield from _owed(node.condition, asked=asked)
    elif isinstance(node, core.HowMany):
        if (node.bound != "at most") == asked:
            yield from node.events.pattern.types
            yield from _owed(node.events.pattern.where, asked=asked)
    elif isinstance(node, core.Compare):
        for side in (node.left, node.right):
            if isinstance(side, core.Aggregate) and side.function in ("count", "sum"):
                yield from side.events.pattern.types


def _all_owed(nodes: Iterable[core.Expr], *, asked: bool) -> Iterator[str]:
    for node in nodes:
        yield from _owed(node, asked=asked)
