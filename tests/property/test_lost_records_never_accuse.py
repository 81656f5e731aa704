"""What is still decided on a damaged log is what the whole log shows."""

from __future__ import annotations

import os
from collections import Counter
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from compliance.judgement.circumstances import circumstances
from compliance.reference import apply_rule
from compliance.values.elected_options import ElectedOptions
from event_schemas import Event
from rules_dsl import core
from tests.property.damaged_logs import damaged, recorded_in_part
from tests.property.decisive_rules import DecisiveRuleDrawer
from tests.property.random_logs import SCHEMA, random_log
from tests.property.random_rulebook import rulebook
from tests.property.random_rules import RuleDrawer

LONG = int(os.environ.get("LOST_CASES", "50000"))
DECIDED = ("complied", "violated", "excused")
Verdicts = dict[tuple[str, tuple[tuple[str, str], ...]], str]


def verdicts(rule: core.Rule, events: list[Event]) -> Verdicts:
    around = circumstances(rulebook(rule), SCHEMA, ElectedOptions(SCHEMA, events))
    return {
        (check.trigger.event_id, tuple(sorted(check.slice.items()))): check.verdict.value
        for check in apply_rule(rule, around, events)
    }


def asked_types(part: object) -> tuple[str, ...]:
    """The types of event that a part of a rule looks for."""
    if isinstance(part, tuple):
        return tuple(name for item in part for name in asked_types(item))
    if not isinstance(part, core.Core):
        return ()
    if isinstance(part, core.OptionValue):
        return ("option_elected", "table_opened")
    own = part.types if isinstance(part, core.Pattern) else ()
    return own + asked_types(tuple(getattr(part, name) for name in part.__struct_fields__))


def in_part(random: Random, rule: core.Rule, events: list[Event]) -> list[Event]:
    """A log whose source does not always record one of the types that a rule looks for."""
    return recorded_in_part(random, events, {random.choice(asked_types(rule) or ("card_dealt",))})


def contradictions(seed: int, met: Counter[str] | None = None, *, part: bool = False) -> list[str]:
    """The verdicts on a damaged log, or on its beginning, that the whole log does not show; or, if
    it records some types in `part`, on such a log.

    Where the whole log is open, the lost record itself waits for what comes after the log.
    """
    random = Random(seed)
    rule = random.choice((RuleDrawer, DecisiveRuleDrawer, DecisiveRuleDrawer))(random).rule()
    size = random.choice((3, 8, 15, 25))
    often = asked_types(rule) * random.choice((1, 3, 8))
    events = random_log(random, size, clock_goes_back=False, often=often)
    events.sort(key=lambda event: (event.ts, event.table, event.seq))
    whole = verdicts(rule, events)
    found = []
    for _ in range(3):
        left = in_part(random, rule, events) if part else damaged(random, events)
        for length in {len(left), random.randrange(1, len(left) + 1)}:
            for key, verdict in verdicts(rule, left[:length]).items():
                if met is not None:
                    met[f"{verdict}, in the whole log {whole.get(key)}"] += 1
                if verdict in DECIDED and whole.get(key) not in (verdict, "open"):
                    found.append(f"{key}: {verdict}, in the whole log {whole.get(key)}")
    return found


@settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.integers(0, 2**48))
def test_what_is_decided_in_spite_of_lost_records_is_what_the_whole_log_shows(seed: int) -> None:
    assert contradictions(seed) == []


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.integers(0, 2**48))
def test_what_is_decided_where_a_type_is_recorded_in_part_is_what_the_whole_log_shows(
    seed: int,
) -> None:
    assert contradictions(seed, part=True) == []


@pytest.mark.long
def test_lost_records_never_accuse_in_the_long_run() -> None:
    met: Counter[str] = Counter()
    for seed in range(LONG):
        assert contradictions(seed, met) == [], f"seed {seed}"
    print(met)
