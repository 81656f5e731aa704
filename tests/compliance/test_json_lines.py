"""Reading a log: every line becomes an event, or is set aside with its number and reason."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from compliance.json_lines import Log, read_json_lines
from event_schemas import builtin_schema

GOOD = {
    "id": "e-1",
    "ts": "2024-03-09T20:00:00-05:00",
    "seq": 1,
    "casino": "C",
    "table": "T",
    "type": "card_burned",
}


def read(folder: Path, *lines: object) -> Log:
    path = folder / "log.jsonl"
    texts = [line if isinstance(line, bytes) else json.dumps(line).encode() for line in lines]
    path.write_bytes(b"".join(text + b"\n" for text in texts))
    return read_json_lines(path, builtin_schema())


def test_a_good_line_is_an_event(tmp_path: Path) -> None:
    log = read(tmp_path, GOOD)
    assert [event.id for event in log.events] == ["e-1"]
    assert log.set_aside == ()


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b"{nonsense", "It is not valid JSON."),
        (b'{"id": "\xff"}', "It is not valid JSON."),
        (b"[" * 5000 + b"]" * 5000, "It is not valid JSON."),
        (b"[1, 2]", "It is not a record with named fields."),
        ({**GOOD, "type": "card_burnt"}, "Did you mean card_burned?"),
        ({**GOOD, "face_up": "perhaps"}, "face_up"),
    ],
)
def test_a_bad_line_is_set_aside_with_its_number_and_reason(
    line: object, reason: str, tmp_path: Path
) -> None:
    log = read(tmp_path, GOOD, line)
    (bad,) = log.set_aside
    assert bad.line == 2
    assert reason in bad.reason
    assert len(log.events) == 1


def test_a_record_that_comes_twice_counts_once_and_is_reported(tmp_path: Path) -> None:
    log = read(tmp_path, GOOD, GOOD)
    assert len(log.events) == 1
    assert log.set_aside[0].reason == "The record e-1 was already read from line 1."


def test_blank_lines_hold_no_record_but_count_as_lines(tmp_path: Path) -> None:
    log = read(tmp_path, b"", b"  ", b"{nonsense")
    assert [bad.line for bad in log.set_aside] == [3]


def test_windows_line_ends_and_a_byte_order_mark_are_accepted(tmp_path: Path) -> None:
    log = read(tmp_path, b"\xef\xbb\xbf" + json.dumps(GOOD).encode() + b"\r")
    assert len(log.events) == 1


def test_the_source_names_the_file_without_its_folder_and_proves_its_content(
    tmp_path: Path,
) -> None:
    log = read(tmp_path, GOOD, b"{nonsense")
    assert (log.source.name, log.source.events) == ("log.jsonl", 1)
    assert log.source.sha256 == hashlib.sha256((tmp_path / "log.jsonl").read_bytes()).hexdigest()


def test_the_notes_name_each_line_that_was_set_aside(tmp_path: Path) -> None:
    assert read(tmp_path, GOOD, b"{nonsense").notes == (
        "Line 2 of log.jsonl was set aside: It is not valid JSON.",
    )


def test_a_correction_that_was_not_applied_is_said_aloud(tmp_path: Path) -> None:
    (note,) = read(tmp_path, GOOD, {**GOOD, "id": "e-2", "voids": "e-1"}).notes
    assert note == "1 of the records of log.jsonl correct or cancel others; all were taken as they stand."  # fmt: skip  # noqa: E501
