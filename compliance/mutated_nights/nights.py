"""The lawful nights that are spoilt: every game, every way of playing it, every side wager."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from itertools import product
from typing import Final

from compliance.simulate.blackjack.side_wagers.offers import OFFERS
from compliance.simulate.night import TablePlan
from compliance.simulate.table import Place
from compliance.simulate.variants import SINCE, USUAL

GAMES: Final = ("blackjack", "baccarat", "minibaccarat", "red_dog")
DAY: Final = date(2009, 5, 5)
"""A day on which nearly all rules of the simulated games are law."""
OTHER_DAYS: Final = tuple(map(date.fromisoformat, ("1985-06-01", "1999-01-10", "2003-03-03")))
"""Days on which those were law that no longer are."""
LATER_DAY: Final = date(2012, 3, 3)
_ROUNDS: Final = 12
_TROUBLE: Final = 0.9


def sampled_nights() -> Iterator[TablePlan]:
    """A few short nights of every game, in which most duties are done that are often done."""
    yield from (_night(game, 1) for game in GAMES)
    yield from (_night("blackjack", seed) for seed in (2, 3))
    yield _night("blackjack", 1, variant="lively", offers=("streak",))


def all_nights() -> list[TablePlan]:
    """As many nights as it takes; short ones first, because a duty is spoilt where it is met."""
    return list(dict.fromkeys((*sampled_nights(), *_short_nights(), *_long_nights())))


def _short_nights() -> Iterator[TablePlan]:
    """Every game, way of playing, side wager and law, for some rounds each."""
    yield from (_night(game, seed) for game, seed in product(GAMES, (2, 3, 4)))
    yield from (_night("blackjack", s, offers=(name,)) for name, s in product(OFFERS, (1, 2)))
    for variant in SINCE:
        yield _night("blackjack", 1, variant=variant)
        yield _night("blackjack", 2, variant=variant, accidents=_TROUBLE)
    yield from (_night("blackjack", s, rounds=30, accidents=_TROUBLE) for s in (4, 5, 6))
    for day, seed in product((*OTHER_DAYS, LATER_DAY), (1, 2, 4)):
        yield _night("blackjack", seed, day=day)
    yield from (_night(game, 1, day=LATER_DAY) for game in GAMES[1:])


def _long_nights() -> Iterator[TablePlan]:
    """Nights in which rare things happen: rules change, the table rests, cards run out."""
    for game, seed in product(GAMES[1:], (1, 2)):
        yield _night(game, seed, hours=4)
    yield from (_night("blackjack", seed, hours=3) for seed in range(6))
    yield from (_night("blackjack", seed, hours=6) for seed in (13, 24, 46))
    yield from (_night("blackjack", 1, hours=3, offers=(name,)) for name in OFFERS)
    yield _night("blackjack", 10, hours=6, offers=("same_suit",))
    yield _night("blackjack", 1, hours=6, offers=("twenty_point",))
    yield from (_night("blackjack", 1, hours=1.5, variant=variant) for variant in SINCE)
    yield _night("blackjack", 19, hours=1.5, variant="multiple_action")
    yield _night("blackjack", 3, hours=1, variant="lively")
    yield _night("blackjack", 1, hours=1.5, variant="lively", offers=("sevens",))
    yield from (_night("blackjack", seed, hours=1, accidents=_TROUBLE) for seed in (0, 2, 3))
    yield _night("blackjack", 0, hours=1, offers=("blackjack_bonus",), accidents=_TROUBLE)
    yield from (_night("blackjack", 4, day=day, hours=3) for day in OTHER_DAYS)


def _night(
    game: str,
    seed: int,
    *,
    day: date = DAY,
    rounds: int | None = _ROUNDS,
    hours: float | None = None,
    offers: tuple[str, ...] = (),
    variant: str = USUAL,
    accidents: float = 0.0,
) -> TablePlan:
    place = Place("AC", "PIT1", "T1", game)
    last = rounds if hours is None else None
    return TablePlan(place, day, seed, hours, last, offers, variant, accidents)
