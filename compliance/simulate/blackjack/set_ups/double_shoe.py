"""Blackjack from a shoe with two sides: the suit of a determinant card says which side is dealt."""

from __future__ import annotations

from datetime import date
from random import Random
from typing import Any, Final

from compliance.simulate.blackjack.rounds import Blackjack
from compliance.simulate.elections import BlackjackRules
from compliance.simulate.shoe import Shoe
from compliance.simulate.table import Table

RED_SUITS: Final = "gold"
BLACK_SUITS: Final = "blue"
SIDES: Final = (RED_SUITS, BLACK_SUITS)
"""By the colour of the backs; red suits stand for the one and black suits for the other."""


def side_of(card: str) -> str:
    """The side that a card stands for by its suit."""
    return RED_SUITS if card[-1] in "HD" else BLACK_SUITS


def shuffled_by_hand(rules: BlackjackRules) -> None:
    """An ordinary table without a shuffling machine."""
    if rules.six_to_five:
        rules.six_to_five = rules.one_round_per_deck = False
        rules.decks, rules.boxes, rules.double_after_split = 6, 6, True
    rules.automated = False


class DoubleShoe(Blackjack):
    """A table with a double shoe; one of its sides is dealt in each round."""

    has_side_wagers = False
    source = "double_shoe"
    burns = False

    def __init__(
        self,
        table: Table,
        day: date,
        chance: Random,
        offers: tuple[str, ...] | None,
        variant: str,
    ) -> None:
        super().__init__(table, day, chance, offers, variant)
        other = Shoe(self.shoe.name, self.decks, self.random)
        self._shoes = dict(zip(SIDES, (self.shoe, other), strict=True))
        self.side = RED_SUITS
        """The side in use."""

    def set_up(self, rules: BlackjackRules) -> None:
        shuffled_by_hand(rules)
        rules.decks = max(rules.decks, 2)

    def decks_of_a_set(self, rules: BlackjackRules) -> int:
        return rules.decks // 2

    def elections(self) -> dict[str, str]:
        sides = {"red_suits_side": RED_SUITS, "black_suits_side": BLACK_SUITS}
        return super().elections() | {"shoe_kind": self.source, "double_shoe": "yes"} | sides

    # ---- two sets of cards -----------------------------------------------------------------------

    @property
    def sets(self) -> tuple[dict[str, str], ...]:
        return tuple({"side": side} for side in SIDES)

    @property
    def sets_on_show(self) -> tuple[dict[str, str], ...]:
        return self.sets

    @property
    def pack(self) -> dict[str, Any]:
        return {"side": self.side}

    @property
    def deck(self) -> dict[str, Any]:
        return {"source": self.source, "side": self.side}

    @property
    def discards(self) -> dict[str, str]:
        return {"side": self.side}

    @property
    def mark(self) -> dict[str, Any]:
        return {}

    @property
    def rack(self) -> str:
        return "segregated_area"

    def _use(self, side: str) -> None:
        self.side, self.shoe = side, self._shoes[side]

    # ---- the shuffle -----------------------------------------------------------------------------

    def _can_be_drawn_from(self) -> list[str]:
        """The sides where the cutting card does not come next."""
        return [side for side in SIDES if self._shoes[side].left_before_cutting_card > 0]

    def cards_are_used_up(self) -> bool:
        return self.shoe.reached or not self._can_be_drawn_from()

    def prepare_cards(self, reason: str) -> None:
        """After the cutting card only its own side is shuffled, else both, that one first."""
        if reason == "round_finished":
            self.table.by_floorperson("shuffle_decided")
            reason = "licensee_decision"
        last, seat = self.side, self.cutting_card_at
        super().prepare_cards(reason)
        if reason != "cutting_card_reached":
            self.cutting_card_at = seat
            self._use(next(side for side in SIDES if side != last))
            super().prepare_cards(reason)

    def _take_cards_out_of_the_shoe(self) -> None:
        """The rest of a side joins its discards, all face down."""
        shoe = self.shoe
        for origin, cards in (("shoe", shoe.left), ("segregated_area", shoe.place)):
            self.table.by_dealer(
                "cards_removed",
                origin=origin,
                place="discard_rack",
                cards_total=cards,
                face_up=False,
                shoe=shoe.name,
                **self.pack,
            )

    # ---- the determinant card --------------------------------------------------------------------

    def _deal_first_cards(self) -> None:
        drawn_from = self.random.choice(self._can_be_drawn_from())
        shoe = self._shoes[drawn_from]
        card = shoe.draw()
        which = {"card": card, "side": drawn_from, "shoe": shoe.name}
        self.table.wait(1000, 2500)
        self.table.play("determinant_card_drawn", **which)
        self._use(side_of(card))
        if self.side == drawn_from:
            # It becomes the first card of the first player.
            shoe.put_back()
            self.wishes.pop(self.hands[0].seat, None)
        else:
            self.table.wait(800, 1600)
            place = {"face_up": False, "place": "segregated_area", "reason": "determinant_card"}
            self.table.play("card_burned", **which, **place)
        super()._deal_first_cards()
