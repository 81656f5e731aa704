"""How long reading a log takes, against Polars' plain read of the same file.

Polars' plain read is measured in two ways. Told the columns beforehand, it does nothing but read.
Left alone, it has to look through the file for them first; by default it looks at the first hundred
lines only, and drops fields that come later. All is processor time, for all of them use threads.
"""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from compliance.log.grouped_log import grouped_log
from compliance.log.layout import Layout
from compliance.log.problems import Quarantine
from compliance.log.reading import Reading
from compliance.log.sources import find_sources
from compliance.log.tables import LogFiles
from event_schemas import builtin_schema
from tests.benchmarks.measuring import Limit, Ratio, Record, Times, measured
from tests.benchmarks.nights import text_log
from tests.benchmarks.whole_checks import PLAIN_READS

pytestmark = pytest.mark.long

TOLD = Limit(most=4, goal="2")
LEFT_ALONE = {"jsonl": Limit(most=1.8, goal="1"), "csv": Limit(most=1.2, goal="0.7")}
STRAIGHT = Limit(most=1.5, goal="1")


def _ratios(path: Path, form: str, rounds: int) -> list[Ratio]:
    read = PLAIN_READS[form]
    plain = read(path)
    events = len(plain)

    def validated() -> None:
        reading = Reading(Layout(builtin_schema()), Quarantine())
        files = find_sources([path]).files
        assert sum(len(frame) for file in files for frame in reading.frames(file)) == events
        assert reading.quarantine.total == 0

    def ratios(best: Times) -> list[Ratio]:
        what = f"{form}, {events:,} events: validated read / Polars"
        spent = best["validated"]
        return [
            Ratio("also", f"{what} told the columns", spent / best["told"], TOLD),
            Ratio(
                "also", f"{what} finding all columns", spent / best["left alone"], LEFT_ALONE[form]
            ),
        ]

    return measured(
        {
            "validated": validated,
            "told": lambda: read(path, schema=plain.schema),
            "left alone": lambda: read(path),
        },
        ratios,
        rounds=rounds,
    )


def _straight(night: Path) -> Ratio:
    schema = builtin_schema()
    events = 0

    def typed() -> None:
        nonlocal events
        log = grouped_log(LogFiles(find_sources([night]), schema))
        assert log is not None
        events = log.events
        assert sum(len(table.read(schema).small()) for table in log) == events
        log.as_read()

    def ratios(best: Times) -> list[Ratio]:
        what = f"parquet, {events:,} events, table after table: validated read / Polars"
        return [Ratio("also", what, best["typed"] / best["plain"], STRAIGHT)]

    work = {"typed": typed, "plain": lambda: pl.read_parquet(night)}
    (found,) = measured(work, ratios, rounds=3)
    return found


def test_reading_millions_of_events_of_tables_that_stand_apart_is_near_a_plain_read(
    third_of_long_night: Path, record: Record
) -> None:
    record(_straight(third_of_long_night))


@pytest.mark.parametrize("form", LEFT_ALONE)
def test_reading_a_million_events_with_full_validation_is_near_a_plain_read(
    form: str, tmp_path: Path, record: Record
) -> None:
    record(*_ratios(text_log(tmp_path, form, tables=40), form, rounds=3))
