"""Takes a pattern's condition apart: what concerns the event alone, what ties it to another one."""

from __future__ import annotations

from dataclasses import dataclass

from rules_dsl import core


@dataclass(frozen=True)
class Join:
    """A tie of the form: this field of the event equals a value known elsewhere."""

    field: core.Field
    other: core.Expr
    condition: core.Expr


@dataclass(frozen=True)
class Split:
    """A pattern in three parts.

    `local` is judged once for every event of the table, whatever rule or trigger asks. `joins` are
    looked up in sorted keys. Only the `rest` needs event and context side by side.
    """

    types: tuple[str, ...]
    var: int
    local: tuple[core.Expr, ...]
    joins: tuple[Join, ...]
    rest: tuple[core.Expr, ...]


def split(pattern: core.Pattern) -> Split:
    """The three parts of a pattern."""
    local: list[core.Expr] = []
    joins: list[Join] = []
    rest: list[core.Expr] = []
    for part in conditions(pattern.where):
        if free_vars(part) <= {pattern.var}:
            local.append(part)
            continue
        join = _as_join(part, pattern.var)
        if join is not None:
            joins.append(join)
        else:
            rest.append(part)
    return Split(pattern.types, pattern.var, tuple(local), tuple(joins), tuple(rest))


def conditions(where: core.Expr | None) -> list[core.Expr]:
    """The conditions that must hold together."""
    if where is None:
        return []
    if isinstance(where, core.And):
        return [inner for part in where.parts for inner in conditions(part)]
    return [where]


def _as_join(part: core.Expr, var: int) -> Join | None:
    if not isinstance(part, core.Compare) or part.sign != "=":
        return None
    for mine, other in ((part.left, part.right), (part.right, part.left)):
        if isinstance(mine, core.Field) and mine.var == var and var not in free_vars(other):
            return Join(mine, other, part)
    return None


def free_vars(node: object) -> frozenset[int]:
    """The event variables that an expression takes from outside."""
    if isinstance(node, tuple):
        return frozenset().union(*(free_vars(part) for part in node))
    if isinstance(node, core.Field):
        return frozenset({node.var})
    if isinstance(node, core.OptionValue):
        return frozenset({node.at})
    if isinstance(node, core.Events):
        inside = free_vars(node.pattern.where) if node.pattern.where is not None else frozenset()
        bounds = free_vars(node.window)
        return (inside - {node.pattern.var}) | bounds | {node.at}
    if isinstance(node, core.Pattern):
        return free_vars(node.where) - {node.var} if node.where is not None else frozenset()
    if isinstance(node, core.Every):
        return free_vars(node.events) | (free_vars(node.condition) - {node.events.pattern.var})
    if isinstance(node, core.Aggregate | core.InOrder | core.NextSeat):
        var = node.events.pattern.var
        own = free_vars(node.value) - {var} if node.value is not None else frozenset()
        start = getattr(node, "start", None)
        outer = free_vars(start) if start is not None else frozenset()
        return free_vars(node.events) | own | outer
    if isinstance(node, core.Core):
        return frozenset().union(
            *(free_vars(getattr(node, name)) for name in node.__struct_fields__ if name != "place")
        )
    return frozenset()
