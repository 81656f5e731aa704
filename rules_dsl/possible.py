"""Tells whether a condition can hold at all: `seat is 1 and seat is 2` cannot.

The condition is taken apart into alternatives, each a list of simple facts that must hold together.
Facts about the same value narrow down what it can be; an alternative in which some value can be
nothing any more is impossible. What cannot be understood is taken as possible, so that nothing is
called impossible that is not.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from event_schemas import PLAIN_KINDS, EnumType, parse_value
from rules_dsl import core

Fact = tuple[core.Expr, bool]
MAX_ALTERNATIVES = 200
_OPPOSITE: dict[str, core.Sign] = {
    "=": "!=",
    "!=": "=",
    "<": ">=",
    ">=": "<",
    ">": "<=",
    "<=": ">",
}
_TURNED: dict[str, core.Sign] = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}


class TooManyAlternatives(Exception):
    """The condition is too large to be judged this way."""


def possible(facts: list[Fact], enums: Mapping[str, EnumType]) -> bool:
    """Whether all of these conditions (or their opposites, where False) can hold together."""
    try:
        alternatives = [list(a) for a in _combined([_alternatives(e, t) for e, t in facts])]
    except TooManyAlternatives:
        return True
    return any(_consistent(alternative, enums) for alternative in alternatives)


def plainly_possible(expr: core.Expr) -> bool:
    """Whether one look is enough: a single comparison of a value with something else."""
    if isinstance(expr, core.HowMany):
        return isinstance(expr.number, core.Const) and expr.number.text != "0"
    if not isinstance(expr, core.Compare) or expr.order:
        return False
    sides = (expr.left, expr.right)
    counted = any(isinstance(side, core.Aggregate) for side in sides)
    both_fixed = all(isinstance(side, core.Const) for side in sides)
    return not counted and not both_fixed and expr.left != expr.right


def _alternatives(expr: core.Expr, wanted: bool) -> list[tuple[Fact, ...]]:
    """The ways in which a condition can come out as wanted."""
    if isinstance(expr, core.Not):
        return _alternatives(expr.part, not wanted)
    if isinstance(expr, core.And | core.Or):
        branches = [_alternatives(part, wanted) for part in expr.parts]
        if isinstance(expr, core.And) is wanted:
            return _combined(branches)
        return [alternative for branch in branches for alternative in branch]
    return [((expr, wanted),)]


def _combined(branches: list[list[tuple[Fact, ...]]]) -> list[tuple[Fact, ...]]:
    result: list[tuple[Fact, ...]] = [()]
    for branch in branches:
        if len(result) * len(branch) > MAX_ALTERNATIVES:
            raise TooManyAlternatives
        result = [before + after for before in result for after in branch]
    return result


@dataclass
class _Range:
    """What is still left for one value: words, or numbers between two bounds."""

    words: set[str] | None = None
    low: Any = None
    low_included: bool = True
    high: Any = None
    high_included: bool = True
    excluded: set[object] = field(default_factory=set)
    whole: bool = False

    def narrow(self, sign: core.Sign, value: Any) -> None:
        if sign == "!=":
            self.excluded.add(value)
        if sign in ("=", ">", ">=") and (self.low is None or value >= self.low):
            self.low_included = sign != ">" and (self.low != value or self.low_included)
            self.low = value
        if sign in ("=", "<", "<=") and (self.high is None or value <= self.high):
            self.high_included = sign != "<" and (self.high != value or self.high_included)
            self.high = value

    def empty(self) -> bool:
        if self.words is not None:
            return not self.words
        if self.low is None or self.high is None:
            return False
        if self.whole:
            low = self.low if self.low_included else self.low + 1
            high = self.high if self.high_included else self.high - 1
            left = range(int(low), min(int(high), int(low) + 50) + 1)
            return all(number in self.excluded for number in left)
        if self.low > self.high:
            return True
        at_point = self.low == self.high
        both = self.low_included and self.high_included
        return at_point and (not both or self.low in self.excluded)


def _consistent(facts: list[Fact], enums: Mapping[str, EnumType]) -> bool:
    ranges: dict[object, _Range] = {}
    opaque: dict[core.Expr, bool] = {}
    for expr, wanted in facts:
        if isinstance(expr, core.Compare):
            if not _note_comparison(expr, wanted, ranges, enums):
                return False
        elif isinstance(expr, core.HowMany) and isinstance(expr.number, core.Const):
            if not _note_count(expr, wanted, ranges):
                return False
        elif opaque.setdefault(expr, wanted) is not wanted:
            return False
    return not any(left.empty() for left in ranges.values())


def _note_count(expr: core.HowMany, wanted: bool, ranges: dict[object, _Range]) -> bool:
    assert isinstance(expr.number, core.Const)
    signs: dict[str, core.Sign] = {"at least": ">=", "at most": "<=", "exactly": "="}
    sign = signs[expr.bound]
    number = parse_value(PLAIN_KINDS["number"], expr.number.text)
    left = ranges.setdefault(("count", expr.events), _Range(low=0, whole=True))
    left.narrow(sign if wanted else _OPPOSITE[sign], number)
    return not left.empty()


def _note_comparison(
    expr: core.Compare, wanted: bool, ranges: dict[object, _Range], enums: Mapping[str, EnumType]
) -> bool:
    """Add one comparison to what is known. False when it alone settles that nothing is left."""
    sign: core.Sign = expr.sign if wanted else _OPPOSITE[expr.sign]
    left, right = expr.left, expr.right
    if left == right:
        return sign in ("=", "<=", ">=")
    if isinstance(left, core.Const):
        left, right, sign = right, left, _TURNED.get(sign, sign)
    if not isinstance(right, core.Const) or "none" in (right.kind, right.text):
        return True
    if isinstance(left, core.Const):
        return _holds(sign, left, right)
    if right.kind not in PLAIN_KINDS:
        return _note_word(left, right, sign, expr.order, ranges, enums)
    subject: object = left
    whole = right.kind in ("number", "seat") and _is_count(left)
    if isinstance(left, core.Aggregate) and left.function == "count":
        subject = ("count", left.events)
    fresh = _Range(low=0, whole=True) if whole else _Range()
    known = ranges.setdefault(subject, fresh)
    value = parse_value(PLAIN_KINDS[right.kind], right.text)
    if right.kind in _UNORDERED:
        return _note_plain_word(known, sign, right.text)
    known.narrow(sign, value)
    return not known.empty()


_UNORDERED = frozenset({"text", "card", "rank", "suit", "flag", "cards"})


def _note_plain_word(known: _Range, sign: core.Sign, text: str) -> bool:
    """Values without an order: they can only be equal or not."""
    if sign == "!=":
        known.excluded.add(text)
        return known.words is None or not known.words <= {str(e) for e in known.excluded}
    known.words = {text} if known.words is None else known.words & {text}
    return bool(known.words - {str(e) for e in known.excluded})


def _is_count(expr: core.Expr) -> bool:
    return isinstance(expr, core.Aggregate) and expr.function in ("count", "distinct")


def _note_word(
    left: core.Expr,
    right: core.Const,
    sign: core.Sign,
    order: tuple[str, ...],
    ranges: dict[object, _Range],
    enums: Mapping[str, EnumType],
) -> bool:
    enum = enums.get(right.kind)
    values = order or (enum.values if enum else ())
    if right.text not in values:
        return True
    known = ranges.setdefault(left, _Range(words=set(values)))
    place = values.index(right.text)
    kept = {
        "=": {right.text},
        "!=": set(values) - {right.text},
        "<": set(values[:place]),
        "<=": set(values[: place + 1]),
        ">": set(values[place + 1 :]),
        ">=": set(values[place:]),
    }[sign]
    known.words = (known.words or set()) & kept
    return bool(known.words)


def _holds(sign: core.Sign, left: core.Const, right: core.Const) -> bool:
    if left.kind != right.kind or left.kind not in PLAIN_KINDS:
        return (left.text == right.text) if sign == "=" else True
    kind = PLAIN_KINDS[left.kind]
    first: Any = parse_value(kind, left.text)
    second: Any = parse_value(kind, right.text)
    if sign in ("=", "!="):
        return (first == second) is (sign == "=")
    if left.kind in _UNORDERED:
        return True
    outcomes: dict[str, bool] = {
        "<": first < second,
        "<=": first <= second,
        ">": first > second,
        ">=": first >= second,
    }
    return outcomes[sign]
