"""How single values are read: from the words of a person, and from the values of a log record."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from difflib import get_close_matches
from fractions import Fraction
from typing import Final, cast

from event_schemas.cards import Card, Rank, Suit
from event_schemas.limits import LONGEST_NUMERAL
from event_schemas.times import parse_duration, parse_time, require_offset


class ValueProblem(ValueError):
    """A value that could not be read: one plain sentence, and what may have been meant."""

    def __init__(self, message: str, suggestion: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.suggestion = suggestion


EXPECTED: Final[dict[str, str]] = {
    "number": "a number",
    "money": "an amount of money (whole cents, or text such as $25.50)",
    "odds": "odds such as 3 to 2",
    "duration": "a length of time (whole seconds, or text such as 30 minutes)",
    "time": "a time with its offset, such as 2024-03-09T20:15:00-05:00",
    "date": "a date such as 1982-09-15",
    "card": "a card such as 9S, 10H or JOKER",
    "rank": "a rank such as ace, ten or king",
    "suit": "a suit: spades, hearts, diamonds or clubs",
    "seat": "a seat number, 1 or higher",
    "text": "text",
    "flag": "true or false",
    "cards": "a list of cards such as 9S 10H",
    "percent": "a percentage such as 5%",
}


def shown(value: object) -> str:
    return "nothing" if value is None else f'"{value}"'


_EXPONENT: Final = re.compile(r"[eE][-+]?0*(\d+)")
_THOUSANDS: Final = re.compile(r"[-+]?\d{1,3}(,\d{3})+(\.\d+)?")


def exact(text: str) -> Fraction:
    """A number as it is written; one with an exponent beyond all reason is none. A comma parts
    thousands and nothing else: where it is the decimal point, as in 12,50, reading 1250 would be
    a guess."""
    if "," in text and _THOUSANDS.fullmatch(text.strip()):
        text = text.replace(",", "")
    power = _EXPONENT.search(text)
    # 1e1000000000 would be worked out digit by digit.
    if power is not None and (len(power[1]) > 3 or int(power[1]) > LONGEST_NUMERAL):
        raise OverflowError
    return Fraction(text)


def parse_number(text: str) -> int | Fraction:
    try:
        number = exact(text)
    except (ValueError, ZeroDivisionError):
        raise ValueProblem(f'"{text}" is not a number.') from None
    return number.numerator if number.denominator == 1 else number


def number_from_log(value: object) -> int | Fraction:
    if isinstance(value, bool):
        raise ValueProblem("A yes or no was found where a number belongs.")
    if isinstance(value, int | Fraction):
        return value
    if isinstance(value, float | str):
        return parse_number(str(value))
    raise ValueProblem(f"{shown(value)} is not a number.")


def parse_seat(text: str) -> int:
    if not text.strip().isdecimal() or int(text) < 1:
        raise ValueProblem(f'"{text}" is not a seat number; seats are numbered from 1.')
    return int(text)


def seat_from_log(value: object) -> int:
    if isinstance(value, float) and value.is_integer():
        # Where some events have no seat, many tools write the others as 1.0 and 2.0.
        value = int(value)
    if isinstance(value, int) and not isinstance(value, bool) and value >= 1:
        return value
    return parse_seat(str(value))


def text_from_log(value: object) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, int) and not isinstance(value, bool):
        # Many systems number their tables and patrons; the number is still a name.
        return str(value)
    raise ValueProblem(f"{shown(value)} is not text.")


_RANKS: Final = {rank.value: rank for rank in Rank} | {rank.letters: rank for rank in Rank}


def parse_rank(text: str) -> Rank:
    rank = _RANKS.get(text.strip()) or _RANKS.get(text.strip().lower())
    if rank is None:
        close = get_close_matches(text.lower(), [rank.value for rank in Rank], n=1)
        raise ValueProblem(
            f'"{text}" is not a rank; ranks run from ace, two, three to king.',
            close[0] if close else None,
        )
    return rank


def parse_suit(text: str) -> Suit:
    try:
        return Suit(text.strip().lower())
    except ValueError:
        close = get_close_matches(text.lower(), [suit.value for suit in Suit], n=1)
        raise ValueProblem(
            f'"{text}" is not a suit; the suits are spades, hearts, diamonds and clubs.',
            close[0] if close else None,
        ) from None


_FLAGS: Final = {"true": True, "yes": True, "false": False, "no": False}


def parse_flag(text: str) -> bool:
    flag = _FLAGS.get(text.strip().lower())
    if flag is None:
        raise ValueProblem(f'"{text}" is neither true nor false.')
    return flag


def parse_cards(text: str) -> tuple[Card, ...]:
    return tuple(Card.parse(word) for word in text.replace(",", " ").split())


def cards_from_log(value: object) -> tuple[Card, ...]:
    if isinstance(value, str):
        return parse_cards(value)
    if isinstance(value, list | tuple):
        return tuple(
            item if isinstance(item, Card) else Card.parse(str(item))
            for item in cast("list[object]", value)
        )
    raise ValueProblem(f"{shown(value)} is not a list of cards.")


def parse_percent(text: str) -> Fraction:
    word = text.strip().removesuffix("percent").rstrip()
    try:
        if word.endswith("%") or word != text.strip():
            return exact(word.removesuffix("%").strip()) / 100
        if "." in word:
            return exact(word)
    except (ValueError, ZeroDivisionError):
        pass
    raise ValueProblem(f'"{text}" is not a percentage; write it as in 5% or 5 percent.')


def format_percent(value: object) -> str:
    hundredfold = cast("Fraction", value) * 100
    if hundredfold.denominator == 1:
        return f"{hundredfold.numerator}%"
    decimal = f"{float(hundredfold):.10g}"
    # A third of a percent has no decimal form; the fraction stays exact.
    return f"{decimal}%" if Fraction(decimal) == hundredfold else f"{hundredfold}%"


def time_from_log(value: object) -> datetime:
    if isinstance(value, datetime):
        return require_offset(value)
    if isinstance(value, str):
        return parse_time(value)
    raise ValueProblem(f"{shown(value)} is not {EXPECTED['time']}.")


def duration_from_log(value: object) -> timedelta:
    if isinstance(value, timedelta):
        return value
    if isinstance(value, int) and not isinstance(value, bool):
        return timedelta(seconds=value)
    if isinstance(value, str):
        return parse_duration(value)
    raise ValueProblem(f"{shown(value)} is not {EXPECTED['duration']}.")
