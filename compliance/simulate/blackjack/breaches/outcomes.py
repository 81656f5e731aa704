"""Breaches with the outcome of a round: wagers settled wrongly or not at all, cards left lying."""

from __future__ import annotations

from compliance.simulate.breach import (
    SETTLEMENTS,
    Opportunity,
    breach,
    hand_at,
    plain_seats,
    seat_records,
    settled_by_count,
)
from compliance.simulate.table import Chapter, Record


def _settled_plainly(op: Opportunity, type: str) -> list[Record]:
    """Main wagers of plain hands that were settled so, by count against the dealer's hand."""
    plain = set(plain_seats(op.chapter))
    return [
        record
        for record, total in settled_by_count(op.chapter)
        if record["type"] == type and record["seat"] in plain and total <= 21
    ]


# ---- wagers ------------------------------------------------------------------------------------


@breach("tie-not-given-back", "round", blackjack="every-wager-is-settled")
def tie_not_given_back(op: Opportunity) -> Record | None:
    for back in _settled_plainly(op, "wager_returned"):
        op.chapter.drop(back)
        return op.chapter.last("round_ended")
    return None


@breach("winner-given-back", "round", blackjack="every-winning-hand-is-paid")
def winner_given_back(op: Opportunity) -> Record | None:
    """The wager of a better hand only comes back."""
    for paid in _settled_plainly(op, "wager_paid"):
        if not op.has("hole_card", "face_up"):
            paid["type"] = "wager_returned"
            paid["amount"] = paid.pop("stake")
            paid.pop("odds")
            return op.chapter.first("wager_placed", seat=paid["seat"])
    return None


@breach(
    "winner-paid-too-early",
    "round",
    blackjack="winners-paid-after-the-dealers-second-card",
    also="no-win-paid-before-the-dealer-is-done",
)
def winner_paid_too_early(op: Opportunity) -> Record | None:
    """A better hand is paid before the dealer has taken a second card."""
    called = op.chapter.first("announcement", phrase="dealers_card")
    paid = _settled_plainly(op, "wager_paid")
    if called is None or not paid or op.has("six_to_five"):
        return None
    op.chapter.move(paid[0], op.chapter.place(called))
    return paid[0]


@breach("loser-given-back", "round", blackjack="every-losing-hand-is-collected")
def loser_given_back(op: Opportunity) -> Record | None:
    """The wager of a worse hand comes back."""
    for lost in _settled_plainly(op, "wager_collected"):
        if not op.has("hole_card", "face_up"):
            lost["type"] = "wager_returned"
            return op.chapter.first("wager_placed", seat=lost["seat"])
    return None


@breach("cards-without-a-wager", "round", blackjack="cards-only-on-boxes-with-a-wager")
def cards_without_a_wager(op: Opportunity) -> Record | None:
    """A player who wagered nothing plays along; others need the dealer, too."""
    chapter = op.chapter
    settled = [record["seat"] for record, _ in settled_by_count(chapter)]
    for seat in plain_seats(chapter):
        if seat in settled and len(set(settled)) > 1:
            for record in seat_records(chapter, seat, "wager_placed", *SETTLEMENTS):
                chapter.drop(record)
            return chapter.first("card_dealt", seat=seat)
    return None


# ---- cards -------------------------------------------------------------------------------------


def _picked_up_at_the_end(chapter: Chapter) -> list[Record]:
    """Hands that were picked up one after the other at the end, those with one hand at a seat."""
    found: list[Record] = []
    for record in reversed(chapter.records):
        if record["type"] == "cards_collected" and record["to"] == "player":
            found.insert(0, record)
        elif record["type"] not in ("round_ended", "cards_collected"):
            break
    seats = [record["seat"] for record in found]
    return [record for record in found if seats.count(record["seat"]) == 1]


def _waited(chapter: Chapter, seat: int) -> bool:
    """Whether a hand could not have been picked up before the end of the round."""
    hand = hand_at(chapter, seat)
    return seat in plain_seats(chapter) and hand.total <= 21 and not hand.is_blackjack


@breach("cards-picked-up-clockwise", "round", blackjack="cards-picked-up-counterclockwise")
def cards_picked_up_clockwise(op: Opportunity) -> Record | None:
    """The last two hands are picked up in the wrong order."""
    both = _picked_up_at_the_end(op.chapter)[-2:]
    if len(both) < 2 or not all(_waited(op.chapter, cards["seat"]) for cards in both):
        return None
    op.chapter.move(both[0], op.chapter.place(both[1]))
    return both[0]


@breach("hand-left-lying", "round", blackjack="no-cards-left-on-the-layout")
def hand_left_lying(op: Opportunity) -> Record | None:
    cards = _picked_up_at_the_end(op.chapter)
    if not cards:
        return None
    op.chapter.drop(cards[0])
    return op.chapter.last("round_ended")


# ---- the 6 to 5 variation ----------------------------------------------------------------------


@breach(
    "wager-over-21-left-standing",
    "round",
    since="2006-01-17",
    blackjack="six-to-five-wager-over-21-taken-at-once",
)
def wager_over_21_left_standing(op: Opportunity) -> Record | None:
    """It is taken only when somebody else has decided."""
    chapter = op.chapter
    for thrown in chapter.all("cards_discarded", to="player"):
        lost = chapter.all("wager_collected", seat=thrown["seat"])
        later = [d for d in chapter.all("decision") if chapter.place(d) > chapter.place(thrown)]
        stands = [d for d in later if d["kind"] == "stand"]
        if len(lost) == 1 and stands:
            chapter.move(lost[0], chapter.place(stands[0]))
            return chapter.all("card_dealt", seat=thrown["seat"])[-1]
    return None


@breach(
    "closed-cards-settled",
    "round",
    since="2006-01-17",
    blackjack="six-to-five-cards-shown-before-settlement",
)
def closed_cards_settled(op: Opportunity) -> Record | None:
    chapter = op.chapter
    for seat in plain_seats(chapter) if op.has("six_to_five") else ():
        turned = seat_records(chapter, seat, "cards_turned")
        settled = seat_records(chapter, seat, *SETTLEMENTS)
        if len(turned) == 1 and len(settled) == 1:
            chapter.drop(turned[0])
            return settled[0]
    return None
