"""Which kind of blackjack table stands for each way of setting one up."""

from __future__ import annotations

from typing import Final

from compliance.simulate.blackjack.rounds import Blackjack
from compliance.simulate.blackjack.set_ups.burning_from_the_hand import BurningFromTheHand
from compliance.simulate.blackjack.set_ups.double_shoe import DoubleShoe
from compliance.simulate.blackjack.set_ups.extra_odds import ExtraOdds
from compliance.simulate.blackjack.set_ups.lively_table import LivelyTable
from compliance.simulate.blackjack.set_ups.multiple_action import MultipleAction
from compliance.simulate.blackjack.set_ups.other_shuffles import BartCarter, ContinuousShuffler
from compliance.simulate.blackjack.set_ups.shared_boxes import SharedBoxes

KINDS: Final[dict[str, type[Blackjack]]] = {
    "multiple_action": MultipleAction,
    "shared_boxes": SharedBoxes,
    "extra_odds": ExtraOdds,
    "lively": LivelyTable,
    "double_shoe": DoubleShoe,
    "bart_carter": BartCarter,
    "continuous_shuffler": ContinuousShuffler,
    "burning_from_the_hand": BurningFromTheHand,
}
"""The tables that are played otherwise than the usual one."""


def blackjack_table(variant: str) -> type[Blackjack]:
    """The kind of table for a way of setting one up."""
    return KINDS.get(variant, Blackjack)
