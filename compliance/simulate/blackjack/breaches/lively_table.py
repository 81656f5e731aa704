"""Breaches by the people at a table: who may be kept from wagering, who touches what, and what
becomes of a wager above the maximum."""

from __future__ import annotations

from compliance.simulate.breach import (
    SETTLEMENTS,
    Opportunity,
    additional_cards,
    breach,
    first_cards_end,
)
from compliance.simulate.table import Record

VARIANT = "lively"


@breach(
    "raised-wager-settled-in-part",
    "round",
    variant=VARIANT,
    since="1993-12-06",
    blackjack="accepted-wager-settled-whole",
)
def raised_wager_settled_in_part(op: Opportunity) -> Record | None:
    """Of a wager above the maximum only the maximum is paid, taken or given back."""
    raised = op.chapter.first("wager_increased")
    if raised is None:
        return None
    more = 2 * round(float(op.options["minimum_wager"].strip("$")) * 100)
    own = [r for r in op.chapter.records if r["type"] in SETTLEMENTS]
    settled = [r for r in own if r["seat"] == raised["seat"] and r["wager"] == "blackjack"]
    if len(settled) != 1:
        return None
    record = settled[0]
    if record["type"] == "wager_paid":
        gain, per = map(int, record["odds"].split(" to "))
        record["stake"] -= more
        record["amount"] = record["stake"] * gain // per
    else:
        record["amount"] -= more
    return record


@breach(
    "barred-without-sitting-out",
    "between",
    since="2006-01-17",
    blackjack="bar-only-after-a-round-sat-out",
)
def barred_without_sitting_out(op: Opportunity) -> Record | None:
    """Somebody who wagered in every round since the shuffle is told to stop."""
    for seat, player in op.seated().items():
        if _has_played_since_the_shuffle(op, player):
            by = {"by": "F1", "by_role": "floorperson"}
            place = len(op.chapter.records)
            if place == 0:
                return None
            who = {"seat": seat, "player": player}
            return op.chapter.insert(place, "wagering_barred", **who, **by)
    return None


def _has_played_since_the_shuffle(op: Opportunity, player: str) -> bool:
    for chapter in reversed(op.chapters[: op.at + 1]):
        if chapter.first("cards_shuffled"):
            return True
        if chapter.kind == "round" and not chapter.first("wager_placed", player=player):
            return False
    return False


@breach("card-touched", "round", blackjack="no-hands-on-the-cards")
def card_touched(op: Opportunity) -> Record | None:
    """A player puts a hand on the own cards, which only the 6 to 5 variation allows."""
    if op.has("six_to_five"):
        return None
    dealt = op.chapter.first("card_dealt", to="player")
    assert dealt is not None
    names = ("round", "dealer", "seat", "player", "hand")
    by = {"by": dealt["player"], "by_role": "player"}
    place = first_cards_end(op.chapter)
    return op.chapter.insert(place, "card_handled", **{n: dealt[n] for n in names}, **by)


@breach(
    "cards-offered-from-the-right",
    "round",
    offer="sevens",
    since="1996-07-15",
    blackjack="additional-cards-offered-from-the-left",
)
def cards_offered_from_the_right(op: Opportunity) -> Record | None:
    """Two players are offered a card for the sevens wager, the one at the right first."""
    wagers = op.chapter.all("wager_placed", wager="sevens")
    if len(wagers) < 2 or additional_cards(op.chapter):
        return None
    left, right = wagers[0], wagers[-1]
    names = ("round", "dealer", "seat", "player", "hand")
    place = first_cards_end(op.chapter)
    offers = [
        op.chapter.insert(place + n, "choice_offered", kind="additional_card", **fields)
        for n, fields in enumerate({k: w[k] for k in names} for w in (right, left))
    ]
    return offers[-1]
