"""The optional bonus wager: the dealer goes over 21 with the third card."""

from __future__ import annotations

from datetime import date
from typing import Final

from compliance.simulate.blackjack.side_wagers.side_wager import SideWager
from compliance.simulate.elections import dollars
from compliance.simulate.hands import PIPS

ODDS: Final = {6: 15, 7: 9, 8: 7, 9: 5, 10: 3}
"""What the dealer's third card pays to one."""
LARGEST: Final = 2500
RED: Final = "HD"


class OptionalBonus(SideWager):
    """Settled as soon as the dealer stands on two cards or has a third."""

    name = "optional_bonus"
    wager = "optional_bonus"
    since = date(2007, 11, 19)
    decks = (6, 8)
    excludes = ("streak", "progressive", "blackjack_bonus", "twenty_point", "match_dealer")
    needs_third_card = True
    wishes = (
        ((), ("8H", "8D", "8H")),
        ((), ("8S", "8S", "8S")),
        ((), ("8S", "8D", "8H")),
        (("AS", "KS"), ("9C", "6C", "10C")),
    )

    def elections(self) -> dict[str, str]:
        return {"optional_bonus": "yes", "maximum_bonus_wager": dollars(LARGEST)}

    def place(self) -> None:
        for hand in self.boldest(0.5):
            self.make(hand, self.small_stake(min(LARGEST, hand.stake)))

    def dealers_hand_grew(self) -> None:
        cards, total = self.game.dealers.cards, self.game.dealers.total
        if len(cards) < 3 and total < 17:
            return
        for hand in self.counterclockwise():
            if total > 21:
                self.win(hand, self._odds(cards))
            else:
                self.lose(hand)

    def _odds(self, cards: list[str]) -> int:
        if all(card[:-1] == "8" for card in cards):
            if len({card[-1] for card in cards}) == 1:
                return 200
            if len({card[-1] in RED for card in cards}) == 1:
                return 50
        return ODDS[PIPS[cards[2]]]
