"""Compiled code cuts a log by keys into the very slices that Python finds, in the same order."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest

from compliance.columnar.keyed_slices import assignments
from compliance.columnar.plan import Plan
from compliance.columnar.scene import Table
from compliance.columns import from_events
from compliance.first_look import library
from compliance.first_look.bindings import Bindings
from compliance.first_look.program import WrittenEdition, program_of
from compliance.first_look.scenes import LookedScene
from compliance.first_look.slices import Keys, LookedSlices, cut_by_keys, written_down
from event_schemas import Event
from tests.compliance.first_look.compiled import compiled_only
from tests.compliance.reference_run import SCHEMA, events, rulebook, surroundings
from tests.property.random_logs import random_log

COMPILED = library.library()
pytestmark = compiled_only

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
]


def _both(clauses: str, log: Sequence[Event]) -> tuple[LookedSlices | None, LookedSlices]:
    """The slices of a rule as compiled code cuts them, and as Python does."""
    assert COMPILED is not None
    book = rulebook(clauses)
    [edition] = book.rules[0].editions
    table = Table(from_events(SCHEMA, log), surroundings(book, list(log)), Plan())
    program = program_of(book, SCHEMA)
    written = program.edition(edition)
    assert isinstance(written, WrittenEdition), written
    bindings = Bindings(table, program)
    bindings.fields(written)
    keys = Keys(table, edition, written, program)
    compiled = cut_by_keys(LookedScene(table.whole, bindings.log, COMPILED), keys, COMPILED)
    return compiled, written_down(assignments(table, edition), keys, COMPILED)


def _content(slices: LookedSlices | None) -> object:
    assert slices is not None
    return slices.values, slices.certain, slices.rows.tolist(), slices.ends.tolist()


@pytest.mark.parametrize("clauses", RULES)
@pytest.mark.parametrize("seed", range(40))
def test_random_logs_are_cut_into_the_same_slices(clauses: str, seed: int) -> None:
    random = Random(seed)
    log = random_log(random, random.choice((1, 8, 60, 300)))
    compiled, python = _both(clauses, [event for event in log if event.table == "T1"])
    assert _content(compiled) == _content(python)


@pytest.mark.parametrize("trigger", ["wager_placed", "cards_shuffled"])
def test_very_many_players_keep_their_order(trigger: str) -> None:
    random = Random(trigger)
    lines = [f"20:00:00 wager_placed player=P{random.randrange(700)}" for _ in range(3000)]
    lines[::50] = ["20:00:00 cards_shuffled"] * len(lines[::50])
    keys = "player" if trigger == "wager_placed" else "table, every player"
    clauses = NAMED.format(keys=keys, trigger=trigger)
    compiled, python = _both(clauses, events("\n".join(lines)))
    assert len(python) > 600
    assert _content(compiled) == _content(python)


def test_triggers_that_say_one_key_and_not_the_other_are_left_to_python() -> None:
    clauses = NAMED.format(keys="seat, every card", trigger="wager_placed")
    log = events(
        """
        20:00:00 card_dealt to=player card=9S seat=1
        20:00:01 wager_placed seat=1
        """
    )
    compiled, _ = _both(clauses, log)
    assert compiled is None
