"""Breaches with the optional bonus wager."""

from __future__ import annotations

from functools import partial

from compliance.simulate.blackjack.side_wagers.altered_rounds import (
    beside_another_offer,
    move_behind,
    out_of_turn,
    pay,
    pay_only,
    settled,
    side,
    take,
)
from compliance.simulate.blackjack.side_wagers.optional_bonus import ODDS
from compliance.simulate.breach import SETTLEMENTS, Opportunity, breach, restake
from compliance.simulate.hands import PIPS
from compliance.simulate.table import Record

BONUS = "optional_bonus"
bonus_breach = partial(breach, since="2007-11-19", offer=BONUS)


@bonus_breach("optional-bonus-of-cents", "round", blackjack="optional-bonus-at-least-a-dollar")
def optional_bonus_of_cents(op: Opportunity) -> Record | None:
    for made in side(op, "wager_placed", BONUS):
        restake(op.chapter, made, 50)
        return made
    return None


@bonus_breach(
    "optional-bonus-above-main", "round", blackjack="optional-bonus-at-most-the-main-wager"
)
def optional_bonus_above_main(op: Opportunity) -> Record | None:
    for made in side(op, "wager_placed", BONUS):
        main = op.chapter.first("wager_placed", wager="blackjack", seat=made["seat"])
        if main is not None:
            restake(op.chapter, made, main["amount"] + 100)
            return made
    return None


@bonus_breach(
    "optional-bonus-taken-from-a-winner",
    "round",
    blackjack="optional-bonus-lost-only-if-the-dealer-stays-in",
)
def optional_bonus_taken_from_a_winner(op: Opportunity) -> Record | None:
    won = side(op, "wager_paid", BONUS)
    return take(won[0]) if won else None


@bonus_breach(
    "optional-bonus-paid-to-a-loser",
    "round",
    blackjack="optional-bonus-paid-only-if-the-dealer-goes-over",
)
def optional_bonus_paid_to_a_loser(op: Opportunity) -> Record | None:
    """Paid at the odds of the third card, though the dealer stayed in."""
    lost = side(op, "wager_collected", BONUS)
    cards = op.chapter.all("card_dealt", to="dealer")
    if not lost or len(cards) < 3 or cards[2].get("card") is None:
        return None
    third = PIPS[cards[2]["card"]]
    return pay(lost[0], ODDS[third]) if third in ODDS else None


@bonus_breach(
    "no-third-card-for-the-optional-bonus",
    "round",
    also="dealers-called-count-is-right",
    blackjack="dealer-draws-a-third-card-for-the-optional-bonus",
)
def no_third_card_for_the_optional_bonus(op: Opportunity) -> Record | None:
    chapter = op.chapter
    cards = chapter.all("card_dealt", to="dealer")
    if len(cards) != 3 or not side(op, "wager_placed", BONUS):
        return None
    after = chapter.records[chapter.place(cards[2]) :]
    if any(r["type"] in SETTLEMENTS and r["wager"] != BONUS for r in after):
        return None
    for record in settled(op, BONUS):
        if record["type"] == "wager_paid":
            take(record)
        record["type"] = "wager_returned"
    chapter.drop(cards[2])
    return chapter.last("round_ended")


@bonus_breach(
    "optional-bonus-settled-late",
    "round",
    blackjack="optional-bonus-settled-before-other-wagers",
)
def optional_bonus_settled_late(op: Opportunity) -> Record | None:
    chapter, bonuses = op.chapter, settled(op, BONUS)
    if not bonuses:
        return None
    for record in chapter.records[chapter.place(bonuses[-1]) + 1 :]:
        if record["type"] == "card_dealt":
            return None
        if record["type"] in SETTLEMENTS:
            move_behind(chapter, bonuses[-1], record)
            return record
    return None


@bonus_breach(
    "optional-bonus-after-the-fourth-card",
    "round",
    blackjack="optional-bonus-settled-before-the-fourth-card",
)
def optional_bonus_after_the_fourth_card(op: Opportunity) -> Record | None:
    chapter, bonuses = op.chapter, settled(op, BONUS)
    cards = chapter.all("card_dealt", to="dealer")
    if not bonuses or len(cards) < 4:
        return None
    if chapter.place(bonuses[-1]) > chapter.place(cards[3]):
        return None
    move_behind(chapter, bonuses[-1], cards[3])
    return cards[3]


@bonus_breach(
    "optional-bonus-out-of-turn", "round", blackjack="optional-bonus-settled-counterclockwise"
)
def optional_bonus_out_of_turn(op: Opportunity) -> Record | None:
    return out_of_turn(op, BONUS)


@bonus_breach(
    "optional-bonus-underpaid", "round", blackjack="optional-bonus-paid-by-the-third-card"
)
def optional_bonus_underpaid(op: Opportunity) -> Record | None:
    won = side(op, "wager_paid", BONUS)
    return pay_only(won[0], won[0]["stake"]) if won else None


@bonus_breach(
    "optional-bonus-beside-another", "round", blackjack="optional-bonus-alone-on-its-table"
)
def optional_bonus_beside_another(op: Opportunity) -> Record | None:
    return beside_another_offer(op, "blackjack_bonus")
