"""Breaches with side wagers that are raised after the first card of the round."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from compliance.simulate.blackjack.side_wagers.altered_rounds import side
from compliance.simulate.blackjack.side_wagers.offers import OFFERS
from compliance.simulate.breach import Opportunity, breach, copied
from compliance.simulate.table import Record

RULES: Final = {
    "same_suit": "additional-wager-before-the-first-card",
    "progressive": "progressive-wager-before-the-first-card",
    "blackjack_bonus": "blackjack-bonus-before-the-first-card",
    "streak": "streak-wager-before-the-first-card",
    "match_dealer": "match-wager-before-the-first-card",
    "twenty_point": "twenty-point-before-the-first-card",
    "optional_bonus": "optional-bonus-before-the-first-card",
}
"""By the offer of the table, the rule on when its wager is made."""
ALSO: Final = {
    "progressive": ("progressive-wager-of-one-dollar",),
    "blackjack_bonus": ("blackjack-bonus-wager-of-one-or-five-dollars",),
    "streak": ("running-streak-is-not-changed", "streak-settled-in-full"),
}
"""Rules that the larger wager breaks, too."""


def _raised_late(wager: str) -> Callable[[Opportunity], Record | None]:
    def raised_late(op: Opportunity) -> Record | None:
        made, first = side(op, "wager_placed", wager), op.chapter.first("card_dealt")
        if not made or first is None:
            return None
        more = copied(made[0])
        more.pop("medium", None)
        return op.chapter.insert(op.chapter.place(first) + 1, "wager_increased", **more)

    return raised_late


for offer, rule in RULES.items():
    kind = OFFERS[offer]
    name = f"{offer.replace('_', '-')}-raised-late"
    since, also = kind.since.isoformat(), ALSO.get(offer, ())
    late = breach(name, "round", since=since, offer=offer, also=also, blackjack=rule)
    late(_raised_late(kind.wager))
