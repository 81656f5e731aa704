"""Numbers that begin again, files that overlap, and what cannot be joined."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import polars as pl

from compliance.integrity import NightsInOrder, nights_in_order
from compliance.log.tables import tables
from event_schemas import builtin_schema

SCHEMA = builtin_schema()
Record = dict[str, Any]


def record(number: int, time: str, kind: str = "round_started", **more: Any) -> Record:
    base = {"id": f"e{number}", "seq": number, "casino": "C1", "table": "T1", "type": kind}
    return base | {"ts": f"2024-03-{time}:00-05:00"} | more


def joined(folder: Path, *files: list[Record | str]) -> tuple[pl.DataFrame, NightsInOrder | None]:
    paths = []
    for number, lines in enumerate(files):
        path = folder / f"night{number}.jsonl"
        path.write_text("".join(f"{x if isinstance(x, str) else json.dumps(x)}\n" for x in lines))
        paths.append(path)
    (table,) = tables(paths, SCHEMA)
    found = nights_in_order(SCHEMA, table.frame, None, (), table.lost_lines)
    return table.frame if found is None else found.frame, found


def numbered(frame: pl.DataFrame) -> list[tuple[int, str]]:
    return list(zip(frame["seq"].to_list(), frame["id"].to_list(), strict=True))


MONDAY = [record(1, "04T20:00"), record(2, "04T20:01", "round_ended"), record(3, "04T20:02")]
TUESDAY = [record(1, "05T20:00"), record(3, "05T20:01", "round_ended")]


def test_the_second_night_is_counted_on_and_its_hole_still_shows(tmp_path: Path) -> None:
    frame, found = joined(tmp_path, [*MONDAY], [*TUESDAY])
    assert found is not None
    assert found.begins == ("night1.jsonl, line 1",)
    assert numbered(frame) == [
        (1, "e1"),
        (2, "e2"),
        (3, "e3"),
        (4, "e1@2024-03-05"),
        (6, "e3@2024-03-05"),
    ]


def test_nights_of_one_file_are_told_apart(tmp_path: Path) -> None:
    frame, found = joined(tmp_path, [*MONDAY, *TUESDAY])
    assert found is not None
    assert frame["seq"].to_list() == [1, 2, 3, 4, 6]


def test_numbers_that_go_on_are_left_as_they_are(tmp_path: Path) -> None:
    later = [record(4, "05T20:00"), record(6, "05T20:01")]
    assert joined(tmp_path, [*MONDAY], [*later])[1] is None


def test_files_of_one_counter_that_overlap_are_left_to_the_test_for_repeats(tmp_path: Path) -> None:
    later = [MONDAY[1], MONDAY[2], record(4, "04T20:03")]
    assert joined(tmp_path, [*MONDAY], [*later])[1] is None


def test_a_clock_that_is_put_back_begins_no_night(tmp_path: Path) -> None:
    back = [record(1, "04T20:00"), record(2, "04T18:00"), record(3, "04T18:01")]
    assert joined(tmp_path, [*back])[1] is None


def test_what_two_files_tell_alike_is_taken_once(tmp_path: Path) -> None:
    again = [
        MONDAY[1] | {"seq": 1, "id": "x1"},
        MONDAY[2] | {"seq": 2, "id": "x2"},
        record(3, "05T20:00") | {"id": "x3"},
    ]
    frame, found = joined(tmp_path, [*MONDAY], [*again])
    assert found is not None
    assert found.defects == ()
    assert numbered(frame) == [(1, "e1"), (2, "e2"), (3, "e3"), (4, "x3")]


def test_what_cannot_be_joined_is_told_with_both_lines(tmp_path: Path) -> None:
    other = [
        record(1, "04T20:01", "card_burned") | {"id": "x1"},
        record(2, "05T20:00") | {"id": "x2"},
        record(3, "05T20:01") | {"id": "x3"},
    ]
    _frame, found = joined(tmp_path, [*MONDAY], [*other])
    assert found is not None
    (defect,) = found.defects
    assert defect.kind == "nights-disagree"
    assert "round_ended e2 (night0.jsonl, line 2)" in defect.sentence
    assert "card_burned x1 (night1.jsonl, line 1)" in defect.sentence


def test_a_correction_speaks_of_its_own_night(tmp_path: Path) -> None:
    correction = record(2, "05T20:02", corrects="e1") | {"id": "c1"}
    frame, _found = joined(tmp_path, [*MONDAY], [TUESDAY[0], correction])
    assert frame["corrects:text"].to_list()[-1] == "e1@2024-03-05"


def test_a_line_that_could_not_be_read_keeps_its_number(tmp_path: Path) -> None:
    broken = json.dumps(record(1, "05T19:59") | {"type": "nothing"})
    frame, found = joined(tmp_path, [*MONDAY], [broken, record(2, "05T20:00")])
    assert found is not None
    assert frame["seq"].to_list() == [1, 2, 3, 5]
    assert [line.known.seq for line in found.lost_lines] == [4]
