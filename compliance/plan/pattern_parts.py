"""Takes a pattern's condition apart: what concerns its event alone, what ties it to others."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeVar

from rules_dsl import core
from rules_dsl.traverse import free_events, parts

_Kind = TypeVar("_Kind", bound=core.Core)
MOST_JOINS = 8
"""How many ties of the plainest form a pattern may have; further ones are asked like any other."""


@dataclass(frozen=True)
class PatternParts:
    """A pattern in four parts.

    `plain` is told by the event's own fields (and by options), `costly` by events around it; both
    are the same whoever asks. `joins` tie it to others by a field that equals a value known
    elsewhere, `ties` in any other way.
    """

    plain: tuple[core.Expr, ...]
    costly: tuple[core.Expr, ...]
    joins: tuple[tuple[core.Field, core.Expr], ...]
    ties: tuple[core.Expr, ...]


def parts_of(pattern: core.Pattern) -> PatternParts:
    """The parts of a pattern."""
    plain: list[core.Expr] = []
    costly: list[core.Expr] = []
    joins: list[tuple[core.Field, core.Expr]] = []
    ties: list[core.Expr] = []
    for part in conditions(pattern.where):
        if free_events(part) <= {pattern.var}:
            (costly if phrases_in(part) else plain).append(part)
            continue
        join = _as_join(part, pattern.var)
        if join is None or len(joins) == MOST_JOINS:
            ties.append(part)
        else:
            joins.append(join)
    return PatternParts(tuple(plain), tuple(costly), tuple(joins), tuple(ties))


def conditions(where: core.Expr | None) -> list[core.Expr]:
    """The conditions that must hold together."""
    if where is None:
        return []
    if isinstance(where, core.And):
        return [inner for part in where.parts for inner in conditions(part)]
    return [where]


def _as_join(part: core.Expr, var: int) -> tuple[core.Field, core.Expr] | None:
    if not isinstance(part, core.Compare) or part.sign != "=":
        return None
    for mine, other in ((part.left, part.right), (part.right, part.left)):
        if not isinstance(mine, core.Field) or mine.var != var or var in free_events(other):
            continue
        if mine.name not in ("ts", "seq", "type"):
            return mine, other
    return None


def elected_by(part: core.Expr, var: int) -> frozenset[str]:
    """The options of an event by which alone a condition depends on it; none where it asks for
    anything else of the event, or looks at further ones. Events that had elected the same then
    get the same answer."""
    if phrases_in(part) or any(field.var == var for field in _all(part, core.Field)):
        return frozenset()
    return frozenset(option.name for option in _all(part, core.OptionValue) if option.at == var)


def _all(node: core.Core, kind: type[_Kind]) -> Iterator[_Kind]:
    if isinstance(node, kind):
        yield node
    for part in parts(node):
        yield from _all(part, kind)


def phrases_in(node: core.Core) -> int:
    """How many times a condition looks at other events."""
    return sum(map(phrases_in, parts(node))) + isinstance(node, core.Events)


def options_in(node: core.Core) -> frozenset[str] | None:
    """The options that a condition asks for, or None when it asks for anything else."""
    if isinstance(node, core.OptionValue):
        return frozenset({node.name})
    if isinstance(node, core.Const | core.ReadingValue | core.SettingValue):
        return frozenset()
    if not isinstance(node, core.Compare | core.And | core.Or | core.Not):
        return None
    found: frozenset[str] = frozenset()
    for part in parts(node):
        inner = options_in(part)
        if inner is None:
            return None
        found |= inner
    return found
