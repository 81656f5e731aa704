"""Breaches of blackjack's rules on decks: how many there are, and how two sets take turns."""

from __future__ import annotations

from compliance.simulate.breach import Opportunity, breach, copied
from compliance.simulate.table import Chapter, Record

MACHINE = "1999-07-06"
SIX_TO_FIVE = "2006-01-17"


# ---- how many decks ----------------------------------------------------------------------------


def _elect_for_the_round(op: Opportunity, chapter: Chapter, option: str, value: str) -> None:
    """For one round the table is set up otherwise; then all is as before."""
    fields = copied(op.earlier("option_elected")[-1], option_name=option)
    chapter.insert(0, "option_elected", **fields | {"value": value})
    chapter.insert(len(chapter.records), "option_elected", **fields | {"value": op.options[option]})


def _first_round(op: Opportunity) -> Chapter | None:
    """This round, if it is the first one of the night."""
    return op.chapter if op.before is None else None


@breach(
    "no-deck-in-play", "round", since="2007-11-19", blackjack="blackjack-with-at-least-one-deck"
)
def no_deck_in_play(op: Opportunity) -> Record | None:
    first = _first_round(op)
    if first is None or op.has("six_to_five"):
        return None
    _elect_for_the_round(op, first, "decks", "0")
    return first.first("round_started")


@breach(
    "four-decks-at-six-to-five",
    "round",
    since=SIX_TO_FIVE,
    blackjack="six-to-five-with-one-or-two-decks",
)
def four_decks_at_six_to_five(op: Opportunity) -> Record | None:
    first = _first_round(op)
    if first is None or not op.has("six_to_five"):
        return None
    _elect_for_the_round(op, first, "decks", "4")
    return first.first("round_started")


@breach(
    "six-to-five-shuffled-by-hand",
    "round",
    since=SIX_TO_FIVE,
    blackjack="six-to-five-with-a-shuffling-machine",
)
def six_to_five_shuffled_by_hand(op: Opportunity) -> Record | None:
    first = _first_round(op)
    if first is None or not op.has("six_to_five"):
        return None
    _elect_for_the_round(op, first, "shuffler", "by_hand")
    return first.first("round_started")


def _too_few_decks_for(op: Opportunity, wager: str, decks: str) -> Record | None:
    """In one round, with one such wager, the table has fewer decks than the wager needs."""
    wagers = op.chapter.all("wager_placed", wager=wager)
    # What a wager pays may depend on the number of decks: only a lost one is plain.
    if len(wagers) != 1 or op.chapter.first("wager_paid", wager=wager):
        return None
    _elect_for_the_round(op, op.chapter, "decks", decks)
    return wagers[0]


@breach(
    "twenty-point-with-one-deck",
    "round",
    since="2006-06-05",
    offer="twenty_point",
    blackjack="twenty-point-with-two-decks-or-more",
)
def twenty_point_with_one_deck(op: Opportunity) -> Record | None:
    return _too_few_decks_for(op, "twenty_point", "1")


@breach(
    "sevens-with-two-decks",
    "round",
    since="1996-07-15",
    offer="sevens",
    blackjack="sevens-and-progressive-with-four-decks-or-more",
)
def sevens_with_two_decks(op: Opportunity) -> Record | None:
    return _too_few_decks_for(op, "sevens", "2")


@breach(
    "match-the-dealer-with-four-decks",
    "round",
    since="2007-11-19",
    offer="match_dealer",
    blackjack="match-the-dealer-with-six-or-eight-decks",
)
def match_the_dealer_with_four_decks(op: Opportunity) -> Record | None:
    return _too_few_decks_for(op, "match_dealer", "4")


# ---- the shuffling machine ---------------------------------------------------------------------


@breach(
    "one-deck-for-the-machine",
    "opening",
    since=MACHINE,
    blackjack="two-decks-with-a-shuffling-machine",
)
def one_deck_for_the_machine(op: Opportunity) -> Record | None:
    """A single deck comes, and its halves are the two sets."""
    received = op.chapter.all("decks_received", decks_total=1)
    first = next((c for c in op.chapters if c.kind == "round"), None)
    spread, stacked = op.chapter.first("cards_spread"), op.chapter.first("cards_stacked")
    if len(received) != 2 or first is None or spread is None or stacked is None:
        return None
    op.chapter.drop(received[1])
    spread["decks_total"] = 0.5
    stacked["cards_total"] = 26
    return first.first("round_started")


@breach(
    "machine-left-empty",
    "shuffle",
    since=MACHINE,
    blackjack="machine-is-filled-before-cards-come-into-play",
)
def machine_left_empty(op: Opportunity) -> Record | None:
    """The used cards are laid aside instead of going into the machine."""
    filled, loaded = op.chapter.first("shuffler_loaded"), op.chapter.first("shoe_loaded")
    if filled is None or loaded is None or op.after_a_rest:
        return None
    filled.update(type="cards_removed", origin="discard_rack", place="layout")
    return loaded


@breach(
    "other-set-in-the-rack",
    "shuffle",
    since=MACHINE,
    blackjack="one-set-in-the-discard-rack",
)
def other_set_in_the_rack(op: Opportunity) -> Record | None:
    """A card of the other set goes into the rack; it is seen and taken out again."""
    burned = op.chapter.last("card_burned")
    if burned is None or "batch" not in burned:
        return None
    other = {"red": "blue", "blue": "red"}[burned["batch"]]
    place = op.chapter.place(burned) + 1
    who = {"by": burned["by"], "by_role": "dealer", "batch": other, "cards_total": 1}
    wrong = op.chapter.insert(place, "cards_discarded", place="discard_rack", **who)
    op.chapter.insert(place + 1, "cards_removed", origin="discard_rack", place="layout", **who)
    return wrong


# ---- two sets in turn --------------------------------------------------------------------------


@breach("same-decks-in-hand-again", "shuffle", since=SIX_TO_FIVE, blackjack="decks-take-turns")
def same_decks_in_hand_again(op: Opportunity) -> Record | None:
    """The cards that were just used come again; from then on the two sets take turns as before."""
    decided, out = op.chapter.first("shuffle_decided"), op.chapter.first("shuffler_emptied")
    if decided is None or out is None or not op.has("six_to_five"):
        return None
    other = {"red": "blue", "blue": "red"}
    later = [r for chapter in op.chapters[op.at + 1 :] for r in chapter.records]
    for record in op.chapter.records[op.chapter.place(out) :] + later:
        for name in ("batch", "deck"):
            if name in record:
                record[name] = other[record[name]]
    return op.chapter.first("deck_placed_in_play")


def _first_card_from_the_last_deck(op: Opportunity) -> Record | None:
    dealt, last = op.chapter.first("card_dealt"), op.earlier("card_dealt")
    if dealt is None or not last or dealt["deck"] == last[0]["deck"]:
        return None
    dealt["deck"] = last[0]["deck"]
    return dealt


@breach(
    "card-from-the-deck-before",
    "round",
    since=SIX_TO_FIVE,
    blackjack="six-to-five-decks-take-turns",
)
def card_from_the_deck_before(op: Opportunity) -> Record | None:
    before = op.before
    if before is None or before.first("cutting_card_reached") is None or not op.has("six_to_five"):
        return None
    return _first_card_from_the_last_deck(op)


@breach(
    "one-deck-for-two-rounds",
    "round",
    since=SIX_TO_FIVE,
    blackjack="decks-change-after-every-round",
)
def one_deck_for_two_rounds(op: Opportunity) -> Record | None:
    if not op.has("one_round_per_deck"):
        return None
    return _first_card_from_the_last_deck(op)


@breach(
    "used-deck-not-into-the-machine",
    "round",
    since=SIX_TO_FIVE,
    blackjack="used-deck-goes-into-the-machine",
)
def used_deck_not_into_the_machine(op: Opportunity) -> Record | None:
    """Cards went into the machine before the cutting card came; the others are laid aside."""
    reached = op.chapter.first("cutting_card_reached")
    following = next((c for c in op.chapters[op.at + 1 :] if c.kind != "between"), None)
    filled = following.first("shuffler_loaded") if following else None
    if reached is None or following is None or filled is None or not op.has("six_to_five"):
        return None
    op.chapter.insert(op.chapter.place(reached), "shuffler_loaded", **copied(filled))
    filled.update(type="cards_removed", origin="discard_rack", place="layout")
    return reached


@breach(
    "set-not-shuffled-by-the-machine",
    "shuffle",
    since=MACHINE,
    blackjack="each-batch-shuffled-before-it-is-dealt-again",
)
def set_not_shuffled_by_the_machine(op: Opportunity) -> Record | None:
    """The machine was filled and not started."""
    loaded = op.chapter.first("shoe_loaded")
    if loaded is None or "batch" not in loaded:
        return None
    batch = loaded["batch"]
    if not any(record["batch"] == batch for record in op.earlier("shoe_loaded")):
        return None
    for chapter in reversed(op.chapters[: op.at + 1]):
        shuffled = chapter.first("cards_shuffled", batch=batch)
        if shuffled is not None:
            break
    else:
        return None
    # Without this shuffle, who refused an earlier cut would seem to have refused this one.
    before = [r for r in op.earlier("cut_refused", "cards_shuffled") if r is not shuffled]
    if before and before[0]["type"] == "cut_refused":
        return None
    chapter.drop(shuffled)
    return loaded
