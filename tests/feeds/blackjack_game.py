"""A small blackjack game of our own, with a dealer who makes mistakes: what vendors' systems would
write down of it is written by the modules beside this one, each in another shape.

The game knows nothing of rules or checker. It plays six decks, the dealer stands on all 17s, a
blackjack pays 3 to 2, and only hits, stands and doubles are played.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field

RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
FAULTS = (
    "stands on 16",
    "draws on 17",
    "blackjack paid 6 to 5",
    "loser paid",
    "shuffled in the round",
)


@dataclass
class Step:
    """One thing that happens at the table."""

    what: str
    seat: int = 0
    """0 is the dealer."""
    card: str = ""
    cents: int = 0
    stake: int = 0


@dataclass
class Round:
    """A round with everything that happened in it, in order."""

    number: int
    steps: list[Step] = field(default_factory=list)

    def cards(self, seat: int) -> list[str]:
        return [step.card for step in self.steps if step.what == "card" and step.seat == seat]


def value(cards: list[str]) -> tuple[int, bool]:
    """The blackjack total, and whether an ace counts eleven in it."""
    pips = [min(10, RANKS.index(card[:-1]) + 1) for card in cards]
    soft = 1 in pips and sum(pips) + 10 <= 21
    return sum(pips) + (10 if soft else 0), soft


def is_blackjack(cards: list[str]) -> bool:
    return len(cards) == 2 and value(cards)[0] == 21


class Game:
    """Plays rounds; in about one of ten the dealer makes a mistake."""

    def __init__(self, seed: int, *, mistakes: bool = True, seats: int = 6) -> None:
        self._chance = random.Random(seed)
        self._mistakes = mistakes
        self._seats = seats
        self._shoe: list[str] = []

    def rounds(self, number: int) -> Iterator[Round]:
        for n in range(1, number + 1):
            played = Round(n)
            if len(self._shoe) < 80:
                self._shuffle()
                played.steps.append(Step("shuffle"))
            self._play(played)
            yield played

    def _shuffle(self) -> None:
        self._shoe = [rank + suit for rank in RANKS for suit in "SHDC"] * 6
        self._chance.shuffle(self._shoe)

    def _deal(self, played: Round, seat: int) -> None:
        played.steps.append(Step("card", seat, self._shoe.pop()))

    def _play(self, played: Round) -> None:
        fault = self._chance.choice(FAULTS) if self._chance.random() < 0.1 else ""
        fault = fault if self._mistakes else ""
        taken = self._chance.randint(1, min(4, self._seats))
        seats = sorted(self._chance.sample(range(1, self._seats + 1), taken))
        stakes = {seat: 100 * 10 * self._chance.randint(1, 20) for seat in seats}
        played.steps.append(Step("start"))
        played.steps += [Step("bet", seat, cents=stakes[seat]) for seat in seats]
        for _ in range(2):
            for seat in (*seats, 0):
                self._deal(played, seat)
        if fault == "shuffled in the round":
            self._shuffle()
            played.steps.append(Step("shuffle"))
        natural = is_blackjack(played.cards(0))
        low = value(played.cards(0)[:1])[0] not in (10, 11)
        paid = [seat for seat in seats if low and is_blackjack(played.cards(seat))]
        played.steps += [self._settled(played, seat, stakes[seat], fault) for seat in paid]
        if not natural:
            for seat in seats:
                stakes[seat] += self._hand(played, seat, stakes[seat])
        if not natural and any(self._waits(played, seat) for seat in seats):
            self._dealer(played, fault)
        for seat in (seat for seat in reversed(seats) if seat not in paid):
            played.steps.append(self._settled(played, seat, stakes[seat], fault))
        played.steps.append(Step("end"))

    def _hand(self, played: Round, seat: int, stake: int) -> int:
        """Play a hand by a plain strategy; what is added to the stake."""
        if is_blackjack(played.cards(seat)):
            return 0
        total, soft = value(played.cards(seat))
        if total in (10, 11) and not soft:
            played.steps.append(Step("double", seat, cents=stake))
            self._deal(played, seat)
            return stake
        while value(played.cards(seat))[0] < (18 if value(played.cards(seat))[1] else 15):
            played.steps.append(Step("hit", seat))
            self._deal(played, seat)
        if value(played.cards(seat))[0] <= 21:
            played.steps.append(Step("stand", seat))
        return 0

    def _waits(self, played: Round, seat: int) -> bool:
        """Whether the dealer's total matters to a hand."""
        cards = played.cards(seat)
        return value(cards)[0] <= 21 and not is_blackjack(cards)

    def _dealer(self, played: Round, fault: str) -> None:
        while value(played.cards(0))[0] < 17:
            if fault == "stands on 16" and value(played.cards(0)) == (16, False):
                return
            self._deal(played, 0)
        if fault == "draws on 17" and value(played.cards(0)) == (17, False):
            self._deal(played, 0)

    def _settled(self, played: Round, seat: int, stake: int, fault: str) -> Step:
        cards, dealer = played.cards(seat), played.cards(0)
        mine, theirs = value(cards)[0], value(dealer)[0]
        if is_blackjack(cards) and not is_blackjack(dealer):
            odds = (6, 5) if fault == "blackjack paid 6 to 5" else (3, 2)
            return Step("pay", seat, cents=stake * odds[0] // odds[1], stake=stake)
        lost = mine > 21 or (theirs <= 21 and mine < theirs)
        lost = lost or (is_blackjack(dealer) and not is_blackjack(cards))
        if lost and not (fault == "loser paid" and mine <= 21):
            return Step("take", seat, cents=stake)
        if mine == theirs and not lost:
            return Step("push", seat, cents=stake)
        return Step("pay", seat, cents=stake, stake=stake)
