"""Breaches with the blackjack bonus wager and its button."""

from __future__ import annotations

from functools import partial

from compliance.simulate.blackjack.side_wagers.altered_rounds import (
    before_the_main_wager,
    call_too_early,
    elected_for_a_round,
    last_second_card,
    made_with,
    move_before,
    move_behind,
    side,
    take,
    third_card_after,
    wager_of,
)
from compliance.simulate.blackjack.side_wagers.blackjack_bonus import CALLED_OUT
from compliance.simulate.breach import SETTLEMENTS, Opportunity, breach, copied, restake
from compliance.simulate.table import Record

BONUS = "blackjack_bonus"
BUTTON = ("bonus_button_placed", "bonus_button_pressed", "bonus_amount_displayed")
bonus_breach = partial(breach, since="1999-01-04", offer=BONUS)


def _paid(op: Opportunity) -> Record | None:
    return op.chapter.first("wager_paid", wager=BONUS)


def _at(op: Opportunity, paid: Record, type: str, **wanted: object) -> Record | None:
    return op.chapter.first(type, seat=paid["seat"], **wanted)


def _paid_without(op: Opportunity, type: str, **wanted: object) -> Record | None:
    """A bonus is paid, and something that comes before it was left out."""
    paid = _paid(op)
    before = _at(op, paid, type, **wanted) if paid else None
    if before is None:
        return None
    op.chapter.drop(before)
    return paid


@bonus_breach(
    "bonus-wager-of-three-dollars",
    "round",
    blackjack="blackjack-bonus-wager-of-one-or-five-dollars",
)
def bonus_wager_of_three_dollars(op: Opportunity) -> Record | None:
    for lost in side(op, "wager_collected", BONUS):
        made = wager_of(op.chapter, lost)
        if made is not None:
            restake(op.chapter, made, 300)
        return made
    return None


@bonus_breach(
    "bonus-wager-with-a-plaque", "round", blackjack="blackjack-bonus-wager-made-with-chips"
)
def bonus_wager_with_a_plaque(op: Opportunity) -> Record | None:
    return made_with(op, BONUS, "plaque")


@bonus_breach(
    "bonus-wager-before-main", "round", blackjack="blackjack-bonus-wager-beside-a-main-wager"
)
def bonus_wager_before_main(op: Opportunity) -> Record | None:
    return before_the_main_wager(op, BONUS)


@bonus_breach(
    "bonus-wager-after-the-call",
    "round",
    blackjack="blackjack-bonus-betting-closed-before-the-deal",
)
def bonus_wager_after_the_call(op: Opportunity) -> Record | None:
    return call_too_early(op, BONUS)


@bonus_breach("bonus-beside-progressive", "round", blackjack="blackjack-bonus-alone-of-its-kind")
def bonus_beside_progressive(op: Opportunity) -> Record | None:
    made = side(op, "wager_placed", BONUS)
    if len(made) != 1 or op.chapter.first("decision", kind="surrender"):
        return None
    if not op.has("hole_card", "dealt_last"):
        return None
    elected_for_a_round(op, progressive="yes")
    return made[0]


@bonus_breach(
    "bonus-of-a-blackjack-taken", "round", blackjack="blackjack-bonus-wager-wins-on-a-blackjack"
)
def bonus_of_a_blackjack_taken(op: Opportunity) -> Record | None:
    """As if the player had no blackjack: no button, and the wager goes with the losers."""
    chapter, paid = op.chapter, _paid(op)
    if paid is None:
        return None
    for record in list(chapter.all("payout_verified", wager=BONUS, seat=paid["seat"])):
        chapter.drop(record)
    for type in (*BUTTON, "supervisor_confirmed"):
        for record in chapter.all(type, seat=paid["seat"]):
            chapter.drop(record)
    for record in chapter.all("announcement", phrase="amount", seat=paid["seat"]):
        chapter.drop(record)
    chapter.move(take(paid), chapter.place(last_second_card(chapter)) + 1)
    return paid


@bonus_breach(
    "bonus-wager-taken-early",
    "round",
    blackjack="losing-bonus-wager-collected-after-the-second-cards",
)
def bonus_wager_taken_early(op: Opportunity) -> Record | None:
    for lost in side(op, "wager_collected", BONUS):
        move_before(op.chapter, lost, last_second_card(op.chapter))
        return lost
    return None


@bonus_breach(
    "bonus-wager-taken-late",
    "round",
    blackjack="losing-bonus-wager-collected-before-further-cards",
)
def bonus_wager_taken_late(op: Opportunity) -> Record | None:
    for lost in side(op, "wager_collected", BONUS):
        card = third_card_after(op.chapter, lost)
        if card is not None:
            move_behind(op.chapter, lost, card)
            return wager_of(op.chapter, lost)
    return None


@bonus_breach(
    "button-before-other-wagers",
    "round",
    blackjack="other-wagers-settled-before-the-bonus-button",
)
def button_before_other_wagers(op: Opportunity) -> Record | None:
    chapter = op.chapter
    button = chapter.first("bonus_button_placed")
    if button is None:
        return None
    before = chapter.records[: chapter.place(button)]
    main = [r for r in before if r["type"] in SETTLEMENTS and r["wager"] == "blackjack"]
    if not main:
        return None
    move_behind(chapter, main[-1], button)
    return button


@bonus_breach(
    "button-out-of-turn",
    "round",
    also="bonus-button-only-for-winners",
    blackjack="bonus-button-goes-round-from-the-left",
)
def button_out_of_turn(op: Opportunity) -> Record | None:
    """The dealer first puts it before a player farther round the table."""
    chapter = op.chapter
    button = chapter.first("bonus_button_placed")
    if button is None or button["seat"] > 4:
        return None
    wrong = copied(button, seat=button["seat"] + 1)
    wrong.pop("player")
    chapter.insert(chapter.place(button), "bonus_button_placed", **wrong)
    return button


@bonus_breach("button-pressed-twice", "round", blackjack="winner-presses-the-bonus-button-once")
def button_pressed_twice(op: Opportunity) -> Record | None:
    paid = _paid(op)
    pressed = _at(op, paid, "bonus_button_pressed") if paid else None
    if pressed is None:
        return None
    op.chapter.insert(op.chapter.place(pressed), "bonus_button_pressed", **copied(pressed))
    return paid


@bonus_breach("bonus-not-as-shown", "round", blackjack="blackjack-bonus-paid-as-displayed")
def bonus_not_as_shown(op: Opportunity) -> Record | None:
    paid = _paid(op)
    shown = _at(op, paid, "bonus_amount_displayed") if paid else None
    if shown is None:
        return None
    shown["amount"] += 100
    return paid


@bonus_breach("bonus-too-small", "round", blackjack="blackjack-bonus-within-its-range")
def bonus_too_small(op: Opportunity) -> Record | None:
    paid = _paid(op)
    if paid is None or paid["amount"] >= CALLED_OUT:
        return None
    shown, least = paid["amount"], {100: 500, 500: 5000}[paid["stake"]]
    displayed = op.chapter.first("bonus_amount_displayed", seat=paid["seat"])
    for record in op.chapter.records[op.chapter.place(displayed) if displayed else 0 :]:
        if record.get("amount") == shown and record.get("seat") == paid["seat"]:
            record["amount"] = least - 100
    return paid


@bonus_breach(
    "bonus-cards-unchecked", "round", blackjack="blackjack-bonus-cards-checked-before-payment"
)
def bonus_cards_unchecked(op: Opportunity) -> Record | None:
    return _paid_without(op, "payout_verified", subject="cards")


@bonus_breach(
    "bonus-amount-unchecked", "round", blackjack="blackjack-bonus-amount-checked-before-payment"
)
def bonus_amount_unchecked(op: Opportunity) -> Record | None:
    return _paid_without(op, "payout_verified", subject="amount")


@bonus_breach("small-bonus-not-called-out", "round", blackjack="small-bonus-announced")
def small_bonus_not_called_out(op: Opportunity) -> Record | None:
    return _paid_without(op, "announcement", phrase="amount")


@bonus_breach("large-bonus-unconfirmed", "round", blackjack="large-bonus-confirmed-by-a-supervisor")
def large_bonus_unconfirmed(op: Opportunity) -> Record | None:
    return _paid_without(op, "supervisor_confirmed")


@bonus_breach("bonus-cards-gone", "round", blackjack="layout-cleared-after-the-last-bonus")
def bonus_cards_gone(op: Opportunity) -> Record | None:
    paid = _paid(op)
    cards = _at(op, paid, "cards_collected") if paid else None
    # Whose cards go first anyway: nobody else's are picked up out of turn.
    if paid is None or cards is None or op.chapter.first("cards_collected") is not cards:
        return None
    move_before(op.chapter, cards, paid)
    return paid
