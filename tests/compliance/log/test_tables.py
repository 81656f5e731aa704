"""A log comes table by table, in each table's own order, in bounded memory."""

from __future__ import annotations

import gc
import tracemalloc
from pathlib import Path

import polars as pl
from polars.testing import assert_frame_equal

from compliance.log import tables
from compliance.table_log.frame import FrameEvents
from tests.columns_of_events import frame_of
from tests.compliance.log.small_logs import SCHEMA, line, read, written


def test_tables_come_in_order_of_casino_and_table(tmp_path: Path) -> None:
    places = (("C2", "T1"), ("C1", "T2"), ("C1", "T1"))
    path = written(tmp_path, *(line(casino=casino, table=table) for casino, table in places))
    found = [(item.casino, item.table) for item in tables([path], SCHEMA)]
    assert found == sorted(places)


def test_seq_orders_a_table_and_ties_stay_as_they_were_read(tmp_path: Path) -> None:
    two = written(tmp_path, line(id="d", seq=1), line(id="a", seq=0), name="2.jsonl")
    one = written(tmp_path, line(id="c", seq=1), line(id="b", seq=0), name="1.jsonl")
    assert [event.id for event in read(two, one)[1]] == ["b", "a", "c", "d"]


def test_every_event_knows_its_file_and_line(tmp_path: Path) -> None:
    path = written(tmp_path, "broken", "", line(), name="night.jsonl")
    (table,) = tables([path], SCHEMA)
    assert table.frame.select("file", "line").rows() == [("night.jsonl", 3)]


def test_files_of_the_same_name_are_told_apart_by_their_folder(tmp_path: Path) -> None:
    for number, folder in enumerate(("mon", "tue")):
        (tmp_path / folder).mkdir()
        written(tmp_path / folder, line(seq=number), name="log.jsonl")
    (table,) = tables([tmp_path], SCHEMA)
    assert table.frame["file"].to_list() == ["mon/log.jsonl", "tue/log.jsonl"]


def test_spilling_changes_nothing(tmp_path: Path) -> None:
    lines = [line(id=f"e{n}", seq=n // 3, table=f"T{n % 4}", seat=n % 7 + 1) for n in range(400)]
    path = written(tmp_path, *lines)
    work = tmp_path / "work"
    whole = list(tables([path], SCHEMA))
    spilled = list(tables([path], SCHEMA, spill=work, budget=1000, block_size=2000))
    for one, other in zip(whole, spilled, strict=True):
        assert (one.casino, one.table) == (other.casino, other.table)
        assert_frame_equal(one.frame, other.frame)
    assert list(work.iterdir())


def test_texts_have_the_same_lists_however_the_log_was_cut(tmp_path: Path) -> None:
    # Later numbers first, some parts without a player, and at last names that come only once.
    names = [{"player": f"P{n % 5}"} if n // 100 % 2 else {"round": n} for n in range(800)]
    names += [{"by": f"S{n}"} for n in range(40)]
    lines = [line(id=f"e{n}", seq=900 - n // 2 * 2, **name) for n, name in enumerate(names)]
    path = written(tmp_path, *lines)
    (whole,) = tables([path], SCHEMA)
    (cut,) = tables([path], SCHEMA, spill=tmp_path / "work", budget=1000, block_size=2000)
    assert not isinstance(cut.held, pl.DataFrame)
    assert_frame_equal(whole.small(), cut.small())
    assert isinstance(cut.small()["player:text"].dtype, pl.Enum)


def test_the_frame_is_what_the_engine_reads(tmp_path: Path) -> None:
    path = written(tmp_path, line(card="9S", seat=3, face_up=True))
    (table,) = tables([path], SCHEMA)
    direct = frame_of(SCHEMA, list(FrameEvents(SCHEMA, table.frame)))
    read = table.frame.drop("file", "line")
    assert_frame_equal(read, direct, check_dtypes=False, check_column_order=False)


def test_typed_columns_of_parquet_are_understood(tmp_path: Path) -> None:
    base = pl.DataFrame(
        {
            "id": ["a"],
            "seq": pl.Series([1], dtype=pl.UInt16),
            "casino": pl.Series(["C1"], dtype=pl.Categorical),
            "table": [12],
            "type": ["wager_placed"],
            "amount": [2550],
            "seat": pl.Series([3], dtype=pl.Int8),
        }
    )
    moment = pl.Series(["2024-11-03T05:30:00"]).str.to_datetime(time_zone="UTC", time_unit="ns")
    zoned = moment.dt.convert_time_zone("America/New_York")
    base.with_columns(zoned.alias("ts")).write_parquet(tmp_path / "a.parquet")
    _log, (event,) = read(tmp_path / "a.parquet")
    assert event.ts.isoformat() == "2024-11-03T01:30:00-04:00"
    assert (event.casino, event.table, event.seq) == ("C1", "12", 1)
    assert event.fields == {"seat": 3, "amount": 2550}


def test_seats_that_became_broken_numbers_by_gaps_in_their_column_are_seats(tmp_path: Path) -> None:
    path = written(tmp_path, line(seat=3), line(id="e2", seq=2))
    frame = pl.read_ndjson(path).with_columns(pl.col("seat").cast(pl.Float64))
    frame.write_parquet(tmp_path / "a.parquet")
    _log, events = read(tmp_path / "a.parquet")
    assert [event.get("seat") for event in events] == [3, None]


def test_a_parquet_column_of_times_without_a_zone_is_set_aside(tmp_path: Path) -> None:
    _log, (event,) = read(written(tmp_path, line()))
    naive = event.ts.replace(tzinfo=None)
    record = {"id": "a", "ts": naive, "seq": 1, "casino": "C", "table": "T", "type": "table_closed"}
    pl.DataFrame([record]).write_parquet(tmp_path / "a.parquet")
    log, events = read(tmp_path / "a.parquet")
    assert events == []
    assert "has no offset from UTC" in log.quarantine.first[0].reason


def test_memory_does_not_grow_with_the_number_of_set_aside_lines(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_text(line() + "\n" + "".join(f'{{"id": {n}' + "\n" for n in range(20_000)))
    gc.collect()
    tracemalloc.start()
    log, _events = read(path, block_size=10_000)
    _now, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert log.quarantine.total == 20_000
    assert peak < 20 << 20
