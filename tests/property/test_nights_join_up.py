"""A log cut anywhere and checked night by night gives what the whole log gives."""

from __future__ import annotations

from random import Random

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from compliance.columnar.plan import Plan
from compliance.columnar.rules import apply_rule
from compliance.columnar.scene import Table
from compliance.columnar.tail import needed
from compliance.columns import from_events, group_by_table
from compliance.options import ElectedOptions
from compliance.reference.scene import Circumstances, circumstances
from event_schemas import Event
from reports.model import Check
from reports.verdicts import Verdict
from rules_dsl import core
from tests.property.random_logs import SCHEMA, random_log
from tests.property.random_rulebook import rulebook
from tests.property.random_rules import RuleDrawer


def in_nights(
    rule: core.Rule, surroundings: Circumstances, events: list[Event], cuts: list[int]
) -> list[Check]:
    """Every check as it stands after the last night, with only the tail handed on each time."""
    kept: list[Event] = []
    settled: list[Check] = []
    pending: dict[str, Check] = {}
    for begin, end in zip([0, *cuts], [*cuts, len(events)], strict=True):
        night = [*kept, *events[begin:end]]
        options = ElectedOptions(SCHEMA, night)
        around = Circumstances(
            surroundings.rulebook, SCHEMA, options, surroundings.readings, surroundings.settings
        )
        table = Table(from_events(SCHEMA, night), around, Plan(), fresh_from=len(kept))
        checks = apply_rule(rule, table, everything=True, pending=frozenset(pending)).checks
        settled += [check for check in checks if check.verdict is not Verdict.OPEN]
        pending = {c.fingerprint: c for c in checks if c.verdict is Verdict.OPEN}
        places = {event.id: place for place, event in enumerate(night)}
        waiting = [places[check.trigger.event_id] for check in pending.values()]
        kept = [night[place] for place in needed(table, [rule], {rule.name: waiting})]
    return settled + list(pending.values())


def compare(seed: int) -> tuple[list[tuple[str, str, str]], list[tuple[str, str, str]]]:
    random = Random(seed)
    # Where the log does not even settle when a run begins, later events can cloud what seemed sure.
    rule = RuleDrawer(random, intervals=("round", "shoe")).rule()
    editions = tuple(e for e in rule.editions if e.slice.across == "table")
    rule = core.Rule(rule.name, rule.title, rule.kind, rule.severity, "", editions, ())
    events = random_log(random, random.choice((3, 8, 15, 25)))
    surroundings = circumstances(rulebook(rule), SCHEMA, ElectedOptions(SCHEMA, events))
    whole: list[Check] = []
    joined: list[Check] = []
    for group in group_by_table(events).values():
        table = Table(from_events(SCHEMA, group), surroundings, Plan())
        whole += apply_rule(rule, table, everything=True).checks
        cuts = sorted(random.randrange(len(group) + 1) for _ in range(random.choice((1, 1, 2, 3))))
        joined += in_nights(rule, surroundings, group, cuts)

    # Evidence is what was known when a check was decided; the verdict is the same for ever.
    return sorted(map(_decided, whole)), sorted(map(_decided, joined))


def _decided(check: Check) -> tuple[str, str, str]:
    return check.trigger.event_id, check.fingerprint, check.verdict.value


@settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.integers(0, 2**48))
def test_a_cut_log_joins_up(seed: int) -> None:
    whole, joined = compare(seed)
    assert joined == whole
