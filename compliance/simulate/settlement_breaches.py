"""Breaches of the duty, which all games share, to settle a wager in full and no more."""

from __future__ import annotations

from compliance.simulate.breach import Opportunity, breach
from compliance.simulate.table import Record

SINCE = "1995-06-19"
PLAIN = ("blackjack", "player", "original")
"""Wagers that pay no commission and have no rule of their own about their amount."""


def _settled_once(op: Opportunity, type: str) -> Record | None:
    """The settlement of a wager that lies alone at its seat, with the rest of its round plain."""
    chapter = op.chapter
    if chapter.first("irregularity") or chapter.last("round_ended") is None:
        return None
    for record in chapter.all(type):
        if record.get("wager") not in PLAIN or chapter.all(
            "decision", seat=record["seat"], kind="surrender"
        ):
            continue
        same = {"seat": record["seat"], "wager": record["wager"]}
        if len(chapter.all("wager_placed", **same)) == 1 and not chapter.all(
            "wager_increased", **same
        ):
            return record
    return None


def _placed(op: Opportunity, settled: Record) -> Record | None:
    return op.chapter.first("wager_placed", seat=settled["seat"], wager=settled["wager"])


RULES = {
    "blackjack": "blackjack-wagers-settled-in-full",
    "baccarat": "baccarat-wagers-settled-in-full",
    "minibaccarat": "baccarat-wagers-settled-in-full",
    "red_dog": "red-dog-wagers-settled-in-full",
}


@breach("paid-on-half-the-wager", "round", since=SINCE, **RULES)
def paid_on_half_the_wager(op: Opportunity) -> Record | None:
    paid = _settled_once(op, "wager_paid")
    if paid is None or paid["stake"] % 200 or paid["amount"] % 200:
        return None
    paid.update(stake=paid["stake"] // 2, amount=paid["amount"] // 2)
    return _placed(op, paid)


@breach("more-taken-than-wagered", "round", since=SINCE, **RULES)
def more_taken_than_wagered(op: Opportunity) -> Record | None:
    lost = _settled_once(op, "wager_collected")
    if lost is None:
        return None
    lost["amount"] *= 5
    return _placed(op, lost)


@breach("part-of-insurance-taken", "round", blackjack="insurance-settled-in-full")
def part_of_insurance_taken(op: Opportunity) -> Record | None:
    lost = op.chapter.first("wager_collected", wager="insurance")
    if lost is None or len(op.chapter.all("insurance_placed", seat=lost["seat"])) != 1:
        return None
    lost["amount"] //= 2
    return op.chapter.first("insurance_placed", seat=lost["seat"])
