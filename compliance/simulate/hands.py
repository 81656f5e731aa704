"""What cards are worth: in blackjack, in baccarat and in red dog."""

from __future__ import annotations

from typing import Final

RANKS: Final = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
DECK: Final = tuple(rank + suit for suit in "SHDC" for rank in RANKS)

PIPS: Final = {card: min(RANKS.index(card[:-1]) + 1, 10) for card in DECK}
"""The count of a card with the ace as 1; tens and court cards count 10."""

BACCARAT: Final = {card: pips % 10 for card, pips in PIPS.items()}
RED_DOG: Final = {card: RANKS.index(card[:-1]) + 1 if card[0] != "A" else 14 for card in DECK}
"""Red dog counts the ace high."""


class Hand:
    """One blackjack hand: its cards and its stake. `number` tells split hands apart."""

    __slots__ = (
        *("aces", "cards", "closed", "doubled", "guest", "hard"),
        *("number", "seat", "split", "stake", "surrendered"),
    )

    def __init__(self, seat: int, guest: str, number: int, stake: int) -> None:
        self.seat = seat
        self.guest = guest
        self.number = number
        self.stake = stake
        self.doubled = 0
        self.cards: list[str] = []
        self.hard = 0
        self.aces = 0
        self.split = False
        self.surrendered = False
        self.closed = False
        """Settled before the end of the round."""

    def take(self, card: str) -> None:
        """Add a card."""
        self.cards.append(card)
        pips = PIPS[card]
        self.hard += pips
        if pips == 1:
            self.aces += 1

    def give_up_one(self) -> str:
        """Hand over the second card of a pair to a new hand."""
        card = self.cards.pop()
        pips = PIPS[card]
        self.hard -= pips
        if pips == 1:
            self.aces -= 1
        return card

    @property
    def soft(self) -> bool:
        """An ace counts eleven."""
        return self.aces > 0 and self.hard <= 11

    @property
    def total(self) -> int:
        """The best count."""
        return self.hard + 10 if self.aces and self.hard <= 11 else self.hard

    @property
    def is_blackjack(self) -> bool:
        """An ace and a ten as the first two cards; after a split they are only 21."""
        return len(self.cards) == 2 and not self.split and self.hard == 11 and self.aces == 1

    @property
    def is_pair(self) -> bool:
        """Two cards of the same value, which may be split."""
        return len(self.cards) == 2 and PIPS[self.cards[0]] == PIPS[self.cards[1]]


def points(cards: list[str]) -> int:
    """The baccarat count: the last digit of the sum."""
    return sum(BACCARAT[card] for card in cards) % 10


def spread(first: str, second: str) -> int:
    """How many red dog values lie between two cards: 0 if they follow each other, -1 for a pair."""
    return abs(RED_DOG[first] - RED_DOG[second]) - 1


def falls_between(first: str, second: str, third: str) -> bool:
    """The third card's value lies between those of the first two."""
    low, high = sorted((RED_DOG[first], RED_DOG[second]))
    return low < RED_DOG[third] < high
