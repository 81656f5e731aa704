"""Applies rules to a whole log of events with the fast engine, group by group."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from compliance.columnar.plan import Plan
from compliance.columnar.rules import apply_rule
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
    for part, table in groups_of_tables(rule, circumstances, events):
        found += apply_rule(part, table, everything=True).checks
    return found


def groups_of_tables(
    rule: core.Rule, circumstances: Circumstances, events: Sequence[Event]
) -> Iterator[tuple[core.Rule, Table]]:
    """What a rule is applied to in one go: a table, or the tables of a pit or casino."""
    for across in sorted({edition.slice.across for edition in rule.editions}):
        editions = tuple(e for e in rule.editions if e.slice.across == across)
        part = msgspec.structs.replace(rule, editions=editions)
        for group in groups(events, across):
            log = from_events(circumstances.schema, group)
            yield part, Table(log, circumstances, Plan(), interleaved=across != "table")
