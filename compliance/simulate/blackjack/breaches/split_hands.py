"""Breaches with the hands of a split pair: their counts, their cards, and how they are settled."""

from __future__ import annotations

from collections.abc import Iterator

from compliance.simulate.blackjack.side_wagers.altered_rounds import take
from compliance.simulate.breach import Opportunity, breach, copied
from compliance.simulate.hands import PIPS, Hand
from compliance.simulate.table import Chapter, Record

CALL = "point_total_announced"


def split_once(chapter: Chapter) -> list[Record]:
    """The decisions to split of seats that did so once."""
    splits = chapter.all("decision", kind="split")
    seats = [split["seat"] for split in splits]
    return [split for split in splits if seats.count(split["seat"]) == 1]


def since_the_split(chapter: Chapter, split: Record, type: str, hand: int) -> list[Record]:
    """The events of a type at one of the hands of a split pair."""
    place = chapter.place(split)
    found = chapter.all(type, seat=split["seat"], hand=hand)
    return [record for record in found if chapter.place(record) > place]


def last_hit(chapter: Chapter, cards: range) -> Record | None:
    """The last decision on a split hand: to draw, when it had got so many cards since the split."""
    for split in split_once(chapter):
        for hand in (1, 2):
            decisions = since_the_split(chapter, split, "decision", hand)
            dealt = since_the_split(chapter, split, "card_dealt", hand)
            if decisions and decisions[-1]["kind"] == "hit" and len(dealt) - 1 in cards:
                return decisions[-1]
    return None


def _drawn(chapter: Chapter) -> Iterator[tuple[Record, Record, Record, Hand]]:
    """Who draws to a split hand: the decision, the card, the call, and the hand after it."""
    for split in split_once(chapter):
        pair = chapter.all("card_dealt", seat=split["seat"])[:2]
        for number in (1, 2):
            hand = Hand(0, "", 0, 0)
            hand.take(pair[number - 1]["card"])
            for card in since_the_split(chapter, split, "card_dealt", number):
                hand.take(card["card"])
                place = chapter.place(card)
                asked, call = chapter.records[place - 1], chapter.records[place + 1]
                if asked["type"] == "decision" and asked["kind"] == "hit" and call["type"] == CALL:
                    yield asked, card, call, hand


@breach("wrong-count-of-a-split-hand", "round", blackjack="split-hand-count-called-rightly")
def wrong_count_of_a_split_hand(op: Opportunity) -> Record | None:
    for _, _, call, hand in _drawn(op.chapter):
        if not hand.aces and not op.has("six_to_five"):
            call["total"] += 1
            return call
    return None


@breach(
    "hit-on-21-after-a-split",
    "round",
    since="1984-03-05",
    blackjack="no-card-on-21",
)
def hit_on_21_after_a_split(op: Opportunity) -> Record | None:
    """A split hand with a soft 21 draws a ten, and still has 21."""
    chapter = op.chapter
    if op.has("pays_five_card_21"):
        return None
    for asked, card, call, hand in _drawn(chapter):
        if hand.total == 21 and hand.soft:
            place = chapter.place(call) + 1
            chapter.insert(place, CALL, **copied(call, soft=False))
            chapter.insert(place, "card_dealt", **copied(card, card="KS"))
            return chapter.insert(place, "decision", **copied(asked))
    return None


@breach(
    "card-on-a-split-hand-not-asked-for",
    "round",
    blackjack="further-card-on-a-split-hand-was-asked-for",
)
def card_on_a_split_hand_not_asked_for(op: Opportunity) -> Record | None:
    for asked, card, _, _ in _drawn(op.chapter):
        op.chapter.drop(asked)
        return card
    return None


@breach("double-paid-twice", "round", blackjack="added-wagers-paid-even")
def double_paid_twice(op: Opportunity) -> Record | None:
    paid = op.chapter.first("wager_paid", wager="double")
    if paid is None or op.has("pays_five_card_21") or op.has("pays_six_seven_eight"):
        return None
    paid.update(amount=paid["stake"] * 2, odds="2 to 1")
    return paid


@breach("won-split-hand-taken", "round", blackjack="split-hands-settled-by-their-totals")
def won_split_hand_taken(op: Opportunity) -> Record | None:
    paid = op.chapter.first("wager_paid", wager="split")
    return take(paid) if paid is not None else None


@breach(
    "split-hand-paid-like-five-cards",
    "round",
    since="1991-11-04",
    blackjack="five-card-21-paid-two-to-one",
)
def split_hand_paid_like_five_cards(op: Opportunity) -> Record | None:
    paid = op.chapter.first("wager_paid", wager="split", odds="1 to 1")
    if paid is None or not op.has("pays_five_card_21"):
        return None
    paid.update(amount=paid["stake"] * 2, odds="2 to 1")
    return paid


@breach(
    "split-hand-doubled-on-a-low-count",
    "round",
    since="1991-11-04",
    blackjack="split-hand-doubled-on-nine-to-eleven-with-the-hole-card-up",
)
def split_hand_doubled_on_a_low_count(op: Opportunity) -> Record | None:
    hit = last_hit(op.chapter, range(1, 2)) if op.has("hole_card", "face_up") else None
    if hit is None:
        return None
    kept = op.chapter.all("card_dealt", seat=hit["seat"])[0]
    dealt = op.chapter.all("card_dealt", seat=hit["seat"], hand=hit["hand"])[-2]
    if 9 <= PIPS[kept["card"]] + PIPS[dealt["card"]] <= 11:
        return None
    hit["kind"] = "double"
    return hit


@breach(
    "split-wager-over-21-left-standing",
    "round",
    since="2006-01-17",
    blackjack="six-to-five-split-wager-over-21-taken-at-once",
)
def split_wager_over_21_left_standing(op: Opportunity) -> Record | None:
    """It is taken only when somebody has stood on another hand."""
    chapter = op.chapter
    for _, card, _, hand in _drawn(chapter) if op.has("six_to_five") else ():
        lost = chapter.first("wager_collected", seat=card["seat"], hand=card["hand"])
        later = chapter.records[chapter.place(card) :]
        stands = [r for r in later if r["type"] == "decision" and r["kind"] == "stand"]
        if hand.total > 21 and lost is not None and stands:
            chapter.move(lost, chapter.place(stands[0]))
            return card
    return None
