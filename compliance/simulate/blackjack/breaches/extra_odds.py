"""Breaches at tables with better odds for some hands and double cards face down on request."""

from __future__ import annotations

from compliance.simulate.blackjack.set_ups.extra_odds import NAMED
from compliance.simulate.breach import Opportunity, breach, hand_at, plain_seats
from compliance.simulate.table import Chapter, Record

VARIANT = "extra_odds"


def _paid(chapter: Chapter, odds: str, cards: int) -> list[Record]:
    """Main wagers on so many cards that were paid at these odds."""
    seats = set(plain_seats(chapter))
    return [
        paid
        for paid in chapter.all("wager_paid", wager="blackjack", odds=odds)
        if paid["seat"] in seats and len(hand_at(chapter, paid["seat"]).cards) == cards
    ]


def _pay_even(paid: Record) -> Record:
    paid.update(amount=paid["stake"], odds="1 to 1")
    return paid


@breach(
    "suited-six-seven-eight-paid-even",
    "round",
    variant=VARIANT,
    since="2006-01-17",
    blackjack="suited-six-seven-eight-paid-two-to-one",
)
def suited_six_seven_eight_paid_even(op: Opportunity) -> Record | None:
    paid = _paid(op.chapter, "2 to 1", 3)
    return _pay_even(paid[0]) if paid else None


@breach(
    "three-sevens-paid-even",
    "round",
    variant=VARIANT,
    since="2006-01-17",
    blackjack="three-sevens-paid-three-to-two",
)
def three_sevens_paid_even(op: Opportunity) -> Record | None:
    paid = _paid(op.chapter, "3 to 2", 3)
    return _pay_even(paid[0]) if paid else None


@breach(
    "named-blackjack-paid-like-others",
    "round",
    variant=VARIANT,
    since="2006-01-17",
    blackjack="named-blackjack-paid-two-to-one",
)
def named_blackjack_paid_like_others(op: Opportunity) -> Record | None:
    for paid in _paid(op.chapter, "2 to 1", 2):
        if set(hand_at(op.chapter, paid["seat"]).cards) == NAMED:
            paid.update(amount=paid["stake"] * 3 // 2, odds="3 to 2")
            return paid
    return None


@breach(
    "closed-double-card-offered-too-late",
    "round",
    variant=VARIANT,
    since="2005-01-18",
    blackjack="closed-double-card-offered-to-all",
)
def closed_double_card_offered_too_late(op: Opportunity) -> Record | None:
    """The offer comes only after the player's first double."""
    for decision in op.chapter.all("decision", kind="double"):
        who = {"seat": decision["seat"], "player": decision["player"]}
        if decision is not op.chapter.first("decision", kind="double", **who):
            continue
        before = op.chapters[: op.at]
        if any(
            c.first("request_made", **who) or c.first("decision", kind="double", **who)
            for c in before
        ):
            continue
        for chapter in (*before, op.chapter):
            offer = chapter.first("choice_offered", kind="face_down_double", **who)
            if offer is not None:
                chapter.drop(offer)
                offer.update(ts=decision["ts"], round=decision["round"], dealer=decision["dealer"])
                op.chapter.records.insert(op.chapter.place(decision) + 1, offer)
                return decision
    return None
