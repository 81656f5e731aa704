"""Exact calculation with numbers, money and lengths of time, and with what only has limits.

A number is told as long as it fits into 64 bits above and below the fraction bar. One that is
larger is missing: it is never rounded and never wraps around.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterable
from datetime import timedelta
from fractions import Fraction
from typing import Any

from compliance.judgement.circumstances import Absent, known_number
from compliance.reference.answers import Bounds, Truth
from compliance.values.moments import MICROSECOND


def length_of(microseconds: int) -> Any:
    """A length of time, if it can be told."""
    length = known_number(microseconds)
    return length if isinstance(length, Absent) else timedelta(microseconds=length)


def plus(left: Any, right: Any) -> Any:
    """The sum of two values, of limits too: a sum lies between the sums of the limits."""
    if isinstance(left, Bounds) or isinstance(right, Bounds):
        (a, b), (c, d) = limits(left), limits(right)
        return bounds(_limit(_added, a, c), _limit(_added, b, d))
    return _added(left, right)


def minus(left: Any, right: Any) -> Any:
    """The difference of two values, of limits too."""
    if isinstance(left, Bounds) or isinstance(right, Bounds):
        (a, b), (c, d) = limits(left), limits(right)
        return bounds(_limit(_subtracted, a, d), _limit(_subtracted, b, c))
    return _subtracted(left, right)


def times(left: Any, right: Any) -> Any:
    """The product of two values; a length of time is rounded to microseconds."""
    if isinstance(left, timedelta) or isinstance(right, timedelta):
        length, share = (left, right) if isinstance(left, timedelta) else (right, left)
        return length_of(round(length // MICROSECOND * Fraction(share)))
    return known_number(left * right)


def divided(left: Any, right: Any) -> Any:
    """The quotient of two values; something divided by zero is missing."""
    if not right:
        return Absent.MISSING
    if isinstance(left, timedelta):
        micros = left // MICROSECOND
        if isinstance(right, timedelta):
            return known_number(Fraction(micros, right // MICROSECOND))
        return length_of(round(micros / Fraction(right)))
    return known_number(Fraction(left) / Fraction(right))


def divided_by(whole: Any, number: int) -> Any:
    """A total shared out among a number of events: of none there is nothing to share."""
    if not number:
        return Absent.NOTHING
    return whole if isinstance(whole, Absent) else divided(whole, number)


def rounded(value: Any, way: str, unit: Any) -> Any:
    """A value taken to a multiple of a unit; in the middle, the nearest is the upper one."""
    if not unit:
        return Absent.MISSING
    if isinstance(value, timedelta):
        return length_of(rounded(value // MICROSECOND, way, unit // MICROSECOND))
    steps = Fraction(value) / Fraction(unit)
    whole = {
        "up": math.ceil(steps),
        "down": math.floor(steps),
        "nearest": math.floor(steps + Fraction(1, 2)),
    }[way]
    return known_number(whole * unit)


def is_about(value: Any, target: Any, tolerance: Any, relative: bool) -> bool:
    """Whether a value is no further from a target than a tolerance, or than that share of it."""
    if isinstance(target, timedelta) and relative:
        share = round(abs(target // MICROSECOND) * Fraction(tolerance))
        return bool(abs(value - target) // MICROSECOND <= share)
    margin = abs(target) * tolerance if relative else tolerance
    return bool(abs(value - target) <= margin)


def total(values: Iterable[Any], kind: str) -> Any:
    """Values added up. Whole numbers may pass the largest on the way, fractions may not."""
    if kind == "duration":
        return length_of(sum(value // MICROSECOND for value in values))
    result: Any = 0
    for value in values:
        result += value
        if value.denominator != 1 and known_number(result) is Absent.MISSING:
            return Absent.MISSING
    return known_number(result)


def bounds(low: Any, high: Any) -> Any:
    """A value between two limits. Without any, or with one too large, it is simply missing."""
    untold = low is None and high is None
    return Absent.MISSING if untold or Absent in (type(low), type(high)) else Bounds(low, high)


def limits(value: Any) -> tuple[Any, Any]:
    """The limits of a value; one that is known is its own."""
    return (value.low, value.high) if isinstance(value, Bounds) else (value, value)


def compared(left: Any, sign: str, right: Any) -> Truth:
    """Whether one value is less than, equal to or more than another, as far as limits tell."""
    if Bounds not in (type(left), type(right)):
        return _COMPARISONS[sign](left, right)
    (a, b), (c, d) = limits(left), limits(right)
    possible = set()
    if not _reaches(a, d):
        possible.add("less")
    if not _reaches(c, b):
        possible.add("more")
    if not _passes(a, d) and not _passes(c, b):
        possible.add("equal")
    answers = {outcome in _HOLDS[sign] for outcome in possible}
    return answers.pop() if len(answers) == 1 else Absent.MISSING


_COMPARISONS: dict[str, Callable[[Any, Any], bool]] = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
_HOLDS = {
    "=": {"equal"},
    "!=": {"less", "more"},
    "<": {"less"},
    "<=": {"less", "equal"},
    ">": {"more"},
    ">=": {"more", "equal"},
}


def _reaches(low: Any, high: Any) -> bool:
    """Whether everything above one limit is at least everything below another."""
    return low is not None and high is not None and low >= high


def _passes(low: Any, high: Any) -> bool:
    """Whether everything above one limit is more than everything below another."""
    return low is not None and high is not None and low > high


def _limit(calculate: Callable[[Any, Any], Any], left: Any, right: Any) -> Any:
    """A limit made of two others."""
    return None if left is None or right is None else calculate(left, right)


def _added(left: Any, right: Any) -> Any:
    try:
        return known_number(left + right)
    except OverflowError:
        # A moment that no calendar has.
        return Absent.MISSING


def _subtracted(left: Any, right: Any) -> Any:
    try:
        return known_number(left - right)
    except OverflowError:
        return Absent.MISSING
