"""Breaches of blackjack's order: how cards come to the table, are shown, called and picked up."""

from __future__ import annotations

from compliance.simulate.breach import Opportunity, breach
from compliance.simulate.table import Record


def _first_card(op: Opportunity) -> Record | None:
    """The first card that is dealt after this chapter."""
    for chapter in op.chapters[op.at + 1 :]:
        dealt = chapter.first("card_dealt")
        if dealt is not None:
            return dealt
    return None


def _left_out(op: Opportunity, type: str, **wanted: object) -> bool:
    """Leave out the only event of a type in the chapter; says whether there was just one."""
    found = op.chapter.all(type, **wanted)
    if len(found) != 1:
        return False
    op.chapter.drop(found[0])
    return True


# ---- cards come to the table -------------------------------------------------------------------


@breach("new-cards-not-inspected", "opening", blackjack="new-cards-inspected-before-play")
def new_cards_not_inspected(op: Opportunity) -> Record | None:
    return _first_card(op) if _left_out(op, "cards_inspected") else None


@breach("sets-of-unequal-size", "opening", blackjack="batches-are-equal")
def sets_of_unequal_size(op: Opportunity) -> Record | None:
    received = op.chapter.all("decks_received")
    if len(received) != 2:
        return None
    received[1]["decks_total"] += 1
    received[1]["cards_total"] += 52
    return received[1]


@breach("cut-not-completed", "shuffle", blackjack="cut-is-completed")
def cut_not_completed(op: Opportunity) -> Record | None:
    loaded = op.chapter.first("shoe_loaded")
    return loaded if loaded is not None and _left_out(op, "stack_transposed") else None


@breach("deck-not-taken-in-hand", "shuffle", blackjack="six-to-five-deck-taken-in-hand")
def deck_not_taken_in_hand(op: Opportunity) -> Record | None:
    if not op.chapter.first("shuffler_emptied"):
        return None
    return _first_card(op) if _left_out(op, "deck_placed_in_hand") else None


@breach("bottom-card-open", "shuffle", blackjack="bottom-card-covered-in-the-hand")
def bottom_card_open(op: Opportunity) -> Record | None:
    return _first_card(op) if _left_out(op, "cover_card_placed") else None


# ---- cards are dealt and called ----------------------------------------------------------------


@breach("dealers-card-closed", "round", blackjack="dealers-cards-face-up")
def dealers_card_closed(op: Opportunity) -> Record | None:
    card = op.chapter.first("card_dealt", to="dealer")
    if card is not None:
        card["face_up"] = False
    return card


@breach("hole-card-open", "round", blackjack="hole-card-dealt-face-down")
def hole_card_open(op: Opportunity) -> Record | None:
    card = op.chapter.first("card_dealt", to="dealer", face_up=False)
    if card is not None:
        card["face_up"] = True
    return card


@breach("open-card-at-six-to-five", "round", blackjack="six-to-five-first-two-cards-face-down")
def open_card_at_six_to_five(op: Opportunity) -> Record | None:
    card = op.chapter.first("card_dealt", to="player")
    if card is None or not op.has("six_to_five"):
        return None
    card["face_up"] = True
    return card


@breach("blackjack-not-announced", "round", blackjack="blackjack-is-announced")
def blackjack_not_announced(op: Opportunity) -> Record | None:
    said = op.chapter.first("announcement", phrase="blackjack")
    if said is None or op.has("six_to_five"):
        return None
    op.chapter.drop(said)
    return op.chapter.all("card_dealt", seat=said["seat"])[1]


@breach("dealers-count-not-called", "round", blackjack="dealer-calls-the-own-count")
def dealers_count_not_called(op: Opportunity) -> Record | None:
    if not _left_out(op, "point_total_announced", to="dealer"):
        return None
    return op.chapter.last("round_ended")


@breach(
    "split-sevens-not-announced", "round", offer="sevens", blackjack="splitting-sevens-is-announced"
)
def split_sevens_not_announced(op: Opportunity) -> Record | None:
    said = op.chapter.first("announcement", phrase="splitting_sevens")
    if said is None:
        return None
    op.chapter.drop(said)
    return op.chapter.first("decision", kind="split", seat=said["seat"])


@breach("wager-on-credit", "round", blackjack="wagers-in-chips-or-plaques")
def wager_on_credit(op: Opportunity) -> Record | None:
    wager = op.chapter.first("wager_placed", wager="blackjack", medium="chip")
    if wager is not None:
        wager["medium"] = "credit"
    return wager


# ---- cards are picked up -----------------------------------------------------------------------


@breach("cards-not-into-the-rack", "round", blackjack="picked-up-cards-go-to-the-rack")
def cards_not_into_the_rack(op: Opportunity) -> Record | None:
    cards = op.chapter.first("cards_collected", to="dealer")
    if cards is None or op.has("six_to_five"):
        return None
    cards["place"] = "table"
    return cards


@breach("dealers-cards-not-last", "round", blackjack="dealers-cards-picked-up-last")
def dealers_cards_not_last(op: Opportunity) -> Record | None:
    chapter = op.chapter
    own = chapter.first("cards_collected", to="dealer")
    players = chapter.last("cards_collected", to="player")
    cards = chapter.all("card_dealt")
    if own is None or players is None or chapter.place(players) < chapter.place(cards[-1]):
        return None
    chapter.move(own, chapter.place(players))
    return own
