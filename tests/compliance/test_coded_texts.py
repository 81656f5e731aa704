"""Texts that come again and again take little room, and are the same texts."""

from __future__ import annotations

import polars as pl
import pytest
from polars.testing import assert_frame_equal

from compliance.coded_texts import coded, uncoded
from compliance.columns import Words
from compliance.table_frame import FrameColumns


def frame() -> pl.DataFrame:
    size = 1000
    return pl.DataFrame(
        {
            "id": [f"e-{number}" for number in range(size)],
            "casino": ["C1"] * size,
            "dealer:text": [("D1", "D2", None, "a name with blanks")[n % 4] for n in range(size)],
            "note:text": [f"said {number}" for number in range(size)],
            "seat:seat": [number % 7 for number in range(size)],
        }
    )


def test_texts_are_the_same_after_they_were_coded() -> None:
    assert_frame_equal(uncoded(coded(frame())), frame())


def test_events_read_from_coded_texts_are_the_same() -> None:
    assert coded(frame()).rows() == frame().rows()


def test_only_texts_that_come_often_are_coded() -> None:
    found = coded(frame()).schema
    assert [name for name, kind in found.items() if isinstance(kind, pl.Enum)] == ["dealer:text"]


def texts_seen(part: pl.DataFrame) -> list[str | None]:
    """The dealers as the engine finds them, from the numbers that stand for them."""
    words = Words()
    words.number("a word of the rules, seen before")
    column = FrameColumns(part, words)["dealer", "text"]
    places = zip(column.values.tolist(), column.valid.tolist(), strict=True)
    return [words.texts[number] if valid else None for number, valid in places]


@pytest.mark.parametrize("first", [0, 3, 13])
def test_the_engine_finds_the_same_texts_in_any_part_of_a_coded_log(first: int) -> None:
    part = coded(frame())[first:]
    assert texts_seen(part) == part["dealer:text"].to_list() == texts_seen(uncoded(part))


def test_the_engine_finds_no_text_where_none_was_ever_recorded() -> None:
    nothing = pl.Series("dealer:text", [None, None], dtype=pl.Enum([]))
    assert texts_seen(pl.DataFrame([nothing])) == [None, None]
