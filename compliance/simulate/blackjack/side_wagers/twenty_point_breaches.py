"""Breaches with the twenty point bonus wager and its cap."""

from __future__ import annotations

from functools import partial

from compliance.simulate.blackjack.side_wagers.altered_rounds import (
    before_the_main_wager,
    beside_another_offer,
    call_too_early,
    cents,
    elected_for_a_round,
    first_wager_of_the_night,
    made_with,
    move_behind,
    out_of_turn,
    pay,
    pay_only,
    settled,
    side,
    take,
    third_card_after,
    wager_of,
)
from compliance.simulate.blackjack.side_wagers.twenty_point import QUEENS
from compliance.simulate.breach import Opportunity, breach, copied, hand_at
from compliance.simulate.table import Record

TWENTY = "twenty_point"
CAP = "twenty_point_cap"
SMALL_CAP = "$20000.00"
twenty_breach = partial(breach, since="2006-06-05", offer=TWENTY)


def _has_queens(op: Opportunity, record: Record) -> bool:
    return tuple(hand_at(op.chapter, record["seat"]).cards[:2]) == QUEENS


def _queens_that_waited(op: Opportunity) -> Record | None:
    """A payment of the queens that a floorperson watched."""
    for paid in side(op, "wager_paid", TWENTY):
        if op.chapter.first("supervisor_confirmed", seat=paid["seat"]):
            return paid
    return None


def _without_queens(op: Opportunity, type: str) -> Record | None:
    found = [record for record in side(op, type, TWENTY) if not _has_queens(op, record)]
    return found[-1] if found else None


@twenty_breach("twenty-point-before-main", "round", blackjack="twenty-point-beside-a-main-wager")
def twenty_point_before_main(op: Opportunity) -> Record | None:
    return before_the_main_wager(op, TWENTY)


@twenty_breach(
    "twenty-point-on-credit", "round", blackjack="twenty-point-of-chips-plaques-or-coupons"
)
def twenty_point_on_credit(op: Opportunity) -> Record | None:
    return made_with(op, TWENTY, "credit")


@twenty_breach("twenty-point-limits-not-posted", "opening", blackjack="twenty-point-limits-posted")
def twenty_point_limits_not_posted(op: Opportunity) -> Record | None:
    # With a cap another rule, too, would ask for the smallest wager.
    if CAP in op.options:
        return None
    for sign in op.chapter.all("notice_posted", wager=TWENTY):
        del sign["minimum"], sign["maximum"]
    return first_wager_of_the_night(op, TWENTY)


@twenty_breach("another-pay-table-posted", "opening", blackjack="twenty-point-pay-table-posted")
def another_pay_table_posted(op: Opportunity) -> Record | None:
    sign = op.chapter.first("notice_posted", subject="twenty_point_pay_table")
    if sign is None:
        return None
    sign["value"] = {"a": "b", "b": "a"}[sign["value"]]
    return first_wager_of_the_night(op, TWENTY)


@twenty_breach("twenty-point-after-the-call", "round", blackjack="twenty-point-no-more-bets")
def twenty_point_after_the_call(op: Opportunity) -> Record | None:
    return call_too_early(op, TWENTY)


@twenty_breach(
    "twenty-point-paid-to-a-loser", "round", blackjack="twenty-point-paid-only-on-twenty"
)
def twenty_point_paid_to_a_loser(op: Opportunity) -> Record | None:
    lost = side(op, "wager_collected", TWENTY)
    return pay(lost[0], 200) if lost else None


@twenty_breach(
    "twenty-point-taken-from-a-winner",
    "round",
    blackjack="twenty-point-lost-only-without-twenty",
)
def twenty_point_taken_from_a_winner(op: Opportunity) -> Record | None:
    won = _without_queens(op, "wager_paid")
    return take(won) if won else None


@twenty_breach(
    "twenty-point-settled-late", "round", blackjack="twenty-point-settled-before-more-cards"
)
def twenty_point_settled_late(op: Opportunity) -> Record | None:
    all_settled = settled(op, TWENTY)
    if not all_settled or any(_has_queens(op, record) for record in all_settled):
        return None
    card = third_card_after(op.chapter, all_settled[-1])
    if card is None:
        return None
    move_behind(op.chapter, all_settled[-1], card)
    return wager_of(op.chapter, all_settled[-1])


@twenty_breach(
    "twenty-point-out-of-turn", "round", blackjack="twenty-point-settled-counterclockwise"
)
def twenty_point_out_of_turn(op: Opportunity) -> Record | None:
    if any(_has_queens(op, record) for record in settled(op, TWENTY)):
        return None
    return out_of_turn(op, TWENTY)


@twenty_breach("queens-not-last", "round", blackjack="queens-of-hearts-settled-last")
def queens_not_last(op: Opportunity) -> Record | None:
    queens = _queens_that_waited(op)
    others = [r for r in settled(op, TWENTY) if not _has_queens(op, r)]
    if queens is None or not others or others[-1]["seat"] > queens["seat"]:
        return None
    # Where no card reader was used the queens come after all cards, too late for the others.
    if op.chapter.first("hole_card_read") is None:
        return None
    between = op.chapter.records[op.chapter.place(others[-1]) : op.chapter.place(queens)]
    if any(r["type"] == "card_dealt" and r["to"] == "player" for r in between):
        return None
    move_behind(op.chapter, others[-1], queens)
    return others[-1]


@twenty_breach(
    "queens-without-floorperson", "round", blackjack="queens-of-hearts-paid-before-a-floorperson"
)
def queens_without_floorperson(op: Opportunity) -> Record | None:
    queens = _queens_that_waited(op)
    if queens is None or len(op.chapter.all("supervisor_confirmed")) > 1:
        return None
    confirmed = op.chapter.first("supervisor_confirmed", seat=queens["seat"])
    if confirmed is not None:
        op.chapter.drop(confirmed)
    return queens


@twenty_breach(
    "queens-paid-after-more-cards", "round", blackjack="queens-of-hearts-paid-after-the-reader"
)
def queens_paid_after_more_cards(op: Opportunity) -> Record | None:
    queens = _queens_that_waited(op)
    if queens is None or op.chapter.first("hole_card_read", result="no_blackjack") is None:
        return None
    card = third_card_after(op.chapter, queens)
    if card is None:
        return None
    move_behind(op.chapter, queens, card)
    return wager_of(op.chapter, queens)


@twenty_breach(
    "queens-paid-too-early", "round", blackjack="queens-of-hearts-paid-with-the-main-wager"
)
def queens_paid_too_early(op: Opportunity) -> Record | None:
    chapter, queens = op.chapter, _queens_that_waited(op)
    call = chapter.first("announcement", phrase="dealers_card")
    if queens is None or call is None or len(chapter.all("supervisor_confirmed")) > 1:
        return None
    for record in (
        chapter.first("supervisor_called"),
        chapter.first("supervisor_confirmed"),
        queens,
    ):
        if record is not None:
            chapter.move(record, chapter.place(call))
    return queens


@twenty_breach("twenty-point-paid-twice", "round", blackjack="twenty-point-paid-once")
def twenty_point_paid_twice(op: Opportunity) -> Record | None:
    won = _without_queens(op, "wager_paid")
    if won is None:
        return None
    return op.chapter.insert(op.chapter.place(won) + 1, "wager_paid", **copied(won))


@twenty_breach("twenty-point-underpaid", "round", blackjack="twenty-point-pays-at-least")
def twenty_point_underpaid(op: Opportunity) -> Record | None:
    won = _without_queens(op, "wager_paid")
    return pay_only(won, won["stake"] * 3) if won else None


@twenty_breach("top-line-underpaid", "round", blackjack="queens-of-hearts-with-dealer-blackjack")
def top_line_underpaid(op: Opportunity) -> Record | None:
    queens = _queens_that_waited(op)
    if queens is None or queens["amount"] <= 200 * queens["stake"]:
        return None
    return pay_only(queens, 200 * queens["stake"])


@twenty_breach("cap-too-low", "round", blackjack="twenty-point-cap-large-enough")
def cap_too_low(op: Opportunity) -> Record | None:
    started = op.chapter.first("round_started")
    if CAP not in op.options or _queens_that_waited(op):
        return None
    layout = "twenty_point_cap_on_layout"
    if not op.has(layout):
        return None
    elected_for_a_round(op, **{CAP: SMALL_CAP})
    return started


@twenty_breach("cap-not-posted", "opening", blackjack="twenty-point-cap-posted")
def cap_not_posted(op: Opportunity) -> Record | None:
    sign = op.chapter.first("notice_posted", subject=CAP)
    if sign is None:
        return None
    op.chapter.drop(sign)
    return first_wager_of_the_night(op, TWENTY)


@twenty_breach("cap-lowered-untold", "between", blackjack="twenty-point-cap-lowered-after-notice")
def cap_lowered_untold(op: Opportunity) -> Record | None:
    elected = op.chapter.first("option_elected", option_name=CAP)
    changed = op.chapter.first("rule_changed", subject=CAP)
    if elected is None or changed is None or op.has("twenty_point_cap_on_layout"):
        return None
    if cents(changed["new_value"]) > cents(changed["old_value"]):
        return None
    for chapter in op.chapters[: op.at + 1]:
        for told in chapter.all("patrons_told", subject=CAP):
            chapter.drop(told)
    op.chapter.drop(changed)
    return elected


@twenty_breach("twenty-point-beside-another", "round", blackjack="twenty-point-alone-on-its-table")
def twenty_point_beside_another(op: Opportunity) -> Record | None:
    return beside_another_offer(op, "blackjack_bonus")
