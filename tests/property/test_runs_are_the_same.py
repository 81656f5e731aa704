"""The same night gives the same result: however it is read, cut into files, and shared out."""

from __future__ import annotations

import gzip
import json
import re
import tempfile
from datetime import date
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from compliance.checking.check_log import check_log
from compliance.log.tables import Limits
from compliance.simulate.floor import plan_floor, play_and_write
from compliance.table_check.settings import Settings
from event_schemas import Event, builtin_schema, event_from_record
from rules_dsl import core
from rules_dsl.bundled import bundled_rulebook
from rules_dsl.rulebook import load
from tests.compliance.log.random_events import write_csv, write_json_lines, write_parquet

SCHEMA = builtin_schema()
BAD_LINES = ("no event", '{"id": "x"}', '{"id": "y", "type": "card_delt"}', "\ud83c\udf1a")
ENDINGS = ("jsonl", "csv", "parquet", "jsonl.gz")
PLACES = re.compile(r"[\d-]+\.(?:jsonl|csv|parquet)(?:\.gz)?, line \d+")
"""Where an event stands in the files, as sentences name it."""


@cache
def rules() -> core.Rulebook:
    return load([bundled_rulebook()], SCHEMA).rulebook


@cache
def night() -> tuple[Event, ...]:
    """Four tables with breaches, from which events were lost and in which some stand twice."""
    random = Random(7)
    floor = plan_floor(
        tables=4,
        games=("blackjack", "baccarat", "minibaccarat", "red_dog"),
        day=date(2010, 3, 6),
        seed=3,
        rounds=6,
    )
    events: list[Event] = []
    with tempfile.TemporaryDirectory() as folder:
        for plan in floor.tables:
            path, _, _ = play_and_write(
                plan, parts=Path(folder), form="jsonl", breaches=(), rate=0.0
            )
            for line in path.read_text(encoding="utf-8").splitlines():
                event = event_from_record(SCHEMA, json.loads(line))
                assert isinstance(event, Event)
                if event.type not in ("table_opened", "option_elected") and random.random() < 0.03:
                    continue
                events += [event] * (2 if random.random() < 0.03 else 1)
    return tuple(events)


def written(folder: Path, random: Random, files: int) -> list[Path]:
    """The night in some files, each in a format of its own, in any order, with bad lines."""
    parts: list[list[Event]] = [[] for _ in range(files)]
    for event in night():
        random.choice(parts).append(event)
    paths = []
    for number, part in enumerate(filter(None, parts)):
        random.shuffle(part)
        ending = "jsonl" if number == 0 else random.choice(ENDINGS)
        path = folder / f"{random.randrange(10**6):06d}-{number}.{ending}"
        if ending == "csv":
            write_csv(path, part)
        elif ending == "parquet":
            write_parquet(path, part)
        else:
            plain = write_json_lines(folder / "plain", part).read_bytes()
            lines = plain.splitlines()
            for bad in BAD_LINES if number == 0 else ():
                lines.insert(random.randrange(len(lines) + 1), bad.encode("utf-8", "replace"))
            data = b"\n".join(lines) + b"\n"
            path.write_bytes(gzip.compress(data) if ending.endswith("gz") else data)
            (folder / "plain").unlink()
        paths.append(path)
    random.shuffle(paths)
    return paths


def result(paths: list[Path], **options: Any) -> str:
    found = check_log(paths, Settings(rules(), SCHEMA, **options))
    assert found.problems == ()
    assert found.run is not None
    return found.run.model_dump_json()


def without_files(text: str) -> str:
    """A result without what it says about files: their names, sums and lines."""
    run = json.loads(text)
    del run["inputs"]
    return PLACES.sub("", json.dumps(run))


@cache
def expected() -> str:
    with tempfile.TemporaryDirectory() as folder:
        return without_files(result(written(Path(folder), Random(1), 1)))


def test_the_night_is_dirty() -> None:
    """Otherwise the promises below would promise little."""
    run = json.loads(expected())
    found = {outcome["rule"] for outcome in run["outcomes"] if outcome["findings"]}
    assert {"evidence-seq-gap", "evidence-retransmission"} <= found
    assert run["lost_records"] > 5
    assert run["undecided_by_loss"] > 5
    assert run["quarantined"] == len(BAD_LINES)


@settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))
@given(seed=st.integers(0, 2**32), files=st.integers(1, 5))
def test_files_and_formats_and_orders_change_nothing_but_the_files(seed: int, files: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        paths = written(Path(folder), Random(seed), files)
        assert without_files(result(paths)) == expected()


@settings(max_examples=3, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    seed=st.integers(0, 2**32),
    budget=st.sampled_from((5_000, 100_000)),
    block_size=st.sampled_from((900, 20_000)),
    rows=st.sampled_from((50, 1_000)),
)
@example(seed=1, budget=0, block_size=400, rows=20)
def test_how_much_is_held_in_memory_changes_no_byte(
    seed: int, budget: int, block_size: int, rows: int
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        paths = written(Path(folder), Random(seed), 3)
        assert result(paths, limits=Limits(budget, block_size, rows)) == result(paths)


def test_the_number_of_processes_changes_no_byte() -> None:
    with tempfile.TemporaryDirectory() as folder:
        paths = written(Path(folder), Random(5), 3)
        texts = {result(paths, workers=workers) for workers in (1, 2, 3)}
    assert len(texts) == 1
