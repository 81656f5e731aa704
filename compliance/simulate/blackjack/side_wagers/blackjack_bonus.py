"""The blackjack bonus wager: a blackjack lets the player press the bonus button."""

from __future__ import annotations

from datetime import date
from typing import Final

from compliance.simulate.blackjack.side_wagers.side_wager import SideWager
from compliance.simulate.hands import Hand

AMOUNTS: Final = {
    100: (500, 1000, 2500, 9900, 10000, 100000),
    500: (5000, 7500, 9500, 25000, 500000),
}
"""What the device may show, by what was staked."""
AMOUNT_THAT_NOBODY_CAN_TELL: Final = 21
"""What is paid for each dollar if the device shows nothing."""
CALLED_OUT: Final = 10000
"""A bonus below this is called out; from here on a supervisor confirms it."""


class BlackjackBonus(SideWager):
    """Losers are taken after the second cards; winners press the button after all other wagers."""

    name = "blackjack_bonus"
    wager = "blackjack_bonus"
    since = date(1999, 1, 4)
    excludes = ("streak", "progressive", "twenty_point", "optional_bonus")
    closes_betting = True
    keeps_cards_of_blackjacks = True
    wishes = (
        (("AS", "KS"), ()),
        (("AD", "10S"), ("9H",)),
        (("QC", "AC"), ("AS", "KD")),
    )

    def place(self) -> None:
        for hand in self.boldest(0.5):
            self.make(hand, self.random.choice((100, 100, 500)))

    def second_cards_dealt(self) -> None:
        for hand in self.counterclockwise():
            if not hand.is_blackjack:
                self.lose(hand)

    def all_settled(self) -> None:
        for hand in reversed(self.counterclockwise()):
            self._press_and_pay(hand)

    def _press_and_pay(self, hand: Hand) -> None:
        table = self.table
        who = {"seat": hand.seat, "player": hand.guest}
        by_dealer = {"by": table.dealer, "by_role": "dealer"}
        amount = self.random.choice(AMOUNTS[self.stakes[hand.seat]])
        table.wait(2000, 5000)
        table.play("bonus_button_placed", **who, **by_dealer)
        table.wait(1000, 4000)
        table.play("bonus_button_pressed", by=hand.guest, by_role="player", **who)
        table.wait(1000, 3000)
        if self.game.hides_the_bonus():
            amount = AMOUNT_THAT_NOBODY_CAN_TELL * self.stakes[hand.seat]
        else:
            table.play("bonus_amount_displayed", amount=amount, **who)
        check = {"hand": 1, "wager": self.wager, **who, **by_dealer}
        table.play("payout_verified", subject="cards", **check)
        table.play("payout_verified", subject="amount", amount=amount, **check)
        table.wait(1000, 3000)
        if amount < CALLED_OUT:
            table.play("announcement", phrase="amount", amount=amount, **check)
        else:
            by = {"by": table.floorperson, "by_role": "floorperson"}
            confirmed = {"wager": self.wager, "amount": amount, "hand": 1, **who, **by}
            table.play("supervisor_confirmed", subject="payout", **confirmed)
        self.win(hand, amount // self.stakes[hand.seat])
