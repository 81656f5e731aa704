"""Breaches with doubled and split hands: when, how often, in what order, and what is lost."""

from __future__ import annotations

from compliance.simulate.blackjack.breaches.split_hands import (
    last_hit,
    since_the_split,
    split_once,
)
from compliance.simulate.blackjack.side_wagers.altered_rounds import elected_for_a_round, warned_of
from compliance.simulate.breach import Opportunity, breach, copied
from compliance.simulate.hands import PIPS, Hand
from compliance.simulate.table import Record

CALL = "point_total_announced"


# ---- doubling ----------------------------------------------------------------------------------


@breach("split-hand-doubled-late", "round", blackjack="doubles-on-two-cards")
def split_hand_doubled_late(op: Opportunity) -> Record | None:
    if not op.has("double_after_split") or op.has("hole_card", "face_up"):
        return None
    hit = last_hit(op.chapter, range(2, 12)) if op.has("double_card", "face_up") else None
    if hit is not None:
        hit["kind"] = "double"
    return hit


@breach(
    "double-after-a-split-where-it-is-barred",
    "round",
    since="2006-01-17",
    blackjack="no-double-after-a-split-where-it-is-barred",
)
def double_after_a_split_where_it_is_barred(op: Opportunity) -> Record | None:
    hit = last_hit(op.chapter, range(1, 2)) if op.has("double_after_split", "no") else None
    if hit is not None:
        hit["kind"] = "double"
    return hit


@breach(
    "doubling-after-a-split-barred",
    "round",
    since="2006-01-17",
    blackjack="doubling-after-a-split-barred-only-at-six-to-five",
)
def doubling_after_a_split_barred(op: Opportunity) -> Record | None:
    if op.has("six_to_five") or op.chapter.first("decision", kind="split"):
        return None
    if not warned_of(op, "double_after_split", "no"):
        return None
    started = op.chapter.first("round_started")
    elected_for_a_round(op, double_after_split="no")
    return started


@breach("double-lost-to-a-blackjack", "round", blackjack="added-wager-not-lost-to-a-blackjack")
def double_lost_to_a_blackjack(op: Opportunity) -> Record | None:
    return _lost_to_a_blackjack(op, "double")


@breach("split-lost-to-a-blackjack", "round", blackjack="added-wager-not-lost-to-a-blackjack")
def split_lost_to_a_blackjack(op: Opportunity) -> Record | None:
    return _lost_to_a_blackjack(op, "split")


def _lost_to_a_blackjack(op: Opportunity, wager: str) -> Record | None:
    """What was added comes back only against a blackjack or in a tie; it is taken instead."""
    said = op.chapter.first(CALL, to="dealer", total=21)
    if said is None or len(op.chapter.all("card_dealt", to="dealer")) != 2:
        return None
    back = op.chapter.first("wager_returned", wager=wager)
    if back is not None:
        back["type"] = "wager_collected"
    return back


@breach(
    "closed-double-card-not-turned",
    "round",
    since="2005-01-18",
    blackjack="closed-double-card-turned-for-its-settlement",
)
def closed_double_card_not_turned(op: Opportunity) -> Record | None:
    chapter = op.chapter
    if op.has("six_to_five") or op.has("double_card", "face_up"):
        return None
    for card in chapter.all("card_dealt", to="player", face_up=False):
        turned = chapter.first("cards_turned", seat=card["seat"], hand=card["hand"])
        if turned is not None:
            chapter.drop(turned)
            return card
    return None


# ---- splitting ---------------------------------------------------------------------------------


@breach("split-hands-mixed-up", "round", blackjack="split-hands-finished-one-by-one")
def split_hands_mixed_up(op: Opportunity) -> Record | None:
    """The second hand gets its card before the player stands on the first one."""
    chapter = op.chapter
    for split in split_once(chapter):
        first = since_the_split(chapter, split, "decision", 1)
        card = since_the_split(chapter, split, "card_dealt", 2)[0]
        if first and first[-1]["kind"] == "stand":
            call = since_the_split(chapter, split, CALL, 2)[0]
            place = chapter.place(first[-1])
            for record in (call, card):
                chapter.move(record, place)
            return card
    return None


@breach(
    "split-total-not-called",
    "round",
    since="2006-01-17",
    blackjack="split-total-is-called",
)
def split_total_not_called(op: Opportunity) -> Record | None:
    """Where other totals are called, too, a rule on these would find it as well."""
    chapter = op.chapter
    for split in split_once(chapter) if op.has("six_to_five") else ():
        chapter.drop(since_the_split(chapter, split, CALL, 1)[0])
        return since_the_split(chapter, split, "card_dealt", 1)[0]
    return None


@breach("split-hand-folded", "round", blackjack="split-hand-is-not-surrendered")
def split_hand_folded(op: Opportunity) -> Record | None:
    """A player gives up a split hand, and is not held to it."""
    for split in split_once(op.chapter):
        decisions = since_the_split(op.chapter, split, "decision", 2)
        if decisions and decisions[-1]["kind"] == "stand":
            decisions[-1]["kind"] = "fold"
            return decisions[-1]
    return None


@breach("unequal-cards-split-again", "round", blackjack="only-pairs-are-split-again")
def unequal_cards_split_again(op: Opportunity) -> Record | None:
    chapter = op.chapter
    for again in chapter.all("decision", kind="split"):
        first = chapter.first("decision", kind="split", seat=again["seat"])
        if first is None or first is again:
            continue
        pair = since_the_split(chapter, first, "card_dealt", again["hand"])[0]
        kept = chapter.all("card_dealt", seat=again["seat"])[0]["card"]
        if PIPS[kept] == 1:
            continue
        pair["card"] = "3S" if PIPS[kept] != 3 else "4S"
        call = chapter.records[chapter.place(pair) + 1]
        hand = _hand(kept, pair["card"])
        call.update(total=hand.total, soft=hand.soft)
        return again
    return None


def _hand(*cards: str) -> Hand:
    hand = Hand(0, "", 0, 0)
    for card in cards:
        hand.take(card)
    return hand


@breach(
    "aces-split-again",
    "round",
    since="1992-08-17",
    blackjack="aces-split-again-only-where-allowed",
)
def aces_split_again(op: Opportunity) -> Record | None:
    """An ace falls on the second of two split aces and is split as well, where that is barred.

    The hand is lost anyway, or wins because the dealer goes over 21.
    """
    chapter = op.chapter
    if op.has("resplit_aces") or not op.has("resplit") or op.has("hole_card", "face_up"):
        return None
    for split in split_once(chapter):
        kept = chapter.all("card_dealt", seat=split["seat"])[0]["card"]
        card = since_the_split(chapter, split, "card_dealt", 2)[0]
        dealers = chapter.first(CALL, to="dealer")
        won = chapter.first("wager_paid", seat=split["seat"], hand=2)
        lost = chapter.first("wager_collected", seat=split["seat"], hand=2)
        if kept[0] != "A" or not dealers or not (lost or (won and dealers["total"] > 21)):
            continue
        hand = _hand(kept, "AS")
        card["card"] = "AS"
        call = chapter.records[chapter.place(card) + 1]
        call.update(total=hand.total, soft=hand.soft)
        collected = chapter.first("cards_collected", seat=split["seat"], hand=2)
        if collected is not None:
            collected["cards"] = f"{kept} AS"
        return chapter.insert(chapter.place(call) + 1, "decision", **copied(split, hand=2))
    return None


@breach(
    "two-sevens-paid-late",
    "round",
    since="1996-07-15",
    offer="sevens",
    blackjack="two-sevens-paid-before-the-split-hands",
)
def two_sevens_paid_late(op: Opportunity) -> Record | None:
    chapter = op.chapter
    for split in split_once(chapter):
        place = chapter.place(split)
        paid = chapter.first("wager_paid", wager="sevens", seat=split["seat"])
        if paid is not None and chapter.place(paid) > place:
            chapter.move(paid, chapter.place(since_the_split(chapter, split, CALL, 1)[0]))
            return split
    return None
