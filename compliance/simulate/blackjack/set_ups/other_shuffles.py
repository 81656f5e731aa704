"""Blackjack with another shuffle: the Bart Carter shuffle, or a shoe that shuffles by itself."""

from __future__ import annotations

from typing import Any, Final

from compliance.simulate.blackjack.rounds import Blackjack
from compliance.simulate.blackjack.set_ups.double_shoe import shuffled_by_hand
from compliance.simulate.elections import BlackjackRules

DECK: Final = 52
STACKS: Final = 3


class BartCarter(Blackjack):
    """When about a deck was used, it is shuffled and goes back into the shoe in three places."""

    has_side_wagers = False
    burns = False
    puts_cutting_card_back = False

    def set_up(self, rules: BlackjackRules) -> None:
        shuffled_by_hand(rules)
        if rules.decks < 4:
            rules.decks = 4

    def elections(self) -> dict[str, str]:
        return super().elections() | {"shuffle": "bart_carter"}

    def cards_are_used_up(self) -> bool:
        return self.shoe.place > DECK

    def prepare_cards(self, reason: str) -> None:
        if reason == "round_finished":
            self._shuffle_the_discards(reason)
        else:
            super().prepare_cards(reason)

    def _shuffle_the_discards(self, reason: str) -> None:
        table, shoe = self.table, self.shoe
        cards = shoe.place
        table.by_dealer(
            "cards_removed",
            origin="discard_rack",
            place="layout",
            cards_total=cards,
            shoe=shoe.name,
        )
        table.wait(20000, 40000)
        places = shoe.mix_in_what_was_dealt(STACKS)
        table.by_dealer(
            "cards_shuffled",
            shoe=shoe.name,
            method="bart_carter",
            reason=reason,
            cards_total=cards,
            discards_alone=True,
        )
        for place, size in places:
            table.wait(2000, 4000)
            table.by_dealer(
                "shuffled_stack_inserted", shoe=shoe.name, position=place, cards_total=size
            )


class ContinuousShuffler(Blackjack):
    """Used cards go back into a device that shuffles and deals at the same time."""

    has_side_wagers = False
    source = "continuous_shuffler"
    burns = False

    def set_up(self, rules: BlackjackRules) -> None:
        shuffled_by_hand(rules)

    def elections(self) -> dict[str, str]:
        device = {"shuffler": "continuous", "shuffle": "continuous", "shoe_kind": self.source}
        return super().elections() | device

    @property
    def approved(self) -> frozenset[str]:
        return frozenset(("shuffler", "shuffle"))

    @property
    def devices(self) -> tuple[str, ...]:
        return ("shoe", "shuffler")

    @property
    def rack(self) -> str:
        return "shuffler"

    @property
    def mark(self) -> dict[str, Any]:
        return {}

    def cards_are_used_up(self) -> bool:
        return False

    def prepare_cards(self, reason: str) -> None:
        if reason == "opening":
            self.table.by_dealer("shuffler_loaded", shoe=self.shoe.name)
        self.table.wait(5000, 15000)
        self.shoe.shuffle()
        self.table.emit(
            "cards_shuffled",
            by="shuffler",
            by_role="system",
            shoe=self.shoe.name,
            method="continuous",
            reason=reason,
            cards_total=self.shoe.size,
        )

    def _end_round(self) -> None:
        super()._end_round()
        self.shoe.shuffle()
