"""Cards as a report draws them: a rank and the sign of a suit, with words for those who listen."""

from __future__ import annotations

import re
from dataclasses import dataclass

_CARD = re.compile(r"(10|[2-9JQKA])([SHDC])")
_SUITS = {"S": "spades", "H": "hearts", "D": "diamonds", "C": "clubs"}
_RANKS = {"J": "jack", "Q": "queen", "K": "king", "A": "ace"}


@dataclass(frozen=True)
class DrawnCard:
    """One card; what is no card of the usual pack keeps its text and has no suit."""

    rank: str
    suit: str = ""
    """spades, hearts, diamonds or clubs."""

    @property
    def words(self) -> str:
        """The card in words: ace of spades."""
        return f"{_RANKS.get(self.rank, self.rank)} of {self.suit}" if self.suit else self.rank


def drawn(text: str) -> DrawnCard:
    """A card from its short form: 9S, 10H, AD."""
    match = _CARD.fullmatch(text)
    return DrawnCard(match[1], _SUITS[match[2]]) if match else DrawnCard(text)
