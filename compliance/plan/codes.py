"""Between values as people write them and the whole numbers that stand for them in columns."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from fractions import Fraction
from typing import Any

from compliance.values.moments import MICROSECOND, microseconds
from event_schemas import Card, Rank, Schema, Suit
from event_schemas.cards import JOKER
from rules_dsl import core
from rules_dsl.functions import COLOR, POKER_CLASS

FIRST_DAY = date(1970, 1, 1)
RANKS = tuple(Rank)
SUITS = tuple(Suit)
CARD_LIST: tuple[Card, ...] = (*(Card(rank, suit) for rank in Rank for suit in Suit), JOKER)
CARD_CODES: dict[Card, int] = {card: code for code, card in enumerate(CARD_LIST)}
NUMBERED_BY_THE_LOG = ("text", "cards")
"""Kinds of which each log numbers the values that it has."""


def words_of(schema: Schema, rulebook: core.Rulebook, name: str) -> tuple[str, ...]:
    """The words of a kind that is a list of words, in their order."""
    if name in schema.enums:
        return schema.enums[name].values
    for own in (COLOR, POKER_CLASS):
        if own.enum is not None and own.name == name:
            return own.enum.values
    passage = rulebook.interpretations[name.removeprefix("reading ")]
    return tuple(reading.name for reading in passage.readings)


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


def zone_of(value: object) -> int:
    """The offset of a moment, in minutes east of UTC; 0 for all else."""
    offset = value.utcoffset() if isinstance(value, datetime) else None
    return 0 if offset is None else offset // timedelta(minutes=1)
