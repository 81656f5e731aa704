"""Breaches of blackjack's duties before the deal: the burned card, the shuffle, the spread."""

from __future__ import annotations

from compliance.simulate.breach import Opportunity, breach, copied
from compliance.simulate.table import Record


def _first_card_of_the_next_round(op: Opportunity) -> Record | None:
    following = op.next_round
    return following.first("card_dealt") if following else None


def _dealer_has_burned(op: Opportunity) -> bool:
    """The dealer at the table has burned a card since coming, before this chapter."""
    for record in op.earlier("card_burned", "dealer_arrived"):
        return bool(record["type"] == "card_burned")
    return False


@breach("skip-burn-of-new-dealer", "between", blackjack="burn-by-each-new-dealer")
def skip_burn_of_new_dealer(op: Opportunity) -> Record | None:
    burned = op.chapter.first("card_burned", reason="new_dealer")
    dealt = _first_card_of_the_next_round(op)
    if burned is None or dealt is None:
        return None
    op.chapter.drop(burned)
    return dealt


@breach("skip-burn-of-new-shoe", "shuffle", blackjack="burn-from-each-new-shoe")
def skip_burn_of_new_shoe(op: Opportunity) -> Record | None:
    burned = op.chapter.first("card_burned", reason="new_shoe")
    dealt = _first_card_of_the_next_round(op)
    if burned is None or dealt is None or not _dealer_has_burned(op):
        return None
    op.chapter.drop(burned)
    return dealt


@breach("burn-shown", "shuffle", "between", blackjack="burn-face-down-into-the-rack")
def burn_shown(op: Opportunity) -> Record | None:
    burned = op.chapter.first("card_burned")
    if burned is not None:
        burned["face_up"] = True
    return burned


@breach("burn-kept-secret", "shuffle", "between", blackjack="burned-card-shown-on-request")
def burn_kept_secret(op: Opportunity) -> Record | None:
    burned = op.chapter.first("card_burned")
    if burned is None or op.next_round is None:
        return None
    shown = op.chapter.first("burn_card_disclosed")
    asked = op.chapter.first("request_made", request="show_burn_card")
    if shown is not None:
        op.chapter.drop(shown)
        return asked
    seat, player = next(iter(op.seated().items()))
    return op.chapter.insert(
        op.chapter.place(burned) + 1,
        "request_made",
        request="show_burn_card",
        seat=seat,
        player=player,
    )


@breach("cards-never-shuffled", "shuffle", blackjack="shuffle-before-play")
def cards_never_shuffled(op: Opportunity) -> Record | None:
    shuffled = op.chapter.first("cards_shuffled", reason="opening")
    if shuffled is None or op.before is not None:
        return None
    op.chapter.drop(shuffled)
    return _first_card_of_the_next_round(op)


@breach("no-reshuffle", "shuffle", blackjack="reshuffle-after-the-cutting-card")
def no_reshuffle(op: Opportunity) -> Record | None:
    """They simply go on dealing."""
    shuffled = op.chapter.first("cards_shuffled", reason="cutting_card_reached", method="manual")
    following = op.next_round
    if shuffled is None or following is None or not _dealer_has_burned(op):
        return None
    op.chapter.records.clear()
    return following.first("round_started")


@breach("shuffle-in-the-round", "round", blackjack="no-shuffle-inside-a-round")
def shuffle_in_the_round(op: Opportunity) -> Record | None:
    # After the cutting card another rule, too, asks what happened before the shuffle.
    last = op.earlier("cutting_card_reached", "cards_shuffled")
    if op.chapter.first("cutting_card_reached") or last[0]["type"] == "cutting_card_reached":
        return None
    return op.chapter.insert(
        len(op.chapter.records) - 1,
        "cards_shuffled",
        by=op.chapter.records[0]["dealer"],
        by_role="dealer",
        method="manual",
        reason="irregularity",
    )


@breach("same-batch-twice", "shuffle", since="1999-07-06", blackjack="batches-take-turns")
def same_batch_twice(op: Opportunity) -> Record | None:
    """The set that was just dealt comes again; from then on the two take turns as before."""
    loaded = op.chapter.first("shoe_loaded")
    out = op.chapter.first("shuffler_emptied")
    if loaded is None or out is None:
        return None
    for record in op.earlier("shoe_loaded", "table_idle_started"):
        if record["type"] == "table_idle_started":
            return None
        break
    other = {"red": "blue", "blue": "red"}
    later = [r for chapter in op.chapters[op.at + 1 :] for r in chapter.records]
    for record in op.chapter.records[op.chapter.place(out) :] + later:
        if "batch" in record:
            record["batch"] = other[record["batch"]]
    # The machine is quick: the set is shuffled, only its turn has not come.
    shuffled = op.earlier("cards_shuffled")[0]
    again = copied(shuffled, batch=loaded["batch"])
    op.chapter.insert(op.chapter.place(out), "cards_shuffled", **again)
    return loaded


@breach("cutting-card-too-deep", "shuffle", blackjack="bottom-quarter-kept-by-the-cutting-card")
def cutting_card_too_deep(op: Opportunity) -> Record | None:
    inserted = op.chapter.first("cutting_card_inserted")
    if inserted is None or op.has("six_to_five"):
        return None
    inserted["position_from_back"] = inserted["cards_total"] // 10
    return inserted


@breach(
    "cutting-card-too-deep-in-the-hand",
    "shuffle",
    since="2006-01-17",
    blackjack="bottom-third-kept-in-the-hand",
)
def cutting_card_too_deep_in_the_hand(op: Opportunity) -> Record | None:
    inserted = op.chapter.first("cutting_card_inserted")
    if inserted is None or not op.has("six_to_five"):
        return None
    inserted["position_from_back"] = inserted["cards_total"] // 4
    return inserted


@breach(
    "no-look-at-the-cards",
    "opening",
    "rest",
    blackjack="players-see-the-cards-before-they-are-turned",
)
def no_look_at_the_cards(op: Opportunity) -> Record | None:
    offered = op.chapter.first("player_inspection_offered")
    turned = op.chapter.last("spread_turned", face_up=False)
    if offered is None or turned is None:
        return None
    op.chapter.drop(offered)
    return turned


@breach("cards-not-washed", "opening", "rest", blackjack="cards-washed-before-stacked")
def cards_not_washed(op: Opportunity) -> Record | None:
    washed = op.chapter.first("cards_washed")
    if washed is None:
        return None
    op.chapter.drop(washed)
    return op.chapter.first("cards_stacked")


@breach(
    "cards-left-in-the-shoe",
    "rest",
    since="1999-07-06",
    blackjack="cards-spread-while-nobody-plays",
)
def cards_left_in_the_shoe(op: Opportunity) -> Record | None:
    spread = op.chapter.first("cards_spread")
    if spread is None:
        return None
    op.chapter.drop(spread)
    return op.chapter.first("table_idle_started")


@breach(
    "spread-not-turned-up",
    "rest",
    since="1999-07-06",
    blackjack="spread-turned-up-for-the-next-player",
)
def spread_not_turned_up(op: Opportunity) -> Record | None:
    turned = op.chapter.first("spread_turned", face_up=True)
    if turned is None:
        return None
    op.chapter.drop(turned)
    return op.chapter.first("player_seated")
