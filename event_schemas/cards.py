"""Playing cards as the log and the rules name them: 9S, 10H, AS, JOKER."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final


class Suit(StrEnum):
    """The four suits of a deck."""

    SPADES = "spades"
    HEARTS = "hearts"
    DIAMONDS = "diamonds"
    CLUBS = "clubs"

    @property
    def color(self) -> str:
        """Red for hearts and diamonds, black for spades and clubs."""
        return "red" if self in (Suit.HEARTS, Suit.DIAMONDS) else "black"

    @property
    def letter(self) -> str:
        """The letter that stands for the suit in a card's short name."""
        return self.value[0].upper()


class Rank(StrEnum):
    """The thirteen ranks of a deck, from the ace to the king."""

    ACE = "ace"
    TWO = "two"
    THREE = "three"
    FOUR = "four"
    FIVE = "five"
    SIX = "six"
    SEVEN = "seven"
    EIGHT = "eight"
    NINE = "nine"
    TEN = "ten"
    JACK = "jack"
    QUEEN = "queen"
    KING = "king"

    @property
    def number(self) -> int:
        """The place in the suit: ace 1, two 2, up to king 13."""
        return _NUMBER[self]

    @property
    def pips(self) -> int:
        """The counting value with the ace as 1: tens and face cards count 10."""
        return min(_NUMBER[self], 10)

    @property
    def letters(self) -> str:
        """The short name of the rank in a card's name: A, 2 to 10, J, Q, K."""
        return _LETTERS[self]


_NUMBER: Final = {rank: place for place, rank in enumerate(Rank, start=1)}
_LETTERS: Final = {
    rank: {1: "A", 11: "J", 12: "Q", 13: "K"}.get(number, str(number))
    for rank, number in _NUMBER.items()
}


@dataclass(frozen=True, slots=True)
class Card:
    """One card; the joker is the only card without a rank and a suit."""

    rank: Rank | None
    suit: Suit | None

    def __post_init__(self) -> None:
        if (self.rank is None) != (self.suit is None):
            raise ValueError("A card has both a rank and a suit, or it is the joker.")

    @classmethod
    def parse(cls, text: str) -> Card:
        """Read a card's short name; ten may be written 10 or T."""
        card = _BY_NAME.get(text.strip().upper())
        if card is None:
            raise ValueError(
                f'"{text}" is not a card; write the rank and the suit, as in 9S, 10H, AD or JOKER.'
            )
        return card

    @property
    def is_joker(self) -> bool:
        """Whether this is the joker."""
        return self.rank is None

    @property
    def color(self) -> str | None:
        """The colour of the suit; the joker has none."""
        return None if self.suit is None else self.suit.color

    def __str__(self) -> str:
        if self.rank is None or self.suit is None:
            return "JOKER"
        return self.rank.letters + self.suit.letter


JOKER: Final = Card(None, None)


def full_deck() -> tuple[Card, ...]:
    """The 52 cards of a deck without jokers, suit by suit."""
    return tuple(Card(rank, suit) for suit in Suit for rank in Rank)


# A log holds millions of cards and only 53 different ones: look them up, never build them anew.
_BY_NAME: Final[dict[str, Card]] = {str(card): card for card in (*full_deck(), JOKER)}
_BY_NAME.update({f"T{suit.letter}": Card(Rank.TEN, suit) for suit in Suit})
