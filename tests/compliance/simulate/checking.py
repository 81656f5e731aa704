"""Nights to test with, and what the bundled rulebook finds in them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from functools import cache
from pathlib import Path
from typing import NamedTuple

import rules_dsl.rulebook
from compliance.engine.bindings import PlanBindings
from compliance.engine.judging import JudgedLog, Question
from compliance.engine.shown_checks import VERDICTS, ShownChecks
from compliance.judgement.circumstances import Circumstances, circumstances
from compliance.plan.builder import build_plan
from compliance.plan.plan import Plan
from compliance.reference.groups import groups
from compliance.simulate.night import TablePlan
from compliance.simulate.table import Chapter, Place
from compliance.simulate.variants import USUAL
from compliance.simulate.writing import log_records
from compliance.values.elected_options import ElectedOptions
from event_schemas import Event, builtin_schema, event_from_record
from reports.model import Check
from reports.verdicts import Verdict
from rules_dsl import core
from tests.columns_of_events import from_events

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
    return build_plan(bundled_rulebook(), SCHEMA)


@cache
def _bindings() -> PlanBindings:
    return PlanBindings(_plan(), _surroundings(ElectedOptions(SCHEMA)))


def _surroundings(options: ElectedOptions) -> Circumstances:
    """With the proposed rules, so that they are tried as well."""
    proposed = bundled_rulebook().profiles["proposed_rules"].choices
    return circumstances(bundled_rulebook(), SCHEMA, options, proposed)


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


class RuleResult(NamedTuple):
    """What a log shows about one edition of a rule."""

    rule: str
    counts: dict[Verdict, int]
    checks: list[Check]


def _results(events: Sequence[Event]) -> Iterator[RuleResult]:
    """What the bundled rulebook says, edition by edition; of checks, all that were not kept."""
    rulebook, plan = bundled_rulebook(), _plan()
    surroundings = _surroundings(ElectedOptions(SCHEMA, events))
    for across in sorted({edition.across for edition in plan.editions}):
        editions = [n for n, edition in enumerate(plan.editions) if edition.across == across]
        for group in groups(events, across):
            log = from_events(SCHEMA, group)
            judged = JudgedLog(_bindings(), log, surroundings, editions)
            answer = judged.judge(Question(all_undecided=True))
            shown = ShownChecks(plan, log, surroundings)
            checks: dict[int, list[Check]] = {}
            for written in answer.checks:
                planned = plan.editions[editions[written.edition]]
                check = shown.check(planned, written).written()
                checks.setdefault(written.edition, []).append(check)
            for place, numbers in enumerate(answer.counts.tolist()):
                counts = dict(zip(VERDICTS, numbers[: len(VERDICTS)], strict=True))
                name = rulebook.rules[plan.editions[editions[place]].rule].name
                yield RuleResult(name, counts, checks.get(place, []))


def findings(events: Sequence[Event]) -> list[Found]:
    """What the bundled rulebook finds: everything that was neither kept nor excused."""
    return [
        Found(result.rule, check.trigger.event_id, check.verdict.value)
        for result in _results(events)
        for check in result.checks
        if check.verdict not in KEPT
    ]


def kept_rules(events: Sequence[Event]) -> set[str]:
    """The rules that applied somewhere in the log and were kept there."""
    return {
        result.rule
        for result in _results(events)
        if any(result.counts[verdict] for verdict in KEPT)
    }
