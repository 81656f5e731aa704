"""How long reading a log with full validation takes, against Polars' plain read of the same file.

    .venv/bin/python -m pytest tests/benchmarks/test_ingest.py -s -m long

The goal is at most twice the plain read. Both are measured side by side, the best of several runs,
because machines are noisy; the limit that fails the test is wider than the goal.
"""

from __future__ import annotations

import csv
import json
import time
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest

from compliance.log.layout import Layout
from compliance.log.problems import Quarantine
from compliance.log.reading import Reading
from compliance.log.sources import find_sources
from event_schemas import builtin_schema

EVENTS = 300_000
ROUNDS = 5
LIMIT = 5.0

pytestmark = pytest.mark.long


def records() -> list[dict[str, object]]:
    """Cards and wagers of four tables, each event with its own time."""
    found: list[dict[str, object]] = []
    for number in range(EVENTS):
        second = number // 5
        clock = f"{second // 3600 % 24:02d}:{second // 60 % 60:02d}:{second % 60:02d}"
        record: dict[str, object] = {
            "id": f"T{number % 4}-{number:07d}",
            "ts": f"2024-03-09T{clock}.{number % 1000:03d}-05:00",
            "seq": number,
            "casino": "C1",
            "table": f"T{number % 4}",
            "pit": "P1",
            "type": "card_dealt" if number % 3 else "wager_placed",
            "round": number // 30,
            "dealer": "D7",
            "seat": number % 7 + 1,
            "player": f"P{number % 50}",
        }
        if number % 3:
            record |= {"to": "player", "card": "9S", "face_up": True, "shoe": "S1"}
        else:
            record |= {"amount": 2500, "wager": "blackjack"}
        found.append(record)
    return found


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("logs")
    rows = records()
    with (folder / "log.jsonl").open("w", encoding="utf-8") as file:
        file.writelines(json.dumps(row) + "\n" for row in rows)
    names = list(dict.fromkeys(name for row in rows[:3] for name in row))
    with (folder / "log.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, names)
        writer.writeheader()
        for row in rows:
            if "amount" in row:
                row["amount"] = "$25.00"
            if "face_up" in row:
                row["face_up"] = "true"
            writer.writerow(row)
    return folder


def best(work: Callable[[], object]) -> float:
    times = []
    for _round in range(ROUNDS):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


@pytest.mark.parametrize(
    ("name", "plain"), [("log.jsonl", pl.read_ndjson), ("log.csv", pl.read_csv)]
)
def test_reading_with_full_validation_is_near_a_plain_read(
    logs: Path, name: str, plain: Callable[[Path], object]
) -> None:
    path = logs / name
    layout = Layout(builtin_schema())

    def validated() -> None:
        reading = Reading(layout, Quarantine())
        count = sum(
            len(frame) for file in find_sources([path]).files for frame in reading.frames(file)
        )
        assert count == EVENTS
        assert reading.quarantine.total == 0

    ratio = best(validated) / best(lambda: plain(path))
    print(f"\n{name}: {ratio:.2f} times the plain read (goal: at most 2)")
    assert ratio < LIMIT
