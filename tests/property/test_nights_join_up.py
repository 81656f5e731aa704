"""A log cut anywhere and checked night by night gives what the whole log gives, word for word."""

from __future__ import annotations

import os
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from compliance.judgement.circumstances import circumstances
from compliance.values.elected_options import ElectedOptions
from event_schemas import Event
from reports.model import Check
from tests.engine_checks import EngineChecks, groups_of
from tests.property.random_logs import SCHEMA, random_log
from tests.property.random_rulebook import rulebook
from tests.property.random_rules import RuleDrawer

LONG = int(os.environ.get("NIGHT_CASES", "20000"))


def nights(random: Random, events: list[Event]) -> list[int]:
    """Where a log is cut: several times, perhaps twice at the same place (a night without events).

    A night begins no earlier than the one before it ended, also where a clock goes back in it.
    """
    possible = [
        place
        for place in range(len(events) + 1)
        if all(a.ts <= b.ts for a in events[:place] for b in events[place:])
    ]
    return sorted(random.choice(possible) for _ in range(random.choice((1, 1, 2, 3, 5))))


def compare(seed: int) -> tuple[list[Check], list[Check]]:
    random = Random(seed)
    rule = RuleDrawer(random).rule()
    events = random_log(random, random.choice((3, 8, 15, 25, 40)))
    surroundings = circumstances(rulebook(rule), SCHEMA, ElectedOptions(SCHEMA, events))
    engine = EngineChecks(rule, surroundings)
    whole: list[Check] = []
    joined: list[Check] = []
    for across, group in groups_of(rule, events):
        whole += engine.checks(group, across)
        joined += engine.in_nights(group, across, nights(random, group))
    return sorted(whole, key=_place), sorted(joined, key=_place)


def _place(check: Check) -> tuple[str, str]:
    return check.trigger.event_id, check.fingerprint


@settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.integers(0, 2**48))
def test_a_cut_log_joins_up(seed: int) -> None:
    whole, joined = compare(seed)
    assert joined == whole


@pytest.mark.long
def test_a_cut_log_joins_up_in_the_long_run() -> None:
    for seed in range(LONG):
        whole, joined = compare(seed)
        assert joined == whole, f"seed {seed}"
