"""Ways in which a blackjack table may be set up, besides the usual shoe that is shuffled by hand
or by a machine: each known by its name, with the first day on which the law has room for it."""

from __future__ import annotations

from datetime import date
from random import Random
from typing import Final

USUAL: Final = "usual"
SINCE: Final[dict[str, date]] = {
    USUAL: date.min,
    "multiple_action": date(1993, 9, 20),
    "shared_boxes": date.min,
    "extra_odds": date(2006, 1, 17),
    "lively": date.min,
    "double_shoe": date(1982, 9, 15),
    "bart_carter": date(1982, 9, 15),
    "continuous_shuffler": date(1982, 9, 15),
    "burning_from_the_hand": date(2006, 1, 17),
}
"""Every way of playing, and from when on it may be chosen."""
SHARE_OF_TABLES: Final = 0.25


def choose_variant(day: date, random: Random) -> str:
    """The way in which a table is set up: mostly the usual one."""
    names = [name for name, since in SINCE.items() if name != USUAL and day >= since]
    return random.choice(names) if names and random.random() < SHARE_OF_TABLES else USUAL
