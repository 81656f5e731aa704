"""The cards of a table: in what order they come, and where the cutting card lies."""

from __future__ import annotations

from random import Random

from compliance.simulate.hands import DECK


class Shoe:
    """Shuffled cards, dealt from the front. With a shuffling machine two batches take turns."""

    __slots__ = ("_random", "before_cutting_card", "cards", "name", "place", "reached", "size")

    def __init__(self, name: str, decks: int, random: Random) -> None:
        self.name = name
        self.cards = list(DECK) * decks
        self.size = len(self.cards)
        self.place = 0
        self.before_cutting_card = self.size
        self.reached = False
        """The cutting card has come out."""
        self._random = random

    def shuffle(self) -> None:
        """Mix all cards, those dealt and those left."""
        self._random.shuffle(self.cards)
        self.place = 0
        self.reached = False

    def cut(self, position: int) -> None:
        """Bring what lies in front of the cut to the back."""
        self.cards = self.cards[position:] + self.cards[:position]

    def put_cutting_card(self, from_back: int) -> None:
        """Lay the cutting card into the stack."""
        self.before_cutting_card = self.size - from_back

    @property
    def left(self) -> int:
        """How many cards can still be dealt."""
        return self.size - self.place

    @property
    def left_before_cutting_card(self) -> int:
        """How many cards come before the cutting card."""
        return self.before_cutting_card - self.place

    def cutting_card_comes_out(self) -> bool:
        """Whether the cutting card lies in front of the next card; it comes out only once."""
        if self.place >= self.before_cutting_card and not self.reached:
            self.reached = True
            return True
        return False

    def bring(self, card: str) -> None:
        """Let a card come next, if one like it is left: it changes places with the next one."""
        if card in self.cards[self.place :]:
            other = self.cards.index(card, self.place)
            self.cards[other], self.cards[self.place] = self.cards[self.place], card

    @property
    def next_card(self) -> str:
        """The card that comes next."""
        return self.cards[self.place]

    def draw(self) -> str:
        """The next card."""
        card = self.cards[self.place]
        self.place += 1
        return card

    def put_back(self) -> None:
        """Let the card that was drawn last be the next one again."""
        self.place -= 1

    def mix_in_what_was_dealt(self, stacks: int) -> list[tuple[int, int]]:
        """Shuffle the cards that were dealt and put them back among the others, in equal stacks.

        Says for each stack how many cards lie in front of it, and how many it holds.
        """
        used, rest = self.cards[: self.place], self.cards[self.place :]
        self._random.shuffle(used)
        cards: list[str] = []
        places = []
        for number in range(stacks):
            part, stack = _part(rest, number, stacks + 1), _part(used, number, stacks)
            cards += part
            places.append((len(cards), len(stack)))
            cards += stack
        self.cards = cards + _part(rest, stacks, stacks + 1)
        self.place = 0
        return places


def _part(cards: list[str], number: int, parts: int) -> list[str]:
    """One of several equal parts of a stack."""
    return cards[len(cards) * number // parts : len(cards) * (number + 1) // parts]
