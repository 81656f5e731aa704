"""A night played by the law gives nothing to find, whatever the game, the date or the seed."""

from __future__ import annotations

import pytest

from compliance.options import ElectedOptions
from compliance.reference import apply_rule
from compliance.reference.scene import circumstances
from compliance.simulate.night import play_night
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
