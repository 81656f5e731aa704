"""A whole check, to the written result, against Polars reading the file."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.benchmarks.measuring import Limit, Ratio, Record, measured
from tests.benchmarks.nights import text_log
from tests.benchmarks.promises import CSV, JSONL, WHOLE_CHECK
from tests.benchmarks.whole_checks import PLAIN_READS, write_result

TEXTS = {"jsonl": JSONL, "csv": CSV}


def _against_reading(row: str, log: Path, limit: Limit, result: Path, rounds: int = 2) -> Ratio:
    form = log.suffix[1:]
    read = PLAIN_READS[form]
    what = f"{form}, {len(read(log)):,} events: whole check / Polars' read"
    (found,) = measured(
        {"check": lambda: write_result(log, result), "read": lambda: read(log)},
        lambda best: [Ratio(row, what, best["check"] / best["read"], limit)],
        rounds=rounds,
    )
    return found


def test_a_whole_check_costs_a_few_times_the_reading(
    night: Path, tmp_path: Path, record: Record
) -> None:
    record(_against_reading("1", night, WHOLE_CHECK, tmp_path / "result", rounds=3))


@pytest.mark.parametrize("form", TEXTS)
def test_a_whole_check_of_texts_costs_little_more_than_the_reading(
    form: str, tmp_path: Path, record: Record
) -> None:
    log = text_log(tmp_path, form, tables=8)
    record(_against_reading("5", log, TEXTS[form], tmp_path / "result"))


@pytest.mark.long
def test_a_whole_check_of_millions_of_events_costs_a_few_times_the_reading(
    third_of_long_night: Path, tmp_path: Path, record: Record
) -> None:
    record(_against_reading("1", third_of_long_night, WHOLE_CHECK, tmp_path / "result"))


@pytest.mark.long
@pytest.mark.parametrize("form", TEXTS)
def test_a_whole_check_of_a_million_events_of_texts_costs_little_more_than_the_reading(
    form: str, tmp_path: Path, record: Record
) -> None:
    log = text_log(tmp_path, form, tables=40)
    record(_against_reading("5", log, TEXTS[form], tmp_path / "result"))
