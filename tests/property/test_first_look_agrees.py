"""The first look in compiled code changes nothing that is found: only how fast."""

from __future__ import annotations

import os
from collections import Counter
from dataclasses import replace
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from compliance.columnar.log import groups_of_tables
from compliance.columnar.rules import RuleResult, apply_rule
from compliance.columnar.scene import Table
from compliance.options import ElectedOptions
from compliance.reference.scene import circumstances
from event_schemas import Event
from reports.verdicts import Verdict
from rules_dsl import core
from tests.compliance.first_look.compiled import compiled_only
from tests.property.random_logs import SCHEMA, random_log
from tests.property.random_rulebook import rulebook
from tests.property.random_rules import RuleDrawer

LONG = int(os.environ.get("ENGINE_CASES", "50000"))

pytestmark = compiled_only


def _results(rule: core.Rule, events: list[Event], quick: bool) -> list[RuleResult]:
    surroundings = circumstances(rulebook(rule), SCHEMA, ElectedOptions(SCHEMA, events))
    return [
        result
        for part, table in groups_of_tables(rule, surroundings, events)
        for result in (
            apply_rule(part, replace(table, quick=quick)),
            _without_pending(part, replace(table, quick=quick, goes_on=False, memo={})),
        )
    ]


def _without_pending(rule: core.Rule, table: Table) -> RuleResult:
    """Where no log goes on from this one, nobody asks what may still change."""
    return replace(apply_rule(rule, table), pending={})


def results(seed: int) -> tuple[list[RuleResult], list[RuleResult]]:
    """What is found with a first look, and without."""
    random = Random(seed)
    rule = RuleDrawer(random).rule()
    events = random_log(random, random.choice((1, 3, 8, 15, 25, 60, 60, 150)))
    return _results(rule, events, True), _results(rule, events, False)


@settings(max_examples=600, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.integers(0, 2**48))
def test_a_first_look_changes_no_count_and_no_finding(seed: int) -> None:
    quick, thorough = results(seed)
    assert quick == thorough


@pytest.mark.parametrize("seed", [314, 768, 1916])
def test_triggers_that_say_no_key_and_lie_outside_an_edition_are_left_out(seed: int) -> None:
    quick, thorough = results(seed)
    assert quick == thorough


def test_a_run_that_is_still_to_come_has_bounds() -> None:
    quick, thorough = results(10197)
    assert quick == thorough


@pytest.mark.long
def test_a_first_look_changes_nothing_in_the_long_run() -> None:
    total: Counter[Verdict] = Counter()
    for seed in range(LONG):
        quick, thorough = results(seed)
        assert quick == thorough, f"seed {seed}"
        for result in quick:
            total.update(result.counts)
    print(total)
