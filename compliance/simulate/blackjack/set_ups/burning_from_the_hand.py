"""The 6 to 5 variation at a table whose dealers burn a card of each deck that they take in hand."""

from __future__ import annotations

from compliance.simulate.blackjack.rounds import Blackjack
from compliance.simulate.elections import BlackjackRules


class BurningFromTheHand(Blackjack):
    """The law leaves the burned card to the licensee; nobody may see it."""

    has_side_wagers = False

    def set_up(self, rules: BlackjackRules) -> None:
        if rules.six_to_five:
            return
        rules.six_to_five = rules.automated = True
        rules.decks, rules.boxes = 2, 5
        rules.hole_card, rules.card_reader = "dealt_last", False
        rules.surrender = rules.late_insurance = rules.net_payout = rules.five_card_21 = False
        rules.resplit = rules.resplit_aces = False
        rules.double_card = "face_up"
        if rules.soft_17 is not None:
            rules.soft_17 = "hit"

    def _put_cutting_card(self) -> None:
        super()._put_cutting_card()
        self._burn("new_shoe")

    def _burned_card_may_be_seen(self, card: str) -> None:
        """It may not."""
