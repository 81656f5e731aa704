"""Finds the single conditions of a rule: the smallest parts that hold or do not hold."""

from __future__ import annotations

from collections.abc import Iterator

from event_schemas import Schema
from event_schemas.event import OWN_ATTRIBUTES
from rules_dsl import core
from rules_dsl.traverse import Types, scope_inside, walk

OPPOSITE: dict[str, core.Sign] = {
    "=": "!=",
    "!=": "=",
    "<": ">=",
    ">=": "<",
    ">": "<=",
    "<=": ">",
}
"""The sign of the opposite comparison."""


def single_conditions(edition: core.Edition) -> Iterator[tuple[core.Expr, Types]]:
    """Every single condition of an edition, wherever it stands, with the variables in scope."""
    for node, types in walk(edition):
        inner = scope_inside(node, types)
        for root in _conditions_of(node):
            for atom in _taken_apart(root):
                yield atom, inner


def _conditions_of(node: core.Core) -> tuple[core.Expr, ...]:
    """The conditions that a part consists of: after `where`, `has`, `require` and the like."""
    if isinstance(node, core.Pattern):
        return () if node.where is None else (node.where,)
    if isinstance(node, core.Every | core.If | core.Requirement | core.Exemption):
        return (node.condition,)
    return node.only_if if isinstance(node, core.Edition) else ()


def _taken_apart(expr: core.Expr) -> Iterator[core.Expr]:
    if isinstance(expr, core.And | core.Or):
        for part in expr.parts:
            yield from _taken_apart(part)
    elif isinstance(expr, core.Not):
        yield from _taken_apart(expr.part)
    elif isinstance(expr, core.If):
        # Its own condition is found where the `if` itself is met.
        yield from _taken_apart(expr.then)
        yield from _taken_apart(expr.otherwise)
    else:
        yield expr


def is_type_test(expr: core.Core) -> bool:
    """Whether this asks for the type of an event: that comes from a group, nobody wrote it."""
    return (
        isinstance(expr, core.Compare)
        and isinstance(expr.left, core.Field)
        and expr.left.name == "type"
        and expr.place is None
    )


def is_group_branch(expr: core.Core) -> bool:
    """Whether this is one branch of `any of (group, event)`, with a test of the type in it."""
    return isinstance(expr, core.And | core.Or) and any(map(is_type_test, expr.parts))


def both_ends(expr: core.Core) -> tuple[core.Compare, core.Compare] | None:
    """The two comparisons that `is between a and b` stands for."""
    if not (isinstance(expr, core.And) and len(expr.parts) == 2):
        return None
    low, high = expr.parts
    if not (isinstance(low, core.Compare) and isinstance(high, core.Compare)):
        return None
    is_range = (low.sign, high.sign) == (">=", "<=") and low.left == high.left
    return (low, high) if is_range else None


def choices(expr: core.Core) -> tuple[core.Compare, ...]:
    """The comparisons that `is one of (a, b)` stands for."""
    if not isinstance(expr, core.Or):
        return ()
    tests = tuple(p for p in expr.parts if isinstance(p, core.Compare) and p.sign == "=")
    same = len(tests) == len(expr.parts) and all(test.left == tests[0].left for test in tests)
    return tests if same else ()


def same_field(expr: core.Core) -> str | None:
    """The field of a `with same ...`, if that is what the condition is."""
    if (
        isinstance(expr, core.Compare)
        and isinstance(expr.left, core.Field)
        and isinstance(expr.right, core.Field)
        and expr.left.place is None
        and expr.right.place is None
    ):
        return expr.left.name
    return None


def holds_by_slice(expr: core.Core, slice_: core.Slice, types: Types, schema: Schema) -> bool:
    """Whether two events of one slice always agree on what is compared: it is the slice's key."""
    if not (isinstance(expr, core.Compare) and expr.sign == "="):
        return False
    left, right = expr.left, expr.right
    if not (isinstance(left, core.Field) and isinstance(right, core.Field)):
        return False
    return (
        left.name == right.name
        and left.name in slice_.keys
        and all(
            left.name in schema.events[name].fields
            for var in (left.var, right.var)
            for name in types.get(var, ())
        )
    )


def always_recorded(field: core.Field, types: Types, schema: Schema) -> bool:
    """Whether no event of these types can lack the field."""
    if field.name in OWN_ATTRIBUTES:
        return True
    fields = [schema.events[name].fields.get(field.name) for name in types.get(field.var, ())]
    return bool(fields) and all(item is not None and item.required for item in fields)
