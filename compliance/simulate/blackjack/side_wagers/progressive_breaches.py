"""Breaches with the progressive wager, its lights and its meter."""

from __future__ import annotations

from functools import partial

from compliance.simulate.blackjack.side_wagers.altered_rounds import (
    before_the_main_wager,
    made_with,
    move_behind,
    pay_only,
    side,
    take,
    wager_of,
)
from compliance.simulate.breach import SETTLEMENTS, Opportunity, breach, copied, restake
from compliance.simulate.table import Record

PROGRESSIVE = "progressive"
FIXED = (25_00, 100_00, 250_00, 2500_00)
"""What two and three aces win; anything else came out of the meter."""
progressive_breach = partial(breach, since="1996-07-15", offer=PROGRESSIVE)


def _paid(op: Opportunity) -> Record | None:
    return next((r for r in side(op, "wager_paid", PROGRESSIVE) if r["amount"] in FIXED), None)


def _paid_without(op: Opportunity, type: str, subject: str) -> Record | None:
    """A winner is paid, and something that comes before it was left out."""
    paid = _paid(op)
    if paid is None:
        return None
    where = {"wager": PROGRESSIVE, "seat": paid["seat"], "subject": subject}
    before = op.chapter.first(type, **where)
    if before is None:
        return None
    op.chapter.drop(before)
    return paid


@progressive_breach(
    "progressive-wager-of-two-dollars", "round", blackjack="progressive-wager-of-one-dollar"
)
def progressive_wager_of_two_dollars(op: Opportunity) -> Record | None:
    for lost in side(op, "wager_collected", PROGRESSIVE):
        made = wager_of(op.chapter, lost)
        if made is not None:
            restake(op.chapter, made, 200)
        return made
    return None


@progressive_breach(
    "progressive-wager-with-a-match-play-coupon",
    "round",
    blackjack="progressive-wager-made-with-a-chip",
)
def progressive_wager_with_a_match_play_coupon(op: Opportunity) -> Record | None:
    return made_with(op, PROGRESSIVE, "match_play_coupon")


@progressive_breach(
    "progressive-wager-before-main", "round", blackjack="progressive-wager-beside-a-main-wager"
)
def progressive_wager_before_main(op: Opportunity) -> Record | None:
    return before_the_main_wager(op, PROGRESSIVE)


@progressive_breach("progressive-light-dark", "round", blackjack="progressive-light-for-each-wager")
def progressive_light_dark(op: Opportunity) -> Record | None:
    """A light stays dark, and the dealer counts as many chips as there are lights."""
    made = side(op, "wager_placed", PROGRESSIVE)
    light = op.chapter.last("progressive_light_on")
    counted = op.chapter.first("progressive_chips_counted")
    if light is None or counted is None or _paid(op):
        return None
    op.chapter.drop(light)
    counted["chips_counted"] -= 1
    return made[-1]


@progressive_breach(
    "two-progressive-wagers",
    "round",
    also="progressive-wager-of-one-dollar",
    blackjack="one-progressive-wager-for-each-light",
)
def two_progressive_wagers(op: Opportunity) -> Record | None:
    light = op.chapter.first("progressive_light_on")
    meter = op.chapter.first("progressive_meter", step="wagers_registered")
    if light is None or meter is None:
        return None
    made = op.chapter.first("wager_placed", wager=PROGRESSIVE, seat=light["seat"])
    if made is None:
        return None
    meter["wagers_registered"] += 1
    meter["increment"] += 70
    place = op.chapter.place(made) + 1
    return op.chapter.insert(place, "wager_placed", **copied(made))


@progressive_breach(
    "progressive-chips-miscounted",
    "round",
    blackjack="progressive-chips-counted-against-the-lights",
)
def progressive_chips_miscounted(op: Opportunity) -> Record | None:
    counted = op.chapter.first("progressive_chips_counted")
    if counted is None:
        return None
    counted["chips_counted"] += 1
    return op.chapter.first("announcement", phrase="no_more_bets")


@progressive_breach(
    "progressive-betting-not-closed",
    "round",
    blackjack="progressive-betting-closed-before-the-deal",
)
def progressive_betting_not_closed(op: Opportunity) -> Record | None:
    call = op.chapter.first("announcement", phrase="no_more_bets")
    if call is None or not side(op, "wager_placed", PROGRESSIVE):
        return None
    op.chapter.drop(call)
    return op.chapter.first("card_dealt")


@progressive_breach(
    "progressive-wager-not-registered",
    "round",
    blackjack="progressive-wagers-registered-before-the-deal",
)
def progressive_wager_not_registered(op: Opportunity) -> Record | None:
    meter = op.chapter.first("progressive_meter", step="wagers_registered")
    if meter is None:
        return None
    meter["wagers_registered"] -= 1
    return op.chapter.first("card_dealt")


@progressive_breach(
    "progressive-overpaid",
    "round",
    blackjack="progressive-pays-fixed-sums-on-two-and-three-aces",
)
def progressive_overpaid(op: Opportunity) -> Record | None:
    paid = _paid(op)
    return pay_only(paid, paid["amount"] + 500) if paid else None


@progressive_breach("progressive-not-paid", "round", blackjack="progressive-winner-is-paid")
def progressive_not_paid(op: Opportunity) -> Record | None:
    paid = _paid(op)
    return wager_of(op.chapter, take(paid)) if paid else None


@progressive_breach("progressive-paid-twice", "round", blackjack="progressive-wager-paid-once")
def progressive_paid_twice(op: Opportunity) -> Record | None:
    paid = _paid(op)
    if paid is None:
        return None
    return op.chapter.insert(op.chapter.place(paid) + 1, "wager_paid", **copied(paid))


@progressive_breach("jackpot-underpaid", "round", blackjack="progressive-jackpot-shared-evenly")
def jackpot_underpaid(op: Opportunity) -> Record | None:
    for paid in side(op, "wager_paid", PROGRESSIVE):
        if paid["amount"] not in FIXED:
            return pay_only(paid, paid["amount"] - 100)
    return None


@progressive_breach(
    "progressive-cards-unchecked",
    "round",
    blackjack="progressive-cards-checked-before-payment",
)
def progressive_cards_unchecked(op: Opportunity) -> Record | None:
    return _paid_without(op, "payout_verified", "cards")


@progressive_breach(
    "progressive-light-unchecked",
    "round",
    blackjack="progressive-light-checked-before-payment",
)
def progressive_light_unchecked(op: Opportunity) -> Record | None:
    return _paid_without(op, "payout_verified", "light")


@progressive_breach(
    "progressive-payment-unapproved",
    "round",
    blackjack="progressive-payment-approved-by-a-supervisor",
)
def progressive_payment_unapproved(op: Opportunity) -> Record | None:
    return _paid_without(op, "supervisor_confirmed", "payout")


@progressive_breach(
    "progressive-paid-later", "round", blackjack="progressive-paid-with-the-main-wager"
)
def progressive_paid_later(op: Opportunity) -> Record | None:
    paid = _paid(op)
    # What is not paid from the tray may come later.
    if paid is None or not paid["from_tray"]:
        return None
    main = [
        record
        for record in op.chapter.records[op.chapter.place(paid) + 1 :]
        if record["type"] in SETTLEMENTS and record["wager"] == "blackjack"
    ]
    if not main or main[-1]["seat"] == paid["seat"]:
        return None
    move_behind(op.chapter, paid, main[-1])
    return paid


@progressive_breach("papers-not-done", "round", blackjack="cards-stay-until-the-papers-are-done")
def papers_not_done(op: Opportunity) -> list[Record] | None:
    """Found at every hand of the winner: aces may have been split."""
    papers = op.chapter.first("documentation_completed", wager="progressive")
    if papers is None:
        return None
    op.chapter.drop(papers)
    return [
        record
        for record in op.chapter.records
        if record["type"] == "cards_collected" and record.get("seat") == papers["seat"]
    ]


@progressive_breach(
    "meter-raised-too-little", "round", blackjack="meter-takes-seventy-percent-of-the-wagers"
)
def meter_raised_too_little(op: Opportunity) -> Record | None:
    meter = op.chapter.first("progressive_meter", step="wagers_registered")
    if meter is not None:
        meter["increment"] = 0
    return meter


@progressive_breach(
    "meter-begins-too-low", "opening", blackjack="meter-begins-with-five-thousand-dollars"
)
def meter_begins_too_low(op: Opportunity) -> Record | None:
    meter = op.chapter.first("progressive_meter", step="initial_amount")
    if meter is not None:
        meter["amount"] -= 1000_00
    return meter
