"""Of a line that was set aside, what it still tells is kept: its table, its number, its type."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from compliance.log import tables
from compliance.log.lost_lines import (
    NOTHING,
    KnownOfLine,
    LostLine,
    LostLines,
    known_of_text,
)
from compliance.log.mapping_file import load_mapping
from event_schemas.lost_record import NO_LIMIT
from tests.compliance.log.small_logs import GOOD, GOOD_CSV, HEADER, SCHEMA, line, written

WHOLE = KnownOfLine("a", "C1", "T1", 1, "card_dealt")


def lost(*paths: Path, table: str = "T1", mapping: Path | None = None) -> list[LostLine]:
    """The lines that may be records of a table."""
    found = load_mapping(mapping, SCHEMA)[0] if mapping else None
    log = tables(paths, SCHEMA, found)
    assert not log.problems
    (chosen,) = (item for item in log if item.table == table)
    return list(chosen.lost_lines)


def test_a_record_with_a_bad_field_tells_its_table_number_and_type(tmp_path: Path) -> None:
    path = written(tmp_path, line(), line(id="b", seq=2, to="nobody"))
    known = KnownOfLine("b", "C1", "T1", 2, "card_dealt")
    assert lost(path) == [LostLine("log.jsonl", 2, 2, 1, known)]


def test_a_cell_of_csv_tells_the_same(tmp_path: Path) -> None:
    bad = GOOD_CSV.replace("player", "nobody").replace("a,", "b,", 1)
    path = written(tmp_path, HEADER, GOOD_CSV, bad, name="log.csv")
    assert [item.known for item in lost(path)] == [WHOLE._replace(id="b")]


@given(cut=st.integers(1, len(line()) - 1))
def test_half_a_line_tells_nothing_that_the_whole_one_does_not(cut: int) -> None:
    known = known_of_text(line()[:cut])
    for part, whole in zip(known, WHOLE, strict=True):
        assert part in (None, whole)


def test_half_a_line_tells_the_fields_that_stand_there_whole() -> None:
    assert known_of_text('{"id":"a","seq":196,"table":"T1","type":"card_d') == KnownOfLine(
        "a", None, "T1", 196
    )


def test_a_number_at_the_cut_is_not_believed() -> None:
    assert known_of_text('{"id":"a","seq":19') == KnownOfLine("a")


def test_a_field_that_comes_twice_is_not_believed() -> None:
    assert known_of_text('{"seq":1,"seq":2,"table":"T1",') == KnownOfLine(None, None, "T1")


@pytest.mark.parametrize("text", ["", "x", "\0\0", "null", "[1]", '"seq":5,"table":"T1"'])
def test_what_does_not_begin_as_a_record_tells_nothing(text: str) -> None:
    assert known_of_text(text) == NOTHING


def test_two_records_on_one_line_are_two_lost_records(tmp_path: Path) -> None:
    both = line(id="b", seq=2)[:-9] + line(id="c", seq=3)
    first, second = lost(written(tmp_path, line(), both))
    assert (first.known.seq, first.records) == (2, 1)
    assert (second.known, second.records) == (NOTHING, 1)


def test_nobody_knows_how_many_records_a_very_long_line_held() -> None:
    assert known_of_text("x" * 5_000).records == NO_LIMIT


def test_a_line_concerns_the_table_that_it_names_and_no_other(tmp_path: Path) -> None:
    path = written(tmp_path, line(), line(id="t", table="T2"), line(id="b", seq=2, to="nobody"))
    assert len(lost(path)) == 1
    assert lost(path, table="T2") == []


def test_a_number_without_its_table_is_not_used(tmp_path: Path) -> None:
    path = written(tmp_path, line(), '{"id":"b","seq":1,"type":"card_dealt","ca')
    known = KnownOfLine("b", None, None, None, "card_dealt")
    assert lost(path) == [LostLine("log.jsonl", 2, 2, 1, known)]


def test_a_line_that_names_an_unknown_table_may_belong_to_any(tmp_path: Path) -> None:
    path = written(tmp_path, line(), line(id="b", seq=2, table="T9", to="nobody"))
    assert lost(path) == [LostLine("log.jsonl", 2, 2, 1)]


def test_a_record_that_no_section_of_a_mapping_fits_tells_its_number(tmp_path: Path) -> None:
    mapping = tmp_path / "mapping.toml"
    mapping.write_text(
        'name = "M"\nothers = "ignore"\n[constants]\ncasino = "C1"\nto = "player"\n[fields]\n'
        'id = "id"\nts = "ts"\nseq = "n"\ntable = "table"\n'
        '[[events]]\ntype = "card_dealt"\nwhen = { kind = "CARD" }\n'
    )
    good = GOOD | {"n": 1, "kind": "CARD"}
    lines = [good, good | {"id": "b", "n": 2, "kind": "?"}]
    path = written(tmp_path, *map(json.dumps, lines), '{"seq":7,"table":"T1",')
    known = KnownOfLine("b", "C1", "T1", 2)
    # The words of another system are not taken for ours: the last line tells nothing.
    assert lost(path, mapping=mapping) == [
        LostLine("log.jsonl", 2, 2, 1, known),
        LostLine("log.jsonl", 3, 3, 1),
    ]


def test_neighbouring_lines_of_which_nothing_is_known_are_remembered_together() -> None:
    lines = LostLines()
    for number in (3, 4, 5, 9):
        lines.add("log", number, NOTHING)
    assert list(lines.of("C1", "T1")) == [LostLine("log", 3, 5, 3), LostLine("log", 9, 9, 1)]


@given(
    bad=st.lists(st.tuples(st.booleans(), st.integers(1, 3)), min_size=1, max_size=200),
    most=st.integers(2, 20),
)
def test_any_number_of_lines_is_remembered_in_bounded_memory(
    bad: list[tuple[bool, int]], most: int
) -> None:
    lines = LostLines(most)
    number = 0
    for named, step in bad:
        number += step
        known = KnownOfLine(None, "C1", f"T{step}", number) if named else NOTHING
        lines.add("log", number, known)
        assert len(lines) <= most
    kept = lines._lines
    assert sum(item.records for item in kept) == len(bad)
    assert all(a.last < b.first for a, b in pairwise(kept))
    assert kept[-1].last == number
