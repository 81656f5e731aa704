"""A night of which one line in a hundred is lost and one field in a hundred is missing, against the
same night whole: doubt must not cost much more than certainty."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from compliance.integrity.examine import examine
from compliance.log.tables import TableFrame
from compliance.table_log.coded_texts import coded
from event_schemas import builtin_schema
from tests.benchmarks.engine_runs import NEW_JERSEY, check, rulebook
from tests.benchmarks.measuring import Ratio, Record, Times, measured
from tests.benchmarks.nights import damaged, frames_of
from tests.benchmarks.promises import DAMAGED
from tests.benchmarks.whole_checks import write_result


def _with_lost_records(frames: Sequence[TableFrame]) -> list[TableFrame]:
    """The tables as the engine takes them, with a row for every record that is known to be lost."""
    examined = [(table, examine(builtin_schema(), table.frame, {})) for table in frames]
    assert all(each.loss.known for _, each in examined)
    return [replace(table, held=coded(each.frame)) for table, each in examined]


def _ratios(night: Path, frames: Sequence[TableFrame], folder: Path, rounds: int) -> list[Ratio]:
    book, other = rulebook(NEW_JERSEY), damaged(night, folder / "damaged.parquet")
    lost = _with_lost_records(frames_of(other))
    size = sum(len(table.frame) for table in frames)

    def ratios(best: Times) -> list[Ratio]:
        what = f"all rules, {size:,} events: damaged / whole night"
        return [
            Ratio("6", f"{what}, engine", best["engine, damaged"] / best["engine"], DAMAGED),
            Ratio("6", f"{what}, whole check", best["check, damaged"] / best["check"], DAMAGED),
        ]

    return measured(
        {
            "engine": lambda: check(book, frames),
            "engine, damaged": lambda: check(book, lost),
            "check": lambda: write_result(night, folder / "result.json"),
            "check, damaged": lambda: write_result(other, folder / "result.json"),
        },
        ratios,
        rounds=rounds,
    )


def test_a_damaged_night_costs_little_more_than_a_whole_one(
    night: Path, frames: Sequence[TableFrame], tmp_path: Path, record: Record
) -> None:
    record(*_ratios(night, frames, tmp_path, rounds=2))


@pytest.mark.long
def test_millions_of_events_cost_little_more_where_the_night_is_damaged(
    third_of_long_night: Path, tmp_path: Path, record: Record
) -> None:
    frames = frames_of(third_of_long_night)
    record(*_ratios(third_of_long_night, frames, tmp_path, rounds=2))
