"""What comes later never changes a verdict, unless it was open."""

from __future__ import annotations

import os
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from compliance.judgement.circumstances import circumstances
from compliance.reference import apply_rule
from compliance.values.elected_options import ElectedOptions
from event_schemas import Event
from rules_dsl import core
from tests.property.random_logs import SCHEMA, random_log
from tests.property.random_rulebook import rulebook
from tests.property.random_rules import RuleDrawer

LONG = int(os.environ.get("VERDICT_CASES", "20000"))
Verdicts = dict[tuple[str, tuple[tuple[str, str], ...]], str]


def verdicts(rule: core.Rule, events: list[Event]) -> Verdicts:
    around = circumstances(rulebook(rule), SCHEMA, ElectedOptions(SCHEMA, events))
    return {
        (check.trigger.event_id, tuple(sorted(check.slice.items()))): check.verdict.value
        for check in apply_rule(rule, around, events)
    }


def taken_back(seed: int) -> list[str]:
    """The verdicts on the beginning of a log that do not stand on all of it."""
    random = Random(seed)
    rule = RuleDrawer(random).rule()
    # A clock that goes back brings events into a time that was over.
    events = random_log(random, random.choice((3, 8, 15)), clock_goes_back=False)
    # Across tables events stand in the order of time, and those of one moment by table.
    events.sort(key=lambda event: (event.ts, event.table, event.seq))
    whole = verdicts(rule, events)
    found = []
    for length in sorted(random.sample(range(1, len(events)), min(3, len(events) - 1))):
        for key, verdict in verdicts(rule, events[:length]).items():
            if verdict not in ("open", whole.get(key)):
                found.append(f"{key} after {length}: {verdict}, in the end {whole.get(key)}")
        early = verdicts(rule, events[:length])
        seen = {event.id for event in events[:length]}
        for key in whole:
            if key[0] in seen and key not in early:
                found.append(f"{key} after {length}: no check, in the end {whole[key]}")
    return found


@settings(max_examples=200, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.integers(0, 2**48))
def test_more_of_a_log_never_takes_back_a_verdict(seed: int) -> None:
    assert taken_back(seed) == []


@pytest.mark.long
def test_more_of_a_log_never_takes_back_a_verdict_in_the_long_run() -> None:
    for seed in range(LONG):
        assert taken_back(seed) == [], f"seed {seed}"
