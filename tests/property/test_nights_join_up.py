"""A log cut anywhere and checked night by night gives what the whole log gives, word for word."""

from __future__ import annotations

import os
from random import Random

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from compliance.columnar.plan import Plan
from compliance.columnar.rules import apply_rule
from compliance.columnar.scene import Table
from compliance.columnar.tail import hand_on
from compliance.columns import from_events
from compliance.options import ElectedOptions
from compliance.reference.rules import groups
from compliance.reference.scene import Circumstances, circumstances
from event_schemas import Event
from reports.model import Check
from rules_dsl import core
from tests.property.random_logs import SCHEMA, random_log
from tests.property.random_rulebook import rulebook
from tests.property.random_rules import RuleDrawer

LONG = int(os.environ.get("NIGHT_CASES", "20000"))


def in_nights(
    rule: core.Rule,
    surroundings: Circumstances,
    events: list[Event],
    cuts: list[int],
    everything: bool,
) -> list[Check]:
    """Every check as it stands after the last night, with only the tail handed on each time."""
    kept: list[Event] = []
    said: dict[str, Check] = {}
    pending: frozenset[str] = frozenset()
    for begin, end in zip([0, *cuts], [*cuts, len(events)], strict=True):
        night = [*kept, *events[begin:end]]
        if not night:
            continue
        around = in_one_night(surroundings, night)
        table = Table(from_events(SCHEMA, night), around, Plan(), fresh_from=len(kept))
        result = apply_rule(rule, table, everything=everything, pending=pending)
        # What is said later takes the place of what was said before.
        said = {name: check for name, check in said.items() if name not in pending}
        said |= {check.fingerprint: check for check in result.checks}
        tail = hand_on(table, [rule], {rule.name: result})
        pending = tail.pending.get(rule.name, frozenset())
        kept = [night[place] for place in tail.places]
    return list(said.values())


def in_one_night(surroundings: Circumstances, night: list[Event]) -> Circumstances:
    """The same circumstances, with the options that one night's events tell."""
    options = ElectedOptions(SCHEMA, night)
    return Circumstances(
        surroundings.rulebook, SCHEMA, options, surroundings.readings, surroundings.settings
    )


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
    everything = random.random() < 0.5
    surroundings = circumstances(rulebook(rule), SCHEMA, ElectedOptions(SCHEMA, events))
    whole: list[Check] = []
    joined: list[Check] = []
    for across in sorted({edition.slice.across for edition in rule.editions}):
        editions = tuple(e for e in rule.editions if e.slice.across == across)
        part = msgspec.structs.replace(rule, editions=editions)
        for group in groups(events, across):
            table = Table(from_events(SCHEMA, group), surroundings, Plan())
            whole += apply_rule(part, table, everything=everything).checks
            joined += in_nights(part, surroundings, group, nights(random, group), everything)
    # Of the excused checks only examples are shown, some of each night.
    shown = {check.fingerprint for check in whole} if everything else set()
    return (
        sorted((c for c in whole if everything or c.excused_by is None), key=_place),
        sorted((c for c in joined if c.fingerprint in shown or c.excused_by is None), key=_place),
    )


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
