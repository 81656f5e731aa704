"""A night played by the law gives nothing to find, whatever the game, the date or the seed."""

from __future__ import annotations

from datetime import date
from itertools import product
from random import Random

import pytest

from compliance.judgement.circumstances import circumstances
from compliance.reference import apply_rule
from compliance.simulate.blackjack.side_wagers.offers import OFFERS, choose_offers, fit_rules
from compliance.simulate.elections import choose_blackjack_rules
from compliance.simulate.night import play_night
from compliance.simulate.variants import SINCE
from compliance.values.elected_options import ElectedOptions
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
        *("2012-03-03", "2020-02-02"),
    ),
    "baccarat": (
        "1992-02-03",
        "1995-06-19",
        "1995-08-07",
        "2010-06-06",
        "2012-03-03",
        "2020-02-02",
    ),
    "minibaccarat": ("1992-02-03", "1993-12-20", "2010-06-06", "2012-03-03", "2020-02-02"),
    "red_dog": ("1991-11-04", "1996-05-20", "2010-06-06", "2012-03-03", "2020-02-02"),
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


@pytest.mark.parametrize("variant", SINCE)
@pytest.mark.parametrize("day", ["1997-01-01", "2010-06-08"])
def test_lawful_play_at_a_table_set_up_in_another_way_gives_nothing_to_find(
    variant: str, day: str
) -> None:
    if date.fromisoformat(day) >= SINCE[variant]:
        plan = table_plan("blackjack", day, 8, rounds=40, offers=(), variant=variant)
        assert findings(as_events(plan.place, play_night(plan))) == []


MISHAPS = {"irregularity", "card_found_face_up", "device_malfunction"}


@pytest.mark.parametrize(
    "day", ["1985-06-01", "1994-01-01", "2005-03-03", "2010-06-08", "2020-02-02"]
)
def test_accidents_that_are_mended_as_the_law_says_give_nothing_to_find(day: str) -> None:
    plan = table_plan("blackjack", day, 6, rounds=50, offers=(), accidents=0.5)
    events = as_events(plan.place, play_night(plan))
    assert MISHAPS & {event.type for event in events}
    assert findings(events) == []


@pytest.mark.parametrize("offer", ["progressive", "blackjack_bonus"])
def test_devices_of_a_side_wager_that_fail_give_nothing_to_find(offer: str) -> None:
    plan = table_plan("blackjack", "2010-06-08", 1, rounds=60, offers=(offer,), accidents=0.9)
    events = as_events(plan.place, play_night(plan))
    assert "device_malfunction" in {event.type for event in events}
    assert findings(events) == []


def test_accidents_come_from_a_stream_of_chance_of_their_own() -> None:
    """Where accidents could happen and do not, the night is the one without them."""
    without, with_few = (
        play_night(table_plan("blackjack", "2010-06-08", 2, rounds=20, offers=(), accidents=rate))
        for rate in (0.0, 1e-9)
    )
    for one, other in zip(without, with_few, strict=True):
        assert [(r["type"], r["ts"]) for r in one.records] == [
            (r["type"], r["ts"]) for r in other.records
        ]


@pytest.mark.parametrize("day", ["1985-06-01", "1996-08-01", "2001-02-01", "2010-06-06"])
def test_a_table_offers_only_what_may_stand_together(day: str) -> None:
    for seed in range(200):
        random = Random(seed)
        rules = choose_blackjack_rules(date.fromisoformat(day), random)
        offers = choose_offers(rules, date.fromisoformat(day), random)
        for one, other in product(offers, offers):
            assert other not in OFFERS[one].excludes or one == other
        assert all(OFFERS[name].since <= date.fromisoformat(day) for name in offers)


@pytest.mark.parametrize("offer", OFFERS)
def test_a_table_has_as_many_decks_as_its_side_wager_needs(offer: str) -> None:
    for seed in range(100):
        rules = choose_blackjack_rules(date(2010, 6, 6), Random(seed))
        fit_rules(rules, (offer,))
        assert rules.decks in OFFERS[offer].decks


def test_cards_that_are_used_up_before_a_rest_are_gathered_first() -> None:
    plan = table_plan("blackjack", "2009-05-05", 142, hours=2.5, offers=())
    chapters = play_night(plan)
    kinds = [chapter.kind for chapter in chapters]
    last = chapters[kinds.index("rest") - 2]
    assert last.first("cutting_card_reached")
    assert findings(as_events(plan.place, chapters)) == []


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
