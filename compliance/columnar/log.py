"""Applies rules to a whole log of events with the fast engine, group by group."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from compliance.columnar.plan import Plan
from compliance.columnar.rules import RuleResult, apply_rule
from compliance.columnar.scene import Table
from compliance.columns import from_events
from compliance.reference.rules import groups
from compliance.reference.scene import Circumstances
from event_schemas import Event
from reports.model import Check
from rules_dsl import core


def apply_to_events(
    rule: core.Rule, circumstances: Circumstances, events: Sequence[Event]
) -> list[Check]:
    """Every check of one rule on a log, for comparison with the reference interpreter."""
    found: list[Check] = []
    for across in sorted({edition.slice.across for edition in rule.editions}):
        editions = tuple(e for e in rule.editions if e.slice.across == across)
        part = msgspec.structs.replace(rule, editions=editions)
        for group in groups(events, across):
            log = from_events(circumstances.schema, group)
            table = Table(log, circumstances, Plan(), interleaved=across != "table")
            result: RuleResult = apply_rule(part, table, everything=True)
            found += result.checks
    return found
