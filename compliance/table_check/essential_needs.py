"""Without what a rule can never be decided, whatever happens: the hard core of what it needs.

Most of what a rule names is needed only in some circumstances: on one side of an `or`, under an
option, in an exception. Each check finds out whether it is needed there, because an event that a
source does not record may have happened anywhere, and a field that it does not record is missing.
What is listed here leaves every check in doubt.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import reduce
from typing import Any, Final

from compliance.table_check.rule_walk import Need, RuleWalk, Types
from rules_dsl import core

_ONE_EVENT: Final = ("first", "last", "previous", "next")
_SINGLE_VALUES: Final = (
    *(core.Compare, core.About, core.Arithmetic, core.Rounding, core.Apply, core.Lookup, core.Not),
)


def essential_needs(edition: core.Edition, walk: RuleWalk) -> frozenset[Need]:
    """What every check of an edition needs."""
    found = _Essential(walk, edition.trigger.pattern.types)
    conditions = [found.of(item.condition) for item in edition.requirements]
    # One requirement that does not hold is enough for a breach.
    needed = reduce(frozenset.__and__, conditions) if conditions else frozenset[Need]()
    for part in (edition.trigger.pattern.where, *edition.only_if):
        needed |= found.to_hold(part)
    if edition.trigger.since is not None:
        needed |= _single(edition.trigger.since.types)
    for interval in {edition.trigger.ends, edition.slice.interval} - {None}:
        needed |= _single(walk.rulebook.intervals[str(interval)].opens.types)
    return needed


def _single(types: Types) -> frozenset[Need]:
    """Of several types each may do."""
    return frozenset(map(Need, types)) if len(types) == 1 else frozenset()


class _Essential:
    def __init__(self, walk: RuleWalk, triggers: Types) -> None:
        self._walk = walk
        self._triggers = triggers

    def to_hold(self, node: core.Expr | None) -> frozenset[Need]:
        """Without what a condition can never be found to hold."""
        if isinstance(node, core.And):
            return self._any_of(self.to_hold(part) for part in node.parts)
        return self.of(node)

    def of(self, node: Any) -> frozenset[Need]:
        """Without what a condition can never be decided, or a value never be known."""
        if isinstance(node, core.Field):
            if node.var != core.TRIGGER or len(self._triggers) != 1:
                return frozenset()
            return frozenset(self._walk.field(node.name, self._triggers))
        if isinstance(node, core.And | core.Or):
            # One part that is decided may decide the whole.
            return reduce(frozenset.__and__, map(self.of, node.parts))
        if isinstance(node, core.If):
            decided = self._walk.decided(node.condition)
            if decided is not None:
                return self.of(node.then if decided else node.otherwise)
            return self.of(node.then) & self.of(node.otherwise)
        if isinstance(node, core.HowMany | core.Every):
            return _single(node.events.pattern.types)
        if isinstance(node, core.Aggregate) and node.function in _ONE_EVENT:
            return _single(node.events.pattern.types)
        if isinstance(node, _SINGLE_VALUES):
            parts = (getattr(node, name) for name in node.__struct_fields__ if name != "place")
            return self._any_of(map(self.of, _flat(parts)))
        return frozenset()

    @staticmethod
    def _any_of(parts: Iterable[frozenset[Need]]) -> frozenset[Need]:
        return frozenset().union(*parts)


def _flat(parts: Iterable[object]) -> Iterator[object]:
    for part in parts:
        if isinstance(part, tuple):
            yield from part
        else:
            yield part
