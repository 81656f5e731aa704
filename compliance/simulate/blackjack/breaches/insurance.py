"""Breaches with surrendered and insured wagers: when, and how much of them is taken or paid."""

from __future__ import annotations

from compliance.simulate.blackjack.breaches.wagers import upcard_of
from compliance.simulate.blackjack.side_wagers.altered_rounds import last_second_card, pay
from compliance.simulate.breach import (
    SETTLEMENTS,
    Opportunity,
    breach,
    dealers_hand,
    seat_records,
)
from compliance.simulate.hands import Hand
from compliance.simulate.table import Record

CALL = "point_total_announced"
SURRENDER = "1990-01-16"


# ---- surrender ---------------------------------------------------------------------------------


@breach(
    "surrender-before-the-call",
    "round",
    since=SURRENDER,
    blackjack="surrender-after-the-total-is-called",
)
def surrender_before_the_call(op: Opportunity) -> Record | None:
    """At the first seat only the first card is called, and the player surrenders on both."""
    chapter = op.chapter
    first = chapter.first("decision")
    call = chapter.first(CALL)
    if first is None or first["kind"] != "surrender" or not call or call["seat"] != first["seat"]:
        return None
    cards = chapter.all("card_dealt", seat=first["seat"])
    hand = Hand(0, "", 0, 0)
    hand.take(cards[0]["card"])
    call.update(total=hand.total, soft=hand.soft)
    chapter.move(call, chapter.place(cards[1]))
    return first


@breach(
    "surrender-not-kept-waiting",
    "round",
    since=SURRENDER,
    blackjack="surrender-against-ace-or-ten-waits-for-the-second-card",
)
def surrender_not_kept_waiting(op: Opportunity) -> Record | None:
    """Half of it is taken at once, although the dealer may still have blackjack."""
    chapter = op.chapter
    if upcard_of(chapter) not in (1, 10) or dealers_hand(chapter).is_blackjack:
        return None
    for surrendered in chapter.all("decision", kind="surrender"):
        own = seat_records(chapter, surrendered["seat"], *SETTLEMENTS)
        both = [record for record in own if record["wager"] == "blackjack"]
        for record in reversed(both):
            chapter.move(record, chapter.place(surrendered) + 1)
        return both[0]
    return None


@breach(
    "surrendered-wager-settled-in-part",
    "round",
    since=SURRENDER,
    blackjack="surrendered-wager-settled-in-full",
)
def surrendered_wager_settled_in_part(op: Opportunity) -> Record | None:
    """The player gets back less than the other half."""
    for surrendered in op.chapter.all("decision", kind="surrender"):
        back = op.chapter.first("wager_returned", wager="blackjack", seat=surrendered["seat"])
        # Against a low card another rule asks for both halves, too.
        if back is not None and back["amount"] > 100 and upcard_of(op.chapter) in (1, 10):
            back["amount"] -= 100
            return surrendered
    return None


@breach(
    "insurance-of-a-surrendered-hand-given-back",
    "round",
    since=SURRENDER,
    blackjack="surrender-and-insurance-settled-apart",
    also="decided-insurance-is-settled",
)
def insurance_of_a_surrendered_hand_given_back(op: Opportunity) -> Record | None:
    for surrendered in op.chapter.all("decision", kind="surrender"):
        own = op.chapter.first("wager_collected", wager="insurance", seat=surrendered["seat"])
        if own is not None:
            own["type"] = "wager_returned"
            return surrendered
    return None


# ---- insurance ---------------------------------------------------------------------------------


@breach(
    "insurance-before-the-second-cards",
    "round",
    since="1989-12-04",
    blackjack="insurance-not-before-the-second-cards",
)
def insurance_before_the_second_cards(op: Opportunity) -> Record | None:
    insured = op.chapter.first("insurance_placed")
    if insured is None or op.has("card_reader"):
        return None
    op.chapter.move(insured, op.chapter.place(last_second_card(op.chapter)))
    return insured


@breach("lost-insurance-paid", "round", blackjack="insurance-won-by-a-ten-beside-the-ace")
def lost_insurance_paid(op: Opportunity) -> Record | None:
    lost = op.chapter.first("wager_collected", wager="insurance")
    return pay(lost, 2) if lost is not None else None


@breach(
    "lost-insurance-taken-early",
    "round",
    blackjack="lost-insurance-taken-once-the-second-card-is-known",
)
def lost_insurance_taken_early(op: Opportunity) -> Record | None:
    """It is taken while the hole card, which the log knows already, still lies closed."""
    chapter = op.chapter
    lost = chapter.first("wager_collected", wager="insurance")
    turned = chapter.first("hole_card_revealed")
    hole = chapter.first("card_dealt", to="dealer", face_up=False)
    if lost is None or turned is None or chapter.first("hole_card_read") is not None:
        return None
    if hole is None or "card" not in hole:
        return None
    chapter.move(lost, chapter.place(turned))
    return lost
