"""The compiled engine says exactly what the reference says: verdicts, witnesses, sentences."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from event_schemas import Event
from reports.model import Check
from rules_dsl import core
from tests.property.both_engines import checks_of_engine, checks_of_reference, counts_of_engine
from tests.property.damaged_logs import damaged
from tests.property.decisive_rules import DecisiveRuleDrawer
from tests.property.random_logs import SCHEMA, random_log
from tests.property.random_rulebook import rulebook
from tests.property.random_rules import RuleDrawer
from tests.property.test_lost_records_never_accuse import asked_types, in_part

LONG = int(os.environ.get("ENGINE_CASES", "50000"))
Case = tuple[core.Rulebook, list[Event]]


def whole(seed: int) -> Case:
    """A random rule and a random log in which nothing is lost."""
    random = Random(seed)
    rule = RuleDrawer(random).rule()
    return rulebook(rule), random_log(random, random.choice((0, 1, 3, 8, 15, 25)))


def with_lost_records(seed: int) -> Case:
    """A random rule and a random log in which records are lost."""
    random = Random(seed)
    rule = random.choice((RuleDrawer, DecisiveRuleDrawer))(random).rule()
    often = asked_types(rule) * random.choice((0, 1, 3, 8))
    size = random.choice((1, 3, 8, 15, 25, 60))
    events = random_log(random, size, clock_goes_back=False, often=often)
    # A rule across tables is not judged where what it looks for is recorded in part.
    if random.random() < 0.2 and {edition.slice.across for edition in rule.editions} == {"table"}:
        return rulebook(rule), in_part(random, rule, events)
    return rulebook(rule), damaged(random, events)


def disagreement(case: Case) -> tuple[list[Check], list[Check]] | None:
    """The checks of the reference and of the engine, where they are not the same."""
    book, events = case
    slow, fast = checks_of_reference(book, SCHEMA, events), checks_of_engine(book, SCHEMA, events)
    if slow != fast or Counter(c.verdict for c in slow) != counts_of_engine(book, SCHEMA, events):
        return slow, fast
    return None


@settings(max_examples=400, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.integers(0, 2**48))
def test_both_engines_reach_the_same_checks(seed: int) -> None:
    assert disagreement(whole(seed)) is None


@settings(max_examples=400, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.integers(0, 2**48))
def test_both_engines_leave_the_same_in_doubt_where_records_are_lost(seed: int) -> None:
    assert disagreement(with_lost_records(seed)) is None


@pytest.mark.long
@pytest.mark.parametrize("draw", [whole, with_lost_records])
def test_both_engines_reach_the_same_checks_in_the_long_run(draw: Callable[[int], Case]) -> None:
    for seed in range(LONG):
        assert disagreement(draw(seed)) is None, f"seed {seed}"
