"""Breaches of the players' turns: who decides when, which counts are called, which cards come."""

from __future__ import annotations

from itertools import pairwise

from compliance.simulate.blackjack.breaches.dealing import announce_dealers_total
from compliance.simulate.breach import (
    SETTLEMENTS,
    Opportunity,
    additional_cards,
    breach,
    hand_at,
    seat_records,
)
from compliance.simulate.hands import Hand
from compliance.simulate.table import Chapter, Record

CALL = "point_total_announced"


def _turns(chapter: Chapter) -> dict[int, list[Record]]:
    """The decisions of every seat without a split, in the order of the turns."""
    turns: dict[int, list[Record]] = {}
    for decision in chapter.all("decision"):
        turns.setdefault(decision["seat"], []).append(decision)
    return {
        seat: decisions
        for seat, decisions in turns.items()
        if all(decision["kind"] != "split" for decision in decisions)
    }


def _stands_at_once(chapter: Chapter) -> list[Record]:
    """The decisions of those who stood on their first two cards."""
    return [d[0] for d in _turns(chapter).values() if [r["kind"] for r in d] == ["stand"]]


def _follows(chapter: Chapter, one: int, other: int) -> bool:
    """Whether the turn of one seat is followed by that of the other."""
    seats = [record["seat"] for record in chapter.all("decision")]
    return other in seats and seats[seats.index(other) - 1] == one


# ---- the order of the turns --------------------------------------------------------------------


@breach("count-called-out-of-turn", "round", blackjack="counts-called-from-the-left")
def count_called_out_of_turn(op: Opportunity) -> Record | None:
    """The count of the next seat is called first."""
    calls = op.chapter.all(CALL, to="player")
    if op.has("six_to_five"):
        return None
    for one, other in pairwise(calls):
        own = seat_records(op.chapter, one["seat"], CALL)
        if len(own) == 1 and one["seat"] < other["seat"]:
            op.chapter.move(other, op.chapter.place(one))
            return one
    return None


@breach("decision-out-of-turn", "round", blackjack="turns-go-from-the-left")
def decision_out_of_turn(op: Opportunity) -> Record | None:
    """A player who stands makes up the mind only when the next one stands already."""
    stands = _stands_at_once(op.chapter)
    for one, other in pairwise(stands):
        if _follows(op.chapter, one["seat"], other["seat"]):
            op.chapter.move(one, op.chapter.place(other))
            return one
    return None


# ---- what is called ----------------------------------------------------------------------------


@breach("count-not-called", "round", blackjack="count-called-before-the-decision")
def count_not_called(op: Opportunity) -> Record | None:
    for stand in _stands_at_once(op.chapter):
        call = op.chapter.first(CALL, seat=stand["seat"])
        if call is not None:
            op.chapter.drop(call)
            return stand
    return None


@breach("wrong-count-called", "round", blackjack="called-count-is-the-count-of-the-hand")
def wrong_count_called(op: Opportunity) -> Record | None:
    for seat in _turns(op.chapter):
        call = op.chapter.first(CALL, seat=seat, soft=False)
        if call is not None:
            call["total"] += 1
            return call
    return None


def _drawn(chapter: Chapter) -> tuple[Record, Record, Record] | None:
    """A player without a split asks for a card, gets it, and stays at 21 or below."""
    for seat, decisions in _turns(chapter).items():
        for asked in decisions:
            place = chapter.place(asked)
            dealt, call = chapter.records[place + 1 : place + 3]
            usual = dealt["type"] == "card_dealt" and call["type"] == CALL
            if asked["kind"] == "hit" and usual and hand_at(chapter, seat, place + 2).total <= 21:
                return asked, dealt, call
    return None


@breach("new-count-not-called", "round", blackjack="new-count-called-after-each-card")
def new_count_not_called(op: Opportunity) -> Record | None:
    drawn = _drawn(op.chapter)
    if drawn is None or op.has("six_to_five"):
        return None
    op.chapter.drop(drawn[2])
    return drawn[1]


# ---- cards that are asked for ------------------------------------------------------------------


@breach("card-not-asked-for", "round", blackjack="further-card-answers-a-decision")
def card_not_asked_for(op: Opportunity) -> Record | None:
    drawn = _drawn(op.chapter)
    # The first decision of a round ends the dealing of the first cards: it stays.
    if drawn is None or drawn[0] is op.chapter.first("decision"):
        return None
    op.chapter.drop(drawn[0])
    return drawn[1]


@breach("asked-for-card-missed", "round", blackjack="asked-for-card-is-dealt")
def asked_for_card_missed(op: Opportunity) -> Record | None:
    """A player who asked for a card is passed over, and then stands."""
    for stand in _stands_at_once(op.chapter):
        fields = {name: value for name, value in stand.items() if name not in ("type", "ts")}
        return op.chapter.insert(op.chapter.place(stand), "decision", **fields | {"kind": "hit"})
    return None


# ---- the hole card -----------------------------------------------------------------------------


def _hole_card(op: Opportunity) -> Record | None:
    """The dealer's second card, where it comes before the players' turns and makes no blackjack."""
    cards = op.chapter.all("card_dealt", to="dealer")
    if op.has("hole_card", "dealt_last") or len(cards) < 2:
        return None
    hand = Hand(0, "", 0, 0)
    turned = op.chapter.first("hole_card_revealed")
    hand.take(cards[0]["card"])
    second = cards[1].get("card") or (turned and turned["card"])
    if second:
        hand.take(second)
    return None if hand.is_blackjack else cards[1]


@breach(
    "hole-card-before-the-second-cards",
    "round",
    blackjack="hole-card-after-the-players-second-cards",
)
def hole_card_before_the_second_cards(op: Opportunity) -> Record | None:
    hole = _hole_card(op)
    if hole is None:
        return None
    place = op.chapter.place(hole)
    if op.chapter.records[place - 1]["type"] != "card_dealt":
        return None
    op.chapter.move(hole, place - 1)
    return hole


@breach("hole-card-forgotten", "round", blackjack="hole-card-before-more-cards")
def hole_card_forgotten(op: Opportunity) -> Record | None:
    """No hole card is dealt in a round in which nobody's hand waits for it."""
    chapter, hole, drawn = op.chapter, _hole_card(op), additional_cards(op.chapter)
    turned = chapter.first("hole_card_revealed")
    if hole is None or turned is None or not drawn or chapter.first("hole_card_read"):
        return None
    if any(record["type"] in SETTLEMENTS for record in chapter.records[chapter.place(turned) :]):
        return None
    chapter.drop(hole)
    chapter.drop(turned)
    upcard = Hand(0, "", 0, 0)
    upcard.take(chapter.all("card_dealt", to="dealer")[0]["card"])
    announce_dealers_total(chapter, upcard)
    return drawn[0]
