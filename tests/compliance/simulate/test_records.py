"""Every simulated event fits the vocabulary and stands at its time and place."""

from __future__ import annotations

from datetime import timedelta

import pytest

from compliance.simulate.night import play_night
from compliance.simulate.times import clock_time, moment_of
from event_schemas import parse_date, parse_time
from tests.compliance.simulate.checking import as_events, table_plan

GAMES = ("blackjack", "baccarat", "minibaccarat", "red_dog")


@pytest.mark.parametrize("game", GAMES)
def test_every_event_fits_the_vocabulary(game: str) -> None:
    plan = table_plan(game, "2010-03-06", 5, hours=6)
    # Reading refuses a record that does not fit.
    assert len(as_events(plan.place, play_night(plan))) > 1000


@pytest.mark.parametrize("game", GAMES)
def test_time_never_goes_back(game: str) -> None:
    plan = table_plan(game, "2010-03-06", 5, hours=6)
    times = [event.ts for event in as_events(plan.place, play_night(plan))]
    assert times == sorted(times)


def test_a_blackjack_round_takes_about_a_minute() -> None:
    plan = table_plan("blackjack", "2010-03-06", 1, rounds=200)
    starts = [chapter.records[0]["ts"] for chapter in play_night(plan) if chapter.kind == "round"]
    average = timedelta(milliseconds=(starts[-1] - starts[0]) / len(starts))
    assert timedelta(seconds=30) < average < timedelta(seconds=90)


def test_clocks_change_in_the_night_of_the_change() -> None:
    before = moment_of(parse_date("2010-03-14"), 1, 59)
    assert clock_time(before) == "2010-03-14T01:59:00.000-05:00"
    assert clock_time(before + 60_000) == "2010-03-14T03:00:00.000-04:00"
    assert parse_time(clock_time(before)).utcoffset() == timedelta(hours=-5)
