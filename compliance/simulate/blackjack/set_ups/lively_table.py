"""A lively table: players sit out rounds and are kept from coming back, raise a wager above the
maximum, reach for what they have won, and lift their cards where they may."""

from __future__ import annotations

from datetime import date
from random import Random
from typing import Final

from compliance.simulate.blackjack.first_cards import DEALER, LUCK
from compliance.simulate.blackjack.rounds import Blackjack
from compliance.simulate.elections import SIX_TO_FIVE, BlackjackRules
from compliance.simulate.guests import Guest
from compliance.simulate.hands import Hand
from compliance.simulate.table import Table

BARRING: Final = SIX_TO_FIVE
"""The day from which the law says whom a licensee may keep from wagering."""
SEVENS: Final = ("7S", "7H", "7D")


class LivelyTable(Blackjack):
    """A usual table at which more happens than the game itself."""

    def __init__(
        self,
        table: Table,
        day: date,
        chance: Random,
        offers: tuple[str, ...] | None,
        variant: str,
    ) -> None:
        super().__init__(table, day, chance, offers, variant)
        self.sitting_out: set[int] = set()
        """The seats whose players make no wager in this round."""
        self.barred: set[Guest] = set()
        """Who may not wager before the next shuffle."""
        self.raised: set[int] = set()
        """The seats with more on the wager than the maximum."""

    def set_up(self, rules: BlackjackRules) -> None:
        """Most of these tables have a hole card; for sevens the dealer reads it."""
        if rules.hole_card == "dealt_last" and not rules.six_to_five:
            # The progressive wager leaves no room for a hole card.
            rules.hole_card = "dealt_last" if "progressive" in self.offers else "face_down"
        if "sevens" in self.offers:
            rules.hole_card, rules.card_reader, rules.late_insurance = "face_down", True, False
        rules.net_payout = False

    # ---- sitting out -----------------------------------------------------------------------------

    def prepare_cards(self, reason: str) -> None:
        self.barred.clear()
        super().prepare_cards(reason)

    def between_rounds(self) -> None:
        for seat in sorted(self.sitting_out, reverse=True):
            guest = self.guests.taken.get(seat)
            if guest is not None and self.day >= BARRING and self.random.random() < 0.3:
                self.barred.add(guest)
                who = {"seat": seat, "player": guest.name}
                self.table.by_floorperson("wagering_barred", reason="came and went", **who)
        super().between_rounds()

    def _seats_in_play(self) -> list[int]:
        seats = self.guests.seats
        here = [seat for seat in seats if self.guests.taken[seat] not in self.barred]
        if not here:
            # Nobody else is left: the supervisor lets them wager again.
            self.barred.clear()
            here = seats
        playing = [s for s in here if len(self.guests.taken[s].seats) > 1 or not self._rests()]
        playing = playing or here
        self.sitting_out = set(seats) - set(playing)
        return playing

    def _rests(self) -> bool:
        return self.random.random() < 0.08

    # ---- wagers ----------------------------------------------------------------------------------

    def _take_wagers(self) -> list[Hand]:
        hands = super()._take_wagers()
        self.raised.clear()
        for hand in hands:
            if hand.stake == self.limits.maximum or self.random.random() < 0.02:
                self._raise(hand)
        return hands

    def _raise(self, hand: Hand) -> None:
        """More chips go on the wager than the sign allows, and the dealer accepts them."""
        more = self.limits.maximum - hand.stake + 2 * self.limits.minimum
        on_hand = {"seat": hand.seat, "player": hand.guest, "hand": 1, "wager": "blackjack"}
        self.table.play("wager_increased", amount=more, **on_hand)
        hand.stake += more
        self.raised.add(hand.seat)

    def _take_side_wagers(self) -> None:
        super()._take_side_wagers()
        for side in self.side_wagers:
            for seat in sorted(self.sitting_out, reverse=True):
                side.sat_out(seat)
        sevens = next((side for side in self.side_wagers if side.name == "sevens"), None)
        if sevens is not None and sevens.stakes and self.random.random() < LUCK:
            self.wishes = {seat: list(SEVENS) for seat in sorted(sevens.stakes)[:2]}
            self.wishes[DEALER] = ["AS", "KD"]

    def _insure(self, hand: Hand, amount: int = 0) -> None:
        if hand.seat not in self.raised:
            super()._insure(hand, amount)

    def _decide(self, hand: Hand) -> str:
        """What was raised is played as it lies: nothing more is put beside it."""
        kind = super()._decide(hand)
        if hand.seat in self.raised and kind in ("double", "split", "surrender"):
            return "hit" if hand.total < 12 else "stand"
        return kind

    # ---- hands on cards and chips ----------------------------------------------------------------

    def _deal_first_cards(self) -> None:
        super()._deal_first_cards()
        if self.rules.six_to_five:
            for hand in self.hands:
                by = {"by": hand.guest, "by_role": "player"}
                who = {"seat": hand.seat, "player": hand.guest, "hand": 1}
                self.table.play("card_handled", action="lifted", **who, **by)

    def _reveal_hole_card(self) -> None:
        if not self.rules.card_reader and self.random.random() < 0.5:
            by = {"by": self.table.dealer, "by_role": "dealer"}
            self.table.play("hole_card_viewed", **by)
        super()._reveal_hole_card()

    def _collect_cards(self) -> None:
        for hand in self.hands:
            if hand.number == 1 and self.random.random() < 0.2:
                by = {"by": hand.guest, "by_role": "player"}
                on_hand = {"seat": hand.seat, "player": hand.guest, "wager": "blackjack"}
                self.table.play("wager_handled", **on_hand, **by)
        super()._collect_cards()
