"""Damaged logs join up as well: cut anywhere, they show the same breaches and the same damage."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from compliance.checking.check_log import check_log
from compliance.checking.nights import Nights
from compliance.table_check.settings import Settings
from reports.model import Run
from reports.verdicts import FindingKind
from rules_dsl import core
from rules_dsl.bundled import bundled_rulebook
from rules_dsl.rulebook import load
from tests.compliance.checked_logs import SCHEMA
from tests.compliance.small_rulebook import answer

SEEDS = [*range(6), *(pytest.param(seed, marks=pytest.mark.long) for seed in range(6, 100))]
Record = dict[str, Any]


@pytest.fixture(scope="module")
def rulebook() -> core.Rulebook:
    return load([bundled_rulebook()], SCHEMA).rulebook


@pytest.fixture
def records(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> list[Record]:
    """A night with breaches at four tables."""
    words = ("--tables", "4", "--rounds", "25", "--violations", "all", "--rate", "0.1")
    answer(capsys, "simulate", "-o", tmp_path / "night", "--workers", "1", *words)
    files = sorted((tmp_path / "night").glob("*.jsonl"))
    return [json.loads(line) for file in files for line in file.read_text("utf-8").splitlines()]


def cut(chance: random.Random, records: Sequence[Record]) -> list[list[Record]]:
    """The night in two to four parts."""
    times = [record["ts"] for record in records]
    ends = [chance.choice(times) for _ in range(chance.randint(1, 3))]
    parts: list[list[Record]] = [[] for _ in range(len(ends) + 1)]
    for record in records:
        parts[sum(record["ts"] >= end for end in ends)].append(record)
    return [part for part in parts if part]


def damage(chance: random.Random, part: list[Record]) -> None:
    """Records that come twice, are lost, have a wrong time or the number of their neighbour."""
    for _ in range(chance.randint(0, 4)):
        place = chance.randrange(len(part))
        record = part[place]
        what = chance.choice(["again", "lost", "time", "number"])
        if what == "again":
            part.append(record)
        elif what == "lost" and len(part) > 1:
            del part[place]
        elif what == "time":
            back = timedelta(seconds=chance.choice([1, 5, 4_000]))
            part[place] = record | {"ts": (datetime.fromisoformat(record["ts"]) - back).isoformat()}
        else:
            part[place] = record | {"seq": record["seq"] + 1}


def written(path: Path, records: Sequence[Record]) -> Path:
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return path


def breaches(*runs: Run) -> dict[str, Any]:
    return {
        found.fingerprint: found.model_dump(exclude={"exposure", "timeline", "file", "line"})
        for run in runs
        for found in run.findings(FindingKind.VIOLATION)
    }


def defects(*runs: Run) -> set[str]:
    return {found.fingerprint for run in runs for found in run.findings(FindingKind.DATA_DEFECT)}


@pytest.mark.parametrize("seed", SEEDS)
def test_a_damaged_log_cut_anywhere_shows_the_same(
    seed: int, tmp_path: Path, records: list[Record], rulebook: core.Rulebook
) -> None:
    chance = random.Random(seed)
    parts = cut(chance, records)
    for part in parts:
        damage(chance, part)
    log = written(tmp_path / "whole.jsonl", [record for part in parts for record in part])
    whole = check_log([log], Settings(rulebook, SCHEMA)).run
    assert whole is not None
    nights = Nights()
    runs = []
    for number, part in enumerate(parts):
        log = written(tmp_path / f"{number}.jsonl", part)
        result = check_log([log], Settings(rulebook, SCHEMA), nights)
        assert result.run is not None, result.problems
        assert result.nights is not None
        nights = result.nights
        runs.append(result.run)
    assert breaches(*runs) == breaches(whole)
    assert defects(*runs) == defects(whole)
