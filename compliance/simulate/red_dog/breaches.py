"""Breaches at red dog: the spread, the raise, the third card and what is paid."""

from __future__ import annotations

from compliance.simulate.baccarat.card_breaches import cutting_card_comes_earlier
from compliance.simulate.breach import Opportunity, breach, copied, restake
from compliance.simulate.table import Chapter, Record

ODDS_OPTION = {1: "red_dog_odds_one", 2: "red_dog_odds_two", 3: "red_dog_odds_three"}
BELOW_THE_LAW = {1: 4, 2: 3, 3: 1}


def _marked(chapter: Chapter) -> int:
    marker = chapter.first("spread_marker_placed")
    return int(marker["value"]) if marker else 0


@breach("cutting-card-misplaced", "shuffle", red_dog="red-dog-cutting-card-a-quarter-from-the-back")
def cutting_card_misplaced(op: Opportunity) -> Record | None:
    inserted = op.chapter.first("cutting_card_inserted")
    if inserted is None:
        return None
    inserted["position_from_back"] = inserted["cards_total"] // 2
    return op.chapter.first("shoe_loaded")


@breach("round-after-the-cutting-card", "round", red_dog="red-dog-reshuffle-after-the-cutting-card")
def round_after_the_cutting_card(op: Opportunity) -> Record | None:
    if cutting_card_comes_earlier(op) is None:
        return None
    return op.chapter.first("round_started")


@breach("wager-after-the-first-card", "round", red_dog="red-dog-wagers-before-the-first-card")
def wager_after_the_first_card(op: Opportunity) -> Record | None:
    wager = op.chapter.all("wager_placed", wager="original")[-1]
    # Counted without the wager itself, the place after the card is the card's own.
    op.chapter.move(wager, op.chapter.place(op.chapter.all("card_dealt")[0]))
    return wager


# ---- the spread and the third card ---------------------------------------------------------------


@breach("spread-misannounced", "round", red_dog="red-dog-announced-spread-is-right")
def spread_misannounced(op: Opportunity) -> Record | None:
    said = op.chapter.first("announcement", phrase="spread")
    if said is not None:
        said["value"] += 1
    return said


@breach("spread-mismarked", "round", red_dog="red-dog-marked-spread-is-right")
def spread_mismarked(op: Opportunity) -> Record | None:
    """The wrong marker has the same odds, so that nobody is paid wrongly."""
    marker = op.chapter.first("spread_marker_placed")
    if marker is None or marker["value"] < 4:
        return None
    marker["value"] = 10 if marker["value"] == 11 else marker["value"] + 1
    return marker


@breach("raises-not-closed", "round", red_dog="red-dog-third-card-after-its-announcements")
def raises_not_closed(op: Opportunity) -> Record | None:
    closed = op.chapter.first("announcement", phrase="raises_closed")
    if closed is None:
        return None
    op.chapter.drop(closed)
    return op.chapter.first("card_dealt", spot="middle")


@breach(
    "third-card-after-consecutive-cards",
    "round",
    red_dog="red-dog-no-third-card-after-consecutive-cards",
)
def third_card_after_consecutive_cards(op: Opportunity) -> Record | None:
    said = op.chapter.first("announcement", phrase="consecutive")
    if said is None:
        return None
    second = op.chapter.all("card_dealt")[1]
    return op.chapter.insert(
        op.chapter.place(said) + 1, "card_dealt", **copied(second, card="5H", spot="middle")
    )


@breach("raise-over-the-wager", "round", red_dog="red-dog-raise-at-most-the-wager")
def raise_over_the_wager(op: Opportunity) -> Record | None:
    raised = op.chapter.first("wager_placed", wager="raise")
    if raised is None:
        return None
    first = op.chapter.all("wager_placed", wager="original", seat=raised["seat"])[0]
    restake(op.chapter, raised, first["amount"] + 500)
    return raised


# ---- settling ------------------------------------------------------------------------------------


@breach("odds-below-the-law", "round", red_dog="red-dog-pays-by-the-spread")
def odds_below_the_law(op: Opportunity) -> Record | None:
    """For one payout the table offers less than the law allows."""
    paid, spread = op.chapter.all("wager_paid"), _marked(op.chapter)
    if len(paid) != 1 or spread not in ODDS_OPTION:
        return None
    option, odds = ODDS_OPTION[spread], BELOW_THE_LAW[spread]
    usual = op.options[option]
    place = op.chapter.place(paid[0])
    op.chapter.insert(place + 1, "option_elected", option_name=option, value=usual)
    op.chapter.insert(place, "option_elected", option_name=option, value=f"{odds} to 1")
    paid[0].update(amount=paid[0]["stake"] * odds, odds=f"{odds} to 1")
    return paid[0]


@breach("paid-more-than-offered", "round", red_dog="red-dog-pays-what-it-offers")
def paid_more_than_offered(op: Opportunity) -> Record | None:
    paid = op.chapter.first("wager_paid")
    if paid is None or not _marked(op.chapter):
        return None
    odds = int(paid["odds"].split()[0]) + 1
    paid.update(amount=paid["stake"] * odds, odds=f"{odds} to 1")
    return paid


@breach(
    "three-of-a-kind-underpaid",
    "round",
    red_dog="red-dog-three-of-a-kind-pays-eleven-to-one",
)
def three_of_a_kind_underpaid(op: Opportunity) -> Record | None:
    paid = op.chapter.first("wager_paid", odds="11 to 1")
    if paid is not None:
        paid.update(amount=paid["stake"] * 10, odds="10 to 1")
    return paid


@breach("outside-paid", "round", red_dog="red-dog-win-only-in-between")
def outside_paid(op: Opportunity) -> Record | None:
    taken = op.chapter.first("wager_collected")
    if taken is None:
        return None
    name = ODDS_OPTION.get(_marked(op.chapter), "red_dog_odds_four_or_more")
    odds = int(op.options[name].split()[0])
    stake = taken["amount"]
    taken.update(type="wager_paid", stake=stake, amount=stake * odds, odds=f"{odds} to 1")
    return taken


@breach("tie-taken", "round", red_dog="red-dog-lose-only-outside")
def tie_taken(op: Opportunity) -> Record | None:
    back = op.chapter.first("wager_returned")
    if back is not None:
        back["type"] = "wager_collected"
    return back
