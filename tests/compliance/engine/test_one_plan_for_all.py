"""One plan serves all tables, and what was judged before changes nothing at the next one."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import pytest

from compliance.engine.bindings import PlanBindings
from compliance.engine.judging import Question
from compliance.engine.shown_checks import ShownChecks
from compliance.judgement.circumstances import circumstances
from compliance.plan.builder import build_plan
from compliance.plan.plan import Plan
from compliance.simulate.night import play_night
from compliance.values.elected_options import ElectedOptions
from event_schemas import Event
from reports.model import Check
from tests.columns_of_events import from_events
from tests.compliance.simulate.checking import SCHEMA, as_events, bundled_rulebook, table_plan
from tests.property.both_engines import judged

GAMES = ("blackjack", "red_dog", "minibaccarat")


@cache
def the_plan() -> Plan:
    return build_plan(bundled_rulebook(), SCHEMA)


@cache
def night(game: str) -> tuple[Event, ...]:
    plan = table_plan(game, "2010-03-06", seed=5, rounds=4, accidents=0.2)
    return tuple(as_events(plan.place, play_night(plan)))


def of_night(
    events: Sequence[Event], bound: PlanBindings, question: Question, editions: Sequence[int]
) -> tuple[list[list[int]], list[Check]]:
    rulebook = bundled_rulebook()
    around = circumstances(rulebook, SCHEMA, ElectedOptions(SCHEMA, events))
    log = from_events(SCHEMA, events)
    found = judged(bound, log, around, editions, question)
    shown = ShownChecks(bound.plan, log, around)
    checks = [
        shown.check(bound.plan.editions[editions[item.edition]], item).written()
        for item in found.checks
    ]
    return found.counts.tolist(), checks


def bindings() -> PlanBindings:
    rulebook = bundled_rulebook()
    return PlanBindings(the_plan(), circumstances(rulebook, SCHEMA, ElectedOptions(SCHEMA)))


def of_tables() -> list[int]:
    editions = the_plan().editions
    return [number for number, edition in enumerate(editions) if edition.across == "table"]


@pytest.mark.parametrize("game", GAMES)
def test_a_table_is_judged_the_same_whatever_was_judged_before(game: str) -> None:
    used, question, editions = bindings(), Question(everything=True), of_tables()
    for other in GAMES:
        of_night(night(other), used, question, editions)
    counts, checks = of_night(night(game), used, question, editions)
    assert (counts, checks) == of_night(night(game), bindings(), question, editions)
    assert len(checks) == sum(sum(row[:5]) for row in counts) > 0


def test_an_edition_by_itself_says_what_it_says_among_all_others() -> None:
    game = "minibaccarat"
    used, question, editions = bindings(), Question(everything=True), of_tables()
    counts, checks = of_night(night(game), used, question, editions)
    alone = [of_night(night(game), used, question, [number]) for number in editions]
    assert [row for rows, _ in alone for row in rows] == counts
    assert [check for _, found in alone for check in found] == checks


@pytest.mark.parametrize("game", GAMES)
def test_how_many_checks_are_written_down_changes_no_count(game: str) -> None:
    used, editions = bindings(), of_tables()
    counts, everything = of_night(night(game), used, Question(everything=True), editions)
    few_counts, few = of_night(night(game), used, Question(), editions)
    assert few_counts == counts
    assert len(few) < len(everything)
    assert [check for check in everything if check in few] == few


@pytest.mark.parametrize("across", ["pit", "casino"])
def test_rules_across_tables_have_a_plan_that_asks_for_nothing_of_other_rules(across: str) -> None:
    whole, own = the_plan(), the_plan().of(across)
    named = [(item.rule, item.edition) for item in own.editions]
    assert named == [(e.rule, e.edition) for e in whole.editions if e.across == across]
    assert set(own.columns) < set(whole.columns)
    assert set(own.options) < set(whole.options)


def test_rules_for_each_table_are_judged_by_the_plan_of_all() -> None:
    assert the_plan().of("table") is the_plan()
