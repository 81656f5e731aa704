"""Breaches with the streak's marker, and with the order in which its table is settled."""

from __future__ import annotations

from itertools import pairwise

from compliance.simulate.blackjack.side_wagers.altered_rounds import move_before, move_behind
from compliance.simulate.blackjack.side_wagers.streak_breaches import STREAK, streak_breach
from compliance.simulate.breach import Opportunity
from compliance.simulate.table import Record

PLAY = ("card_dealt", "decision", "hole_card_revealed")
"""What belongs to the play of a hand."""


def _marked(op: Opportunity, *, with_payment: bool) -> tuple[Record, Record | None] | None:
    """A marker that was moved, and the streak that was paid at its seat in the same round."""
    for marker in op.chapter.all("lammer_placed"):
        paid = op.chapter.first("wager_paid", wager=STREAK, seat=marker["seat"])
        if (paid is not None) == with_payment:
            return marker, paid
    return None


@streak_breach("marker-on-the-wrong-spot", "round", blackjack="streak-marker-on-the-next-win")
def marker_on_the_wrong_spot(op: Opportunity) -> Record | None:
    marker = op.chapter.first("lammer_placed")
    if marker is not None:
        marker["area"] += 1
    return marker


@streak_breach("marker-not-moved", "round", blackjack="streak-marker-moved-after-each-win")
def marker_not_moved(op: Opportunity) -> Record | None:
    found = _marked(op, with_payment=False)
    if found is None:
        return None
    op.chapter.drop(found[0])
    return op.chapter.last("round_ended")


@streak_breach(
    "streak-table-out-of-turn", "round", blackjack="streak-table-settled-counterclockwise"
)
def streak_table_out_of_turn(op: Opportunity) -> Record | None:
    chapter = op.chapter
    plays = [record for record in chapter.records if record["type"] in PLAY]
    settled = [
        record
        for record in chapter.records[chapter.place(plays[-1]) :]
        if record["type"] in ("wager_paid", "wager_collected")
        and record["wager"] in ("blackjack", STREAK)
    ]
    doubled = {record["seat"] for record in chapter.all("wager_placed", wager="double")}
    for one, other in pairwise(settled):
        if doubled & {one["seat"], other["seat"]}:
            continue
        if one["seat"] > other["seat"] and one["wager"] == other["wager"] == "blackjack":
            move_before(chapter, other, one)
            return one
    return None


@streak_breach("marker-before-payment", "round", blackjack="streak-paid-before-the-marker")
def marker_before_payment(op: Opportunity) -> Record | None:
    found = _marked(op, with_payment=False)
    if found is None:
        return None
    paid = op.chapter.all("wager_paid", wager="blackjack", seat=found[0]["seat"])
    if not paid:
        return None
    move_before(op.chapter, found[0], paid[0])
    return paid[0]


@streak_breach(
    "marker-after-payment-of-one-of-several",
    "round",
    blackjack="marker-before-payment-with-several-streaks",
)
def marker_after_payment_of_one_of_several(op: Opportunity) -> Record | None:
    found = _marked(op, with_payment=True)
    if found is None or found[1] is None:
        return None
    move_behind(op.chapter, found[0], found[1])
    return found[1]


@streak_breach(
    "cards-gone-before-the-marker",
    "round",
    blackjack="streak-settled-before-the-cards-are-picked-up",
)
def cards_gone_before_the_marker(op: Opportunity) -> Record | None:
    chapter = op.chapter
    found = _marked(op, with_payment=False)
    if found is None:
        return None
    marker = found[0]
    # Whose cards go first anyway: nobody else's are picked up out of turn.
    cards = chapter.all("cards_collected", to="player")
    if cards[0]["seat"] != marker["seat"] or chapter.place(cards[0]) < chapter.place(marker):
        return None
    if any(record["type"] in PLAY for record in chapter.records[chapter.place(marker) :]):
        return None
    move_before(chapter, cards[0], marker)
    return cards[0]
