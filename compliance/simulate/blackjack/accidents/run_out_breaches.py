"""Breaches in a round for which the cards did not last."""

from __future__ import annotations

from compliance.simulate.blackjack.accidents.cards_run_out import NAME
from compliance.simulate.breach import Opportunity, breach
from compliance.simulate.table import Record


def _next_card(op: Opportunity) -> Record | None:
    """The first card that is dealt from the shuffled discards."""
    burned = op.chapter.last("card_burned")
    if burned is None:
        return None
    later = op.chapter.records[op.chapter.place(burned) :]
    return next((record for record in later if record["type"] == "card_dealt"), None)


@breach(
    "discards-not-cut",
    "round",
    accident=NAME,
    blackjack="discards-shuffled-when-the-cards-run-out",
    also="cut-before-the-shoe-is-loaded",
)
def discards_not_cut(op: Opportunity) -> Record | None:
    cut = op.chapter.last("cards_cut")
    if cut is not None:
        op.chapter.drop(cut)
    return _next_card(op)


@breach(
    "burned-face-up-after-the-cards-ran-out",
    "round",
    accident=NAME,
    blackjack="burn-after-the-cards-ran-out",
)
def burned_face_up_after_the_cards_ran_out(op: Opportunity) -> Record | None:
    burned = op.chapter.last("card_burned")
    if burned is not None:
        burned["face_up"] = True
    return _next_card(op)
