"""Ten times the events take about ten times as long, whatever the rules."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from compliance.log.tables import TableFrame
from compliance.table_log.coded_texts import coded
from tests.benchmarks.engine_runs import EIGHT_RULES, NEW_JERSEY, check, rulebook
from tests.benchmarks.measuring import Limit, Ratio, Record, measured

TEN_TIMES = Limit(most=11)


def _tenth(table: TableFrame) -> TableFrame:
    beginning = table.frame.head(len(table.frame) // 10)
    # As the whole one, which has its texts as lists before the clock starts.
    return TableFrame(table.casino, table.table, coded(beginning), in_lists=True)


@pytest.mark.parametrize("path", [EIGHT_RULES, NEW_JERSEY], ids=["eight rules", "all rules"])
def test_ten_times_the_events_take_at_most_eleven_times_as_long(
    path: Path, frames: Sequence[TableFrame], record: Record
) -> None:
    book = rulebook(path)
    beginning = [_tenth(table) for table in frames]
    what = f"10 times the events, {len(book.rules)} rules: whole night / first tenth"
    (found,) = measured(
        {"whole": lambda: check(book, frames), "tenth": lambda: check(book, beginning)},
        lambda best: [Ratio("also", what, best["whole"] / best["tenth"], TEN_TIMES)],
        rounds=2,
    )
    record(found)
