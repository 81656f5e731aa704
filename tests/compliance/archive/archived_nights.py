"""Nights with all kinds of damage, put into archives and compared with their logs."""

from __future__ import annotations

import json
import random
import tempfile
from collections.abc import Sequence
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

from compliance.api.opening import open_rules_to_judge
from compliance.archive import ArchiveFolder, Wanted, archived_log
from compliance.checking.check_log import LogResult, check_archived, check_log
from compliance.simulate.floor import plan_floor, play_and_write
from compliance.table_check.settings import Settings
from reports.model import Run
from tests.compliance.checked_logs import SCHEMA

CASINO = "Boardwalk"


@cache
def night_lines(day: date, seed: int = 5, breaches: bool = True) -> tuple[str, ...]:
    """The records of four tables, as they happened one after the other."""
    games = ("blackjack", "baccarat")
    floor = plan_floor(tables=4, games=games, day=day, seed=seed, rounds=8)
    with tempfile.TemporaryDirectory() as folder:
        parts = [
            play_and_write(plan, parts=Path(folder), form="jsonl", breaches=(), rate=0.0)[0]
            for plan in floor.tables
        ]
        records = [json.loads(line) for part in parts for line in part.read_text().splitlines()]
    for record in records:
        record["casino"] = CASINO
        if breaches and record["type"] == "card_burned" and record["seq"] % 2:
            record["type"] = "cards_counted"
    records.sort(key=lambda record: (record["ts"], record["table"], record["seq"]))
    return tuple(json.dumps(record) for record in records)


def damaged(lines: Sequence[str], seed: int) -> list[str]:
    """The same with lines lost, spoilt, repeated, cut off and out of their order."""
    fate = random.Random(seed)
    found: list[str] = []
    for line in lines:
        chance = fate.random()
        if chance < 0.004:
            continue
        if chance < 0.008:
            found.append(line[: fate.randrange(5, len(line))])
        elif chance < 0.010:
            found.append("nonsense")
        elif chance < 0.012:
            found.append(line.replace('"seq": ', '"seq": "x'))
        elif chance < 0.014:
            found += [line, line]
        elif chance < 0.016:
            found.insert(max(0, len(found) - 7), line)
        else:
            found.append(line)
    return found


def written(path: Path, lines: Sequence[str]) -> Path:
    """A log of some lines."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(lines) + "\n", "utf-8")
    return path


@cache
def settings() -> Settings:
    """The law of New Jersey, by one process."""
    return Settings(open_rules_to_judge(["nj"], SCHEMA), SCHEMA, workers=1)


def by_log(*logs: Path) -> Run:
    """What the logs themselves show."""
    return _run(check_log(list(logs), settings()))


def by_archive(place: Path | ArchiveFolder, folder: Path, **wanted: Any) -> Run:
    """What an archive shows."""
    return _run(check_archived(archived_log(place, Wanted(**wanted), folder), settings()))


def _run(result: LogResult) -> Run:
    assert result.run is not None, result.problems
    return result.run


def told(run: Run, *left_out: str) -> dict[str, Any]:
    """All that a run says but which files it was read from."""
    said = run.model_dump(mode="json", exclude={"inputs", "notes", *left_out})
    assert run.outcomes
    return said
