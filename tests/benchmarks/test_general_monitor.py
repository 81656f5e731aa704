"""Four rules against a general monitor, which takes any formula and one event after the other.

The monitor is the textbook's (general_monitor.py). Both start from events in memory.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec
import pytest

from compliance.log.tables import TableFrame
from rules_dsl import core
from tests.benchmarks.engine_runs import EIGHT_RULES, check, findings, rulebook
from tests.benchmarks.general_monitor import RULES, broken, events_of
from tests.benchmarks.measuring import Ratio, Record, measured
from tests.benchmarks.nights import frames_of
from tests.benchmarks.promises import FOUR_RULES

MONITORED = 130_000
"""The monitor needs so much longer that a part of the night is enough to know its speed."""
MONITORED_OF_MILLIONS = 1_000_000


def _four_rules() -> core.Rulebook:
    book = rulebook(EIGHT_RULES)
    return msgspec.structs.replace(book, rules=tuple(r for r in book.rules if r.name in RULES))


def test_the_monitor_finds_what_the_engine_finds(night: Path, frames: Sequence[TableFrame]) -> None:
    ours = findings(check(_four_rules(), frames))
    assert {rule for rule, _ in ours.ids} == RULES.keys()
    assert broken(events_of(night, most=sum(len(table.frame) for table in frames))) == ours.ids


def _speeds(night: Path, frames: Sequence[TableFrame], most: int, rounds: int) -> Ratio:
    book, events = _four_rules(), events_of(night, most)
    size = sum(len(table.frame) for table in frames)
    what = f"four rules, {size:,} events: events a second, engine / general monitor"
    (found,) = measured(
        {"engine": lambda: check(book, frames), "monitor": lambda: broken(events)},
        lambda best: [
            Ratio("4", what, (size / best["engine"]) / (len(events) / best["monitor"]), FOUR_RULES)
        ],
        rounds=rounds,
    )
    return found


def test_four_rules_are_judged_many_times_as_fast_as_by_a_general_monitor(
    night: Path, frames: Sequence[TableFrame], record: Record
) -> None:
    record(_speeds(night, frames, MONITORED, rounds=5))


@pytest.mark.long
def test_millions_of_events_are_judged_many_times_as_fast_as_by_a_general_monitor(
    third_of_long_night: Path, record: Record
) -> None:
    frames = frames_of(third_of_long_night)
    record(_speeds(third_of_long_night, frames, MONITORED_OF_MILLIONS, rounds=2))
