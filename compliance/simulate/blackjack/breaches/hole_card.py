"""Breaches with the dealer's hole card: where it may be dealt, read, shown or left open."""

from __future__ import annotations

from compliance.simulate.blackjack.breaches.wagers import of_seat, upcard_of
from compliance.simulate.blackjack.side_wagers.altered_rounds import warned_of
from compliance.simulate.breach import (
    Opportunity,
    asks_for,
    breach,
    dealers_hand,
    first_cards_end,
    hand_at,
    plain_seats,
)
from compliance.simulate.table import Record


@breach(
    "hole-card-beside-the-progressive",
    "round",
    since="1996-07-15",
    offer="progressive",
    blackjack="no-hole-card-beside-the-progressive",
)
def hole_card_beside_the_progressive(op: Opportunity) -> Record | None:
    """The table is set to a hole card as the round begins; it is set back before the deal."""
    if not op.has("progressive") or not warned_of(op, "hole_card", "face_down"):
        return None
    started = op.chapter.records[0]
    by = {"option_name": "hole_card", "by": "F1", "by_role": "floorperson"}
    op.chapter.insert(1, "option_elected", value="dealt_last", **by)
    op.chapter.insert(0, "option_elected", value="face_down", **by)
    return started


@breach(
    "hole-card-shown-to-all",
    "round",
    since="1993-01-19",
    blackjack="hole-card-unseen-in-the-reader",
)
def hole_card_shown_to_all(op: Opportunity) -> Record | None:
    """On its way into the card reader the hole card is turned so that it can be seen."""
    read = op.chapter.first("hole_card_read")
    if read is None:
        return None
    where = {"round": read["round"], "dealer": read["dealer"]}
    op.chapter.insert(op.chapter.place(read), "card_exposed", to="dealer", **where)
    return read


@breach(
    "two-sevens-not-offered-a-card",
    "round",
    since="1996-07-15",
    offer="sevens",
    blackjack="two-sevens-offered-a-card-despite-a-blackjack",
)
def two_sevens_not_offered_a_card(op: Opportunity) -> Record | None:
    """The dealer forgets the offer; a player who wants the card gets it unasked."""
    offered = op.chapter.first("choice_offered", kind="additional_card")
    if offered is None or op.chapter.first("hole_card_read", result="blackjack") is None:
        return None
    op.chapter.drop(offered)
    for declined in op.chapter.all("choice_declined", kind="additional_card", seat=offered["seat"]):
        op.chapter.drop(declined)
    return op.chapter.last("round_ended")


@breach(
    "insurance-with-the-hole-card-up",
    "round",
    since="1991-11-04",
    blackjack="no-insurance-with-the-hole-card-up",
    also="decided-insurance-is-settled",
)
def insurance_with_the_hole_card_up(op: Opportunity) -> Record | None:
    if upcard_of(op.chapter) != 1 or not op.has("hole_card", "face_up"):
        return None
    wager = op.chapter.all("wager_placed")[0]
    chip = round(float(op.options["chip_unit"].strip("$")) * 100)
    amount = -(-(wager["amount"] // 2) // chip) * chip
    place = first_cards_end(op.chapter)
    back = {"wager": "insurance", "amount": amount, "hand": 1}
    op.chapter.insert(place, "wager_returned", **back, **of_seat(wager))
    return op.chapter.insert(place, "insurance_placed", amount=amount, hand=1, **of_seat(wager))


@breach(
    "card-after-an-open-blackjack",
    "round",
    since="1996-07-15",
    blackjack="no-card-after-an-open-blackjack",
)
def card_after_an_open_blackjack(op: Opportunity) -> Record | None:
    """A player who has lost to it anyway draws once more."""
    chapter = op.chapter
    if not op.has("hole_card", "face_up") or not dealers_hand(chapter).is_blackjack:
        return None
    said = chapter.first("point_total_announced", to="dealer")
    for card in chapter.all("card_dealt", to="player"):
        hand = hand_at(chapter, card["seat"])
        if hand.total <= 19 and said is not None:
            place = chapter.place(said)
            dealt = asks_for(chapter, card, "2S", place)[1]
            count = {"total": hand.total, "soft": hand.soft, "to": "player", "hand": 1}
            chapter.insert(place, "point_total_announced", **count, **of_seat(card))
            return dealt
    return None


@breach(
    "tie-returned-with-the-hole-card-up",
    "round",
    since="1991-11-04",
    blackjack="ties-lose-with-the-hole-card-up",
)
def tie_returned_with_the_hole_card_up(op: Opportunity) -> Record | None:
    chapter, dealers = op.chapter, dealers_hand(op.chapter).total
    if not op.has("hole_card", "face_up"):
        return None
    for seat in plain_seats(chapter):
        hand = hand_at(chapter, seat)
        lost = chapter.first("wager_collected", wager="blackjack", seat=seat)
        tie = hand.total == dealers <= 21 and not dealers_hand(chapter).is_blackjack
        if lost is not None and tie:
            lost["type"] = "wager_returned"
            return lost
    return None
