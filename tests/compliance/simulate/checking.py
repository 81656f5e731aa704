"""Nights to test with, and what the bundled rulebook finds in them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from functools import cache
from pathlib import Path
from typing import NamedTuple

import msgspec

import rules_dsl.rulebook
from compliance.columnar.plan import Plan
from compliance.columnar.rules import apply_rule
from compliance.columnar.scene import Table
from compliance.columns import from_events
from compliance.options import ElectedOptions
from compliance.reference.rules import groups
from compliance.reference.scene import circumstances
from compliance.simulate.night import TablePlan
from compliance.simulate.table import Chapter, Place
from compliance.simulate.writing import log_records
from event_schemas import Event, builtin_schema, event_from_record
from reports.verdicts import Verdict
from rules_dsl import core

SCHEMA = builtin_schema()


class Found(NamedTuple):
    """One check that did not end well."""

    rule: str
    event_id: str
    verdict: str


@cache
def bundled_rulebook() -> core.Rulebook:
    """The law of New Jersey as the product brings it along."""
    folder = Path(rules_dsl.rulebook.__file__).parent / "rulebooks" / "nj"
    loaded = rules_dsl.rulebook.load([folder], SCHEMA)
    assert not loaded.errors
    return loaded.rulebook


@cache
def _plan() -> Plan:
    return Plan()


def table_plan(
    game: str, day: str, seed: int, *, hours: float | None = None, rounds: int | None = None
) -> TablePlan:
    """One table's night."""
    place = Place("AC", "PIT1", "T1", game)
    return TablePlan(place, date.fromisoformat(day), seed, hours, rounds)


def as_events(place: Place, chapters: Sequence[Chapter]) -> list[Event]:
    """The night as a log would be read: every record has to fit the vocabulary."""
    events = []
    for record in log_records(place, chapters):
        event = event_from_record(SCHEMA, record)
        assert isinstance(event, Event), (record, event)
        events.append(event)
    return events


def findings(events: Sequence[Event]) -> list[Found]:
    """What the bundled rulebook finds: everything that was neither kept nor excused."""
    rulebook = bundled_rulebook()
    surroundings = circumstances(rulebook, SCHEMA, ElectedOptions(SCHEMA, events))
    found = []
    for across in sorted({e.slice.across for rule in rulebook.rules for e in rule.editions}):
        for group in groups(events, across):
            table = Table(from_events(SCHEMA, group), surroundings, _plan())
            for rule in rulebook.rules:
                editions = tuple(e for e in rule.editions if e.slice.across == across)
                result = apply_rule(msgspec.structs.replace(rule, editions=editions), table)
                found += [
                    Found(rule.name, check.trigger.event_id, check.verdict.value)
                    for check in result.checks
                    if check.verdict not in (Verdict.COMPLIED, Verdict.EXCUSED)
                ]
    return found
