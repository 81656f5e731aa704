"""Breaches of blackjack's dealing and drawing: the order of the cards, 17, doubles and splits."""

from __future__ import annotations

from compliance.simulate.breach import (
    SETTLEMENTS,
    Opportunity,
    additional_cards,
    breach,
    copied,
    dealers_hand,
    first_cards_end,
    hand_at,
    no_splits,
    seat_records,
    settled_by_count,
    still_settles,
)
from compliance.simulate.hands import PIPS, Hand
from compliance.simulate.table import Chapter, Record

LOW = ("2S", "3H", "4D", "5C", "6S", "7H", "8D", "9C")


def _swap(chapter: Chapter, one: Record, other: Record) -> None:
    first, second = chapter.place(one), chapter.place(other)
    chapter.records[first], chapter.records[second] = other, one
    one["ts"], other["ts"] = other["ts"], one["ts"]


# ---- the order of the first cards --------------------------------------------------------------


@breach("first-cards-out-of-order", "round", blackjack="first-cards-dealt-clockwise")
def first_cards_out_of_order(op: Opportunity) -> Record | None:
    cards = op.chapter.all("card_dealt")
    if len(cards) < 2 or cards[1]["to"] != "player" or cards[0]["seat"] == cards[1]["seat"]:
        return None
    _swap(op.chapter, cards[0], cards[1])
    return op.chapter.first("card_dealt", to="dealer")


@breach("box-passed-over", "round", blackjack="every-box-gets-a-first-card")
def box_passed_over(op: Opportunity) -> Record | None:
    """The last box gets its first card after the dealer's; nobody has to decide in this round."""
    dealers = op.chapter.first("card_dealt", to="dealer")
    if dealers is None or op.chapter.first("decision") is not None:
        return None
    place = op.chapter.place(dealers)
    missed = op.chapter.records[place - 1]
    if missed["type"] != "card_dealt" or op.chapter.records[place + 1]["type"] != "card_dealt":
        return None
    _swap(op.chapter, missed, dealers)
    return dealers


@breach("second-cards-out-of-order", "round", blackjack="second-cards-dealt-clockwise")
def second_cards_out_of_order(op: Opportunity) -> Record | None:
    dealers = op.chapter.first("card_dealt", to="dealer")
    decided = op.chapter.first("decision")
    if dealers is None or decided is None:
        return None
    cards = op.chapter.records[op.chapter.place(dealers) + 1 :][:2]
    if any(card["type"] != "card_dealt" or card["to"] != "player" for card in cards):
        return None
    if cards[0]["seat"] == cards[1]["seat"]:
        return None
    _swap(op.chapter, cards[0], cards[1])
    return decided


@breach("card-dealt-face-down", "round", blackjack="cards-to-players-face-up")
def card_dealt_face_down(op: Opportunity) -> Record | None:
    if op.has("six_to_five"):
        return None
    card = op.chapter.first("card_dealt", to="player")
    if card is not None:
        card["face_up"] = False
    return card


# ---- the dealer's second card --------------------------------------------------------------------


@breach("dealers-card-unannounced", "round", blackjack="dealers-card-is-announced")
def dealers_card_unannounced(op: Opportunity) -> Record | None:
    announced = op.chapter.first("announcement", phrase="dealers_card")
    if announced is None:
        return None
    op.chapter.drop(announced)
    return op.chapter.all("card_dealt", to="dealer")[1]


@breach(
    "card-after-the-dealers",
    "round",
    blackjack="players-finish-before-the-dealers-second-card",
)
def card_after_the_dealers(op: Opportunity) -> Record | None:
    dealers = op.chapter.all("card_dealt", to="dealer")
    extra = additional_cards(op.chapter)
    if not op.has("hole_card", "dealt_last") or len(dealers) < 2 or not extra:
        return None
    late = extra[-1]
    second = op.chapter.place(dealers[1])
    settled = seat_records(op.chapter, late["seat"], *SETTLEMENTS)
    if op.chapter.place(late) > second or op.chapter.place(settled[0]) < second:
        return None
    op.chapter.move(late, second)
    return late


@breach("hole-card-peeked", "round", blackjack="hole-card-not-looked-at")
def hole_card_peeked(op: Opportunity) -> Record | None:
    if not op.has("hole_card", "face_down") or not additional_cards(op.chapter):
        return None
    first = op.chapter.records[0]
    return op.chapter.insert(
        first_cards_end(op.chapter),
        "hole_card_viewed",
        by=first["dealer"],
        by_role="dealer",
        round=first["round"],
        dealer=first["dealer"],
    )


@breach("hole-card-read-late", "round", since="1993-01-19", blackjack="card-read-before-more-cards")
def hole_card_read_late(op: Opportunity) -> Record | None:
    read = op.chapter.first("hole_card_read", result="no_blackjack")
    extra = additional_cards(op.chapter)
    if read is None or not extra:
        return None
    # Counted without the reading itself, the place after the card is the card's own.
    op.chapter.move(read, op.chapter.place(extra[0]))
    return extra[0]


@breach(
    "hole-card-read-needlessly",
    "round",
    since="1993-01-19",
    blackjack="card-read-only-under-ace-or-ten",
)
def hole_card_read_needlessly(op: Opportunity) -> Record | None:
    upcard = op.chapter.first("card_dealt", to="dealer")
    if not op.has("card_reader") or upcard is None or PIPS[upcard["card"]] in (1, 10):
        return None
    first = op.chapter.records[0]
    return op.chapter.insert(
        first_cards_end(op.chapter),
        "hole_card_read",
        result="no_blackjack",
        round=first["round"],
        dealer=first["dealer"],
    )


@breach(
    "card-after-read-blackjack",
    "round",
    since="1993-01-19",
    blackjack="no-card-after-a-read-blackjack",
)
def card_after_read_blackjack(op: Opportunity) -> Record | None:
    if op.chapter.first("hole_card_read", result="blackjack") is None:
        return None
    return _extra_card(op.chapter, op.chapter.all("card_dealt", to="player")[-1], "2S")


def _extra_card(chapter: Chapter, like: Record, card: str, place: int | None = None) -> Record:
    """One more card to the same hand, at the end of the round unless a place is given."""
    fields = copied(like, card=card, face_up=True)
    return chapter.insert(
        len(chapter.records) - 1 if place is None else place, "card_dealt", **fields
    )


# ---- the dealer's drawing ------------------------------------------------------------------------


@breach("dealer-stands-on-16", "round", blackjack="dealer-draws-to-17")
def dealer_stands_on_16(op: Opportunity) -> Record | None:
    """The dealer leaves out the last card; all hands happen to be settled as they were due."""
    chapter = op.chapter
    cards, hand = chapter.all("card_dealt", to="dealer"), dealers_hand(op.chapter)
    settled = settled_by_count(chapter)
    if len(cards) < 3 or not settled or not no_splits(chapter):
        return None
    shorter = Hand(0, "", 0, 0)
    for card in hand.cards[:-1]:
        shorter.take(card)
    if shorter.total >= 17 or not still_settles(settled, shorter.total):
        return None
    chapter.drop(cards[-1])
    _announce_dealers_total(chapter, shorter)
    return chapter.last("round_ended")


def _announce_dealers_total(chapter: Chapter, hand: Hand) -> None:
    said = chapter.first("point_total_announced", to="dealer")
    if said is not None:
        said.update(total=hand.total, soft=hand.soft)
    collected = chapter.first("cards_collected", to="dealer")
    if collected is not None:
        collected.update(cards=" ".join(hand.cards), cards_total=len(hand.cards))


def _deal_to_dealer(chapter: Chapter, hand: Hand, card: str) -> Record:
    said = chapter.first("point_total_announced", to="dealer")
    cards = chapter.all("card_dealt", to="dealer")
    place = chapter.place(said or cards[-1])
    fields = copied(cards[0], card=card, face_up=True)
    hand.take(card)
    _announce_dealers_total(chapter, hand)
    return chapter.insert(place, "card_dealt", **fields)


@breach("dealer-hits-17", "round", blackjack="dealer-stops-at-17")
def dealer_hits_17(op: Opportunity) -> Record | None:
    """The dealer draws once too often; all hands happen to be settled as they were due."""
    chapter, hand = op.chapter, dealers_hand(op.chapter)
    settled, cards = settled_by_count(chapter), chapter.all("card_dealt", to="dealer")
    stops = hand.total >= 18 or (hand.total == 17 and not hand.soft)
    # A hole card counts when it is dealt and again when it is turned: here it must not be the last.
    drawn = len(cards) > 2 or (len(cards) == 2 and op.has("hole_card", "dealt_last"))
    if not settled or not stops or not drawn or hand.total > 20 or not no_splits(chapter):
        return None
    for card in ("AS", *LOW):
        longer = Hand(0, "", 0, 0)
        for held in (*hand.cards, card):
            longer.take(held)
        if longer.hard >= 17 and still_settles(settled, longer.total):
            _deal_to_dealer(chapter, hand, card)
            return cards[-1]
    return None


@breach("needless-dealer-card", "round", blackjack="dealer-draws-nothing-that-decides-nothing")
def needless_dealer_card(op: Opportunity) -> Record | None:
    chapter, hand = op.chapter, dealers_hand(op.chapter)
    said = chapter.first("point_total_announced", to="dealer")
    if said is None or len(hand.cards) != 2 or hand.total >= 17 or settled_by_count(chapter):
        return None
    if not no_splits(chapter):
        return None
    return _deal_to_dealer(chapter, hand, "2S")


# ---- the players' drawing ------------------------------------------------------------------------


@breach("hit-on-21", "round", blackjack="no-card-on-21")
def hit_on_21(op: Opportunity) -> Record | None:
    chapter = op.chapter
    for card in additional_cards(chapter):
        place = chapter.place(card) + 1
        decisions = seat_records(chapter, card["seat"], "decision")
        if any(decision["kind"] == "split" for decision in decisions):
            continue
        if hand_at(chapter, card["seat"], place).total == 21:
            fields = {n: card[n] for n in ("round", "dealer", "seat", "player", "hand")}
            return chapter.insert(place, "decision", kind="hit", **fields)
    return None


@breach("two-cards-on-a-double", "round", blackjack="doubled-hand-gets-one-card")
def two_cards_on_a_double(op: Opportunity) -> Record | None:
    chapter = op.chapter
    dealers = chapter.all("card_dealt", to="dealer")
    for doubled in chapter.all("decision", kind="double"):
        same = {"seat": doubled["seat"], "hand": doubled["hand"]}
        card = chapter.all("card_dealt", **same)[-1]
        settled = [r for r in chapter.records if r.get("wager") == "double" and _is(r, same)][-1]
        place = chapter.place(settled) + 1
        last_turn = op.has("hole_card", "dealt_last") and len(dealers) > 1
        if last_turn and place > chapter.place(dealers[1]):
            continue
        _extra_card(chapter, card, "2S", place)
        return doubled
    return None


def _is(record: Record, wanted: dict[str, object]) -> bool:
    return all(record.get(name) == value for name, value in wanted.items())


@breach("third-card-on-a-split-ace", "round", blackjack="split-aces-get-one-card-each")
def third_card_on_a_split_ace(op: Opportunity) -> Record | None:
    chapter = op.chapter
    for split in chapter.all("decision", kind="split"):
        cards = chapter.all("card_dealt", seat=split["seat"])
        if cards[0]["card"][0] == "A":
            last = cards[-1]
            return _extra_card(chapter, last, "AS", chapter.place(last) + 1)
    return None


@breach("unequal-cards-split", "round", blackjack="only-pairs-are-split")
def unequal_cards_split(op: Opportunity) -> Record | None:
    chapter = op.chapter
    split = chapter.first("decision", kind="split")
    if split is None:
        return None
    first, second = chapter.all("card_dealt", seat=split["seat"])[:2]
    second["card"] = "3S" if PIPS[first["card"]] != 3 else "4S"
    return split


@breach("one-split-too-many", "round", blackjack="splits-are-limited")
def one_split_too_many(op: Opportunity) -> Record | None:
    chapter = op.chapter
    for split in chapter.all("decision", kind="split"):
        if len(chapter.all("decision", kind="split", seat=split["seat"])) > 1:
            continue
        most = 1
        if op.has("resplit") and not op.has("hole_card", "face_up"):
            most = 3 if int(op.options["boxes"]) <= 6 else 2
        fields = copied(split)
        place = chapter.place(split) + 1
        for _ in range(most):
            again = chapter.insert(place, "decision", **fields)
            place += 1
        return again
    return None


def _last_hit(op: Opportunity, cards: range) -> Record | None:
    """The last decision to draw of a seat without a split, on so many cards."""
    chapter = op.chapter
    for decision in chapter.all("decision", kind="hit"):
        seat = decision["seat"]
        later = [d["kind"] for d in seat_records(chapter, seat, "decision")]
        place = chapter.place(decision)
        held = hand_at(chapter, seat, place)
        after = hand_at(chapter, seat)
        last = len(after.cards) == len(held.cards) + 1 and "split" not in later
        if last and len(held.cards) in cards:
            return decision
    return None


@breach("double-on-three-cards", "round", blackjack="doubles-on-two-cards")
def double_on_three_cards(op: Opportunity) -> Record | None:
    decision = _last_hit(op, range(3, 12))
    if decision is None or op.has("hole_card", "face_up"):
        return None
    decision["kind"] = "double"
    return decision


@breach(
    "double-on-a-low-count",
    "round",
    since="1991-11-04",
    blackjack="doubles-on-nine-to-eleven-with-the-hole-card-up",
)
def double_on_a_low_count(op: Opportunity) -> Record | None:
    decision = _last_hit(op, range(2, 3))
    if decision is None or not op.has("hole_card", "face_up"):
        return None
    held = hand_at(op.chapter, decision["seat"], op.chapter.place(decision))
    if 9 <= held.total <= 11:
        return None
    decision["kind"] = "double"
    return decision
