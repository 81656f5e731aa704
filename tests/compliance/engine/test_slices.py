"""The engine cuts a log by keys into the very slices of the reference, in the same order."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest

from compliance.engine.bindings import PlanBindings
from compliance.engine.shown_checks import ShownChecks
from compliance.plan.builder import build_plan
from compliance.reference import apply_rule
from event_schemas import Event
from reports.model import Check
from tests.columns_of_events import from_events
from tests.compliance.reference_run import SCHEMA, events, rulebook, surroundings
from tests.property.both_engines import judged
from tests.property.random_logs import random_log

NAMED = """
    for each {keys}
    when {trigger}
    require no wager_paid earlier
    require no wager_placed earlier
    require no hand_shown earlier
    require no card_dealt earlier
"""
RULES = [
    NAMED.format(keys="seat", trigger="wager_placed"),
    NAMED.format(keys="amount", trigger="wager_placed"),
    NAMED.format(keys="player", trigger="any of (wager_placed, card_dealt)"),
    NAMED.format(keys="seat, player", trigger="any of (wager_placed, wager_paid, hand_shown)"),
    NAMED.format(keys="table, every seat", trigger="cards_shuffled"),
    NAMED.format(keys="table, every player", trigger="any of (cards_shuffled, round_ended)"),
    NAMED.format(keys="table, every seat, every player", trigger="cards_shuffled"),
    NAMED.format(keys="table, every amount", trigger="any of (cards_shuffled, wager_placed)"),
    NAMED.format(keys="seat, every card", trigger="wager_placed"),
]


def both(clauses: str, log: Sequence[Event]) -> tuple[list[Check], list[Check]]:
    """The checks of the reference and of the engine, in the order in which they are reached."""
    book, happened = rulebook(clauses), list(log)
    around = surroundings(book, happened)
    plan = build_plan(book, SCHEMA)
    columns = from_events(SCHEMA, happened)
    found = judged(PlanBindings(plan, around), columns, around, [0])
    shown = ShownChecks(plan, columns, around)
    fast = [shown.check(plan.editions[0], check).written() for check in found.checks]
    return list(apply_rule(book.rules[0], around, happened)), fast


@pytest.mark.parametrize("clauses", RULES)
@pytest.mark.parametrize("seed", range(12))
def test_random_logs_are_cut_into_the_same_slices(clauses: str, seed: int) -> None:
    random = Random(seed)
    log = random_log(random, random.choice((1, 8, 25, 60)))
    slow, fast = both(clauses, [event for event in log if event.table == "T1"])
    assert fast == slow


@pytest.mark.parametrize(
    ("keys", "trigger"),
    [("player", "wager_placed"), ("table, every player", "cards_shuffled")],
)
def test_very_many_players_keep_their_order(keys: str, trigger: str) -> None:
    random = Random(trigger)
    lines = [f"20:00:00 wager_placed player=P{random.randrange(150)}" for _ in range(300)]
    lines[::50] = ["20:00:00 cards_shuffled"] * len(lines[::50])
    slow, fast = both(NAMED.format(keys=keys, trigger=trigger), events("\n".join(lines)))
    assert len({tuple(check.slice.items()) for check in slow}) > 100
    assert fast == slow
