"""Nights to test with, and what the bundled rulebook finds in them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from functools import cache
from pathlib import Path
from typing import NamedTuple

import msgspec

import rules_dsl.rulebook
from compliance.columnar.plan import Plan
from compliance.columnar.rules import RuleResult, apply_rule
from compliance.columnar.scene import Table
from compliance.columns import from_events
from compliance.options import ElectedOptions
from compliance.reference.rules import groups
from compliance.reference.scene import circumstances
from compliance.simulate.blackjack.variants import USUAL
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
    game: str,
    day: str,
    seed: int,
    *,
    hours: float | None = None,
    rounds: int | None = None,
    offers: tuple[str, ...] | None = None,
    variant: str = USUAL,
    accidents: float = 0.0,
) -> TablePlan:
    """One table's night."""
    place = Place("AC", "PIT1", "T1", game)
    when = date.fromisoformat(day)
    return TablePlan(place, when, seed, hours, rounds, offers, variant, accidents)


def as_events(place: Place, chapters: Sequence[Chapter]) -> list[Event]:
    """The night as a log would be read: every record has to fit the vocabulary."""
    events = []
    for record in log_records(place, chapters):
        event = event_from_record(SCHEMA, record)
        assert isinstance(event, Event), (record, event)
        events.append(event)
    return events


KEPT = (Verdict.COMPLIED, Verdict.EXCUSED)


def _results(events: Sequence[Event]) -> Iterator[tuple[str, RuleResult]]:
    """What the bundled rulebook says, rule by rule."""
    rulebook = bundled_rulebook()
    surroundings = circumstances(rulebook, SCHEMA, ElectedOptions(SCHEMA, events))
    for across in sorted({e.slice.across for rule in rulebook.rules for e in rule.editions}):
        for group in groups(events, across):
            table = Table(from_events(SCHEMA, group), surroundings, _plan())
            for rule in rulebook.rules:
                editions = tuple(e for e in rule.editions if e.slice.across == across)
                yield rule.name, apply_rule(msgspec.structs.replace(rule, editions=editions), table)


def findings(events: Sequence[Event]) -> list[Found]:
    """What the bundled rulebook finds: everything that was neither kept nor excused."""
    return [
        Found(rule, check.trigger.event_id, check.verdict.value)
        for rule, result in _results(events)
        for check in result.checks
        if check.verdict not in KEPT
    ]


def kept_rules(events: Sequence[Event]) -> set[str]:
    """The rules that applied somewhere in the log and were kept there."""
    return {
        rule for rule, result in _results(events) if any(result.counts[verdict] for verdict in KEPT)
    }
