"""How long reading and checking a log takes, against Polars' plain read of the same file.

Polars' plain read is measured in two ways. Told the columns beforehand, it does nothing but read.
Left alone, it has to look through the file for them first; by default it looks at the first hundred
lines only, and drops fields that come later. All is processor time, for all of them use threads.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest

from compliance.checking.check_log import check_log
from compliance.log.grouped_log import grouped_log
from compliance.log.layout import Layout
from compliance.log.problems import Quarantine
from compliance.log.reading import Reading
from compliance.log.sources import find_sources
from compliance.log.tables import LogFiles
from compliance.simulate.floor import SHARE, plan_floor, simulate_floor
from compliance.table_check.settings import Settings
from event_schemas import builtin_schema
from tests.benchmarks.engine_runs import NEW_JERSEY, rulebook
from tests.benchmarks.measuring import Limit, Ratio, Record, Times, measured
from tests.benchmarks.nights import DAY, SEED

TOLD = Limit(most=4, goal="the promise 2")
LEFT_ALONE = {"jsonl": Limit(most=1.8, goal="1"), "csv": Limit(most=1.2, goal="0.7")}
CHECKED = {"jsonl": Limit(most=2.5, goal="1.4"), "csv": Limit(most=1.6, goal="1.1")}
ATTEMPTS = 6

PLAIN_READS: dict[str, Callable[..., pl.DataFrame]] = {
    "jsonl": pl.read_ndjson,
    "csv": pl.read_csv,
}


def _ratios(path: Path, form: str, rounds: int) -> list[Ratio]:
    read = PLAIN_READS[form]
    plain = read(path, infer_schema_length=None)
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
            Ratio("e", f"{what} told the columns", spent / best["told"], TOLD),
            Ratio("e", f"{what} finding all columns", spent / best["left alone"], LEFT_ALONE[form]),
        ]

    return measured(
        {
            "validated": validated,
            "told": lambda: read(path, schema=plain.schema),
            "left alone": lambda: read(path, infer_schema_length=None),
        },
        ratios,
        rounds=rounds,
        attempts=ATTEMPTS,
    )


def _log(folder: Path, form: str, tables: int) -> Path:
    games = tuple(SHARE)
    floor = plan_floor(tables=tables, games=games, day=DAY, seed=SEED, hours=12)
    return simulate_floor(floor, folder / f"night.{form}", form).files[0]


@pytest.mark.parametrize("form", PLAIN_READS)
def test_reading_with_full_validation_is_near_a_plain_read(
    form: str, tmp_path: Path, record: Record
) -> None:
    found = _ratios(_log(tmp_path, form, tables=4), form, rounds=3)
    for ratio in found:
        record(ratio)
    assert all(ratio.met for ratio in found)


def _straight(night: Path, limit: Limit) -> Ratio:
    schema = builtin_schema()
    events = 0

    def typed() -> None:
        nonlocal events
        log = grouped_log(LogFiles(find_sources([night]), schema))
        assert log is not None
        events = log.events
        assert sum(len(table.read(schema)) for table in log) == events
        log.as_read()

    def ratios(best: Times) -> list[Ratio]:
        what = f"parquet, {events:,} events, table after table: validated read / Polars"
        return [Ratio("e", what, best["typed"] / best["plain"], limit)]

    work = {"typed": typed, "plain": lambda: pl.read_parquet(night)}
    (found,) = measured(work, ratios, rounds=3, attempts=ATTEMPTS)
    return found


def test_reading_tables_that_stand_apart_is_near_a_plain_read(night: Path, record: Record) -> None:
    # A short log is quickly read: what each table costs, however small, weighs more.
    found = _straight(night, Limit(most=3, goal="1.5"))
    record(found)
    assert found.met


@pytest.mark.long
def test_reading_millions_of_events_of_tables_that_stand_apart_is_near_a_plain_read(
    third_of_long_night: Path, record: Record
) -> None:
    found = _straight(third_of_long_night, Limit(most=1.5, goal="1"))
    record(found)
    assert found.met


@pytest.mark.long
@pytest.mark.parametrize("form", PLAIN_READS)
def test_checking_a_million_events_is_near_a_plain_read(
    form: str, tmp_path: Path, record: Record
) -> None:
    path = _log(tmp_path, form, tables=40)
    book = rulebook(NEW_JERSEY)

    def ratios(best: Times) -> list[Ratio]:
        what = f"{form}, a million events: check by all rules / Polars finding all columns"
        return [Ratio("e", what, best["check"] / best["plain"], CHECKED[form])]

    (found,) = measured(
        {
            "check": lambda: check_log([path], Settings(book, builtin_schema())),
            "plain": lambda: PLAIN_READS[form](path, infer_schema_length=None),
        },
        ratios,
        rounds=2,
    )
    record(found)
    assert found.met


@pytest.mark.long
@pytest.mark.parametrize("form", PLAIN_READS)
def test_reading_a_million_events_with_full_validation_is_near_a_plain_read(
    form: str, tmp_path: Path, record: Record
) -> None:
    found = _ratios(_log(tmp_path, form, tables=40), form, rounds=3)
    for ratio in found:
        record(ratio)
    assert all(ratio.met for ratio in found)
