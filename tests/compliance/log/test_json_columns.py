"""Plain JSON lines are read by compiled code: it tells all that they say, or refuses them."""

from __future__ import annotations

import json
import random
import sys
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from compliance.log.layout import layout_of
from compliance.log.readers.json_columns import plain_columns
from tests.compliance.engine.compiling import NO_COMPILER
from tests.compliance.log.small_logs import SCHEMA
from tests.compliance.log.test_quick_chunk import night
from tests.compliance.log.watched_library import run_watched

LAYOUT = layout_of(SCHEMA)
SPOILED = """
from tests.compliance.log.test_json_columns import read_spoiled
read_spoiled(3000)
"""
BYTES = b'{}[]",:\\ \t\r\n0123456789.-+eEtrufalsn\x00\x01\x7f'
Record = dict[str, Any]


def records(lines: list[bytes]) -> list[Record] | None:
    """What the columns tell of each line; None where the lines were refused."""
    found = plain_columns(b"".join(line + b"\n" for line in lines), len(lines), LAYOUT)
    if found is None:
        return None
    rows: list[Record] = [{} for _ in lines]
    for name, column in found.columns.items():
        bare = found.bare.get(name)
        for place, value in enumerate(column.to_pylist()):
            if value is not None:
                is_bare = bare is not None and bare[place]
                rows[place][name] = json.loads(value) if is_bare else value
    return rows


def as_written(line: bytes) -> Record:
    """A line as everybody reads it; a name may not come twice, and nothing is not recorded."""

    def record(pairs: list[tuple[str, Any]]) -> Record:
        assert len(dict(pairs)) == len(pairs)
        return {name: value for name, value in pairs if value is not None}

    read = json.loads(line, object_pairs_hook=record)
    assert isinstance(read, dict)
    return read


def hold(lines: list[bytes]) -> None:
    """What is not refused says what the lines say."""
    found = records(lines)
    assert found is None or found == [as_written(line) for line in lines]


def plain_lines() -> list[bytes]:
    return [json.dumps(record, separators=(",", ":")).encode() for record in night("jsonl")[:40]]


def spoiled(lines: list[bytes], rng: random.Random) -> list[bytes]:
    """Some bytes of a line are others, are left out or come twice."""
    place = rng.randrange(len(lines))
    line = bytearray(lines[place])
    for _ in range(rng.choice([1, 1, 2, 5])):
        at = rng.randrange(len(line) + 1)
        kind = rng.randrange(3)
        line[at : at + (kind != 1)] = bytes([rng.choice(BYTES)]) if kind else b""
    return [*lines[:place], bytes(line.replace(b"\n", b" ")), *lines[place + 1 :]]


def read_spoiled(cases: int) -> None:
    rng, lines = random.Random(5), plain_lines()
    for _ in range(cases):
        hold(spoiled(lines, rng))


def test_the_lines_of_a_night_are_plain() -> None:
    lines = plain_lines()
    assert records(lines) == [as_written(line) for line in lines]


@pytest.mark.parametrize(
    "line",
    [
        '{"id" : "a" , "seq":\t-7, "seat":0 } \r',
        '{"id":"a","value":5,"round":null}',
        '{"value":"5","id":""}',
        '{"value":1.50e+3}',
        '{"face_up":false,"value":true}',
        '{"id":"Ω","casino":"Zoë"}',
        '{"seq":999999999999999999}',
    ],
)
def test_a_plain_line_is_read_as_it_is_written(line: str) -> None:
    found = records([line.encode()])
    assert found == [as_written(line.encode())]


@pytest.mark.parametrize(
    "line",
    [
        "",
        " ",
        "{}",
        "[]",
        "7",
        '{"id":"a"',
        '{"id":"a"}}',
        '{"id":"a",}',
        '{"id" "a"}',
        '{"id":"a""seq":1}',
        '{"id":a}',
        '{"id":"a\\n"}',
        '{"id":"a\tb"}',
        '{"i\\u0064":"a"}',
        '{"id":"a","id":"a"}',
        '{"id":"a","id":null}',
        '{"nobody":"a"}',
        '{"cards":["9S"]}',
        '{"seq":01}',
        '{"seq":+1}',
        '{"seq":-}',
        '{"seq":1.}',
        '{"seq":.5}',
        '{"seq":1e}',
        '{"seq":1.0}',
        '{"seq":1000000000000000000}',
        '{"seq":true}',
        '{"face_up":1}',
        '{"seq":1x}',
        '{"value":nul}',
        '{"value":NaN}',
        '{"id":7}',
        '{"id":"a"} {"id":"b"}',
    ],
)
def test_what_is_not_plain_is_refused(line: str) -> None:
    assert records([b'{"id":"first"}', line.encode(), b'{"id":"last"}']) is None


def test_values_of_two_sorts_in_a_column_of_numbers_are_refused() -> None:
    assert records([b'{"seat":1}', b'{"seat":"1"}']) is None
    assert records([b'{"face_up":true}', b'{"face_up":"yes"}']) is None


def test_the_same_text_with_and_without_quotes_is_two_values() -> None:
    found = records([b'{"value":"5"}', b'{"value":5}', b'{"value":"5"}'])
    assert found == [{"value": "5"}, {"value": 5}, {"value": "5"}]


def test_many_different_texts_are_all_kept() -> None:
    lines = [f'{{"id":"{n}","player":"P{n % 5000}"}}'.encode() for n in range(12_000)]
    assert records(lines) == [as_written(line) for line in lines]


@settings(deadline=None, max_examples=300)
@given(st.randoms(use_true_random=False))
def test_spoiled_lines_are_refused_or_told_as_they_are(rng: random.Random) -> None:
    hold(spoiled(plain_lines(), rng))


@pytest.mark.skipif(sys.platform != "linux", reason="the watchers are loaded as on Linux")
@pytest.mark.skipif(NO_COMPILER, reason="needs a C compiler")
def test_spoiled_lines_leave_memory_alone(tmp_path: Any) -> None:
    run_watched(tmp_path, SPOILED)
