"""Between values as people write them and the whole numbers that stand for them in columns."""

from __future__ import annotations

from datetime import timedelta
from fractions import Fraction
from typing import Any

from compliance.columnar.vectors import NOTHING, Vector, absent, constant
from compliance.columns import CARD_LIST, TableLog, encode
from event_schemas import PLAIN_KINDS, Kind, Rank, Schema, Suit, parse_value
from rules_dsl import core
from rules_dsl.functions import COLOR, POKER_CLASS

_RANKS = tuple(Rank)
_SUITS = tuple(Suit)


def code_of(log: TableLog, kind: Kind, value: Any) -> tuple[int, int]:
    """The number that stands for a value, and what is below the line."""
    if isinstance(value, Fraction):
        return value.numerator, value.denominator
    if kind.enum is not None:
        return kind.enum.values.index(value), 1
    return encode("number" if kind.name in ("odds", "percent") else kind.name, value, log.words), 1


def words_of(schema: Schema, rulebook: core.Rulebook, name: str) -> tuple[str, ...]:
    """The words of a kind that is a list of words, in their order."""
    if name in schema.enums:
        return schema.enums[name].values
    for own in (COLOR, POKER_CLASS):
        if own.enum is not None and own.name == name:
            return own.enum.values
    passage = rulebook.interpretations[name.removeprefix("reading ")]
    return tuple(reading.name for reading in passage.readings)


def constant_of(log: TableLog, rulebook: core.Rulebook, const: core.Const) -> Vector:
    """A constant of the rule as a vector."""
    if const.kind == "none":
        return absent(NOTHING)
    plain = PLAIN_KINDS.get(const.kind)
    if plain is None:
        return constant(words_of(log.schema, rulebook, const.kind).index(const.text))
    if const.kind == "text":
        return constant(log.words.number(const.text))
    return constant(*code_of(log, plain, parse_value(plain, const.text)))


def value_of(log: TableLog, rulebook: core.Rulebook, kind: str, above: int, below: int) -> Any:
    """The value that a number stands for."""
    if kind == "text":
        return log.words.texts[above]
    if kind == "card":
        return CARD_LIST[above]
    if kind == "rank":
        return _RANKS[above]
    if kind == "suit":
        return _SUITS[above]
    if kind == "flag":
        return bool(above)
    if kind == "duration":
        return timedelta(microseconds=above)
    if kind in ("number", "money", "seat"):
        if below == 1:
            return above
        exact = Fraction(above, below)
        return exact.numerator if exact.denominator == 1 else exact
    if kind in ("odds", "percent"):
        return Fraction(above, below)
    return words_of(log.schema, rulebook, kind)[above]
