"""Every breach is found by the rule that it names, at the event that it names, and by no other."""

from __future__ import annotations

from functools import cache
from itertools import accumulate
from typing import NamedTuple

import pytest

from compliance.simulate.breaches import BREACHES, spoil
from compliance.simulate.night import play_night
from compliance.simulate.table import Chapter
from compliance.simulate.truth import Injected
from tests.compliance.simulate.checking import (
    Found,
    as_events,
    bundled_rulebook,
    findings,
    table_plan,
)

GAMES = ("blackjack", "baccarat", "minibaccarat", "red_dog")
DAY = "2009-05-05"
"""A day on which all rules of the simulated games are law."""
MOST_NIGHTS = 80


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
    for seed in range(MOST_NIGHTS):
        plan = table_plan(game, DAY, seed, hours=5)
        chapters = play_night(plan)
        injected = spoil(plan, chapters, missing, rate=1.0)
        if injected:
            first = first_of_each(injected)
            part = shortened(chapters, max(map(number, first)))
            kept.append(Night(injected, first, findings(as_events(plan.place, part))))
            missing = [name for name in missing if name not in {i.breach for i in injected}]
        if not missing:
            break
    return kept


def number(injected: Injected) -> int:
    return int(injected.event_id.rsplit("-", 1)[1])


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
        extra = [found for found in night.found if (found.rule, found.event_id) not in put_in]
        # The log breaks off in the middle of the night: what is open there may still come right.
        assert [found for found in extra if found.verdict != "open"] == []


NOT_INJECTED = {
    # The simulated tables do not use the Bart Carter shuffle.
    "no-cutting-card-put-back-in-a-bart-carter-shuffle",
    # One table cannot break it: it would be found at every round of every table of the pit.
    "baccarat-one-pay-procedure-in-a-pit",
}


def test_every_rule_of_the_simulated_games_has_a_breach() -> None:
    sections = ("All tables", "Blackjack", "Baccarat", "Minibaccarat", "Red dog")
    broken = {rule for breach in BREACHES.values() for rule in breach.rules.values()}
    ours = {r.name for r in bundled_rulebook().rules if r.section.startswith(sections)}
    assert len(ours) > 100
    assert ours - broken - NOT_INJECTED == set()


def test_every_breach_names_a_rule_of_the_rulebook() -> None:
    known = {rule.name for rule in bundled_rulebook().rules}
    assert {rule for b in BREACHES.values() for rule in b.rules.values()} <= known
