"""Runs that the types of events alone tell: compiled code finds those that Python finds."""

from __future__ import annotations

from dataclasses import fields, replace
from random import Random

import numpy as np
import pytest

from compliance.columnar import plain_runs
from compliance.columnar.doubtful_runs import marks
from compliance.columnar.evaluate import Evaluator
from compliance.columnar.plan import Plan
from compliance.columnar.scene import Scene, Table
from compliance.columnar.windows import Stretches, stretches
from compliance.columns import from_events
from event_schemas import Event
from tests.compliance.first_look.compiled import compiled_only
from tests.compliance.reference_run import SCHEMA, events, rulebook, surroundings
from tests.property.random_logs import random_log

BORDERS = [
    ("round_started", "round_ended"),
    ("any of (round_started, cards_shuffled)", "any of (round_ended, card_burned)"),
    ("any of (round_started, card_dealt)", "any of (card_dealt, round_ended)"),
    ("wager_placed", "wager_placed"),
]


def _scene(opens: str, closes: str, log: list[Event]) -> Scene:
    book = rulebook(
        "when card_dealt\nrequire no card_burned earlier",
        f"interval stretch from {opens} to {closes}",
    )
    return Table(from_events(SCHEMA, log), surroundings(book, log), Plan()).whole


def _content(runs: Stretches) -> list[tuple[object, object]]:
    arrays = [getattr(runs, field.name) for field in fields(runs)]
    return [(array.dtype, array.tolist()) for array in arrays]


@compiled_only
@pytest.mark.parametrize("complete", [False, True])
@pytest.mark.parametrize(("opens", "closes"), BORDERS)
@pytest.mark.parametrize("seed", range(20))
def test_runs_of_random_logs_are_the_same(
    seed: int, opens: str, closes: str, complete: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    random = Random(seed)
    log = random_log(random, random.choice((1, 8, 60, 300)))
    scene = _scene(opens, closes, [event for event in log if event.table == "T1"])
    scene = replace(scene, complete=np.array([complete]), memo={})
    interval = scene.table.circumstances.rulebook.intervals["stretch"]
    assert plain_runs.plain_runs(scene, interval) is not None
    compiled = stretches(Evaluator(scene), "stretch")
    monkeypatch.setattr(plain_runs, "library", lambda: None)
    assert _content(compiled) == _content(stretches(Evaluator(replace(scene, memo={})), "stretch"))


@compiled_only
def test_an_interval_of_very_many_types_is_left_to_python() -> None:
    types = sorted(SCHEMA.events)[:17]
    scene = _scene(f"any of ({', '.join(types)})", "round_ended", [])
    interval = scene.table.circumstances.rulebook.intervals["stretch"]
    assert plain_runs.plain_runs(scene, interval) is None
    assert not len(stretches(Evaluator(scene), "stretch").first)


def test_a_run_that_begins_with_any_event_of_a_type_is_never_in_doubt() -> None:
    log = events("20:00:00 wager_placed\n20:00:01 wager_placed seat=1")
    assert marks(Evaluator(_scene("wager_placed", "round_ended", log)), "stretch") == {}


def test_a_run_that_begins_with_an_event_at_some_seat_may_be_in_doubt() -> None:
    log = events("20:00:00 wager_placed\n20:00:01 wager_placed seat=1")
    scene = _scene("(wager_placed where seat is 1)", "round_ended", log)
    assert list(marks(Evaluator(scene), "stretch")) == [0]
