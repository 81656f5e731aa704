"""The match-the-dealer wager: a player's first cards have the rank of the dealer's."""

from __future__ import annotations

from datetime import date
from typing import Final

from compliance.simulate.blackjack.side_wagers.side_wager import SideWager
from compliance.simulate.hands import Hand

ODDS: Final = {6: (4, 11), 8: (3, 14)}
"""What a card of the dealer's rank pays to one, in another suit and in the same, by decks."""
LARGEST: Final = 10000


class MatchTheDealer(SideWager):
    """Settled when every player has two cards: first all losers, then all winners."""

    name = "match_dealer"
    wager = "match_dealer"
    since = date(2004, 7, 19)
    decks = (6, 8)
    excludes = ("optional_bonus",)
    wishes = (
        (("9S", "9H"), ("9D",)),
        (("KD", "7C"), ("KD",)),
    )

    def post(self) -> None:
        self.table.by_floorperson(
            "notice_posted",
            subject=self.name,
            wager=self.wager,
            minimum=self.game.limits.chip,
            maximum=LARGEST,
        )

    def place(self) -> None:
        for hand in self.boldest(0.5):
            self.make(hand, self.small_stake(LARGEST))

    def second_cards_dealt(self) -> None:
        owed = {hand.seat: self._odds(hand) for hand in self.counterclockwise()}
        for hand in self.counterclockwise():
            if not owed[hand.seat]:
                self.lose(hand)
        for hand in self.counterclockwise():
            self.win(hand, owed[hand.seat])

    def _odds(self, hand: Hand) -> int:
        shown = self.game.dealers.cards[0]
        other, same = ODDS[self.game.decks]
        found = [card for card in hand.cards[:2] if card[:-1] == shown[:-1]]
        return sum(same if card == shown else other for card in found)
