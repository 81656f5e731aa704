"""Parquet: every finding with typed columns."""

from __future__ import annotations

from datetime import UTC, datetime
from io import BytesIO

import polars as pl

from reports.finding_rows import COLUMNS
from reports.model import Run
from reports.parquet_table import render_parquet
from tests.reports.payloads import FORMULA, attacked
from tests.reports.sample import full_run


def table(run: Run) -> pl.DataFrame:
    return pl.read_parquet(BytesIO(render_parquet(run)))


def test_every_finding_has_a_row() -> None:
    night = full_run()
    assert len(table(night)) == sum(len(outcome.findings) for outcome in night.outcomes)


def test_a_moment_is_a_moment_and_not_a_text() -> None:
    assert table(full_run())["moment"][0] == datetime(2024, 3, 10, 1, 0, 9, tzinfo=UTC)


def test_what_is_not_recorded_is_null() -> None:
    assert table(full_run())["exposed_rounds"].to_list() == [9, None, None, None]


def test_text_for_programs_is_left_as_the_log_has_it() -> None:
    assert table(attacked(FORMULA))["sentence"][0] == FORMULA


def test_a_run_without_findings_still_has_its_columns() -> None:
    empty = Run(rulebook=full_run().rulebook, inputs=())
    assert table(empty).columns == list(COLUMNS)
