"""The fast engine says exactly what the reference says: verdicts, witnesses, sentences."""

from __future__ import annotations

import os
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from compliance.columnar import contexts
from compliance.columnar.log import apply_to_events
from compliance.options import ElectedOptions
from compliance.reference import apply_rule
from compliance.reference.scene import circumstances
from reports.model import Check
from tests.property.random_logs import SCHEMA, random_log
from tests.property.random_rulebook import rulebook
from tests.property.random_rules import RuleDrawer

LONG = int(os.environ.get("ENGINE_CASES", "50000"))


def checks_of_both(seed: int) -> tuple[list[Check], list[Check]]:
    random = Random(seed)
    rule = RuleDrawer(random).rule()
    events = random_log(random, random.choice((0, 1, 3, 8, 15, 25)))
    surroundings = circumstances(rulebook(rule), SCHEMA, ElectedOptions(SCHEMA, events))

    def place(check: Check) -> tuple[str, list[tuple[str, str]]]:
        return check.trigger.event_id, sorted(check.slice.items())

    slow = sorted(apply_rule(rule, surroundings, events), key=place)
    fast = sorted(apply_to_events(rule, surroundings, events), key=place)
    return slow, fast


@settings(max_examples=400, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.integers(0, 2**48))
def test_both_engines_reach_the_same_checks(seed: int) -> None:
    slow, fast = checks_of_both(seed)
    assert fast == slow


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.integers(0, 2**48))
def test_they_do_however_few_pairs_of_events_are_looked_at_in_one_go(seed: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(contexts, "MAX_PAIRS", 3)
        slow, fast = checks_of_both(seed)
    assert fast == slow


def test_a_run_that_begins_only_with_what_comes_after_it_is_none_to_who_sees_it_alone() -> None:
    slow, fast = checks_of_both(14376)
    assert fast == slow


@pytest.mark.long
def test_both_engines_reach_the_same_checks_in_the_long_run() -> None:
    for seed in range(LONG):
        slow, fast = checks_of_both(seed)
        assert fast == slow, f"seed {seed}"
