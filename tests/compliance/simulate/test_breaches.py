"""Every breach is found by the rule that it names, at the event that it names, and by no other."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, partial
from itertools import accumulate, product
from typing import NamedTuple

import pytest

from compliance.simulate.blackjack.side_wagers.offers import OFFERS
from compliance.simulate.breaches import BREACHES, spoil
from compliance.simulate.night import TablePlan, play_night
from compliance.simulate.table import Chapter
from compliance.simulate.truth import Injected
from compliance.simulate.variants import SINCE
from tests.compliance.simulate.checking import (
    Found,
    as_events,
    bundled_rulebook,
    findings,
    table_plan,
)

GAMES = ("blackjack", "baccarat", "minibaccarat", "red_dog")
DAY = "2009-05-05"
"""A day on which nearly all rules of the simulated games are law."""
EARLIER_DAY = "2003-03-03"
"""A day on which those were law that no longer are."""
OTHER_DAYS = ("1995-03-03", "2011-12-03")
"""Days long before and long after, for the few rules that are law only then."""
NEARBY = 120
"""So many events lie at most between a breach and what follows from it: a wager may run on for a
round or two."""
MOST_NIGHTS = 80
MOST_NIGHTS_WITH_AN_OFFER = 40
MOST_NIGHTS_OF_A_VARIANT = 40
MOST_NIGHTS_WITH_ACCIDENTS = 40


class Night(NamedTuple):
    """A night with breaches, and what was found in it."""

    injected: list[Injected]
    first: list[Injected]
    """The first time of each; after the last of them the log breaks off."""
    found: list[Found]


@cache
def nights(game: str) -> list[Night]:
    """As many nights as it takes until every breach of the game has happened at least once."""
    missing = [name for name, breach in BREACHES.items() if game in breach.rules]
    kept = []
    for plan in tables(game):
        wanted = [
            name
            for name in missing
            if (BREACHES[name].offer or "") in (plan.offers or ("",))
            and BREACHES[name].variant == plan.variant
            and BREACHES[name].possible_on(plan.day)
            and bool(BREACHES[name].accident) == bool(plan.accidents)
        ]
        if not wanted:
            continue
        chapters = play_night(plan)
        injected = spoil(plan, chapters, wanted, rate=1.0)
        if injected:
            first = first_of_each(injected)
            part = shortened(chapters, max(map(number, first)))
            kept.append(Night(injected, first, findings(as_events(plan.place, part))))
            missing = [name for name in missing if name not in {i.breach for i in injected}]
        if not missing:
            break
    return kept


def tables(game: str) -> Iterator[TablePlan]:
    """The tables to look at: with and without side wagers, accidents, another way of playing."""
    plan = partial(table_plan, game, hours=5, offers=())
    yield from (plan(DAY, seed) for seed in range(MOST_NIGHTS))
    if game == "blackjack":
        for offer, seed in product(OFFERS, range(MOST_NIGHTS_WITH_AN_OFFER)):
            yield plan(DAY, seed, offers=(offer,))
        for variant, seed in product(SINCE, range(MOST_NIGHTS_OF_A_VARIANT)):
            yield plan(DAY, seed, variant=variant)
        for variant, seed in product(SINCE, range(MOST_NIGHTS_WITH_ACCIDENTS)):
            yield plan(DAY, seed, variant=variant, accidents=0.7)
    yield from (plan(EARLIER_DAY, seed) for seed in range(MOST_NIGHTS))
    for day, seed in product(OTHER_DAYS, range(MOST_NIGHTS)):
        yield plan(day, seed, hours=1)


def number(injected: Injected) -> int:
    return place_of(injected.event_id)


def place_of(event_id: str) -> int:
    return int(event_id.rsplit("-", 1)[1])


def first_of_each(injected: list[Injected]) -> list[Injected]:
    """The first time that each breach happened."""
    return list({item.breach: item for item in reversed(injected)}.values())


def shortened(chapters: list[Chapter], until: int) -> list[Chapter]:
    """A night until some chapters after an event, so that everything before is decided."""
    ends = accumulate(len(chapter.records) for chapter in chapters)
    last = next(place for place, end in enumerate(ends) if end >= until)
    return chapters[: last + 25]


CASES = [(game, name) for game in GAMES for name, b in BREACHES.items() if game in b.rules]


@pytest.mark.parametrize(("game", "name"), CASES)
def test_a_breach_is_found_by_its_rule_at_its_event(game: str, name: str) -> None:
    wanted = [(night, i) for night in nights(game) for i in night.first if i.breach == name]
    assert wanted, "the breach never found an occasion"
    for night, injected in wanted:
        assert Found(injected.rule, injected.event_id, "violated") in night.found


@pytest.mark.parametrize("game", GAMES)
def test_nothing_but_the_breaches_is_found(game: str) -> None:
    for night in nights(game):
        put_in = {(injected.rule, injected.event_id) for injected in night.injected}
        extra = [
            found
            for found in night.found
            if (found.rule, found.event_id) not in put_in and not follows(found, night.injected)
        ]
        # The log breaks off in the middle of the night: what is open there may still come right.
        assert [found for found in extra if found.verdict != "open"] == []


def follows(found: Found, injected: list[Injected]) -> bool:
    """Whether a breach nearby says that its act breaks this rule, too."""
    return any(
        found.rule in BREACHES[item.breach].also
        and abs(number(item) - place_of(found.event_id)) <= NEARBY
        for item in injected
    )


def test_every_breach_names_a_rule_of_the_rulebook() -> None:
    known = {rule.name for rule in bundled_rulebook().rules}
    assert {rule for b in BREACHES.values() for rule in (*b.rules.values(), *b.also)} <= known
