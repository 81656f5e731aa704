"""The progressive wager: aces as the first cards, and a meter that grows with every wager."""

from __future__ import annotations

from datetime import date
from typing import Any, Final

from compliance.simulate.blackjack.play import BlackjackPlay
from compliance.simulate.blackjack.side_wagers.side_wager import SideWager
from compliance.simulate.hands import Hand

STAKE: Final = 100
BEGINNING: Final = 5_000_00
LARGE: Final = 2_500_00
"""What is paid with papers, and not from the tray."""
RED: Final = "HD"


def sum_won(cards: list[str]) -> int | None:
    """What a player's cards win, in cents, in the order in which they came; None for the meter."""
    aces = 0
    while aces < len(cards) and cards[aces][0] == "A":
        aces += 1
    suits = [card[-1] for card in cards[:aces]]
    if aces >= 4 and len({suit in RED for suit in suits[:4]}) == 1:
        return None
    if aces >= 3:
        return 2500_00 if len(set(suits[:3])) == 1 else 250_00
    if aces == 2:
        return 100_00 if len(set(suits)) == 1 else 25_00
    return 0


class Progressive(SideWager):
    """A chip in the acceptor, a light for it, and the meter raised before the deal."""

    name = "progressive"
    wager = "progressive"
    since = date(1996, 7, 15)
    decks = (4, 6, 8)
    excludes = (
        *("streak", "blackjack_bonus", "twenty_point", "optional_bonus"),
        *("over_under_thirteen", "same_suit", "sevens"),
    )
    excludes_surrender = True
    excludes_hole_card = True
    closes_betting = True
    wishes = (
        (("AS", "AH"), ()),
        (("AD", "AD"), ()),
        (("AS", "AH", "AC", "9S"), ()),
        (("AC", "AC", "AC", "9S"), ()),
        (("AS", "AC", "AS", "AC"), ()),
    )

    def __init__(self, game: BlackjackPlay) -> None:
        super().__init__(game)
        self._meter = BEGINNING
        self._reset = self.random.random() < 0.4

    def elections(self) -> dict[str, str]:
        return {"progressive": "yes", "reset_meter": "yes" if self._reset else "no"}

    def post(self) -> None:
        self._show(self.table.emit, "initial_amount", house_amount=BEGINNING)

    def place(self) -> None:
        for hand in self.boldest(0.6):
            if hand.seat in self.game.dark_lights:
                continue
            self.make(hand, STAKE)
            self.table.wait(200, 600)
            who = {"seat": hand.seat, "player": hand.guest}
            self.table.play("progressive_light_on", **who)
        if self.stakes:
            by = {"by": self.table.dealer, "by_role": "dealer"}
            self.table.wait(500, 1500)
            self.table.play("progressive_chips_counted", chips_counted=len(self.stakes), **by)

    def betting_closed(self) -> None:
        number = len(self.stakes)
        if not number:
            return
        self._meter += 60 * number if self._reset else 70 * number
        rise = {"increment": 60 * number, "reset_increment": 15 * number}
        if not self._reset:
            rise = {"increment": 70 * number}
        self._show(self.table.play, "wagers_registered", wagers_registered=number, **rise)

    def _show(self, write: Any, step: str, **more: int) -> None:
        write("progressive_meter", step=step, wager=self.wager, amount=self._meter, **more)

    def main_wager_settled(self, hand: Hand, result: str) -> None:
        if hand.number != 1 or hand.seat not in self.stakes:
            return
        amount = sum_won(self.game.dealt[hand.seat])
        if amount is None:
            self._approve_and_pay(hand, self._meter)
            self._meter = BEGINNING
            self._show(self.table.play, "reset_after_payout", house_amount=BEGINNING)
        elif amount:
            self._approve_and_pay(hand, amount)

    def _approve_and_pay(self, hand: Hand, amount: int) -> None:
        table = self.table
        who: dict[str, Any] = {"seat": hand.seat, "player": hand.guest}
        by_dealer = {"by": table.dealer, "by_role": "dealer"}
        by_floorperson = {"by": table.floorperson, "by_role": "floorperson"}
        for point in ("cards", "light"):
            table.wait(500, 1500)
            check = {"wager": self.wager, "subject": point}
            table.play("payout_verified", hand=1, **check, **who, **by_dealer)
        table.wait(5000, 20000)
        approved = {"wager": self.wager, "subject": "payout", "amount": amount}
        table.play("supervisor_confirmed", hand=1, **approved, **who, **by_floorperson)
        table.wait(700, 1800)
        from_tray = amount < LARGE
        if not from_tray:
            table.play("documentation_completed", wager=self.wager, **who, **by_floorperson)
        table.play(
            "wager_paid",
            hand=1,
            wager=self.wager,
            stake=self.stakes.pop(hand.seat),
            amount=amount,
            from_tray=from_tray,
            **who,
        )

    def all_settled(self) -> None:
        for hand in self.counterclockwise():
            self.lose(hand)
