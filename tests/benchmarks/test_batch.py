"""A night judged by the batch, with store, joined nights and all, against the bare check of it."""

from __future__ import annotations

import shutil
from datetime import UTC, datetime
from pathlib import Path

import pytest

from compliance.batch.due_nights import Asked
from compliance.batch.run_batch import run_batch
from compliance.batch.settings_file import load_settings
from compliance.batch.telling import BatchTold
from compliance.store.opening import open_store
from tests.benchmarks.measuring import Ratio, Record, Times, measured
from tests.benchmarks.promises import BATCH
from tests.benchmarks.whole_checks import write_result

SETTINGS = """\
store = "compliance.db"
[check]
workers = 1
[outputs]
folder = "results"
files = []
[[casino]]
name = "AC"
logs = ["{{date}}.parquet"]
time_zone = "America/New_York"
first_day = 2010-03-06
last_day = 2010-03-06
"""


def _ratios(night: Path, folder: Path, rounds: int) -> list[Ratio]:
    site = folder / "site"
    site.mkdir()
    (site / "batch.toml").write_text(SETTINGS.format(), encoding="utf-8")

    def run() -> int:
        settings = load_settings(site / "batch.toml")
        store = open_store(settings.store_place)
        outcome = run_batch(settings, store, Asked(), datetime.now(UTC), BatchTold())
        store.engine.dispose()
        return sum(night.changes is not None for night in outcome.nights)

    # As on every night but the first, the store is there and knows the rules.
    assert run() == 0
    shutil.copy(site / "compliance.db", folder / "before.db")
    (site / "2010-03-06.parquet").symlink_to(night)

    def batch() -> None:
        for path in site.glob("compliance.db*"):
            path.unlink()
        shutil.rmtree(site / "results", ignore_errors=True)
        shutil.copy(folder / "before.db", site / "compliance.db")
        assert run() == 1

    def ratios(best: Times) -> list[Ratio]:
        return [Ratio("also", "a night: batch / bare check", best["batch"] / best["check"], BATCH)]

    work = {"batch": batch, "check": lambda: write_result(night, folder / "result.json")}
    return measured(work, ratios, rounds=rounds)


def test_the_batch_costs_little_more_than_the_check(
    night: Path, tmp_path: Path, record: Record
) -> None:
    record(*_ratios(night, tmp_path, rounds=2))


@pytest.mark.long
def test_the_batch_costs_little_more_on_millions_of_events(
    long_night: Path, tmp_path: Path, record: Record
) -> None:
    record(*_ratios(long_night, tmp_path, rounds=1))
