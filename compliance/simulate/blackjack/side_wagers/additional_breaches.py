"""Breaches with the wagers on thirteen, on one suit and on sevens."""

from __future__ import annotations

from functools import partial

from compliance.simulate.blackjack.side_wagers.additional_wagers import LARGEST, OTHER_SUITED
from compliance.simulate.blackjack.side_wagers.altered_rounds import (
    elected_for_a_round,
    last_second_card,
    made_with,
    move_before,
    move_behind,
    pay,
    pay_only,
    side,
    take,
    third_card_after,
    wager_of,
)
from compliance.simulate.breach import Opportunity, breach, hand_at, restake
from compliance.simulate.hands import PIPS
from compliance.simulate.table import Record

OVER, UNDER, SUIT, SEVENS = "over_thirteen", "under_thirteen", "same_suit", "sevens"
thirteen_breach = partial(breach, since="1992-04-20", offer="over_under_thirteen")
suit_breach = partial(breach, since="1994-02-22", offer=SUIT)
sevens_breach = partial(breach, since="1996-07-15", offer=SEVENS)


def _main(op: Opportunity, made: Record) -> int:
    main = op.chapter.first("wager_placed", wager="blackjack", seat=made["seat"])
    return main["amount"] if main else 0


# ---- offering and making -----------------------------------------------------------------------


@suit_breach(
    "additional-wager-not-offered", "round", blackjack="only-the-additional-wager-that-is-offered"
)
def additional_wager_not_offered(op: Opportunity) -> Record | None:
    """Somebody wagers on more than thirteen, and loses, at a table with another wager."""
    for lost in side(op, "wager_collected", SUIT):
        made = wager_of(op.chapter, lost)
        first_two = hand_at(op.chapter, lost["seat"]).cards[:2]
        if made is not None and sum(PIPS[card] for card in first_two) <= 13:
            made["wager"] = lost["wager"] = OVER
            return made
    return None


@suit_breach(
    "same-suit-beside-progressive",
    "round",
    blackjack="no-additional-wager-beside-the-progressive",
)
def same_suit_beside_progressive(op: Opportunity) -> Record | None:
    made = side(op, "wager_placed", SUIT)
    if len(made) != 1 or op.chapter.first("decision", kind="surrender"):
        return None
    if not op.has("hole_card", "dealt_last"):
        return None
    elected_for_a_round(op, progressive="yes")
    return made[0]


@suit_breach(
    "additional-wager-kept-from-a-player",
    "round",
    blackjack="additional-wager-offered-to-everybody",
)
def additional_wager_kept_from_a_player(op: Opportunity) -> Record | None:
    offered = op.chapter.all("wager_offered")
    if len(offered) < 2:
        return None
    op.chapter.drop(offered[-1])
    return op.chapter.first("wager_placed", wager="blackjack", seat=offered[-1]["seat"])


@sevens_breach("sevens-wager-of-two-dollars", "round", blackjack="sevens-wager-of-one-dollar")
def sevens_wager_of_two_dollars(op: Opportunity) -> Record | None:
    for made in side(op, "wager_placed", SEVENS):
        restake(op.chapter, made, 200)
        return made
    return None


@suit_breach("additional-wager-on-credit", "round", blackjack="additional-wager-made-with-chips")
def additional_wager_on_credit(op: Opportunity) -> Record | None:
    return made_with(op, SUIT, "credit")


@suit_breach(
    "additional-wager-above-main", "round", blackjack="additional-wager-at-most-the-main-wager"
)
def additional_wager_above_main(op: Opportunity) -> Record | None:
    for made in side(op, "wager_placed", SUIT):
        amount = _main(op, made) + 200
        if amount <= LARGEST:
            restake(op.chapter, made, amount)
            return made
    return None


@suit_breach(
    "additional-wager-above-its-maximum", "round", blackjack="additional-wager-within-its-maximum"
)
def additional_wager_above_its_maximum(op: Opportunity) -> Record | None:
    for made in side(op, "wager_placed", SUIT):
        if _main(op, made) >= LARGEST + 200:
            restake(op.chapter, made, LARGEST + 200)
            return made
    return None


@suit_breach("another-maximum-posted", "round", blackjack="maximum-of-the-additional-wager-posted")
def another_maximum_posted(op: Opportunity) -> Record | None:
    for made in side(op, "wager_placed", SUIT):
        sign = {"subject": "additional_wager", "wager": SUIT}
        place = op.chapter.place(made)
        op.chapter.insert(place + 1, "notice_posted", maximum=LARGEST, **sign)
        op.chapter.insert(place, "notice_posted", maximum=2 * LARGEST, **sign)
        return made
    return None


# ---- winning and losing ------------------------------------------------------------------------


@thirteen_breach(
    "over-thirteen-paid-to-a-loser", "round", blackjack="over-thirteen-wins-above-thirteen"
)
def over_thirteen_paid_to_a_loser(op: Opportunity) -> Record | None:
    lost = side(op, "wager_collected", OVER)
    return pay(lost[0], 1) if lost else None


@thirteen_breach(
    "under-thirteen-paid-to-a-loser", "round", blackjack="under-thirteen-wins-below-thirteen"
)
def under_thirteen_paid_to_a_loser(op: Opportunity) -> Record | None:
    lost = side(op, "wager_collected", UNDER)
    return pay(lost[0], 1) if lost else None


@suit_breach("same-suit-paid-to-a-loser", "round", blackjack="same-suit-wins-on-one-suit")
def same_suit_paid_to_a_loser(op: Opportunity) -> Record | None:
    for lost in side(op, "wager_collected", SUIT):
        ranks = {card[:-1] for card in hand_at(op.chapter, lost["seat"]).cards[:2]}
        if ranks != {"K", "Q"}:
            return pay(lost, *OTHER_SUITED[int(op.options["decks"])])
    return None


@sevens_breach("sevens-underpaid", "round", blackjack="sevens-paid-by-the-table")
def sevens_underpaid(op: Opportunity) -> Record | None:
    won = side(op, "wager_paid", SEVENS)
    return pay_only(won[0], won[0]["stake"]) if won else None


@sevens_breach("seven-taken", "round", blackjack="sevens-collected-only-without-a-seven")
def seven_taken(op: Opportunity) -> Record | None:
    won = [r for r in side(op, "wager_paid", SEVENS) if r["odds"] == "3 to 1"]
    return take(won[0]) if won else None


# ---- when it is settled ------------------------------------------------------------------------


@thirteen_breach(
    "additional-wager-settled-early",
    "round",
    blackjack="additional-wager-settled-after-the-second-cards",
)
def additional_wager_settled_early(op: Opportunity) -> Record | None:
    lost = side(op, "wager_collected", OVER)
    if not lost:
        return None
    move_before(op.chapter, lost[0], last_second_card(op.chapter))
    return lost[0]


@thirteen_breach(
    "additional-wager-settled-late",
    "round",
    blackjack="additional-wager-settled-before-a-third-card",
)
def additional_wager_settled_late(op: Opportunity) -> Record | None:
    lost = side(op, "wager_collected", OVER)
    card = third_card_after(op.chapter, lost[0]) if lost else None
    if card is None:
        return None
    move_behind(op.chapter, lost[0], card)
    return wager_of(op.chapter, lost[0])


@sevens_breach(
    "two-sevens-paid-early", "round", blackjack="two-sevens-paid-when-the-player-has-chosen"
)
def two_sevens_paid_early(op: Opportunity) -> Record | None:
    for paid in side(op, "wager_paid", SEVENS):
        chosen = op.chapter.first("decision", seat=paid["seat"])
        if paid["odds"] in ("50 to 1", "100 to 1") and chosen is not None:
            if chosen["kind"] == "split" or op.chapter.place(chosen) > op.chapter.place(paid):
                continue
            move_before(op.chapter, paid, chosen)
            return chosen
    return None


# ---- what is paid ------------------------------------------------------------------------------


@thirteen_breach("thirteen-overpaid", "round", blackjack="over-and-under-thirteen-paid-even")
def thirteen_overpaid(op: Opportunity) -> Record | None:
    won = side(op, "wager_paid", OVER)
    return pay_only(won[0], won[0]["stake"] * 2) if won else None


@suit_breach("same-suit-underpaid", "round", blackjack="same-suit-paid-by-its-pay-option")
def same_suit_underpaid(op: Opportunity) -> Record | None:
    won = side(op, "wager_paid", SUIT)
    return pay_only(won[0], won[0]["stake"]) if won else None


@suit_breach(
    "same-suit-with-five-decks",
    "round",
    blackjack="same-suit-only-with-a-printed-pay-option",
)
def same_suit_with_five_decks(op: Opportunity) -> Record | None:
    made, lost = side(op, "wager_placed", SUIT), side(op, "wager_collected", SUIT)
    if len(made) != 1 or len(lost) != 1:
        return None
    elected_for_a_round(op, decks="5")
    return made[0]
