"""Where a lost record stands among the events of other tables: wherever it may have been, and at no
other place."""

from __future__ import annotations

import polars as pl

from compliance.table_check.check_table import order
from compliance.table_log.lost_rows import lost_type
from tests.compliance.integrity.damaged_logs import Line, examined_tables
from tests.compliance.integrity.small_tables import SCHEMA, an, at

LOST = "?"


def in_order(own: list[Line], kept: set[int]) -> list[str | int]:
    """The events of two tables in one row: of T2 one each second, of T1 those with kept numbers,
    each by its id; a lost record is its number."""
    others = [
        an(
            "card_dealt",
            id=f"o{second}",
            table="T2",
            seq=second,
            ts=at(seconds=second),
            to="player",
        )
        for second in range(1, 10)
    ]
    tables = examined_tables(own, others)
    seen = (pl.col("seq").is_in(list(kept))) | (pl.col("type") == lost_type(SCHEMA))
    parts = [tables["T1"].frame.filter(seen), tables["T2"].frame]
    row = order(SCHEMA, pl.concat(parts, how="diagonal_relaxed"))
    return [ident or seq for ident, seq in row.select("id", "seq").rows()]


def own(seq: int, second: int) -> Line:
    return an("round_ended", id=f"e{seq}", seq=seq, ts=at(seconds=second))


def test_a_lost_record_stands_only_between_the_moments_of_its_neighbours() -> None:
    lines = [own(1, 0), own(2, 4), LOST, own(4, 6), own(5, 20)]
    row = in_order(lines, {1, 5})
    assert row[:5] == ["e1", "o1", "o2", "o3", 3]
    # At the very moment of a neighbour nobody knows which came first.
    assert row[5:11] == ["o4", 3, "o5", 3, "o6", 3]
    assert row[11:] == ["o7", "o8", "o9", "e5"]


def test_it_stands_at_no_more_places_if_its_neighbours_are_there() -> None:
    lines = [own(1, 0), own(2, 4), LOST, own(4, 6), own(5, 20)]
    row = in_order(lines, {1, 2, 4, 5})
    assert row[4:10] == ["e2", 3, "o4", 3, "o5", 3]
    assert row[10:] == ["e4", "o6", "o7", "o8", "o9", "e5"]


def test_after_the_last_record_of_its_table_it_may_stand_anywhere() -> None:
    row = in_order([own(1, 0), own(2, 7), LOST], {1, 2})
    assert row == ["e1", *(f"o{n}" for n in range(1, 7)), "e2", 3, "o7", 3, "o8", 3, "o9", 3]
