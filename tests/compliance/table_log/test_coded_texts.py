"""Texts that come again and again take little room, and are the same texts."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import polars as pl
import pytest
from polars.testing import assert_frame_equal, assert_series_equal

from compliance.table_log.coded_texts import (
    coded,
    coded_column,
    joined,
    listed_texts,
    recoded,
    uncoded,
)
from compliance.table_log.columns import Words
from compliance.table_log.table_log import FrameColumns


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
    in_lists = [name for name, kind in found.items() if isinstance(kind, pl.Enum)]
    assert in_lists == ["casino", "dealer:text"]


def test_the_name_of_an_event_is_never_coded_even_if_it_comes_often() -> None:
    assert coded(pl.DataFrame({"id": ["e-1"] * 10}))["id"].dtype == pl.String


@pytest.mark.parametrize("cuts", [(0, 1000), (0, 2, 500, 1000), (0, 300, 999, 1000)])
@pytest.mark.parametrize("name", ["id", "casino", "dealer:text", "note:text", "seat:seat"])
def test_pieces_that_are_joined_are_like_the_whole(name: str, cuts: tuple[int, ...]) -> None:
    whole = frame()[name]
    pieces = [coded_column(whole[begin:end]) for begin, end in pairwise(cuts)]
    assert_series_equal(joined(pieces), coded_column(whole))


def test_a_piece_that_says_nothing_is_joined_as_such() -> None:
    nothing = pl.Series("dealer:text", [None] * 3)
    said = coded_column(frame()["dealer:text"])
    found = joined([nothing, said, nothing])
    assert found.to_list() == [None] * 3 + said.to_list() + [None] * 3
    assert found.dtype == said.dtype


def test_a_list_made_anew_holds_what_is_left_in_its_order() -> None:
    moved = coded_column(frame()["dealer:text"]).reverse().filter(pl.Series([True, False] * 500))
    dtype = recoded(moved).dtype
    assert isinstance(dtype, pl.Enum)
    assert dtype.categories.to_list() == moved.drop_nulls().unique(maintain_order=True).to_list()


def texts_seen(part: pl.DataFrame) -> list[str | None]:
    """The dealers as the engine finds them, from the numbers that stand for them."""
    words = Words()
    words.number("a word of the rules, seen before")
    column = FrameColumns(part, words).stored("dealer:text", "text")
    listed = range(len(words.texts)) if column.listed is None else column.listed.tolist()
    places = zip(column.values.tolist(), column.recorded().tolist(), strict=True)
    return [words.texts[listed[place]] if valid else None for place, valid in places]


@pytest.mark.parametrize("first", [0, 3, 13])
def test_the_engine_finds_the_same_texts_in_any_part_of_a_coded_log(first: int) -> None:
    part = coded(frame())[first:]
    assert texts_seen(part) == part["dealer:text"].to_list() == texts_seen(uncoded(part))


def test_the_engine_finds_no_text_where_none_was_ever_recorded() -> None:
    nothing = pl.Series("dealer:text", [None, None], dtype=pl.Enum([]))
    assert texts_seen(pl.DataFrame([nothing])) == [None, None]


@pytest.mark.parametrize("size", [4, 80])
def test_where_there_is_no_text_none_is_kept(size: int) -> None:
    places = np.array([1, 1, 0, 1] * (size // 4))
    there = np.array([True, False, True, True] * (size // 4))
    column = listed_texts(pl.Series(["a", "b"]), places, np.packbits(there, bitorder="little"))
    texts = column.cast(pl.String)
    assert texts[:4].to_list() == ["b", None, "a", "b"]
    assert texts.to_arrow().buffers()[2].to_pybytes() == b"bab" * (size // 4)
