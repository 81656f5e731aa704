"""Numbers that wait for their table take little room, and stay what they are."""

from __future__ import annotations

import polars as pl
import pytest

from compliance.log.spill import narrow


@pytest.mark.parametrize(
    ("numbers", "held"),
    [
        ([0, 127, None, -128], pl.Int8()),
        ([128, None], pl.Int16()),
        ([-32768, 32767], pl.Int16()),
        ([32768], pl.Int64()),
        ([2**62, 1], pl.Int64()),
    ],
)
def test_only_small_numbers_are_held_in_fewer_bytes(
    numbers: list[int | None], held: pl.DataType
) -> None:
    small = narrow(pl.Series("seat:seat", numbers, dtype=pl.Int64))
    assert (small.dtype, small.to_list()) == (held, numbers)


def test_money_is_held_in_four_bytes_where_it_fits() -> None:
    column = pl.Series("amount:money", [32768, None], dtype=pl.Int64)
    assert (narrow(column).dtype, narrow(column).to_list()) == (pl.Int32(), [32768, None])
    assert narrow(pl.Series("amount:money", [2**31], dtype=pl.Int64)).to_list() == [2**31]


@pytest.mark.parametrize("name", ["ts", "seq", "line"])
def test_what_every_event_has_is_held_alike_in_all_tables(name: str) -> None:
    assert narrow(pl.Series(name, [1, 2], dtype=pl.Int64)).dtype == pl.Int64


def test_texts_stay_texts() -> None:
    assert narrow(pl.Series("dealer:text", ["1", "2"])).to_list() == ["1", "2"]
