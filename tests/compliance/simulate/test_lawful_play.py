"""A night played by the law gives nothing to find, whatever the game, the date or the seed."""

from __future__ import annotations

from datetime import date
from itertools import product
from random import Random

import pytest

from compliance.options import ElectedOptions
from compliance.reference import apply_rule
from compliance.reference.scene import circumstances
from compliance.simulate.elections import choose_blackjack_rules
from compliance.simulate.night import play_night
from compliance.simulate.side_wagers.offers import OFFERS, choose_offers
from reports.verdicts import Verdict
from tests.compliance.simulate.checking import (
    SCHEMA,
    as_events,
    bundled_rulebook,
    findings,
    table_plan,
)

DAYS = {
    "blackjack": (
        *("1985-06-01", "1991-11-04", "1993-12-06", "1996-05-20", "1999-01-10", "2001-01-01"),
        *("2005-03-03", "2006-01-17", "2006-06-19", "2007-01-02", "2010-06-06"),
    ),
    "baccarat": ("1992-02-03", "1995-06-19", "1995-08-07", "2010-06-06"),
    "minibaccarat": ("1992-02-03", "1993-12-20", "2010-06-06"),
    "red_dog": ("1991-11-04", "1996-05-20", "2010-06-06"),
}


@pytest.mark.parametrize(("game", "day"), [(game, d) for game, days in DAYS.items() for d in days])
def test_lawful_play_gives_nothing_to_find(game: str, day: str) -> None:
    plan = table_plan(game, day, int(day[:4]), rounds=50)
    assert findings(as_events(plan.place, play_night(plan))) == []


@pytest.mark.parametrize("game", DAYS)
def test_a_long_night_with_changes_and_rests_gives_nothing_to_find(game: str) -> None:
    plan = table_plan(game, "2010-06-06", 7, hours=6)
    assert findings(as_events(plan.place, play_night(plan))) == []


@pytest.mark.parametrize("offer", OFFERS)
def test_lawful_play_with_a_side_wager_gives_nothing_to_find(offer: str) -> None:
    plan = table_plan("blackjack", "2010-06-06", 5, rounds=60, offers=(offer,))
    assert findings(as_events(plan.place, play_night(plan))) == []


@pytest.mark.parametrize("offer", ["over_under_thirteen", "same_suit", "sevens", "progressive"])
def test_lawful_play_with_an_old_side_wager_gives_nothing_to_find(offer: str) -> None:
    plan = table_plan("blackjack", "1997-01-01", 6, rounds=60, offers=(offer,))
    assert findings(as_events(plan.place, play_night(plan))) == []


@pytest.mark.parametrize(
    "offers",
    [
        ("streak", "match_dealer"),
        ("blackjack_bonus", "same_suit"),
        ("twenty_point", "sevens"),
        ("optional_bonus", "over_under_thirteen"),
    ],
)
def test_lawful_play_with_two_side_wagers_gives_nothing_to_find(offers: tuple[str, ...]) -> None:
    plan = table_plan("blackjack", "2010-06-06", 5, rounds=60, offers=offers)
    assert findings(as_events(plan.place, play_night(plan))) == []


@pytest.mark.parametrize("day", ["1985-06-01", "1996-08-01", "2001-02-01", "2010-06-06"])
def test_a_table_offers_only_what_may_stand_together(day: str) -> None:
    for seed in range(200):
        random = Random(seed)
        rules = choose_blackjack_rules(date.fromisoformat(day), random)
        offers = choose_offers(rules, date.fromisoformat(day), random)
        for one, other in product(offers, offers):
            assert other not in OFFERS[one].excludes or one == other
        assert all(OFFERS[name].since <= date.fromisoformat(day) for name in offers)


@pytest.mark.parametrize("game", DAYS)
def test_the_reference_interpreter_finds_nothing_either(game: str) -> None:
    plan = table_plan(game, "2010-06-06", 3, rounds=3)
    events = as_events(plan.place, play_night(plan))
    rulebook = bundled_rulebook()
    surroundings = circumstances(rulebook, SCHEMA, ElectedOptions(SCHEMA, events))
    fine = (Verdict.COMPLIED, Verdict.EXCUSED)
    found = [
        (check.rule, check.trigger.event_id, check.verdict.value)
        for rule in rulebook.rules
        for check in apply_rule(rule, surroundings, events)
        if check.verdict not in fine
    ]
    assert found == []
