"""Rounds that are called off because of an error, although the law has them finished."""

from __future__ import annotations

from compliance.simulate.blackjack.accidents.cards_run_out import NAME as CARDS_RUN_OUT
from compliance.simulate.breach import Opportunity, breach
from compliance.simulate.table import Record


def _called_off(op: Opportunity, reason: str) -> Record | None:
    ended = op.chapter.last("round_ended")
    if ended is not None:
        ended.update(type="round_voided", reason=reason)
    return op.chapter.first("irregularity", kind=reason)


@breach(
    "round-called-off-as-the-cards-ran-out",
    "round",
    accident=CARDS_RUN_OUT,
    blackjack="round-finished-though-the-cards-ran-out",
)
def round_called_off_as_the_cards_ran_out(op: Opportunity) -> Record | None:
    return _called_off(op, "shoe_exhausted")


@breach(
    "round-called-off-as-the-upcard-was-not-moved",
    "round",
    since="1993-09-20",
    variant="multiple_action",
    accident="upcard-not-moved",
    blackjack="round-goes-on-though-the-upcard-was-not-moved",
)
def round_called_off_as_the_upcard_was_not_moved(op: Opportunity) -> Record | None:
    return _called_off(op, "upcard_not_moved")


@breach(
    "round-called-off-as-the-upcard-was-discarded",
    "round",
    since="1993-09-20",
    variant="multiple_action",
    accident="upcard-discarded",
    blackjack="round-goes-on-with-the-restored-upcard",
)
def round_called_off_as_the_upcard_was_discarded(op: Opportunity) -> Record | None:
    return _called_off(op, "upcard_discarded")


@breach(
    "round-called-off-for-the-wrong-side",
    "round",
    variant="double_shoe",
    blackjack="round-from-the-wrong-side-stands",
)
def round_called_off_for_the_wrong_side(op: Opportunity) -> Record | None:
    """Somebody takes the round for one from the wrong side; even then it would stand."""
    where = {name: op.chapter.records[0][name] for name in ("round", "dealer")}
    place = len(op.chapter.records) - 1
    op.chapter.insert(place, "irregularity", kind="wrong_side_dealt", **where)
    return _called_off(op, "wrong_side_dealt")
