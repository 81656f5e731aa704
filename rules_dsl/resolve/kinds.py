"""Which kinds of value go together: what can be compared, added, multiplied."""

from __future__ import annotations

from event_schemas import (
    DATE,
    DURATION,
    MONEY,
    NUMBER,
    ODDS,
    PERCENT,
    SEAT,
    TIME,
    Kind,
)
from rules_dsl.functions import POKER_HAND
from rules_dsl.resolve.names import ANY, NONE

_NUMBERS = {NUMBER, SEAT}
_ORDERED = {NUMBER, SEAT, MONEY, ODDS, PERCENT, DURATION, TIME, DATE, POKER_HAND}
_SUMMABLE = {NUMBER, MONEY, DURATION}
_SHARES = {NUMBER, ODDS, PERCENT}

_ARTICLES = {
    "number": "a number",
    "money": "money",
    "odds": "odds",
    "duration": "a length of time",
    "time": "a moment in time",
    "date": "a date",
    "card": "a card",
    "rank": "a rank of cards",
    "suit": "a suit",
    "seat": "a seat",
    "text": "a text",
    "flag": "a yes or no",
    "cards": "a list of cards",
    "percent": "a percentage",
    "poker_hand": "a poker hand",
    "none": "nothing",
}


def described(kind: Kind) -> str:
    """The kind in words: `a length of time`."""
    if kind.enum is not None:
        return f"a word of `{kind.name}`"
    return _ARTICLES.get(kind.name, kind.name)


def same(left: Kind, right: Kind) -> bool:
    """Whether two kinds can be held against each other for equality."""
    if ANY in (left, right) or NONE in (left, right):
        return True
    if left in _NUMBERS and right in _NUMBERS:
        return True
    if left.enum is not None and right.enum is not None:
        return left.enum.values == right.enum.values
    return left == right


def has_order(kind: Kind) -> bool:
    """Whether one value of this kind can be more than another."""
    return kind in _ORDERED or kind is ANY or (kind.enum is not None and kind.enum.ordered)


def summable(kind: Kind) -> bool:
    """Whether values of this kind can be added up."""
    return kind in _SUMMABLE or kind is ANY


def result_of(sign: str, left: Kind, right: Kind) -> Kind | None:
    """The kind of a sum or product, or None where it makes no sense."""
    if ANY in (left, right):
        return ANY
    left = NUMBER if left == SEAT else left
    right = NUMBER if right == SEAT else right
    if sign == "+":
        if left == right and left in _SUMMABLE:
            return left
        return TIME if {left, right} == {TIME, DURATION} else None
    if sign == "-":
        if left == right and left in _SUMMABLE:
            return left
        if left == right == TIME:
            return DURATION
        return TIME if (left, right) == (TIME, DURATION) else None
    if sign == "*":
        return _product(left, right) or _product(right, left)
    if left == right and left in _SUMMABLE:
        return NUMBER
    return left if left in _SUMMABLE and right == NUMBER else None


def _product(left: Kind, share: Kind) -> Kind | None:
    if left in _SUMMABLE and share in _SHARES:
        return left
    return None
