"""The kinds of value that a field, an option or a rule can hold."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, timedelta
from difflib import get_close_matches
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from event_schemas.cards import Card, Rank, Suit
from event_schemas.limits import LARGEST_NUMBER, LONGEST_DURATION, LONGEST_NUMERAL
from event_schemas.money import format_money, money_from_log, parse_money
from event_schemas.odds import format_odds, parse_odds
from event_schemas.times import (
    format_duration,
    format_time,
    parse_date,
    parse_duration,
    parse_time,
)
from event_schemas.values import (
    EXPECTED,
    ValueProblem,
    cards_from_log,
    duration_from_log,
    format_percent,
    number_from_log,
    parse_cards,
    parse_flag,
    parse_number,
    parse_percent,
    parse_rank,
    parse_seat,
    parse_suit,
    seat_from_log,
    shown,
    text_from_log,
    time_from_log,
)

if TYPE_CHECKING:
    from pydantic import GetCoreSchemaHandler
    from pydantic_core import CoreSchema


@dataclass(frozen=True, slots=True)
class EnumType:
    """A closed list of words; when ordered, a later word ranks above an earlier one."""

    name: str
    values: tuple[str, ...]
    ordered: bool
    doc: str


@dataclass(frozen=True, slots=True)
class Kind:
    """What sort of value it is: money is never compared with a number, nor a rank with a suit."""

    name: str
    enum: EnumType | None = None

    def __str__(self) -> str:
        return self.name

    def __get_pydantic_core_schema__(
        self, source: Any, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        """Let `Annotated[int, MONEY]` read its value by this kind: one reader for every door."""
        from pydantic_core import core_schema

        return core_schema.no_info_plain_validator_function(lambda value: from_log(self, value))


NUMBER: Final = Kind("number")
MONEY: Final = Kind("money")
ODDS: Final = Kind("odds")
DURATION: Final = Kind("duration")
TIME: Final = Kind("time")
DATE: Final = Kind("date")
CARD: Final = Kind("card")
RANK: Final = Kind("rank")
SUIT: Final = Kind("suit")
SEAT: Final = Kind("seat")
TEXT: Final = Kind("text")
FLAG: Final = Kind("flag")
CARDS: Final = Kind("cards")
PERCENT: Final = Kind("percent")

PLAIN_KINDS: Final[dict[str, Kind]] = {
    kind.name: kind
    for kind in (
        *(NUMBER, MONEY, ODDS, DURATION, TIME, DATE, CARD),
        *(RANK, SUIT, SEAT, TEXT, FLAG, CARDS, PERCENT),
    )
}


def enum_kind(enum: EnumType) -> Kind:
    """The kind of a field that holds one word of a closed list."""
    return Kind(enum.name, enum)


def parse_value(kind: Kind, text: str) -> object:
    """Read a value as a person writes it in a rule, an option file or a CSV cell."""
    if kind.enum is not None:
        return _parse_word(kind.enum, text)
    if kind.name in NUMERIC and len(text) > LONGEST_NUMERAL:
        raise beyond_range(kind)
    try:
        return within_range(kind, _PARSERS[kind.name](text))
    except ValueProblem:
        raise
    except OverflowError:
        raise beyond_range(kind) from None
    except ValueError as problem:
        raise ValueProblem(str(problem)) from None


def format_value(kind: Kind, value: object) -> str:
    """Write a value as a person would; what is written can be read back."""
    if kind.enum is not None:
        return str(value)
    return _FORMATTERS[kind.name](value)


def from_log(kind: Kind, value: object) -> object:
    """Read a value as a log record holds it: JSON values, or text, or a value already read.

    Whether a number is one that can be checked is another question (`within_range`): sequence
    numbers may be larger than all others.
    """
    if kind.enum is None and kind.name in _FROM_LOG:
        if kind.name in NUMERIC and isinstance(value, str) and len(value) > LONGEST_NUMERAL:
            raise beyond_range(kind)
        try:
            return _FROM_LOG[kind.name](value)
        except ValueProblem:
            raise
        except OverflowError:
            raise beyond_range(kind) from None
        except ValueError as problem:
            raise ValueProblem(str(problem)) from None
    if isinstance(value, str):
        return parse_value(kind, value)
    if kind.enum is None and type(value) in _READY.get(kind.name, ()):
        return value
    raise ValueProblem(f"{shown(value)} is not {expected(kind)}.")


def within_range(kind: Kind, value: object) -> object:
    """The value, if it is not a number beyond all that can be checked."""
    if isinstance(value, timedelta):
        if abs(value) > timedelta(seconds=LONGEST_DURATION):
            raise beyond_range(kind)
    elif isinstance(value, int | Fraction) and (
        max(abs(value.numerator), value.denominator) > LARGEST_NUMBER
    ):
        raise beyond_range(kind)
    return value


def beyond_range(kind: Kind) -> ValueProblem:
    """What is said of a number that is too large."""
    if kind.name == "duration":
        return ValueProblem(f"A length of time is at most {LONGEST_DURATION:,} seconds.")
    of = {"money": "An amount of money", "seat": "A seat number"}.get(kind.name, "A number")
    unit = " cents" if kind.name == "money" else ""
    return ValueProblem(f"{of} is at most {LARGEST_NUMBER:,}{unit}; larger ones are not checked.")


def expected(kind: Kind) -> str:
    """What a field of this kind should hold, in words for a message."""
    if kind.enum is None:
        return EXPECTED[kind.name]
    return "one of " + ", ".join(kind.enum.values)


def _parse_word(enum: EnumType, text: str) -> str:
    word = text.strip()
    if word in enum.values:
        return word
    lowered = word.lower().replace(" ", "_").replace("-", "_")
    raise ValueProblem(
        f'"{text}" is not a {enum.name.replace("_", " ")}; it is one of {", ".join(enum.values)}.',
        _closest(lowered, enum.values),
    )


@lru_cache(maxsize=1024)
def _closest(word: str, known: tuple[str, ...]) -> str | None:
    # Cached: a log whose system has its own word for something has it in every second line.
    close = get_close_matches(word, known, n=1, cutoff=0.6)
    return close[0] if close else None


NUMERIC: Final = ("number", "money", "odds", "duration", "seat", "percent")
"""Kinds whose values are numbers of any size."""

_PARSERS: Final[dict[str, Callable[[str], object]]] = {
    "number": parse_number,
    "money": parse_money,
    "odds": parse_odds,
    "duration": parse_duration,
    "time": parse_time,
    "date": parse_date,
    "card": Card.parse,
    "rank": parse_rank,
    "suit": parse_suit,
    "seat": parse_seat,
    "text": str,
    "flag": parse_flag,
    "cards": parse_cards,
    "percent": parse_percent,
}

_FORMATTERS: Final[dict[str, Callable[[Any], str]]] = {
    "number": str,
    "money": format_money,
    "odds": format_odds,
    "duration": format_duration,
    "time": format_time,
    "date": date.isoformat,
    "card": str,
    "rank": str,
    "suit": str,
    "seat": str,
    "text": str,
    "flag": lambda flag: "true" if flag else "false",
    "cards": lambda cards: " ".join(str(card) for card in cards),
    "percent": format_percent,
}

_FROM_LOG: Final[dict[str, Callable[[object], object]]] = {
    "number": number_from_log,
    "money": money_from_log,
    "duration": duration_from_log,
    "time": time_from_log,
    "seat": seat_from_log,
    "text": text_from_log,
    "cards": cards_from_log,
}

# Values that another part of the product has already read pass through unchanged.
_READY: Final[dict[str, tuple[type, ...]]] = {
    "odds": (Fraction,),
    "date": (date,),
    "card": (Card,),
    "rank": (Rank,),
    "suit": (Suit,),
    "flag": (bool,),
    "percent": (Fraction,),
}
