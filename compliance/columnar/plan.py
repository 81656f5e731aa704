"""What all tables share: which parts of the rules are the same, worked out once for a rulebook.

Parts that are equal get the same number, wherever they stand. What one rule has found for a part of
a table's log then serves every other rule that asks the same.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import compress
from typing import Any, TypeVar

import msgspec
import numpy as np

from compliance.columnar.split import Join, split
from compliance.columns import Flags, Integers
from rules_dsl import core

T = TypeVar("T")
R = TypeVar("R")

_FEW = 100
"""For so many kinds of tables it is kept what they have in common."""
ITSELF = -1
"""The event variable of a pattern's own conditions, whatever number the rule gave it."""


@dataclass(frozen=True)
class PlannedPattern:
    """A pattern taken apart; `own` and `keyed` are the numbers under which results are shared.

    What concerns the event alone is `local` where its fields tell, `costly` where other events do.
    """

    types: tuple[str, ...]
    var: int
    local: tuple[core.Expr, ...]
    costly: tuple[core.Expr, ...]
    joins: tuple[Join, ...]
    rest: tuple[core.Expr, ...]
    own: int
    keyed: int

    def without_joins(self) -> PlannedPattern:
        """The same pattern with its ties to other events judged pair by pair."""
        rest = (*self.rest, *(join.condition for join in self.joins))
        return replace(self, joins=(), rest=rest, keyed=-self.own - 1)


class Plan:
    """Numbers for the parts of a rulebook's rules."""

    def __init__(self) -> None:
        self._numbers: dict[object, int] = {}
        self._by_identity: dict[int, tuple[object, int]] = {}
        self._patterns: dict[int, tuple[core.Pattern, PlannedPattern]] = {}
        self._known: dict[tuple[object, int], tuple[object, Any]] = {}
        self._seen: dict[bytes, tuple[tuple[str, ...], frozenset[str]]] = {}
        self._beginning: dict[object, tuple[Sequence[core.Rule], Sequence[core.Rule]]] = {}
        self._zeros: Integers = np.zeros(0, dtype=np.int64)

    def number(self, part: Any) -> int:
        """The number of a part: equal parts have equal numbers."""
        known = self._by_identity.get(id(part))
        if known is not None:
            return known[1]
        found = self._numbers.setdefault(part, len(self._numbers))
        # The part is kept, so that its identity cannot pass to another one.
        self._by_identity[id(part)] = (part, found)
        return found

    def once(self, work: Callable[[T], R], part: T) -> R:
        """What is to be known about a part of a rule, worked out once for all tables."""
        key = (work, id(part))
        if key not in self._known:
            # The part is kept here as well.
            self._known[key] = (part, work(part))
        found: R = self._known[key][1]
        return found

    def remember(self, name: str, part: object, work: Callable[[], R]) -> R:
        """The same for what needs more than the part: under a name, worked out once."""
        key = (name, id(part))
        if key not in self._known:
            self._known[key] = (part, work())
        found: R = self._known[key][1]
        return found

    def zeros(self, size: int) -> Integers:
        """Nothing but zeros, only to be read: memory that all tables can have in common."""
        if size > len(self._zeros):
            self._zeros = np.zeros(2 * size, dtype=np.int64)
            self._zeros.flags.writeable = False
        return self._zeros[:size]

    def names_of(self, names: tuple[str, ...], which: Flags) -> frozenset[str]:
        """Some of the event types: many tables see the same ones."""
        key = which.tobytes()
        found = self._seen.get(key)
        if found is None or found[0] != names:
            _keep_few(self._seen)
            found = self._seen[key] = (names, frozenset(compress(names, which.tolist())))
        return found[1]

    def beginning(
        self, rules: Sequence[core.Rule], types_seen: frozenset[str]
    ) -> Sequence[core.Rule]:
        """The rules that have an event to begin with, where only events of some types are seen."""
        key = id(rules), types_seen
        found = self._beginning.get(key)
        if found is None:
            _keep_few(self._beginning)
            some = [rule for rule in rules if _begins(rule, types_seen)]
            # All rules are kept as well, so that their identity cannot pass to others.
            found = self._beginning[key] = (rules, some)
        return found[1]

    def cheapest_first(self, conditions: tuple[core.Expr, ...]) -> tuple[core.Expr, ...]:
        """Conditions in the order in which to ask them: those on other events come last."""
        return self.once(_cheapest_first, conditions)

    def pattern(self, pattern: core.Pattern) -> PlannedPattern:
        """A pattern taken apart."""
        known = self._patterns.get(id(pattern))
        if known is not None:
            return known[1]
        parts = split(pattern)
        ordered = sorted(parts.local, key=phrases_in)
        alone = tuple(renamed(condition, pattern.var, ITSELF) for condition in ordered)
        own = self.number(("own", parts.types, alone))
        keyed = self.number(("keyed", own, tuple(join.field.name for join in parts.joins)))
        planned = PlannedPattern(
            parts.types,
            parts.var,
            tuple(condition for condition in alone if not phrases_in(condition)),
            tuple(condition for condition in alone if phrases_in(condition)),
            parts.joins,
            parts.rest,
            own,
            keyed,
        )
        self._patterns[id(pattern)] = (pattern, planned)
        return planned


def _keep_few(known: dict[Any, Any]) -> None:
    """Let go of what was found for tables long ago."""
    if len(known) >= _FEW:
        known.clear()


def _begins(rule: core.Rule, types_seen: frozenset[str]) -> bool:
    return any(not types_seen.isdisjoint(e.trigger.pattern.types) for e in rule.editions)


def renamed(node: Any, old: int, new: int) -> Any:
    """The same expression with one event variable under another number."""
    if isinstance(node, tuple):
        return tuple(renamed(part, old, new) for part in node)
    if not isinstance(node, core.Core):
        return node
    changes: dict[str, Any] = {}
    for name in node.__struct_fields__:
        value = getattr(node, name)
        if name in ("var", "at"):
            if value == old:
                changes[name] = new
        elif name != "place":
            other = renamed(value, old, new)
            if other is not value:
                changes[name] = other
    return msgspec.structs.replace(node, **changes) if changes else node


def _cheapest_first(conditions: tuple[core.Expr, ...]) -> tuple[core.Expr, ...]:
    return tuple(sorted(conditions, key=phrases_in))


def phrases_in(node: object) -> int:
    """How many times a condition looks at other events."""
    if isinstance(node, tuple):
        return sum(phrases_in(part) for part in node)
    if not isinstance(node, core.Core):
        return 0
    inside = sum(phrases_in(getattr(node, name)) for name in node.__struct_fields__)
    return inside + isinstance(node, core.Events)
