"""A whole check of a Parquet night, to the written result, against Polars reading the file."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from tests.benchmarks.measuring import Ratio, Record, measured
from tests.benchmarks.promises import WHOLE_CHECK
from tests.benchmarks.whole_checks import write_result


def _against_reading(night: Path, folder: Path, rounds: int) -> Ratio:
    events = pl.scan_parquet(night).select(pl.len()).collect().item()
    what = f"parquet, {events:,} events: whole check / Polars' read"
    (found,) = measured(
        {
            "check": lambda: write_result(night, folder / "result.json"),
            "read": lambda: pl.read_parquet(night),
        },
        lambda best: [Ratio("1", what, best["check"] / best["read"], WHOLE_CHECK)],
        rounds=rounds,
    )
    return found


def test_a_whole_check_costs_a_few_times_the_reading(
    night: Path, tmp_path: Path, record: Record
) -> None:
    record(_against_reading(night, tmp_path, rounds=3))


@pytest.mark.long
def test_a_whole_check_of_millions_of_events_costs_a_few_times_the_reading(
    third_of_long_night: Path, tmp_path: Path, record: Record
) -> None:
    record(_against_reading(third_of_long_night, tmp_path, rounds=2))
