"""Breaches of the 6 to 5 variation's way with closed cards, and of plain payments."""

from __future__ import annotations

from compliance.simulate.breach import SETTLEMENTS, Opportunity, breach, hand_at, no_splits
from compliance.simulate.table import Record

SINCE = "2006-01-17"


def _bust_card(op: Opportunity, seat: int) -> Record:
    """The card that brought a seat over 21."""
    return op.chapter.all("card_dealt", seat=seat)[-1]


@breach(
    "six-to-five-cards-into-the-rack",
    "round",
    since=SINCE,
    blackjack="six-to-five-cards-back-into-the-shuffler",
)
def six_to_five_cards_into_the_rack(op: Opportunity) -> Record | None:
    cards = op.chapter.first("cards_collected", to="dealer")
    if cards is None or not op.has("six_to_five"):
        return None
    cards["place"] = "discard_rack"
    return cards


@breach(
    "cards-over-21-shown",
    "round",
    since=SINCE,
    blackjack="six-to-five-cards-over-21-thrown-in",
)
def cards_over_21_shown(op: Opportunity) -> Record | None:
    thrown = op.chapter.first("cards_discarded", to="player")
    if thrown is None:
        return None
    thrown["face_up"] = True
    return _bust_card(op, thrown["seat"])


@breach(
    "cards-over-21-into-the-shuffler",
    "round",
    since=SINCE,
    blackjack="six-to-five-cards-over-21-into-the-rack",
)
def cards_over_21_into_the_shuffler(op: Opportunity) -> Record | None:
    thrown = op.chapter.first("cards_discarded", to="player")
    if thrown is None:
        return None
    cards = op.chapter.first("cards_collected", seat=thrown["seat"])
    if cards is not None:
        cards["place"] = "shuffler"
    return _bust_card(op, thrown["seat"])


@breach(
    "closed-pair-split",
    "round",
    since=SINCE,
    blackjack="six-to-five-split-cards-turned-up",
)
def closed_pair_split(op: Opportunity) -> Record | None:
    split = op.chapter.first("decision", kind="split")
    if split is None or not op.has("six_to_five"):
        return None
    turned = op.chapter.all("cards_turned", seat=split["seat"])
    # They are turned up again for the settlement, unless all went over 21 before.
    if len(turned) < 2 or op.chapter.first("wager_collected", seat=split["seat"]):
        return None
    op.chapter.drop(turned[0])
    return split


@breach("win-paid-double", "round", blackjack="ordinary-wins-paid-even")
def win_paid_double(op: Opportunity) -> Record | None:
    if not no_splits(op.chapter) or op.has("hole_card", "face_up"):
        return None
    for paid in op.chapter.all("wager_paid", wager="blackjack", odds="1 to 1"):
        if not hand_at(op.chapter, paid["seat"]).is_blackjack:
            paid.update(amount=paid["stake"] * 2, odds="2 to 1")
            return paid
    return None


@breach(
    "surrender-settled-after-the-draw",
    "round",
    since="1990-01-16",
    blackjack="surrenders-settled-before-the-dealer-draws",
)
def surrender_settled_after_the_draw(op: Opportunity) -> Record | None:
    chapter = op.chapter
    cards = chapter.all("card_dealt", to="dealer")
    surrendered = chapter.all("decision", kind="surrender")
    # A fourth card follows, so that nothing seems to be picked up out of turn.
    if len(cards) < 4 or len(surrendered) != 1:
        return None
    seat = surrendered[0]["seat"]
    late = [
        record
        for record in chapter.records
        if record.get("seat") == seat and record["type"] in (*SETTLEMENTS, "cards_collected")
    ]
    if any(r.get("wager", "blackjack") != "blackjack" for r in late):
        return None
    if chapter.place(late[0]) < chapter.place(cards[1]):
        return None
    for record in late:
        chapter.move(record, chapter.place(cards[2]))
    return cards[2]
