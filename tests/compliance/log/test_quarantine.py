"""A line that is no event is set aside with its number and one clear reason; others are kept."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.compliance.log.small_logs import line, read, reasons, written


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        ('{"id": "x"', "The line is not valid JSON at place 11."),
        ("[1, 2]", "The line holds a list instead of a record with named fields."),
        ("17", "The line holds a number instead of a record with named fields."),
        ('{"id": NaN}', "NaN is not a number that a record may hold."),
        ('{"id": -Infinity}', "-Infinity is not a number that a record may hold."),
        (
            line()[:-1] + ', "to": "dealer"}',
            'The record names the field "to" twice.',
        ),
        (b'{"id": "\0"}', "The line holds a NUL byte, as after a crash of the recorder."),
        (
            b'{"id": "caf\xe9"}',
            "The line is not UTF-8 text: byte 0xe9 at place 12; it may be in another encoding, "
            "such as Windows-1252.",
        ),
        (
            line(id="\ud800"),
            "The record holds half of a character (an escape that stands for no text).",
        ),
        (line(type="card_delt"), 'There is no event type "card_delt". Did you mean card_dealt?'),
        (line(seta=4), 'The event type card_dealt has no field "seta". Did you mean seat?'),
        (
            line(type="wager_placed", to=None, amount=25.5),
            "The field amount could not be read. The number 25.5 has a decimal point, which cannot "
            'hold money exactly; write whole cents, or text such as "$25.50".',
        ),
        (
            line(type="wager_placed", to=None, amount=2.0),
            "The field amount could not be read. The number 2.0 has a decimal point, which cannot "
            'hold money exactly; write whole cents, or text such as "$25.50".',
        ),
        (
            line(ts="2024-03-09T20:00:00"),
            'The field ts could not be read. The time "2024-03-09T20:00:00" has no offset from '
            "UTC; write it as in 2024-03-09T20:15:00-05:00.",
        ),
        (
            line(ts="0000-03-09T20:00:00Z"),
            'The field ts could not be read. "0000-03-09T20:00:00Z" is not a time; write it as in '
            "2024-03-09T20:15:00-05:00.",
        ),
        (
            line(ts="9999-12-31T23:59:59Z"),
            "The time 9999-12-31T23:59:59+00:00 cannot be right: an event of a log lies between "
            "the years 1900 and 2199.",
        ),
        (line(seq=1.5), "The field seq holds 3/2, but a whole number belongs there."),
        (
            line(round=10**30),
            "The field round could not be read. A number is at most 1,000,000,000,000,000; larger "
            "ones are not checked.",
        ),
        ("[" * 100_000, "The line is not a record: it is nested too deeply."),
    ],
)
def test_a_bad_line_is_quarantined_with_its_number(
    tmp_path: Path, bad: str | bytes, reason: str
) -> None:
    log, events = read(written(tmp_path, line(id="first"), bad, line(id="last", seq=2)))
    assert reasons(log) == [(2, reason)]
    assert [event.id for event in events] == ["first", "last"]


def test_a_missing_field_says_what_belongs_there(tmp_path: Path) -> None:
    log, _events = read(written(tmp_path, line(), line(to=None)))
    ((number, reason),) = reasons(log)
    assert (number, reason.split(":")[0]) == (2, "The field to is missing")


def test_a_line_of_many_megabytes_is_set_aside_with_its_beginning(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    with path.open("wb") as file:
        file.write(line().encode() + b'\n{"id": "')
        for _part in range(20):
            file.write(b"x" * (1 << 20))
        file.write(b'"}\n' + line(id="last", seq=2).encode() + b"\n")
    log, events = read(path, block_size=1 << 20)
    (aside,) = log.quarantine.first
    assert (aside.line, len(aside.text)) == (2, 1000)
    assert aside.reason.startswith("The line is longer than 1,048,576 bytes")
    assert [event.id for event in events] == ["a", "last"]


def test_the_side_file_holds_file_line_reason_and_text(tmp_path: Path) -> None:
    side = tmp_path / "aside" / "lines.jsonl"
    read(written(tmp_path, line(), "not JSON"), quarantine=side)
    assert [json.loads(text) for text in side.read_text().splitlines()] == [
        {
            "file": "log.jsonl",
            "line": 2,
            "reason": "The line is not valid JSON at place 1.",
            "text": "not JSON",
        }
    ]


def test_reasons_are_counted(tmp_path: Path) -> None:
    log, _events = read(written(tmp_path, line(), "[]", "[]", "1"))
    assert sorted(log.quarantine.reasons.values()) == [1, 2]


def test_a_log_without_bad_lines_makes_no_side_file(tmp_path: Path) -> None:
    side = tmp_path / "lines.jsonl"
    read(written(tmp_path, line()), quarantine=side)
    assert not side.exists()


def test_blank_lines_and_a_byte_order_mark_are_no_records(tmp_path: Path) -> None:
    path = written(tmp_path, b"\xef\xbb\xbf" + line().encode(), "", "  ", line(id="b") + "\r")
    log, events = read(path)
    assert log.quarantine.total == 0
    assert [event.id for event in events] == ["a", "b"]


def test_the_offset_decides_in_the_hour_that_happens_twice(tmp_path: Path) -> None:
    first, second = "2024-11-03T01:30:00-04:00", "2024-11-03T01:30:00-05:00"
    _log, events = read(written(tmp_path, line(ts=first), line(ts=second, seq=2)))
    assert [event.ts.isoformat() for event in events] == [first, second]
    assert (events[1].ts - events[0].ts).total_seconds() == 3600


def test_nothing_recorded_and_no_such_field_are_the_same(tmp_path: Path) -> None:
    _log, (event,) = read(written(tmp_path, line(seat=None)))
    assert event.fields == {"to": "player"}


def test_money_in_every_style_is_the_same_cents(tmp_path: Path) -> None:
    record = {"type": "wager_placed", "to": None}
    amounts = (2550, "$25.50", "25.50", "$25.5")
    lines = [line(**record, amount=amount, seq=n) for n, amount in enumerate(amounts)]
    _log, events = read(written(tmp_path, *lines))
    assert [event.get("amount") for event in events] == [2550] * 4
