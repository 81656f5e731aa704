"""How a round of blackjack is settled: what is paid, what is taken, what comes back."""

from __future__ import annotations

from datetime import date
from random import Random

from compliance.simulate.blackjack.accidents.fate import Fate
from compliance.simulate.blackjack.play import BlackjackPlay
from compliance.simulate.blackjack.side_wagers.offers import OFFERS, choose_offers, fit_rules
from compliance.simulate.elections import BlackjackRules
from compliance.simulate.game import Change
from compliance.simulate.guests import Guest
from compliance.simulate.hands import Hand
from compliance.simulate.table import Table

ON_A_HAND = ("blackjack", "split")
"""The wagers that a hand is played for; a double belongs to one of them."""


class BlackjackSettlement(BlackjackPlay):
    """A blackjack table whose hands can be settled."""

    def __init__(
        self,
        table: Table,
        day: date,
        chance: Random,
        offers: tuple[str, ...] | None,
        variant: str,
    ) -> None:
        super().__init__(table, day, chance, offers, variant)
        self.side_wagers = [OFFERS[name](self) for name in self.offers]
        self.done_with: list[Hand] = []
        """Hands that are settled and whose cards still lie there."""
        self.fate = Fate(self, 0.0, table.random)
        """What goes wrong by accident: nothing, unless the plan of the table says so."""

    @property
    def rack(self) -> str:
        """Where used cards go."""
        return "shuffler" if self.rules.six_to_five else "discard_rack"

    @property
    def discards(self) -> dict[str, str]:
        """Which discards used cards join, where there are two kinds."""
        return {}

    # ---- what the table offers -------------------------------------------------------------------

    def choose_offers(self, rules: BlackjackRules, day: date, chance: Random) -> tuple[str, ...]:
        return choose_offers(rules, day, chance)

    def fit_rules(self, rules: BlackjackRules) -> None:
        fit_rules(rules, self.offers)

    # ---- accidents outside the rounds ------------------------------------------------------------

    def prepare_cards(self, reason: str) -> None:
        self.fate.cards_are_shuffled()
        super().prepare_cards(reason)

    def between_rounds(self) -> None:
        super().between_rounds()
        self.fate.between_rounds()

    def hides_the_bonus(self) -> bool:
        return self.fate.accident.hides_the_bonus()

    def before_closing(self) -> None:
        super().before_closing()
        if self.owes_a_shuffle:
            self._take_cards_out_of_the_shoe()
            self._shuffle_by_hand("irregularity")

    # ---- side wagers outside the rounds ----------------------------------------------------------

    def elections(self) -> dict[str, str]:
        found = super().elections()
        for side in self.side_wagers:
            found |= side.elections()
        return found

    def post_signs(self) -> None:
        super().post_signs()
        for side in self.side_wagers:
            side.post()

    def after_leaving(self, guest: Guest) -> None:
        for side in self.side_wagers:
            side.left(guest)

    def possible_change(self) -> Change | None:
        for side in self.side_wagers:
            change = side.possible_change()
            if change is not None:
                return change
        return super().possible_change() if "twenty_point" not in self.offers else None

    def change(self, change: Change) -> None:
        owners = [side for side in self.side_wagers if change.option in side.elections()]
        for side in owners:
            side.change(change)
        if not owners:
            super().change(change)

    # ---- settling the hands ----------------------------------------------------------------------

    def in_settling_order(self) -> list[Hand]:
        """The hands from the left, or seat by seat from the right if a side wager asks for it."""
        if any(side.settles_counterclockwise for side in self.side_wagers):
            return sorted(self.hands, key=lambda hand: -hand.seat)
        return list(self.hands)

    def _settle(self, *, dealer_has_blackjack: bool) -> None:
        self.fate.accident.play_is_over()
        for side in self.side_wagers:
            side.play_is_over()
        for hand in self.in_settling_order():
            if hand.closed:
                continue
            if self.rules.six_to_five or (hand.doubled and self._closes_double_card(hand)):
                self.turn_up(hand)
            if dealer_has_blackjack:
                self._settle_against_blackjack(hand)
            elif hand.surrendered:
                self._halve(hand)
            elif hand.is_blackjack:
                self._pay_blackjack(hand)
            else:
                self._settle_by_count(hand)
            hand.closed = True
            self._seat_may_be_settled(hand.seat)

    def _closes_double_card(self, hand: Hand) -> bool:
        """The card on a doubled hand lies face down until the hand is settled."""
        return self.rules.double_card != "face_up"

    def _seat_may_be_settled(self, seat: int) -> None:
        if all(hand.closed for hand in self.hands if hand.seat == seat):
            for side in self.side_wagers:
                side.seat_settled(seat)

    def _settle_against_blackjack(self, hand: Hand) -> None:
        """Only the first wager is lost; what was added for a double or a split comes back."""
        main = main_wager_of(hand)
        if main == "split":
            self.give_back(hand, main, hand.stake)
        elif hand.is_blackjack and self.rules.hole_card == "face_up":
            self._pay_blackjack(hand)
        elif hand.is_blackjack:
            self.give_back(hand, main, hand.stake)
        else:
            self.collect(hand, main, hand.stake)
        if hand.doubled:
            self.give_back(hand, "double", hand.doubled)

    def _settle_by_count(self, hand: Hand) -> None:
        total, dealers = hand.total, self.dealers.total
        wagers = [(main_wager_of(hand), hand.stake)]
        if hand.doubled:
            wagers.append(("double", hand.doubled))
        for wager, amount in wagers:
            if total <= 21 and (dealers > 21 or total > dealers):
                self.pay(hand, wager, amount, *self._odds_of_a_win(hand))
            elif total > 21 or total < dealers or self.rules.hole_card == "face_up":
                self.collect(hand, wager, amount)
            else:
                self.give_back(hand, wager, amount)

    def _odds_of_a_win(self, hand: Hand) -> tuple[int, int]:
        """What a winning hand pays that is no blackjack."""
        five_cards = self.rules.five_card_21 and len(hand.cards) == 5
        return (2, 1) if five_cards and hand.total == 21 else (1, 1)

    def _pay_blackjack(self, hand: Hand) -> None:
        if self.rules.hole_card == "face_up":
            self.pay(hand, "blackjack", hand.stake, 1, 1)
        elif self.rules.six_to_five:
            self.pay(hand, "blackjack", hand.stake, 6, 5)
        else:
            self.pay(hand, "blackjack", hand.stake, 3, 2)
        hand.closed = True

    def _halve(self, hand: Hand) -> None:
        half = hand.stake // 2
        self.collect(hand, "blackjack", half)
        self.give_back(hand, "blackjack", hand.stake - half)
        hand.closed = True
        self._done_with(hand)

    def pay(self, hand: Hand, wager: str, stake: int, gain: int, per: int) -> None:
        """A wager on the hand, or its insurance, wins."""
        self.pay_side(hand, wager, stake, gain, per)
        self._hand_settled(hand, wager, "paid")

    def collect(self, hand: Hand, wager: str, amount: int) -> None:
        """A wager on the hand, or its insurance, is lost."""
        self.collect_side(hand, wager, amount)
        self._hand_settled(hand, wager, "collected")

    def _hand_settled(self, hand: Hand, wager: str, result: str) -> None:
        if wager in ON_A_HAND:
            for side in self.side_wagers:
                side.main_wager_settled(hand, result)

    def _done_with(self, hand: Hand) -> None:
        """A hand is settled before the others: its cards go before another card is dealt."""
        self._seat_may_be_settled(hand.seat)
        self.done_with.append(hand)

    def _clear_the_layout(self) -> None:
        for hand in self.done_with:
            self._take_cards(hand)
        self.done_with.clear()

    def _take_cards(self, hand: Hand, place: str = "") -> None:
        self.table.wait(300, 800)
        self.table.play(
            "cards_collected",
            seat=hand.seat,
            player=hand.guest,
            hand=hand.number,
            to="player",
            cards=" ".join(hand.cards),
            cards_total=len(hand.cards),
            place=place or self.rack,
            **self.discards,
        )
        hand.cards = []

    def _collect_cards(self) -> None:
        """From the far right around the table, the dealer's own cards last."""
        for side in self.side_wagers:
            side.all_settled()
        for hand in reversed(self.hands):
            if hand.cards:
                self._take_cards(hand)
        self._collect_dealers_cards()

    def _collect_dealers_cards(self) -> None:
        self.table.wait(300, 800)
        self.table.play(
            "cards_collected",
            to="dealer",
            cards=" ".join(self.dealers.cards),
            cards_total=len(self.dealers.cards),
            place=self.rack,
            **self.discards,
        )


def main_wager_of(hand: Hand) -> str:
    """The first hand of a seat carries the original wager, every other one a split wager."""
    return "blackjack" if hand.number == 1 else "split"
