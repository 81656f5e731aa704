"""Events written in any format, cut into any pieces, come back as the same events."""

from __future__ import annotations

import csv
import json
import tempfile
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import polars as pl
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

from compliance.log import tables
from compliance.table_log.frame import FrameEvents
from compliance.values.event_texts import witness
from event_schemas import Event, event_from_record
from tests.compliance.log.random_events import (
    SCHEMA,
    events,
    json_record,
    text_record,
    write_csv,
    write_json_lines,
    write_parquet,
)

LOGS = st.lists(events(), min_size=1, max_size=6)
QUICK = settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
ODDITIES: list[Any] = [
    *(True, False, None, 1.5, 2.0, 1e3, -1, 0, 10**20, 20240309, "2500", "25.00", "$1,250.5"),
    *("", " 5 ", "true", "yes", "NaN", "0.05", "5%", "3:2", "3 to 0", "9s", "[]", "null", "½"),
    *("2024-03-09", "2024-03-09T20:00:00", "2024-03-09 20:00:00Z", "20240309T200000Z"),
    *("2024-02-30T20:00:00Z", "0000-01-01T00:00:00Z", "9999-12-31T23:59:59-05:00", "1e400"),
    *("2024-03-09T24:00:00Z", '": "', '": null,'),
    *([], ["9S", "10H"], ["9S", 5], "9S,TH", {"a": 1}, "\ud800", "a\nb", "\t", "é"),
]


def read(paths: list[Path], **options: Any) -> dict[tuple[str, str], pl.DataFrame]:
    log = tables(paths, SCHEMA, **options)
    assert not log.problems
    assert not log.quarantine.total, log.quarantine.first
    return {(table.casino, table.table): table.frame for table in log}


def in_order(log: list[Event]) -> dict[tuple[str, str], list[Event]]:
    found: dict[tuple[str, str], list[Event]] = {}
    for event in sorted(log, key=lambda event: event.seq):
        found.setdefault((event.casino, event.table), []).append(event)
    return found


@QUICK
@given(log=LOGS)
def test_every_format_gives_back_the_events_that_were_written(log: list[Event]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        for write, name in (
            (write_json_lines, "a.jsonl"),
            (write_csv, "a.csv"),
            (write_parquet, "a.parquet"),
        ):
            found = read([write(Path(folder, name), log)])
            events_found = {place: list(FrameEvents(SCHEMA, f)) for place, f in found.items()}
            assert events_found == in_order(log), name


@QUICK
@given(log=LOGS)
def test_evidence_shows_an_event_as_it_was_written(log: list[Event]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        frames = read([write_json_lines(Path(folder, "a.jsonl"), log)])
    for place, own in in_order(log).items():
        events_found = FrameEvents(SCHEMA, frames[place])
        shown = [events_found.witness(number, "found") for number in range(len(own))]
        expected = [witness(event, SCHEMA, "found") for event in own]
        assert shown == expected
        # Moments are equal in any zone; evidence keeps the offset of the log as well.
        assert [str(one.ts) for one in shown] == [str(one.ts) for one in expected]


def test_evidence_shows_times_as_the_clocks_of_the_table_did(tmp_path: Path) -> None:
    event = elected_at(datetime(2024, 3, 9, 18, tzinfo=UTC))
    (frame,) = read([write_json_lines(tmp_path / "a.jsonl", [event])]).values()
    found = FrameEvents(SCHEMA, frame).witness(0, "found")
    assert found == witness(event, SCHEMA, "found")
    assert "effective_at=2024-03-09T13:00:00-05:00" in found.line_text


def test_evidence_shows_a_time_that_no_clock_of_the_table_could_show() -> None:
    event = elected_at(datetime(1, 1, 1, 2, tzinfo=UTC))
    assert "effective_at=0001-01-01T02:00:00+00:00" in witness(event, SCHEMA, "found").line_text


def elected_at(effective: datetime) -> Event:
    here = datetime(2024, 3, 9, 12, tzinfo=timezone(timedelta(hours=-5)))
    elected = {"option_name": "decks", "value": "6", "effective_at": effective}
    return Event("e", here, 1, "C1", "T1", "option_elected", elected)


def test_evidence_tells_more_values_than_are_remembered(tmp_path: Path) -> None:
    start = datetime(2024, 3, 9, tzinfo=UTC)
    log = [
        Event(str(seq), start, seq, "C1", "T1", "wager_placed", {"seat": 1, "amount": seq % 1500})
        for seq in range(3000)
    ]
    (frame,) = read([write_json_lines(tmp_path / "a.jsonl", log)]).values()
    events_found = FrameEvents(SCHEMA, frame)
    shown = [events_found.witness(number, "found") for number in range(len(log))]
    assert shown == [witness(event, SCHEMA, "found") for event in log]


@QUICK
@given(log=LOGS)
def test_all_formats_give_equal_frames(log: list[Event]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        first = read([write_json_lines(Path(folder, "a.jsonl"), log)])
        for write, name in ((write_csv, "a.csv"), (write_parquet, "a.parquet")):
            other = read([write(Path(folder, name), log)])
            assert list(first) == list(other)
            for place, frame in first.items():
                places = ["file", "line"]
                assert_frame_equal(frame.drop(places), other[place].drop(places))


@QUICK
@given(log=LOGS, size=st.integers(1, 600), rows=st.integers(1, 5))
def test_the_size_of_the_pieces_does_not_matter(log: list[Event], size: int, rows: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        for write, name in (
            (write_json_lines, "a.jsonl"),
            (write_csv, "a.csv"),
            (write_parquet, "a.parquet"),
        ):
            path = write(Path(folder, name), log)
            whole = read([path])
            pieces = read([path], block_size=size, rows=rows, budget=0, spill=Path(folder, "work"))
            assert list(whole) == list(pieces)
            for place, frame in whole.items():
                assert_frame_equal(frame, pieces[place])


@QUICK
@given(log=st.lists(events(), min_size=2, max_size=6))
def test_the_order_of_the_files_does_not_matter(log: list[Event]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        half = len(log) // 2
        one = write_json_lines(Path(folder, "1.jsonl"), log[:half])
        two = write_csv(Path(folder, "2.csv"), log[half:])
        forward, backward = read([one, two]), read([two, one])
        assert list(forward) == list(backward)
        for place, frame in forward.items():
            assert_frame_equal(frame, backward[place])


@settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data(), log=LOGS)
def test_columns_take_exactly_what_single_records_take(
    data: st.DataObject, log: list[Event]
) -> None:
    """The fast way and the slow way agree on every record, good or bad."""
    records = [json_record(event) for event in log]
    for record in records:
        for name in data.draw(st.lists(st.sampled_from(sorted(record)), max_size=2)):
            record[name] = data.draw(st.sampled_from(ODDITIES))
        if data.draw(st.integers(0, 5)) == 0:
            record[data.draw(st.sampled_from(["seat", "foo", "reason", "value"]))] = data.draw(
                st.sampled_from(ODDITIES)
            )
    expected = {line: expected_event(record) for line, record in enumerate(records, start=1)}
    separators = data.draw(st.sampled_from([(", ", ": "), (",", ":"), (" , ", " : ")]))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "a.jsonl")
        lines = [json.dumps(record, separators=separators) for record in records]
        path.write_text("\n".join(lines), "utf-8")
        log_read = tables([path], SCHEMA, quarantine=Path(folder, "aside.jsonl"))
        found = {}
        for table in log_read:
            for row, event in enumerate(FrameEvents(SCHEMA, table.frame)):
                found[table.frame["line"][row]] = event
    aside = {item.line for item in log_read.quarantine.first}
    assert aside == {line for line, event in expected.items() if event is None}
    assert found == {line: event for line, event in expected.items() if event is not None}


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data(), log=LOGS)
def test_cells_are_taken_exactly_as_single_texts_are(data: st.DataObject, log: list[Event]) -> None:
    records = [text_record(event) for event in log]
    cells = [
        *(item for item in ODDITIES if isinstance(item, str) and item != "\ud800"),
        "+5",
        "007",
    ]
    for record in records:
        for name in data.draw(st.lists(st.sampled_from(sorted(record)), max_size=2)):
            record[name] = data.draw(st.sampled_from(cells))
    names = list(dict.fromkeys(name for record in records for name in record))
    present = [{name: cell for name, cell in record.items() if cell} for record in records]
    expected = [event for event in map(expected_event, present) if event is not None]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "a.csv")
        with path.open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, names, quoting=data.draw(st.sampled_from([0, 1])))
            writer.writeheader()
            writer.writerows(records)
        found = [event for t in tables([path], SCHEMA) for event in FrameEvents(SCHEMA, t.frame)]
    assert sorted(found, key=repr) == sorted(expected, key=repr)


def expected_event(record: dict[str, Any]) -> Event | None:
    """What the plain reader of single records says, within what a typed frame can hold."""
    if "\ud800" in record.values():
        return None
    present = {name: value for name, value in record.items() if value is not None}
    event = event_from_record(SCHEMA, present)
    if not isinstance(event, Event) or not isinstance(event.seq, int):
        return None
    if not 1900 <= event.ts.year <= 2199:
        return None
    for value in (*event.fields.values(), event.seq, event.id, event.casino, event.table):
        if isinstance(value, int) and abs(value) >= 2**63:
            return None
        if getattr(value, "year", 0) == 9999 and hasattr(value, "hour"):
            return None
    return event
