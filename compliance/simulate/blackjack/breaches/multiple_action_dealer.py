"""Breaches of multiple action by the dealer: own hands, the upcard, and what is picked up."""

from __future__ import annotations

from compliance.simulate.blackjack.breaches.multiple_action_rounds import (
    DealersHand,
    dealers_hands,
    is_multiple_action,
    now_holds,
    settled_with,
    still_settles,
)
from compliance.simulate.blackjack.breaches.multiple_action_wagers import VARIANT
from compliance.simulate.breach import Opportunity, breach, copied
from compliance.simulate.hands import DECK, Hand
from compliance.simulate.table import Chapter, Record


def _hands(chapter: Chapter) -> list[DealersHand]:
    return dealers_hands(chapter) if is_multiple_action(chapter) else []


def _holding(cards: list[str]) -> Hand:
    hand = Hand(0, "", 0, 0)
    for card in cards:
        hand.take(card)
    return hand


# ---- drawing -------------------------------------------------------------------------------------


@breach(
    "dealers-hand-not-announced",
    "round",
    variant=VARIANT,
    blackjack="dealers-card-announced-for-each-hand",
)
def dealers_hand_not_announced(op: Opportunity) -> Record | None:
    hands = _hands(op.chapter)
    if not hands:
        return None
    number = op.random.randrange(len(hands))
    op.chapter.drop(op.chapter.all("announcement", phrase="dealers_card")[number])
    return hands[number].drawn[0]


@breach(
    "dealers-hand-left-below-17",
    "round",
    variant=VARIANT,
    blackjack="each-dealer-hand-drawn-to-17",
)
def dealers_hand_left_below_17(op: Opportunity) -> Record | None:
    for dealers in _hands(op.chapter):
        shorter = _holding(dealers.hand.cards[:-1])
        if len(shorter.cards) < 2 or not still_settles(op.chapter, dealers, shorter):
            continue
        if not settled_with(op.chapter, dealers) or _cutting_card_before(op, dealers.drawn[-1]):
            continue
        op.chapter.drop(dealers.drawn[-1])
        now_holds(dealers, shorter)
        return dealers.collected
    return None


def _cutting_card_before(op: Opportunity, dealt: Record) -> bool:
    before = op.chapter.records[op.chapter.place(dealt) - 1]
    return bool(before["type"] == "cutting_card_reached")


@breach(
    "dealers-hand-drawn-past-17",
    "round",
    variant=VARIANT,
    blackjack="each-dealer-hand-stops-at-17",
)
def dealers_hand_drawn_past_17(op: Opportunity) -> Record | None:
    for dealers in _hands(op.chapter):
        if len(dealers.drawn) < 2 or not settled_with(op.chapter, dealers):
            continue
        for card in DECK[:13]:
            longer = _holding([*dealers.hand.cards, card])
            if still_settles(op.chapter, dealers, longer):
                return _draw(op.chapter, dealers, card, longer)
    return None


@breach(
    "dealers-hand-drawn-for-nobody",
    "round",
    variant=VARIANT,
    blackjack="no-dealer-hand-drawn-for-nobody",
)
def dealers_hand_drawn_for_nobody(op: Opportunity) -> Record | None:
    """All players who are left have blackjack: no third card could change anything."""
    for dealers in _hands(op.chapter):
        if dealers.hand.total < 17 and len(dealers.drawn) == 1:
            longer = _holding([*dealers.hand.cards, "2S"])
            return _draw(op.chapter, dealers, "2S", longer)
    return None


def _draw(chapter: Chapter, dealers: DealersHand, card: str, longer: Hand) -> Record:
    last = dealers.drawn[-1]
    fields = copied(last, card=card)
    assert dealers.called is not None
    drawn = chapter.insert(chapter.place(dealers.called), "card_dealt", **fields)
    now_holds(dealers, longer)
    return drawn


# ---- the next hand -------------------------------------------------------------------------------


@breach(
    "next-dealers-hand-left-out",
    "round",
    variant=VARIANT,
    blackjack="next-dealer-hand-is-dealt",
    also="multiple-action-wagers-settled-in-full",
)
def next_dealers_hand_left_out(op: Opportunity) -> Record | None:
    """The third hand is forgotten, and the wagers on it lie there."""
    chapter = op.chapter
    hands = _hands(chapter)
    if len(hands) < 3:
        return None
    before, last = hands[1], hands[2]
    moved = chapter.first("upcard_moved", area=3)
    assert moved is not None
    start = chapter.place(moved)
    end = next(
        place
        for place, record in enumerate(chapter.records)
        if place > start and record["type"] == "cards_collected"
    )
    if any(record["type"] == "cutting_card_reached" for record in chapter.records[start:end]):
        return None
    del chapter.records[start:end]
    last.collected.update(cards=last.hand.cards[0], cards_total=1)
    # After the last card the dealer's own cards are picked up last.
    chapter.move(before.collected, chapter.place(last.collected) - 1)
    return before.collected


@breach(
    "dealers-hand-without-a-wager",
    "round",
    variant=VARIANT,
    blackjack="no-dealer-hand-without-a-wager",
)
def dealers_hand_without_a_wager(op: Opportunity) -> Record | None:
    """One more hand is dealt to the upcard, although no wager is left for it."""
    chapter = op.chapter
    hands = _hands(chapter)
    if not hands:
        return None
    last = hands[-1]
    upcard = last.hand.cards[0]
    card = "8S" if upcard.startswith("A") else "10S"
    extra = _holding([upcard, card])
    if not 18 <= extra.total <= 21 or last.called is None:
        return None
    place = 1 + max(chapter.place(record) for record in _settlements(chapter))
    called = copied(last.called, total=extra.total, soft=extra.soft)
    number = last.number + 1
    chapter.insert(place, "point_total_announced", **called)
    dealt = chapter.insert(place, "card_dealt", **copied(last.drawn[-1], card=card))
    again = chapter.all("announcement", phrase="dealers_card")[-1]
    chapter.insert(place, "announcement", **copied(again))
    by = {"by": last.drawn[0]["dealer"], "by_role": "dealer"}
    who = {name: last.drawn[0][name] for name in ("round", "dealer")}
    chapter.insert(place, "upcard_moved", area=number, **by, **who)
    chapter.insert(place, "cards_collected", **copied(last.collected))
    last.collected.update(cards=" ".join(extra.cards), cards_total=2)
    return dealt


def _settlements(chapter: Chapter) -> list[Record]:
    types = ("wager_paid", "wager_collected", "wager_returned")
    return [record for record in chapter.records if record["type"] in types]


# ---- the upcard ----------------------------------------------------------------------------------


@breach(
    "upcard-picked-up-early",
    "round",
    variant=VARIANT,
    blackjack="upcard-stays-while-wagers-are-left",
)
def upcard_picked_up_early(op: Opportunity) -> Record | None:
    hands = _hands(op.chapter)
    if len(hands) < 2:
        return None
    cards = hands[0].hand.cards
    hands[0].collected.update(cards=" ".join(cards), cards_total=len(cards))
    return hands[0].collected


@breach(
    "dealers-hand-face-up-in-the-rack",
    "round",
    variant=VARIANT,
    blackjack="dealers-hand-face-down-into-the-rack",
)
def dealers_hand_face_up_in_the_rack(op: Opportunity) -> Record | None:
    hands = _hands(op.chapter)
    if not hands:
        return None
    hands[0].collected["face_up"] = True
    return hands[0].collected


@breach("upcard-not-moved", "round", variant=VARIANT, blackjack="upcard-moved-to-the-next-hand")
def upcard_not_moved(op: Opportunity) -> list[Record] | None:
    hands = _hands(op.chapter)
    if len(hands) < 2:
        return None
    moved = op.chapter.first("upcard_moved", area=2)
    assert moved is not None
    op.chapter.drop(moved)
    return hands[1].drawn
