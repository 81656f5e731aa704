"""All rules in force against what Polars needs to read the same log, and many rules against few."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import polars as pl
import pytest

from compliance.log.tables import TableFrame
from tests.benchmarks.copies import copies_of_the_eight
from tests.benchmarks.engine_runs import NEW_JERSEY, check, rulebook
from tests.benchmarks.measuring import Limit, Ratio, Record, Times, measured
from tests.benchmarks.nights import frames_of
from tests.benchmarks.promises import ENGINE

FIFTEEN = Limit(most=3)
FOUR = Limit(most=4.4)


def _against_reading(night: Path, frames: Sequence[TableFrame], rounds: int) -> list[Ratio]:
    book = rulebook(NEW_JERSEY)
    size = sum(len(table.frame) for table in frames)
    what = f"all {len(book.rules)} rules, {size:,} events: engine / Polars' read of the Parquet"
    return measured(
        {
            "engine": lambda: check(book, frames),
            "read": lambda: pl.read_parquet(night),
        },
        lambda best: [Ratio("2", what, best["engine"] / best["read"], ENGINE)],
        rounds=rounds,
    )


def test_all_rules_in_force_cost_little_more_than_reading_the_log(
    night: Path, frames: Sequence[TableFrame], record: Record
) -> None:
    record(*_against_reading(night, frames, rounds=3))


@pytest.mark.long
def test_all_rules_cost_little_more_than_reading_millions_of_events(
    third_of_long_night: Path, record: Record
) -> None:
    frames = frames_of(third_of_long_night)
    record(*_against_reading(third_of_long_night, frames, rounds=2))


def test_many_rules_of_one_kind_cost_little_more_than_one_of_each(
    frames: Sequence[TableFrame], record: Record
) -> None:
    """Copies share what they look up; their cost must not grow faster than their number."""
    books = {n: copies_of_the_eight(n) for n in (1, 4, 15)}

    def ratios(best: Times) -> list[Ratio]:
        return [
            Ratio(
                "also", "15 copies of the eight rules / the eight", best["15"] / best["1"], FIFTEEN
            ),
            Ratio("also", "4 times the rules: 32 / 8 rules", best["4"] / best["1"], FOUR),
        ]

    work = {str(n): lambda book=book: check(book, frames) for n, book in books.items()}
    found = measured(work, ratios, rounds=4)
    record(*found)
