"""How a round of blackjack is settled: what is paid, what is taken, what comes back."""

from __future__ import annotations

from compliance.simulate.blackjack_cards import BlackjackCards
from compliance.simulate.hands import Hand


class BlackjackSettlement(BlackjackCards):
    """A blackjack table whose hands can be settled."""

    hands: list[Hand]
    dealers: Hand

    def _settle(self, *, dealer_has_blackjack: bool) -> None:
        for hand in self.hands:
            if hand.closed:
                continue
            if self.rules.six_to_five or (hand.doubled and self.rules.double_card != "face_up"):
                self.table.play(
                    "cards_turned",
                    seat=hand.seat,
                    player=hand.guest,
                    hand=hand.number,
                    to="player",
                    face_up=True,
                )
            if dealer_has_blackjack:
                self._settle_against_blackjack(hand)
            elif hand.surrendered:
                self._halve(hand)
            elif hand.is_blackjack:
                self._pay_blackjack(hand)
            else:
                self._settle_by_count(hand)

    def _settle_against_blackjack(self, hand: Hand) -> None:
        """Only the first wager is lost; what was added for a double or a split comes back."""
        main = main_wager_of(hand)
        if main == "split":
            self._return(hand, main, hand.stake)
        elif hand.is_blackjack and self.rules.hole_card == "face_up":
            self._pay_blackjack(hand)
        elif hand.is_blackjack:
            self._return(hand, main, hand.stake)
        else:
            self._collect(hand, main, hand.stake)
        if hand.doubled:
            self._return(hand, "double", hand.doubled)

    def _settle_by_count(self, hand: Hand) -> None:
        total, dealers = hand.total, self.dealers.total
        wagers = [(main_wager_of(hand), hand.stake)]
        if hand.doubled:
            wagers.append(("double", hand.doubled))
        for wager, amount in wagers:
            if dealers > 21 or total > dealers:
                self._pay(hand, wager, amount, 1, 1)
            elif total < dealers or self.rules.hole_card == "face_up":
                self._collect(hand, wager, amount)
            else:
                self._return(hand, wager, amount)

    def _pay_blackjack(self, hand: Hand) -> None:
        if self.rules.hole_card == "face_up":
            self._pay(hand, "blackjack", hand.stake, 1, 1)
        elif self.rules.six_to_five:
            self._pay(hand, "blackjack", hand.stake, 6, 5)
        else:
            self._pay(hand, "blackjack", hand.stake, 3, 2)
        hand.closed = True

    def _halve(self, hand: Hand) -> None:
        half = hand.stake // 2
        self._collect(hand, "blackjack", half)
        self._return(hand, "blackjack", hand.stake - half)
        hand.closed = True
        self._take_cards(hand)

    def _pay(self, hand: Hand, wager: str, stake: int, gain: int, per: int) -> None:
        self.table.wait(700, 1800)
        self.table.play(
            "wager_paid",
            seat=hand.seat,
            player=hand.guest,
            hand=hand.number,
            wager=wager,
            stake=stake,
            amount=stake * gain // per,
            odds=f"{gain} to {per}",
        )

    def _collect(self, hand: Hand, wager: str, amount: int) -> None:
        self.table.wait(500, 1200)
        self.table.play(
            "wager_collected",
            seat=hand.seat,
            player=hand.guest,
            hand=hand.number,
            wager=wager,
            amount=amount,
        )

    def _return(self, hand: Hand, wager: str, amount: int) -> None:
        self.table.wait(500, 1200)
        self.table.play(
            "wager_returned",
            seat=hand.seat,
            player=hand.guest,
            hand=hand.number,
            wager=wager,
            amount=amount,
        )

    def _take_cards(self, hand: Hand) -> None:
        self.table.wait(300, 800)
        self.table.play(
            "cards_collected",
            seat=hand.seat,
            player=hand.guest,
            hand=hand.number,
            to="player",
            cards=" ".join(hand.cards),
            cards_total=len(hand.cards),
            place="discard_rack",
        )
        hand.cards = []

    def _collect_cards(self) -> None:
        """From the far right around the table, the dealer's own cards last."""
        for hand in reversed(self.hands):
            if hand.cards:
                self._take_cards(hand)
        self.table.wait(300, 800)
        self.table.play(
            "cards_collected",
            to="dealer",
            cards=" ".join(self.dealers.cards),
            cards_total=len(self.dealers.cards),
            place="discard_rack",
        )


def main_wager_of(hand: Hand) -> str:
    """The first hand of a seat carries the original wager, every other one a split wager."""
    return "blackjack" if hand.number == 1 else "split"
