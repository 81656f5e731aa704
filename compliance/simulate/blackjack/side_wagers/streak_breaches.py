"""Breaches with the streak wager: made, won, lost and paid wrongly."""

from __future__ import annotations

from functools import partial

from compliance.simulate.blackjack.side_wagers.altered_rounds import (
    before_the_main_wager,
    beside_another_offer,
    made_with,
    pay,
    pay_only,
    side,
    take,
)
from compliance.simulate.blackjack.side_wagers.streak import ODDS
from compliance.simulate.breach import SETTLEMENTS, Opportunity, breach, copied
from compliance.simulate.table import Chapter, Record

STREAK = "streak"
streak_breach = partial(breach, since="2001-01-16", offer=STREAK)


def lost_streaks(chapter: Chapter) -> dict[int, list[Record]]:
    """The streaks that were taken in a round, by seat."""
    found: dict[int, list[Record]] = {}
    for record in chapter.all("wager_collected", wager=STREAK):
        found.setdefault(record["seat"], []).append(record)
    return found


def _running(op: Opportunity, seat: int) -> int:
    """How many streaks of a seat run when the chapter begins."""
    number = 0
    for chapter in op.chapters[: op.at]:
        number += len(chapter.all("wager_placed", wager=STREAK, seat=seat))
        for type in (*SETTLEMENTS, "wager_withdrawn"):
            number -= len(chapter.all(type, wager=STREAK, seat=seat))
    return number


def _made(op: Opportunity, settled: Record) -> Record | None:
    """Where a streak that is settled now was made, in this round or an earlier one."""
    where = {"wager": STREAK, "seat": settled["seat"], "area": settled["area"]}
    for chapter in reversed(op.chapters[: op.at + 1]):
        made = chapter.last("wager_placed", **where)
        if made is not None:
            return made
    return None


@streak_breach("streak-before-main", "round", blackjack="streak-wager-beside-a-main-wager")
def streak_before_main(op: Opportunity) -> Record | None:
    return before_the_main_wager(op, STREAK)


@streak_breach("streak-with-a-plaque", "round", blackjack="streak-wager-of-chips-on-a-spot")
def streak_with_a_plaque(op: Opportunity) -> Record | None:
    return made_with(op, STREAK, "plaque")


@streak_breach("streak-added", "round", blackjack="no-streak-wager-while-one-runs")
def streak_added(op: Opportunity) -> Record | None:
    """Beside a streak that is about to be lost another one is made, and taken back."""
    for seat, lost in lost_streaks(op.chapter).items():
        if op.chapter.first("wager_placed", wager=STREAK, seat=seat):
            continue
        main = op.chapter.first("wager_placed", wager="blackjack", seat=seat)
        free = [spot for spot in ODDS if spot not in {record["area"] for record in lost}]
        if main is None:
            continue
        added = copied(main, wager=STREAK, area=free[0], amount=500)
        place = op.chapter.place(main) + 1
        back = {n: v for n, v in added.items() if n != "medium"}
        op.chapter.insert(place, "wager_withdrawn", **back)
        return op.chapter.insert(place, "wager_placed", **added)
    return None


@streak_breach("lost-streak-paid", "round", blackjack="streak-paid-after-enough-wins")
def lost_streak_paid(op: Opportunity) -> Record | None:
    for lost in lost_streaks(op.chapter).values():
        if len(lost) == 1:
            return pay(lost[0], ODDS[lost[0]["area"]])
    return None


@streak_breach("won-streak-taken", "round", blackjack="streak-taken-only-when-lost")
def won_streak_taken(op: Opportunity) -> Record | None:
    won = side(op, "wager_paid", STREAK)
    return take(won[0]) if won else None


@streak_breach("lost-streak-left", "round", blackjack="decided-streak-is-settled")
def lost_streak_left(op: Opportunity) -> Record | None:
    """A lost streak lies there for another round, which is lost as well."""
    later = op.next_round
    if later is None:
        return None
    for seat, lost in lost_streaks(op.chapter).items():
        main = later.last("wager_collected", wager="blackjack", seat=seat)
        again = later.first("wager_placed", wager=STREAK, seat=seat)
        split = later.first("wager_placed", wager="split", seat=seat)
        if main is None or again or split or len(lost) != 1:
            continue
        if main["player"] != lost[0]["player"]:
            continue
        made = _made(op, lost[0])
        op.chapter.drop(lost[0])
        taken = copied(lost[0], round=main["round"], dealer=main["dealer"])
        later.insert(later.place(main) + 1, "wager_collected", **taken)
        return made
    return None


@streak_breach("streak-kept-while-sitting-out", "round", blackjack="streak-lost-by-sitting-out")
def streak_kept_while_sitting_out(op: Opportunity) -> Record | None:
    """A player whose hand would have tied sits the round out, and the streak stays."""
    chapter = op.chapter
    dealers = chapter.all("card_dealt", to="dealer")
    tied = chapter.all("wager_returned", wager="blackjack")
    for record in tied:
        seat = record["seat"]
        own = [r for r in chapter.records if r.get("seat") == seat]
        others = [r for r in chapter.all("wager_paid") if r["seat"] != seat]
        others += [r for r in chapter.all("wager_collected") if r["seat"] != seat]
        if any(r["type"] in ("wager_paid", "wager_collected") for r in own):
            continue
        if any(r.get("wager") == STREAK or r["type"] == "cutting_card_reached" for r in own):
            continue
        if not any(chapter.place(r) > chapter.place(dealers[-1]) for r in others):
            continue
        if _running(op, seat) < 1:
            continue
        for gone in own:
            chapter.drop(gone)
        return chapter.last("round_ended")
    return None


@streak_breach("streak-left-behind", "between", blackjack="streak-lost-by-leaving")
def streak_left_behind(op: Opportunity) -> Record | None:
    """Who leaves has the streak taken only when the next round has begun."""
    later = op.next_round
    left = op.chapter.first("player_left")
    if later is None or left is None:
        return None
    lost = op.chapter.all("wager_collected", wager=STREAK, seat=left["seat"])
    if not lost or later.first("wager_placed", seat=left["seat"]):
        return None
    started = later.records[0]
    for record in lost:
        op.chapter.drop(record)
        taken = copied(record, round=started["round"], dealer=started["dealer"])
        later.insert(1, "wager_collected", **taken)
    return left


@streak_breach("streak-underpaid", "round", blackjack="streak-pays-at-least")
def streak_underpaid(op: Opportunity) -> Record | None:
    won = side(op, "wager_paid", STREAK)
    return pay_only(won[0], won[0]["stake"]) if won else None


@streak_breach("streak-beside-another", "round", blackjack="streak-alone-on-its-table")
def streak_beside_another(op: Opportunity) -> Record | None:
    return beside_another_offer(op, "blackjack_bonus")
