"""Which kinds of value go together: what can be compared, added, multiplied."""

from __future__ import annotations

from collections.abc import Iterable

from event_schemas import (
    DATE,
    DURATION,
    MONEY,
    NUMBER,
    ODDS,
    PERCENT,
    SEAT,
    TEXT,
    TIME,
    EnumType,
    Kind,
)
from rules_dsl.functions import POKER_HAND
from rules_dsl.resolve.names import ANY, NONE

_NUMBERS = {NUMBER, SEAT}
_ORDERED = {NUMBER, SEAT, MONEY, ODDS, PERCENT, DURATION, TIME, DATE, POKER_HAND}
_SUMMABLE = {NUMBER, MONEY, DURATION}
_SHARES = {NUMBER, ODDS, PERCENT}
_MEASURED = {NUMBER, SEAT, MONEY, ODDS, PERCENT, DURATION, TIME, DATE}

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
    "flag": "yes or no",
    "cards": "a list of cards",
    "percent": "a percentage",
    "poker_hand": "a poker hand",
    "none": "nothing",
}


def words_of(table: str, words: Iterable[str]) -> Kind:
    """The words of a printed table: texts, of which it is known which ones there can be."""
    distinct = tuple(dict.fromkeys(words))
    return Kind(TEXT.name, EnumType(f"table {table}", distinct, False, "Words of a table."))


def described(kind: Kind) -> str:
    """The kind in words: `a length of time`."""
    if kind.enum is None:
        return _ARTICLES.get(kind.name, kind.name)
    sort, _, name = kind.enum.name.rpartition(" ")
    if sort == "table":
        return f"a word of the table `{name}`"
    if sort == "reading":
        return f"a reading of `{name}`"
    return f"a word of `{kind.name}`"


def same(left: Kind, right: Kind) -> bool:
    """Whether two kinds can be held against each other for equality."""
    if ANY in (left, right) or NONE in (left, right):
        return True
    if left in _NUMBERS and right in _NUMBERS:
        return True
    if left.enum is not None and right.enum is not None:
        if TEXT.name in (left.name, right.name):
            # The words of a table belong to no list of their own; one in common is enough.
            return not set(left.enum.values).isdisjoint(right.enum.values)
        return left.enum.values == right.enum.values
    return left == right or (left.name == right.name == TEXT.name)


def has_order(kind: Kind) -> bool:
    """Whether one value of this kind can be more than another."""
    return kind in _ORDERED or kind == ANY or (kind.enum is not None and kind.enum.ordered)


def summable(kind: Kind) -> bool:
    """Whether values of this kind can be added up."""
    return kind in _SUMMABLE or kind == ANY


def tolerance_for(kind: Kind) -> Kind | None:
    """How one says how far from a value of this kind is still near, if there is near and far."""
    if kind not in _MEASURED:
        return None
    return DURATION if kind in (TIME, DATE) else kind


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
