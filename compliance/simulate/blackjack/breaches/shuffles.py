"""Breaches around the shuffle: how new cards are shown, and what is done after a rest."""

from __future__ import annotations

from compliance.simulate.breach import Opportunity, breach
from compliance.simulate.table import Record

MACHINE = "1999-07-06"
CUT_AND_LOADED = (
    *("cut_offered", "cut_refused", "cards_cut", "stack_transposed"),
    *("cutting_card_inserted", "shoe_loaded"),
)
"""What is done with shuffled cards until they are in the shoe."""


# ---- new cards ---------------------------------------------------------------------------------


def _first_card(op: Opportunity) -> Record | None:
    """The first card that is dealt after this chapter."""
    rounds = (c for c in op.chapters[op.at + 1 :] if c.kind == "round")
    first = next(rounds, None)
    return first.first("card_dealt") if first else None


@breach(
    "new-cards-not-spread",
    "opening",
    since="1985-05-20",
    blackjack="new-cards-spread-before-play",
)
def new_cards_not_spread(op: Opportunity) -> Record | None:
    spread, dealt = op.chapter.first("cards_spread"), _first_card(op)
    if spread is None or dealt is None:
        return None
    op.chapter.drop(spread)
    return dealt


@breach(
    "new-cards-spread-face-down",
    "opening",
    since="1985-05-20",
    blackjack="new-cards-spread-face-up",
)
def new_cards_spread_face_down(op: Opportunity) -> Record | None:
    spread = op.chapter.first("cards_spread")
    if spread is not None:
        spread["face_up"] = False
    return spread


@breach(
    "cards-gathered-face-up",
    "opening",
    "rest",
    blackjack="cards-turned-down-before-they-are-gathered",
)
def cards_gathered_face_up(op: Opportunity) -> Record | None:
    turned = op.chapter.last("spread_turned", face_up=False)
    stacked = op.chapter.first("cards_stacked")
    if turned is None or stacked is None:
        return None
    op.chapter.drop(turned)
    return op.chapter.first("cards_washed") or stacked


@breach("washed-cards-not-stacked", "opening", "rest", blackjack="washed-cards-are-stacked")
def washed_cards_not_stacked(op: Opportunity) -> Record | None:
    washed, stacked = op.chapter.first("cards_washed"), op.chapter.first("cards_stacked")
    if washed is None or stacked is None:
        return None
    op.chapter.drop(stacked)
    return washed


def _by_machine(op: Opportunity) -> bool:
    return op.has("shuffler", "automated")


@breach("sets-spread-as-one", "opening", since=MACHINE, blackjack="batches-spread-apart")
def sets_spread_as_one(op: Opportunity) -> Record | None:
    spread = op.chapter.first("cards_spread")
    if spread is None or not _by_machine(op):
        return None
    spread["decks_total"] *= 2
    return spread


@breach("sets-stacked-as-one", "opening", since=MACHINE, blackjack="batches-stacked-apart")
def sets_stacked_as_one(op: Opportunity) -> Record | None:
    stacked = op.chapter.first("cards_stacked")
    if stacked is None or not _by_machine(op):
        return None
    stacked["cards_total"] *= 2
    return stacked


# ---- shuffle and cut ---------------------------------------------------------------------------


@breach(
    "rest-of-the-shoe-left-out",
    "shuffle",
    since="1994-06-06",
    blackjack="rest-of-the-shoe-joins-the-discards",
)
def rest_of_the_shoe_left_out(op: Opportunity) -> Record | None:
    shuffled = op.chapter.first("cards_shuffled", reason="cutting_card_reached", method="manual")
    removed = op.chapter.first("cards_removed", origin="shoe")
    if shuffled is None or removed is None:
        return None
    op.chapter.drop(removed)
    return shuffled


@breach(
    "card-missing-at-the-shuffle",
    "shuffle",
    since="1994-06-06",
    blackjack="shuffled-cards-are-whole-decks",
)
def card_missing_at_the_shuffle(op: Opportunity) -> Record | None:
    shuffled = op.chapter.first("cards_shuffled", method="manual")
    if shuffled is not None:
        shuffled["cards_total"] -= 1
    return shuffled


@breach("decided-shuffle-not-made", "round", blackjack="decided-shuffle-is-made")
def decided_shuffle_not_made(op: Opportunity) -> Record | None:
    return op.chapter.insert(0, "shuffle_decided", by="F1", by_role="floorperson")


@breach(
    "cut-by-somebody-else",
    "shuffle",
    blackjack="cut-made-by-the-player-who-was-offered-it",
)
def cut_by_somebody_else(op: Opportunity) -> Record | None:
    cuts = op.chapter.all("cards_cut")
    if len(cuts) != 1 or "seat" not in cuts[0]:
        return None
    others = {seat: who for seat, who in op.seated().items() if seat != cuts[0]["seat"]}
    if not others:
        return None
    seat, player = next(iter(others.items()))
    cuts[0].update(seat=seat, player=player, by=player)
    return cuts[0]


@breach(
    "cut-cards-not-loaded",
    "shuffle",
    blackjack="cut-cards-go-into-the-shoe-before-play",
    also="one-card-burned-at-a-time",
)
def cut_cards_not_loaded(op: Opportunity) -> Record | None:
    by_hand = op.chapter.first("cards_shuffled", method="manual")
    loaded, following = op.chapter.first("shoe_loaded"), op.next_round
    if (
        by_hand is None
        or loaded is None
        or following is None
        or op.after_a_rest
        or op.before is None
    ):
        return None
    op.chapter.drop(loaded)
    return following.first("card_dealt")


@breach(
    "no-cut-for-the-hand",
    "shuffle",
    since="2006-01-17",
    blackjack="cards-for-the-hand-are-cut",
)
def no_cut_for_the_hand(op: Opportunity) -> Record | None:
    following = op.next_round
    out = op.chapter.first("shuffler_emptied")
    if following is None or out is None or not op.has("six_to_five"):
        return None
    cut = ("cut_offered", "cut_refused", "cards_cut", "stack_transposed")
    op.chapter.records[:] = [r for r in op.chapter.records if r["type"] not in cut]
    return following.first("card_dealt")


# ---- after a rest ------------------------------------------------------------------------------


@breach(
    "cards-stay-in-the-shoe-over-the-rest",
    "shuffle",
    since=MACHINE,
    blackjack="cards-put-in-anew-after-a-rest",
    also="one-card-burned-at-a-time",
)
def cards_stay_in_the_shoe_over_the_rest(op: Opportunity) -> Record | None:
    following = op.next_round
    if following is None or not op.after_a_rest or not _by_machine(op) or op.has("six_to_five"):
        return None
    kept = [record for record in op.chapter.records if record["type"] not in CUT_AND_LOADED]
    op.chapter.records[:] = kept
    return following.first("card_dealt")


@breach(
    "not-cut-after-a-rest",
    "shuffle",
    since=MACHINE,
    blackjack="shuffled-and-cut-after-a-rest",
    also="cut-before-the-shoe-is-loaded",
)
def not_cut_after_a_rest(op: Opportunity) -> Record | None:
    """The player who is offered the cards gives them back as they are."""
    cuts, following = op.chapter.all("cards_cut"), op.next_round
    if following is None or not op.after_a_rest or _by_machine(op) or len(cuts) != 1:
        return None
    op.chapter.drop(cuts[0])
    return following.first("card_dealt")


@breach(
    "shown-cards-not-stacked",
    "rest",
    since=MACHINE,
    blackjack="shown-cards-go-into-the-machine",
    also="spread-cards-stacked-before-the-machine",
)
def shown_cards_not_stacked(op: Opportunity) -> Record | None:
    stacked, dealt = op.chapter.first("cards_stacked"), _first_card(op)
    if stacked is None or dealt is None or not _by_machine(op):
        return None
    op.chapter.drop(stacked)
    return dealt


@breach(
    "stored-cards-taken-out-first",
    "shuffle",
    since=MACHINE,
    blackjack="stored-cards-come-out-last",
)
def stored_cards_taken_out_first(op: Opportunity) -> Record | None:
    filled, out = op.chapter.first("shuffler_loaded"), op.chapter.first("shuffler_emptied")
    if filled is None or out is None or not op.after_a_rest:
        return None
    op.chapter.move(out, op.chapter.place(filled))
    return out


@breach(
    "stored-cards-not-shown",
    "shuffle",
    since=MACHINE,
    blackjack="stored-cards-shown-on-request",
)
def stored_cards_not_shown(op: Opportunity) -> Record | None:
    out, asked = op.chapter.first("shuffler_emptied"), op.chapter.first("request_made")
    if out is None or asked is not None or not op.after_a_rest:
        return None
    seat, player = next(iter(op.seated().items()))
    return op.chapter.insert(
        op.chapter.place(out) + 1, "request_made", request="spread_cards", seat=seat, player=player
    )
