"""Changes to conditions and values: a sign, a bound, a word, a part left out, the opposite."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import msgspec

from compliance.rule_tests.mutations.change import Change, Surroundings, changed, each_left_out
from compliance.rule_tests.mutations.neighbour_values import neighbours
from rules_dsl import core
from rules_dsl.conditions import (
    OPPOSITE,
    both_ends,
    holds_by_slice,
    is_group_branch,
    is_type_test,
    same_field,
)
from rules_dsl.traverse import all_parts

_BOUNDARY: dict[str, core.Sign] = {"<": "<=", "<=": "<", ">": ">=", ">=": ">"}
_OTHER_FUNCTION = {
    "first": "last",
    "last": "first",
    "smallest": "largest",
    "largest": "smallest",
    "average": "median",
    "median": "average",
    "distinct": "count",
    "blackjack_total": "hard_total",
    "hard_total": "blackjack_total",
    "poker_rank": "low_poker_rank",
    "low_poker_rank": "poker_rank",
}
_OTHER_WAY: dict[str, Any] = {
    "clockwise": "counterclockwise",
    "counterclockwise": "clockwise",
    "up": "down",
    "down": "up",
    "nearest": "down",
}
_WAYS = ("direction", "way")
_WRITTEN_BEFORE = {"start": "from"}
"""The word that a part which may be left out is written with."""
_BOUNDS: tuple[core.Bound, ...] = ("at least", "at most", "exactly")


def _compare(expr: core.Compare, around: Surroundings) -> Iterator[Change]:
    if is_type_test(expr):
        return
    what = around.written(expr)
    name = same_field(expr)
    if name:
        what = f"`same {name}` in {what}"
    elif expr.right.place == expr.place:
        # One of the values after `is one of`: the comparison itself is not written.
        what = f"{what} of {around.written_around(expr)}"
    # Inside a `not`, taking the `not` away does the same as turning the sign round.
    turned = None if isinstance(around.parent, core.Not) else OPPOSITE[expr.sign]
    for sign in (turned, _BOUNDARY.get(expr.sign)):
        if sign is not None:
            yield changed(expr, f"`{expr.sign}` becomes `{sign}` in {what}", sign=sign)


def _opposite(expr: core.Expr, around: Surroundings) -> Iterator[Change]:
    """A single condition turned round. Inside a `not`, taking the `not` away does the same."""
    if not isinstance(around.parent, core.Not):
        words = f"{around.written(expr)} becomes its opposite"
        yield Change(core.Not(expr, place=expr.place), words, None)


def _how_many(expr: core.HowMany, around: Surroundings) -> Iterator[Change]:
    number = f" {expr.number.text}" if isinstance(expr.number, core.Const) else ""
    nought = number == " 0"
    for bound in _BOUNDS:
        # No count is below nought: there, `exactly` and `at most` are the same.
        if bound == expr.bound or (nought and "at least" not in (bound, expr.bound)):
            continue
        words = f"`{expr.bound}{number}` becomes `{bound}{number}` in {around.written(expr)}"
        yield changed(expr, words, bound=bound)
    yield from _opposite(expr, around)


def described(expr: core.Expr, around: Surroundings) -> Iterator[Change]:
    """What can be mistaken in any expression: a way, a part that may be left out, the opposite."""
    for field in msgspec.structs.fields(expr):
        name, old = field.name, getattr(expr, field.name)
        if name in _WAYS:
            new = _OTHER_WAY[old]
            words = f"`{old}` becomes `{new}` in {around.written(expr)}"
            yield changed(expr, words, **{name: new})
        elif field.default is None and isinstance(old, core.Core):
            what = f"`{_WRITTEN_BEFORE[name]}` {around.written(old)}"
            yield changed(expr, f"{what} is left out of {around.written(expr)}", **{name: None})
    yield from (_opposite if expr.gives == "flag" else _flag)(expr, around)


def _parts(expr: core.And | core.Or, around: Surroundings) -> Iterator[Change]:
    """One of several conditions left out."""
    if any(is_type_test(part) or is_group_branch(part) for part in expr.parts):
        return
    edition = around.edition
    for part, rest in each_left_out(expr.parts):
        if edition and holds_by_slice(part, edition.slice, around.types, around.schema):
            continue
        name = same_field(part)
        what = f"`same {name}`" if name else around.written(part)
        if both_ends(expr):
            what = "the lower end" if part is expr.parts[0] else "the upper end"
        node = rest[0] if len(rest) == 1 else msgspec.structs.replace(expr, parts=rest)
        yield Change(node, f"{what} is left out of {around.written(expr)}", part.place)


def _not(expr: core.Not, around: Surroundings) -> Iterator[Change]:
    yield Change(expr.part, f"{around.written(expr)} becomes its opposite", None)


def _flag(expr: core.Expr, around: Surroundings) -> Iterator[Change]:
    """A yes-or-no value, where it stands as a condition."""
    parent = around.parent
    conditions = (getattr(parent, "where", None), getattr(parent, "condition", None))
    in_list = isinstance(parent, core.And | core.Or | core.Edition)
    if in_list or any(condition is expr for condition in conditions):
        yield from _opposite(expr, around)


# ---- values --------------------------------------------------------------------------------


def _aggregate(expr: core.Aggregate, around: Surroundings) -> Iterator[Change]:
    new = _OTHER_FUNCTION.get(expr.function)
    if expr.function == "sum" and expr.kind == "number":
        new = "count"
    if new is not None:
        value = None if new == "count" else expr.value
        words = f"`{expr.function}` becomes `{new}` in {around.written(expr)}"
        yield changed(expr, words, function=new, value=value)
    yield from _flag(expr, around)


def _const(const: core.Const, around: Surroundings) -> Iterator[Change]:
    edition = around.edition
    taken = {
        part.text
        for part in (all_parts(edition) if edition else ())
        if isinstance(part, core.Const) and part.kind == const.kind
    }
    # `type is card_dealt` and the sum in `more than 3` are not written by anybody.
    if around.parent is not None and (is_type_test(around.parent) or _is_made_up(const, around)):
        return
    bound = f"{around.parent.bound} " if isinstance(around.parent, core.HowMany) else ""
    for text in neighbours(const, around.rulebook, around.schema, taken):
        # At least nought is no condition at all; leaving the condition out is tried elsewhere.
        if (bound, text) != ("at least ", "0"):
            where = around.written_around(const)
            words = f"`{bound}{const.text}` becomes `{bound}{text}` in {where}"
            yield changed(const, words, text=text)


def _is_made_up(const: core.Const, around: Surroundings) -> bool:
    return const.place is None and isinstance(around.parent, core.Arithmetic)


CONDITIONS: dict[type, Callable[[Any, Surroundings], Iterator[Change]]] = {
    core.Compare: _compare,
    core.HowMany: _how_many,
    core.And: _parts,
    core.Or: _parts,
    core.Not: _not,
    # Whichever part holds can be wrong; the choice itself is changed by its condition.
    core.If: lambda expr, around: iter(()),
    core.Aggregate: _aggregate,
    core.Const: _const,
}
