"""A table with better odds for some hands, where double cards lie face down on request."""

from __future__ import annotations

from datetime import date
from random import Random
from typing import Final

from compliance.simulate.blackjack.first_cards import DEALER, LUCK
from compliance.simulate.blackjack.rounds import Blackjack
from compliance.simulate.elections import BlackjackRules
from compliance.simulate.hands import Hand
from compliance.simulate.table import Table

BETTER: Final = ("pays_six_seven_eight", "pays_three_sevens", "pays_designated_blackjack")
NAMED: Final = {"AS", "JS"}
"""The one blackjack that pays 2 to 1."""
WISHES: Final = (
    (("6S", "7S", "8S"), ("10H", "7D")),
    (("7S", "7H", "7D"), ("10H", "7C")),
    (("AS", "JS"), ("5H",)),
)
"""Hands that pay more and would hardly ever come, and what the dealer has against them."""


class ExtraOdds(Blackjack):
    """A table that pays more for 6, 7, 8 of one suit, three sevens and one named blackjack."""

    def __init__(
        self,
        table: Table,
        day: date,
        chance: Random,
        offers: tuple[str, ...] | None,
        variant: str,
    ) -> None:
        super().__init__(table, day, chance, offers, variant)
        self.asked = False
        """Somebody has asked for a double card face down."""
        self.told: set[tuple[int, str]] = set()
        """Who has been offered the same since, by seat and name."""
        self.closed_doubles: set[tuple[int, int]] = set()
        """The hands of this round whose double card lies face down."""

    def set_up(self, rules: BlackjackRules) -> None:
        """The 6 to 5 variation and an open hole card have odds of their own."""
        if rules.six_to_five or rules.hole_card == "face_up":
            rules.six_to_five = rules.one_round_per_deck = rules.card_reader = False
            rules.double_after_split, rules.hole_card, rules.automated = True, "dealt_last", False
            rules.decks, rules.boxes = 6, 6
        rules.net_payout = False
        rules.double_card = "on_request"

    def elections(self) -> dict[str, str]:
        named = {"designated_ace": "AS", "designated_face_card": "JS"}
        return super().elections() | dict.fromkeys(BETTER, "yes") | named

    def post_signs(self) -> None:
        super().post_signs()
        for option in BETTER:
            self.table.by_floorperson("notice_posted", subject=option, value="yes")

    # ---- better odds -----------------------------------------------------------------------------

    def _take_side_wagers(self) -> None:
        super()._take_side_wagers()
        if not self.wishes and self.random.random() < LUCK:
            players, dealers = self.random.choice(WISHES)
            seat = self.random.choice(self.hands).seat
            self.wishes = {seat: list(players), DEALER: list(dealers)}

    def _odds_of_a_win(self, hand: Hand) -> tuple[int, int]:
        ranks = sorted(card[:-1] for card in hand.cards)
        if hand.split:
            return super()._odds_of_a_win(hand)
        if ranks == ["6", "7", "8"] and len({card[-1] for card in hand.cards}) == 1:
            return 2, 1
        return (3, 2) if ranks == ["7", "7", "7"] else super()._odds_of_a_win(hand)

    def _pay_blackjack(self, hand: Hand) -> None:
        if set(hand.cards) != NAMED:
            super()._pay_blackjack(hand)
            return
        self.pay(hand, "blackjack", hand.stake, 2, 1)
        hand.closed = True

    # ---- double cards face down ------------------------------------------------------------------

    def _take_wagers(self) -> list[Hand]:
        self.closed_doubles.clear()
        if self.asked:
            for seat in self.guests.seats:
                self._offer_closed_double(seat, self.guests.taken[seat].name)
        return super()._take_wagers()

    def _offer_closed_double(self, seat: int, player: str) -> None:
        if (seat, player) not in self.told:
            self.told.add((seat, player))
            self.table.wait(500, 1500)
            who = {"seat": seat, "player": player}
            self.table.play("choice_offered", kind="face_down_double", **who)

    def _double(self, hand: Hand) -> None:
        if self.guests.taken[hand.seat].boldness > 0.6:
            self.asked = True
            self.closed_doubles.add((hand.seat, hand.number))
            who = {"seat": hand.seat, "player": hand.guest}
            self.table.play("request_made", request="face_down_double", **who)
        super()._double(hand)

    def _closes_double_card(self, hand: Hand) -> bool:
        return (hand.seat, hand.number) in self.closed_doubles
