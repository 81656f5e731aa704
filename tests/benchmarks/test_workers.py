"""Two workers against one: by the clock on the wall, for waiting is what they are to shorten."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from compliance.checking.check_tables import check_frames
from compliance.log.grouped_log import grouped_log
from compliance.log.sources import find_sources
from compliance.log.tables import LogFiles
from compliance.table_check.settings import Settings
from event_schemas import builtin_schema
from tests.benchmarks.engine_runs import NEW_JERSEY, rulebook
from tests.benchmarks.measuring import Ratio, Record, measured, wall_time
from tests.benchmarks.promises import TWO_WORKERS

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif((os.cpu_count() or 1) < 2, reason="needs two processors"),
    pytest.mark.skipif(
        "PYTEST_XDIST_WORKER" in os.environ, reason="needs both processors for itself"
    ),
]


def test_two_workers_are_nearly_twice_as_fast_as_one(long_night: Path, record: Record) -> None:
    # As in a check: the tables wait in the log, and are read where they are worked on.
    log = grouped_log(LogFiles(find_sources([long_night]), builtin_schema()))
    assert log is not None
    frames = list(log)
    work = Settings(rulebook(NEW_JERSEY), builtin_schema())
    what = f"all rules, {log.events:,} events: one worker / two workers"
    (found,) = measured(
        {
            "one": lambda: check_frames(frames, work, workers=1),
            "two": lambda: check_frames(frames, work, workers=2),
        },
        lambda best: [Ratio("7", what, best["one"] / best["two"], TWO_WORKERS)],
        rounds=1,
        attempts=4,
        clock=wall_time,
    )
    record(found)
