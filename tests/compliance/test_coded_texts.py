"""Texts that come again and again take little room, and are the same texts."""

from __future__ import annotations

import polars as pl
from polars.testing import assert_frame_equal

from compliance.coded_texts import coded, uncoded


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
