"""On whole nights of play the first look changes nothing but the time it takes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from random import Random

import pytest

from compliance.columnar.plan import Plan
from compliance.columnar.rules import RuleResult, apply_rule
from compliance.columnar.scene import Table
from compliance.columns import from_events
from compliance.first_look import tables
from compliance.options import ElectedOptions
from compliance.reference.scene import circumstances
from compliance.simulate.night import play_night
from event_schemas import Event
from reports.verdicts import Verdict
from rules_dsl import core
from tests.benchmarks.copies import copies_of_the_eight
from tests.compliance.first_look.compiled import compiled_only
from tests.compliance.simulate.checking import SCHEMA, as_events, bundled_rulebook, table_plan

pytestmark = compiled_only

NIGHTS = [
    ("blackjack", "2010-03-06"),
    ("blackjack", "1985-05-04"),
    ("minibaccarat", "2010-03-06"),
    ("baccarat", "1994-07-09"),
    ("red_dog", "1994-07-09"),
]


def _damaged_night(game: str, day: str, rounds: int = 25) -> list[Event]:
    """A lawful night of which some events were lost, and of others a field."""
    random = Random(day)
    plan = table_plan(game, day, seed=11, rounds=rounds, accidents=0.2)
    events = [event for event in as_events(plan.place, play_night(plan)) if random.random() < 0.97]
    return [
        _without_a_field(event, random) if random.random() < 0.05 else event for event in events
    ]


def _without_a_field(event: Event, random: Random) -> Event:
    if not event.fields:
        return event
    lost = random.choice(list(event.fields))
    kept = {name: value for name, value in event.fields.items() if name != lost}
    return replace(event, fields=kept)


def _results(
    events: Sequence[Event],
    *,
    quick: bool,
    goes_on: bool = True,
    rulebook: core.Rulebook | None = None,
) -> list[tuple[str, RuleResult]]:
    rulebook = rulebook or bundled_rulebook()
    surroundings = circumstances(rulebook, SCHEMA, ElectedOptions(SCHEMA, events))
    log = from_events(SCHEMA, events)
    table = Table(log, surroundings, Plan(), quick=quick, goes_on=goes_on)
    return [(rule.name, apply_rule(rule, table)) for rule in rulebook.rules if _of_tables(rule)]


def _of_tables(rule: core.Rule) -> bool:
    return all(edition.slice.across == "table" for edition in rule.editions)


@pytest.mark.parametrize(("game", "day"), NIGHTS)
def test_every_rule_finds_the_same_with_and_without(game: str, day: str) -> None:
    events = _damaged_night(game, day)
    thorough = _results(events, quick=False)
    assert _results(events, quick=True) == thorough
    # Where no log goes on from this one, nobody asks what may still change.
    settled = [(name, replace(result, pending={})) for name, result in thorough]
    quick = _results(events, quick=True, goes_on=False)
    assert [(name, replace(result, pending={})) for name, result in quick] == settled
    total: Counter[Verdict] = Counter()
    for _, result in thorough:
        total.update(result.counts)
    assert min(total[Verdict.COMPLIED], total[Verdict.VIOLATED], total[Verdict.UNDETERMINED]) > 0


@pytest.mark.parametrize("game", ["blackjack", "minibaccarat"])
def test_more_rounds_than_are_looked_at_in_one_go_are_found_the_same(game: str) -> None:
    events, copies = _damaged_night(game, "2010-03-06", rounds=300), copies_of_the_eight(3)
    thorough = _results(events, quick=False, rulebook=copies)
    assert _results(events, quick=True, rulebook=copies) == thorough


def test_a_first_look_that_is_given_up_loses_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    events = _damaged_night("blackjack", "2010-03-06")
    thorough = _results(events, quick=False)
    monkeypatch.setattr(tables, "patience", lambda _size: 50)
    assert _results(events, quick=True) == thorough


def test_most_checks_of_a_night_are_settled_at_first_sight() -> None:
    plan = table_plan("blackjack", "2010-03-06", seed=4, rounds=60)
    events = as_events(plan.place, play_night(plan))
    rulebook = bundled_rulebook()
    surroundings = circumstances(rulebook, SCHEMA, ElectedOptions(SCHEMA, events))
    table = Table(from_events(SCHEMA, events), surroundings, Plan())
    settled = left = 0
    for rule in filter(_of_tables, rulebook.rules):
        for edition in rule.editions:
            for looked in tables.first_look(table, rule, edition) or ():
                settled += looked.complied + looked.excused
                left += len(looked.part.triggers if looked.left is None else looked.left)
    assert settled > 100 * left > 0
