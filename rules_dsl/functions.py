"""The functions of the rule language: what each takes, what it gives, and how it is worked out.

All of them are plain calculations on cards, times and numbers. None reaches outside.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from event_schemas import (
    CARD,
    CARDS,
    DATE,
    FLAG,
    NUMBER,
    RANK,
    SUIT,
    TIME,
    EnumType,
    Kind,
    enum_kind,
)
from event_schemas.cards import Card
from rules_dsl.poker import HAND_CLASSES, low_rank, poker_class, poker_rank

POKER_HAND = Kind("poker_hand")
COLOR = enum_kind(EnumType("color", ("red", "black"), False, "The colour of a card's suit."))
POKER_CLASS = enum_kind(EnumType("hand_class", HAND_CLASSES, True, "The class of a poker hand."))


class Unsuitable(Exception):
    """The cards at hand do not make a value, such as the suit of a joker."""


@dataclass(frozen=True)
class Pointwise:
    """A function of single values, written `rank of card` or `larger(a, b)`."""

    name: str
    takes: tuple[Kind | None, ...]
    """The kind of each argument; None means any kind with an order, the same for all."""
    gives: Kind | None
    work: Callable[..., Any]
    doc: str


@dataclass(frozen=True)
class OfCards:
    """A function of all the cards of a hand, written `blackjack_total of card_dealt.card ...`."""

    name: str
    gives: Kind
    work: Callable[[Sequence[Card]], Any]
    doc: str


def pip_value(card: Card) -> int:
    """Ace one, court cards ten, the others what they show."""
    if card.rank is None:
        raise Unsuitable("a joker has no value of its own")
    return card.rank.pips


def hard_total(cards: Sequence[Card]) -> int:
    """The blackjack total with every ace as one."""
    return sum(pip_value(card) for card in cards)


def is_soft(cards: Sequence[Card]) -> bool:
    """Whether an ace counts eleven in the blackjack total."""
    return any(pip_value(card) == 1 for card in cards) and hard_total(cards) <= 11


def blackjack_total(cards: Sequence[Card]) -> int:
    """The blackjack total with one ace as eleven where that does not pass 21."""
    return hard_total(cards) + (10 if is_soft(cards) else 0)


def baccarat_points(cards: Sequence[Card]) -> int:
    """The last digit of the sum, tens and court cards counting nothing."""
    return hard_total(cards) % 10


def _rank(card: Card) -> Any:
    if card.rank is None:
        raise Unsuitable("a joker has no rank")
    return card.rank


def _suit(card: Card) -> Any:
    if card.suit is None:
        raise Unsuitable("a joker has no suit")
    return card.suit


def _color(card: Card) -> str:
    return str(_suit(card).color)


def _date(moment: datetime) -> date:
    return moment.date()


def _five(work: Callable[[Sequence[Card]], Any]) -> Callable[[Sequence[Card]], Any]:
    def guarded(cards: Sequence[Card]) -> Any:
        if not 1 <= len(cards) <= 7:
            raise Unsuitable("a poker hand has one to seven cards")
        return work(cards)

    return guarded


POINTWISE: dict[str, Pointwise] = {
    function.name: function
    for function in (
        Pointwise("rank", (CARD,), RANK, _rank, "The rank of a card: ace, two, ... king."),
        Pointwise("suit", (CARD,), SUIT, _suit, "The suit of a card."),
        Pointwise("color", (CARD,), COLOR, _color, "Red or black."),
        Pointwise(
            "pip_value", (CARD,), NUMBER, pip_value, "Ace 1, court cards 10, others as shown."
        ),
        Pointwise("date", (TIME,), DATE, _date, "The calendar day of a moment, in its own zone."),
        Pointwise("hour", (TIME,), NUMBER, lambda t: t.hour, "The hour of a moment, 0 to 23."),
        Pointwise("size", (CARDS,), NUMBER, len, "How many cards a list of cards holds."),
        Pointwise("larger", (None, None), None, max, "The larger of two values."),
        Pointwise("smaller", (None, None), None, min, "The smaller of two values."),
    )
}

OF_CARDS: dict[str, OfCards] = {
    function.name: function
    for function in (
        OfCards("blackjack_total", NUMBER, blackjack_total, "An ace is 11 unless that passes 21."),
        OfCards("hard_total", NUMBER, hard_total, "The blackjack total with every ace as 1."),
        OfCards("is_soft", FLAG, is_soft, "Whether an ace counts 11 in the blackjack total."),
        OfCards("baccarat_points", NUMBER, baccarat_points, "The last digit of the sum."),
        OfCards("poker_rank", POKER_HAND, _five(poker_rank), "The best five cards, comparable."),
        OfCards("low_poker_rank", POKER_HAND, _five(low_rank), "The best low hand, comparable."),
        OfCards("poker_class", POKER_CLASS, _five(poker_class), "Pair, flush, full house, ..."),
    )
}

AGGREGATES: dict[str, str] = {
    "count": "How many events there are (with `distinct`: how many different values).",
    "sum": "The values of all the events added up.",
    "smallest": "The smallest value.",
    "largest": "The largest value.",
    "average": "The sum of the values divided by their number.",
    "median": "The value in the middle; of two in the middle, half their sum.",
}
