"""Breaches with surrendered hands, and with 21 in five cards."""

from __future__ import annotations

from compliance.simulate.blackjack.breaches.wagers import of_seat, upcard_of
from compliance.simulate.breach import (
    SETTLEMENTS,
    Opportunity,
    breach,
    hand_at,
    seat_records,
    settled_by_count,
)
from compliance.simulate.table import Record

# ---- surrender -----------------------------------------------------------------------------------


def _surrenders(op: Opportunity, stand: Record) -> Record | None:
    """A player who stood gives up against a low card instead, and is settled for that at once.

    Another hand needs the dealer anyway.
    """
    chapter, seat = op.chapter, stand["seat"]
    others = [r for r, _ in settled_by_count(chapter) if r["seat"] != seat]
    settled = seat_records(chapter, seat, *SETTLEMENTS)
    if not others or upcard_of(chapter) in (1, 10) or len(settled) != 1:
        return None
    stake = settled[0]["stake"] if "stake" in settled[0] else settled[0]["amount"]
    half = {"hand": 1, "wager": "blackjack", "amount": stake // 2, **of_seat(stand)}
    for record in (*settled, *seat_records(chapter, seat, "cards_turned")):
        chapter.drop(record)
    stand["kind"] = "surrender"
    place = chapter.place(stand)
    chapter.insert(place + 1, "wager_returned", **half)
    chapter.insert(place + 1, "wager_collected", **half)
    total = hand_at(chapter, seat, place).total
    if op.has("six_to_five"):
        shown = {"to": "player", "face_up": True, "hand": 1, **of_seat(stand)}
        chapter.insert(place + 1, "cards_turned", **shown)
    called = {"to": "player", "total": total, "hand": 1, **of_seat(stand)}
    chapter.insert(place, "point_total_announced", **called)
    return stand


def _stands(op: Opportunity, *, after_drawing: bool) -> list[Record]:
    """Decisions to stand of seats whose only other decisions, if any, were to draw."""
    found = []
    for stand in op.chapter.all("decision", kind="stand"):
        kinds = [d["kind"] for d in seat_records(op.chapter, stand["seat"], "decision")]
        drawn = kinds[:-1]
        if set(drawn) <= {"hit"} and bool(drawn) == after_drawing:
            found.append(stand)
    return found


@breach(
    "surrender-after-a-hit",
    "round",
    since="1990-01-16",
    blackjack="surrender-is-the-first-decision",
)
def surrender_after_a_hit(op: Opportunity) -> Record | None:
    if op.has("six_to_five") or op.has("hole_card", "face_up"):
        return None
    stands = _stands(op, after_drawing=True)
    return _surrenders(op, stands[0]) if stands else None


@breach(
    "surrender-where-it-is-barred",
    "round",
    since="1991-11-04",
    blackjack="no-surrender-where-it-is-barred",
)
def surrender_where_it_is_barred(op: Opportunity) -> Record | None:
    if not (op.has("six_to_five") or op.has("hole_card", "face_up")):
        return None
    stands = _stands(op, after_drawing=False)
    return _surrenders(op, stands[0]) if stands else None


@breach(
    "surrender-settled-late",
    "round",
    since="1990-01-16",
    blackjack="surrendered-half-collected-at-once",
)
def surrender_settled_late(op: Opportunity) -> Record | None:
    chapter = op.chapter
    for surrendered in chapter.all("decision", kind="surrender"):
        if upcard_of(chapter) in (1, 10):
            return None
        back = seat_records(chapter, surrendered["seat"], "wager_returned")[0]
        later = chapter.records[chapter.place(back) :]
        if any(record["type"] in ("decision", "card_dealt") for record in later):
            chapter.move(back, len(chapter.records) - 2)
            return surrendered
    return None


# ---- 21 in five cards --------------------------------------------------------------------------


@breach("five-card-21-paid-even", "round", blackjack="five-card-21-paid-two-to-one")
def five_card_21_paid_even(op: Opportunity) -> Record | None:
    if not op.has("pays_five_card_21"):
        return None
    for paid in op.chapter.all("wager_paid", odds="2 to 1", wager="blackjack"):
        paid.update(amount=paid["stake"], odds="1 to 1")
        return paid
    return None
