"""Breaches of blackjack's dealing and drawing: the order of the cards, 17, doubles and splits."""

from __future__ import annotations

from compliance.simulate.breach import (
    SETTLEMENTS,
    Opportunity,
    additional_cards,
    asks_for,
    breach,
    copied,
    dealers_hand,
    extra_card,
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
    if not no_splits(op.chapter):
        return None
    late = extra[-1]
    place, second = op.chapter.place(late), op.chapter.place(dealers[1])
    settled = seat_records(op.chapter, late["seat"], *SETTLEMENTS)
    turn = op.chapter.records[place - 1 : place + 2]
    kinds = [record["type"] for record in turn]
    if place > second or op.chapter.place(settled[0]) < second:
        return None
    if any(r["type"] == "decision" for r in op.chapter.records[place:second]):
        return None
    if kinds != ["decision", "card_dealt", "point_total_announced"] or turn[0]["kind"] != "hit":
        return None
    for record in turn:
        op.chapter.move(record, second)
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
    # Insurance is settled once the card is read: it would be settled too early.
    if op.chapter.first("insurance_placed"):
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
    place = first_cards_end(op.chapter)
    where = {"round": first["round"], "dealer": first["dealer"]}
    op.chapter.insert(place, "supervisor_called", **where)
    return op.chapter.insert(place, "hole_card_read", result="no_blackjack", **where)


@breach(
    "card-after-read-blackjack",
    "round",
    since="1993-01-19",
    blackjack="no-card-after-a-read-blackjack",
)
def card_after_read_blackjack(op: Opportunity) -> Record | None:
    chapter = op.chapter
    shown = chapter.first("hole_card_revealed")
    if chapter.first("hole_card_read", result="blackjack") is None or shown is None:
        return None
    for card in chapter.all("card_dealt", to="player"):
        hand = hand_at(chapter, card["seat"])
        if hand.total <= 19 and not op.has("six_to_five"):
            place = chapter.place(shown) + 1
            dealt = asks_for(chapter, card, "2S", place)[1]
            count = {"total": hand.total, "soft": hand.soft, "to": "player"}
            who = {n: card[n] for n in ("round", "dealer", "seat", "player", "hand")}
            chapter.insert(place, "point_total_announced", **count, **who)
            return dealt
    return None


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
    # Without the last card, cards that went earlier would seem to have gone out of turn.
    if chapter.place(chapter.all("cards_collected")[0]) < chapter.place(cards[-1]):
        return None
    chapter.drop(cards[-1])
    announce_dealers_total(chapter, shorter)
    return chapter.last("round_ended")


def announce_dealers_total(chapter: Chapter, hand: Hand) -> None:
    """Let the dealer hold these cards where the own count is called and the cards are taken."""
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
    announce_dealers_total(chapter, hand)
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
    """A player with a soft 21 draws a ten, and still has 21."""
    chapter = op.chapter
    if not no_splits(chapter) or op.has("pays_five_card_21") or op.has("six_to_five"):
        return None
    for card in additional_cards(chapter):
        place = chapter.place(card) + 2
        hand = hand_at(chapter, card["seat"], place)
        doubled = chapter.first("decision", seat=card["seat"], kind="double")
        if hand.total == 21 and hand.soft and doubled is None:
            return asks_for(chapter, card, "KS", place)[0]
    return None


@breach("two-cards-on-a-double", "round", blackjack="doubled-hand-gets-one-card")
def two_cards_on_a_double(op: Opportunity) -> Record | None:
    """The second card makes a hand better that wins anyway."""
    chapter = op.chapter
    if (
        not no_splits(chapter)
        or op.has("pays_five_card_21")
        or not op.has("double_card", "face_up")
    ):
        return None
    for doubled in chapter.all("decision", kind="double"):
        won = chapter.first("wager_paid", wager="double", seat=doubled["seat"])
        if won is not None and hand_at(chapter, doubled["seat"]).total <= 19:
            card = chapter.all("card_dealt", seat=doubled["seat"])[-1]
            asks_for(chapter, card, "2S", chapter.place(card) + 2)
            return doubled
    return None


@breach("third-card-on-a-split-ace", "round", blackjack="split-aces-get-one-card-each")
def third_card_on_a_split_ace(op: Opportunity) -> Record | None:
    """The player asks for one more and gets a ten, which does not change what the hand counts."""
    chapter = op.chapter
    for split in chapter.all("decision", kind="split"):
        cards = chapter.all("card_dealt", seat=split["seat"])
        if cards[0]["card"][0] == "A" and PIPS[cards[-1]["card"]] != 10:
            # The total is called before the card comes, and again after it.
            place = chapter.place(cards[-1]) + 2
            called = copied(chapter.records[place - 1], soft=False)
            hand = {"hand": cards[-1]["hand"], "kind": "hit"}
            chapter.insert(place, "point_total_announced", **called)
            dealt = extra_card(chapter, cards[-1], "KS", place)
            chapter.insert(place, "decision", **copied(split, **hand))
            return dealt
    return None


@breach("unequal-cards-split", "round", blackjack="only-pairs-are-split")
def unequal_cards_split(op: Opportunity) -> Record | None:
    chapter = op.chapter
    split = chapter.first("decision", kind="split")
    if split is None:
        return None
    first, second = chapter.all("card_dealt", seat=split["seat"])[:2]
    second["card"] = "3S" if PIPS[first["card"]] != 3 else "4S"
    called = chapter.first("point_total_announced", seat=split["seat"])
    if called is not None and chapter.place(called) < chapter.place(split):
        hand = hand_at(chapter, split["seat"], chapter.place(split))
        called.update(total=hand.total, soft=hand.soft)
    return split


@breach("one-split-too-many", "round", blackjack="splits-are-limited")
def one_split_too_many(op: Opportunity) -> Record | None:
    """Where a pair is split only once, a split hand that became a pair is split again."""
    chapter = op.chapter
    if op.has("resplit") and not op.has("hole_card", "face_up"):
        return None
    for split in chapter.all("decision", kind="split"):
        cards = chapter.all("card_dealt", seat=split["seat"])
        kept = PIPS[cards[0]["card"]]
        for hand in (1, 2):
            second = next(card for card in cards[2:] if card["hand"] == hand)
            if PIPS[second["card"]] == kept != 1:
                place = chapter.place(second) + 2
                return chapter.insert(place, "decision", **copied(split, hand=hand))
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
