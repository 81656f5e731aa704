"""Says conditions in plain English: comparisons, lists of conditions, and what events there are."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rules_dsl import core
from rules_dsl.conditions import OPPOSITE
from rules_dsl.english_names import listed
from rules_dsl.english_phrases import Noun, Speaker, Speech, events_said

_SIGNS = {
    "=": "",
    "!=": "not ",
    "<": "less than ",
    "<=": "at most ",
    ">": "more than ",
    ">=": "at least ",
}
_MOMENTS = {"<": "before ", "<=": "no later than ", ">": "after ", ">=": "no earlier than "}
_RANKS = {
    "<": "ranked below ",
    "<=": "ranked no higher than ",
    ">": "ranked above ",
    ">=": "ranked no lower than ",
}


def compare_said(
    english: Speaker, expr: core.Compare, speech: Speech, *, must: bool = False
) -> str:
    verb = "must be" if must else "is"
    left, right = english.value(expr.left, speech), english.value(expr.right, speech)
    if isinstance(expr.right, core.Const) and expr.right.kind == "none":
        there = "does not exist" if expr.sign == "=" else "exists"
        return f"{left} {'must be such that it ' if must else ''}{there}"
    if expr.sign == "!=":
        return f"{left} {'must not be' if must else 'is not'} {right}"
    kind = getattr(expr.left, "kind", "")
    words = _MOMENTS if kind in ("time", "date") else _RANKS if expr.order else {}
    return f"{left} {verb} {words.get(expr.sign) or _SIGNS[expr.sign]}{right}"


def _recorded(english: Speaker, expr: core.Recorded, speech: Speech) -> str:
    verb = "is recorded" if expr.known else "is not recorded"
    return f"{english.value(expr.value, speech)} {verb}"


def _about(english: Speaker, expr: core.About, speech: Speech) -> str:
    parts = (expr.value, expr.target, expr.tolerance)
    value, target, tolerance = (english.value(part, speech) for part in parts)
    share = " of it" if expr.relative else ""
    return f"{value} is {target}, give or take {tolerance}{share}"


def _and(english: Speaker, expr: core.And, speech: Speech) -> str:
    between = _between(english, expr, speech)
    if between:
        return between
    parts = [english.holds(part, speech) for part in expr.parts]
    return " and ".join(_bracketed(p, t) for p, t in zip(expr.parts, parts, strict=True))


def _or(english: Speaker, expr: core.Or, speech: Speech) -> str:
    choice = _one_of(english, expr, speech)
    if choice:
        return choice
    implication = as_implication(expr)
    if implication is not None:
        condition, then = implication
        if_said = english.holds(condition, speech)
        return f"if {if_said}, then {english.holds(then, speech)}"
    parts = [english.holds(part, speech) for part in expr.parts]
    said = [_bracketed(p, t) for p, t in zip(expr.parts, parts, strict=True)]
    return f"either {' or '.join(said)}"


def _bracketed(expr: core.Expr, text: str) -> str:
    simple = _range(expr) is not None or _shared_left(expr) is not None
    return f"({text})" if isinstance(expr, core.And | core.Or) and not simple else text


def as_implication(expr: core.Or) -> tuple[core.Expr, core.Expr] | None:
    """`not a, or b` is said as `if a, then b`."""
    if len(expr.parts) == 2 and isinstance(expr.parts[0], core.Not):
        return expr.parts[0].part, expr.parts[1]
    return None


def _range(expr: core.Expr) -> tuple[core.Compare, core.Compare] | None:
    """The two ends of `is between a and b`."""
    if not (isinstance(expr, core.And) and len(expr.parts) == 2):
        return None
    low, high = expr.parts
    if not (isinstance(low, core.Compare) and isinstance(high, core.Compare)):
        return None
    is_range = (low.sign, high.sign) == (">=", "<=") and low.left == high.left
    return (low, high) if is_range else None


def _between(english: Speaker, expr: core.And, speech: Speech, verb: str = "is") -> str:
    found = _range(expr)
    if found is None:
        return ""
    ends = [english.value(end.right, speech) for end in found]
    left = english.value(found[0].left, speech)
    return f"{left} {verb} between {ends[0]} and {ends[1]} (both included)"


def _shared_left(expr: core.Expr) -> core.Expr | None:
    """The value that `is one of (a, b)` speaks of."""
    if not isinstance(expr, core.Or):
        return None
    tests = [part for part in expr.parts if isinstance(part, core.Compare) and part.sign == "="]
    same = len(tests) == len(expr.parts) and all(test.left == tests[0].left for test in tests)
    return tests[0].left if same else None


def _one_of(english: Speaker, expr: core.Or, speech: Speech, verb: str = "is") -> str:
    left = _shared_left(expr)
    if left is None:
        return ""
    values = [english.value(p.right, speech) for p in expr.parts if isinstance(p, core.Compare)]
    return f"{english.value(left, speech)} {verb} {listed(values, 'or')}"


def _not(english: Speaker, expr: core.Not, speech: Speech) -> str:
    part = expr.part
    if isinstance(part, core.Not):
        return english.holds(part.part, speech)
    turned = opposite(part)
    if turned is not None:
        return english.holds(turned, speech)
    said = ""
    if isinstance(part, core.And):
        said = _between(english, part, speech, "is not")
    elif isinstance(part, core.Or):
        said = _one_of(english, part, speech, "is not")
    return said or f"it is not so that {english.holds(part, speech)}"


def opposite(expr: core.Expr) -> core.Expr | None:
    """The same condition turned round, where that is simple to say."""
    if isinstance(expr, core.Compare):
        return core.Compare(OPPOSITE[expr.sign], expr.left, expr.right, expr.order)
    if isinstance(expr, core.HowMany) and isinstance(expr.number, core.Const):
        if (expr.bound, expr.number.text) == ("at least", "1"):
            return core.HowMany("at most", core.Const("number", "0"), expr.events)
        if (expr.bound, expr.number.text) == ("at most", "0"):
            return core.HowMany("at least", core.Const("number", "1"), expr.events)
    return None


# ---- conditions on events ------------------------------------------------------------------


def how_many_said(
    english: Speaker, expr: core.HowMany, speech: Speech, *, must: bool = False
) -> str:
    noun = events_said(expr.events, speech, english, expr)
    return f"{quantity_said(english, expr, speech, noun, must=must)}{noun.rest}"


def quantity_said(
    english: Speaker, expr: core.HowMany, speech: Speech, noun: Noun, *, must: bool = False
) -> str:
    """How many events there are, and of which types; without where, and without conditions."""
    there = "there must be" if must else "there is"
    number = expr.number
    plain = number.text if isinstance(number, core.Const) else None
    if (expr.bound, plain) == ("at least", "1"):
        return f"{there} {noun.one.removesuffix(noun.rest)}"
    if (expr.bound, plain) == ("at most", "0"):
        return f"{there} no {noun.name}"
    bound = expr.bound
    if isinstance(number, core.Arithmetic) and number.right.place is None:
        # `more than 3` is at least 3 plus 1, and `fewer than 3` at most 3 minus 1.
        bound, number = ("more than" if number.sign == "+" else "fewer than"), number.left  # type: ignore[assignment]
    are = "there must be" if must else "there are"
    return f"{are} {bound} {english.value(number, speech)} {noun.name} events"


def _every(english: Speaker, expr: core.Every, speech: Speech) -> str:
    noun = events_said(expr.events, speech, english, expr)
    condition = english.holds(expr.condition, noun.inside)
    return f"for each {noun.name}{noun.rest}, {condition}"


def _in_order(english: Speaker, expr: core.InOrder, speech: Speech) -> str:
    noun = events_said(expr.events, speech, english, expr)
    value = english.said(expr.value, noun.inside).removeprefix("its ")
    start = ""
    if expr.start is not None:
        start = f", counted from {english.value(expr.start, speech)}"
    return f"the {value} of the {noun.many} goes {expr.direction} round the table{start}"


CONDITIONS: dict[type, Callable[[Speaker, Any, Speech], str]] = {
    core.Compare: compare_said,
    core.Recorded: _recorded,
    core.About: _about,
    core.And: _and,
    core.Or: _or,
    core.Not: _not,
    core.HowMany: how_many_said,
    core.Every: _every,
    core.InOrder: _in_order,
}
