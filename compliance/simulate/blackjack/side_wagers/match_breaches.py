"""Breaches with the match-the-dealer wager."""

from __future__ import annotations

from functools import partial

from compliance.simulate.blackjack.side_wagers.altered_rounds import (
    before_the_main_wager,
    first_wager_of_the_night,
    last_second_card,
    made_with,
    move_before,
    move_behind,
    pay,
    pay_only,
    settled,
    side,
    take,
    wager_of,
)
from compliance.simulate.breach import SETTLEMENTS, Opportunity, breach
from compliance.simulate.table import Record

MATCH = "match_dealer"
SINCE = "2004-07-19"
match_breach = partial(breach, since=SINCE, offer=MATCH)


@match_breach("match-wager-before-main", "round", blackjack="match-wager-beside-a-main-wager")
def match_wager_before_main(op: Opportunity) -> Record | None:
    return before_the_main_wager(op, MATCH)


@match_breach("match-wager-on-credit", "round", blackjack="match-wager-of-chips-plaques-or-coupons")
def match_wager_on_credit(op: Opportunity) -> Record | None:
    return made_with(op, MATCH, "credit")


@match_breach("match-limits-not-posted", "opening", blackjack="match-wager-limits-posted")
def match_limits_not_posted(op: Opportunity) -> Record | None:
    sign = op.chapter.first("notice_posted", wager=MATCH)
    if sign is not None:
        op.chapter.drop(sign)
    return first_wager_of_the_night(op, MATCH)


@match_breach("match-paid-without-a-match", "round", blackjack="match-wager-paid-only-on-a-match")
def match_paid_without_a_match(op: Opportunity) -> Record | None:
    lost = side(op, "wager_collected", MATCH)
    return pay(lost[-1], 3) if lost else None


@match_breach(
    "match-taken-with-a-match", "round", blackjack="match-wager-lost-only-without-a-match"
)
def match_taken_with_a_match(op: Opportunity) -> Record | None:
    won = side(op, "wager_paid", MATCH)
    return take(won[0]) if won else None


@match_breach("match-underpaid", "round", blackjack="match-wager-paid-for-each-card")
def match_underpaid(op: Opportunity) -> Record | None:
    won = side(op, "wager_paid", MATCH)
    return pay_only(won[0], won[0]["stake"]) if won else None


@match_breach(
    "match-settled-late", "round", blackjack="match-wagers-settled-after-the-second-cards"
)
def match_settled_late(op: Opportunity) -> Record | None:
    chapter, all_settled = op.chapter, settled(op, MATCH)
    if not all_settled:
        return None
    last = all_settled[-1]
    later = chapter.records[chapter.place(last) + 1 :]
    card = next((r for r in later if r["type"] in ("card_dealt", "hole_card_read")), None)
    if card is None:
        return None
    move_behind(chapter, last, card)
    return wager_of(chapter, last)


@match_breach("match-settled-early", "round", blackjack="match-wagers-not-settled-too-early")
def match_settled_early(op: Opportunity) -> Record | None:
    lost = side(op, "wager_collected", MATCH)
    if not lost:
        return None
    move_before(op.chapter, lost[0], last_second_card(op.chapter))
    return lost[0]


@match_breach("match-loser-after-winner", "round", blackjack="match-losers-before-winners")
def match_loser_after_winner(op: Opportunity) -> Record | None:
    lost, won = (side(op, type, MATCH) for type in (SETTLEMENTS[1], SETTLEMENTS[0]))
    if not lost or not won:
        return None
    move_behind(op.chapter, lost[-1], won[0])
    return lost[-1]
