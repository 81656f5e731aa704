"""Multiple action: an upcard that stays where it is, or is picked up with the other cards."""

from __future__ import annotations

from compliance.simulate.blackjack.accidents.accident import Accident


class UpcardNotMoved(Accident):
    """The dealer forgets to move the upcard, is told so, and the round goes on."""

    name = "upcard-not-moved"
    variant = "multiple_action"

    def upcard_is_to_move(self) -> None:
        if not self.has_happened:
            self.note("upcard_not_moved", to="dealer")


class UpcardDiscarded(Accident):
    """The dealer picks up the upcard, too: a supervisor finds it among the last hand's cards."""

    name = "upcard-discarded"
    variant = "multiple_action"

    def dealers_hand_is_picked_up(self, upcard: str) -> None:
        table = self.table
        if self.has_happened:
            return
        self.note("upcard_discarded", to="dealer")
        table.wait(500, 1500)
        by_dealer = {"by": table.dealer, "by_role": "dealer"}
        table.play("supervisor_called", called_role="floorperson", **by_dealer)
        table.wait(20000, 60000)
        by_floorperson = {"by": table.floorperson, "by_role": "floorperson"}
        table.play("hand_reconstructed", to="dealer", card=upcard, **by_floorperson)
