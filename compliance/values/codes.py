"""Between values as people write them and the whole numbers that stand for them in columns."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from fractions import Fraction
from typing import Any, Final

from compliance.values.moments import MICROSECOND, as_shown_at, microseconds
from event_schemas import Card, Rank, Suit
from event_schemas.cards import JOKER

FIRST_DAY: Final = date(1970, 1, 1)
LARGEST: Final = 2**63 - 1
"""A number that is larger, above or below the fraction bar, cannot be told."""
RANKS: Final = tuple(Rank)
SUITS: Final = tuple(Suit)
CARD_LIST: tuple[Card, ...] = (*(Card(rank, suit) for rank in Rank for suit in Suit), JOKER)
CARD_CODES: dict[Card, int] = {card: code for code, card in enumerate(CARD_LIST)}
NUMBERED_BY_THE_LOG: Final = ("text", "cards")
"""Kinds of which each log numbers the values that it has."""


def code_of(kind: str, value: Any) -> tuple[int, int]:
    """The number that stands for a value of a plain kind, and what is below the line."""
    if isinstance(value, Fraction):
        return value.numerator, value.denominator
    if kind in ("number", "money", "seat", "flag", "odds", "percent"):
        return int(value), 1
    if kind == "time":
        return microseconds(value), 1
    if kind == "duration":
        return int(value // MICROSECOND), 1
    if kind == "date":
        return (value - FIRST_DAY).days, 1
    if kind == "card":
        return CARD_CODES[value], 1
    if kind == "rank":
        return RANKS.index(value), 1
    if kind == "suit":
        return SUITS.index(value), 1
    raise ValueError(f"{kind} has no number of its own")


def value_of(kind: str, above: int, below: int = 1, zone: int = 0) -> object:
    """The value of a plain kind that a number stands for; a time as clocks in its zone show it."""
    if kind == "card":
        return CARD_LIST[above]
    if kind == "rank":
        return RANKS[above]
    if kind == "suit":
        return SUITS[above]
    if kind == "flag":
        return bool(above)
    if kind == "duration":
        return timedelta(microseconds=above)
    if kind == "time":
        return as_shown_at(above, zone)
    if kind == "date":
        return FIRST_DAY + timedelta(days=above)
    return Fraction(above, below) if kind in ("odds", "percent") or below != 1 else above


def zone_of(value: object) -> int:
    """The offset of a moment, in minutes east of UTC; 0 for all else."""
    offset = value.utcoffset() if isinstance(value, datetime) else None
    return 0 if offset is None else offset // timedelta(minutes=1)
