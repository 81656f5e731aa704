"""A piece of a log without doubt is typed at once, to the same events as row by row."""

from __future__ import annotations

import csv
import json
import tempfile
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

import compliance.log.typed
from compliance.log.layout import layout_of
from compliance.log.problems import Quarantine
from compliance.log.quick_chunk import quick_frame
from compliance.log.reading import Reading
from compliance.log.sources import find_sources
from compliance.log.tables import tables
from compliance.simulate.floor import plan_floor, play_and_write
from tests.compliance.log.small_logs import SCHEMA, line, written

FORMATS = ("jsonl", "csv")
Record = dict[str, Any]
VALUES = (
    None,
    0,
    3,
    -1,
    2.0,
    1.5,
    True,
    "",
    " ",
    "3",
    "1.50",
    "yes",
    "9S",
    "9S 10H",
    "$25.00",
    "x",
)
"""What a field may hold by mistake, or in another form."""


@cache
def night(form: str) -> tuple[Record, ...]:
    """The records of two tables; those of CSV are texts."""
    games = ("blackjack", "baccarat")
    floor = plan_floor(tables=2, games=games, day=date(2010, 3, 6), seed=5, rounds=3)
    records: list[Record] = []
    with tempfile.TemporaryDirectory() as folder:
        for plan in floor.tables:
            path, _, _ = play_and_write(plan, parts=Path(folder), form=form, breaches=(), rate=0.0)
            with path.open(encoding="utf-8", newline="") as file:
                records += csv.DictReader(file) if form == "csv" else map(json.loads, file)
    return tuple(records)


def log(path: Path, form: str, records: list[Record]) -> Path:
    if form == "jsonl":
        return written(path, *(json.dumps(record) for record in records), name="log.jsonl")
    names = list(dict.fromkeys(name for record in records for name in record))
    with (path / "log.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, names, lineterminator="\n")
        writer.writeheader()
        writer.writerows(records)
    return path / "log.csv"


def read(path: Path, aside: Path, **limits: int) -> tuple[list[pl.DataFrame], bytes]:
    """The tables of a log, and what was set aside of it."""
    found = [table.small() for table in tables([path], SCHEMA, None, aside, **limits)]  # type: ignore[arg-type]
    return found, aside.read_bytes() if aside.exists() else b""


def same(path: Path, **limits: int) -> None:
    """Reads a log with and without the quick way."""
    quick, aside = read(path, path.with_name("quick.jsonl"), **limits)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(compliance.log.typed, "quick_frame", lambda *_: None)
        slow, other = read(path, path.with_name("slow.jsonl"))
    assert aside == other
    assert len(quick) == len(slow)
    for one, another in zip(quick, slow, strict=True):
        assert_frame_equal(one, another)


def quickly_read(path: Path) -> list[bool]:
    """Whether each piece of a log is read the quick way."""
    found = []
    with pytest.MonkeyPatch.context() as patch:

        def noted(*arguments: Any) -> pl.DataFrame | None:
            frame = quick_frame(*arguments)
            found.append(frame is not None)
            return frame

        patch.setattr(compliance.log.typed, "quick_frame", noted)
        reading = Reading(layout_of(SCHEMA), Quarantine())
        for source in find_sources([path]).files:
            list(reading.frames(source))
    return found


@pytest.mark.parametrize("form", FORMATS)
def test_a_good_log_is_read_the_quick_way(form: str, tmp_path: Path) -> None:
    path = log(tmp_path, form, list(night(form)))
    assert quickly_read(path) == [True]
    same(path)


@pytest.mark.parametrize("form", FORMATS)
def test_a_good_log_is_the_same_however_it_is_cut(form: str, tmp_path: Path) -> None:
    same(log(tmp_path, form, list(night(form))), block_size=20_000)


@pytest.mark.parametrize("form", FORMATS)
def test_tables_that_take_turns_are_sorted_out(form: str, tmp_path: Path) -> None:
    records = sorted(night(form), key=lambda record: (int(record["seq"]), record["table"]))
    path = log(tmp_path, form, records)
    assert quickly_read(path) == [True]
    same(path)


@pytest.mark.parametrize(
    "record",
    [
        line(id=7, table=12),
        line(id="7", table="12", dealer="3"),
        line(dealer=7),
        line(dealer=7.5),
        line(seat=3.0),
        line(seat="3"),
        line(round=2.5),
        line(face_up="yes"),
        line(ts="2024-03-09 20:00:00.5+01:00"),
        line(ts="2024-03-09T20:00Z"),
        line(type="wager_placed", to=None, seat=1, amount=2.0),
        line(type="wager_placed", to=None, seat=1, amount="$2.50"),
        line(dealer="\ud83c\udf1a"),
        line(player=None),
        line(reason="x"),
        line(croupier="D1"),
    ],
)
def test_what_is_written_otherwise_is_the_same(record: str, tmp_path: Path) -> None:
    same(written(tmp_path, line(id="first", seq=0), record, line(id="last", seq=2)))


def test_lines_of_csv_that_end_otherwise_are_the_same(tmp_path: Path) -> None:
    path = log(tmp_path, "csv", list(night("csv")))
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    same(path)


@pytest.mark.parametrize("form", FORMATS)
@settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_any_few_changed_fields_read_the_same(form: str, data: st.DataObject) -> None:
    records = [dict(record) for record in night(form)]
    names = sorted({name for record in records for name in record})
    for _ in range(data.draw(st.integers(1, 4))):
        record = data.draw(st.sampled_from(records))
        record[data.draw(st.sampled_from(names))] = data.draw(st.sampled_from(VALUES))
    with tempfile.TemporaryDirectory() as folder:
        same(log(Path(folder), form, records))
