"""A frame hands its columns to the compiled code as they are, however it lies in memory."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pyarrow as pa  # type: ignore[import-untyped]
import pytest

from compliance.coded_texts import uncoded
from compliance.first_look import library
from compliance.first_look.frames import HandedFrame, Handing, stream_at
from compliance.log import tables
from compliance.simulate.night import play_night
from compliance.simulate.writing import write_json_lines
from compliance.table_check import Job, check_table
from tests.compliance.first_look.compiled import compiled_only
from tests.compliance.simulate.checking import SCHEMA, bundled_rulebook, table_plan

COMPILED = library.library()
pytestmark = compiled_only

SIZE = 100
NUMBERS = [None if n % 3 == 0 else (-1) ** n * n for n in range(SIZE)]
TEXTS = ["north", "south", None, "west"]
FIELDS = [("seat", "seat"), ("bet", "money"), ("dealer", "text"), ("lost", "money")]
WIDTHS = {1: ctypes.c_int8, 2: ctypes.c_int16, 4: ctypes.c_int32, 8: ctypes.c_int64}


def frame(numbers: type[pl.DataType] = pl.Int64) -> pl.DataFrame:
    texts = pl.Enum([text for text in TEXTS if text is not None])
    return pl.DataFrame(
        {
            "seat:seat": pl.Series(range(SIZE), dtype=pl.Int8),
            "bet:money": pl.Series(NUMBERS, dtype=numbers),
            "dealer:text": pl.Series([TEXTS[n % 4] for n in range(SIZE)], dtype=texts),
        }
    )


def handed(part: pl.DataFrame) -> tuple[HandedFrame, list[library.Column]]:
    assert COMPILED is not None
    columns = (library.Column * len(FIELDS))()
    handing = Handing(FIELDS, part.columns)
    return HandedFrame(part, handing, ctypes.addressof(columns), COMPILED), list(columns)


def read(column: library.Column, size: int) -> list[int | None]:
    """What stands in memory, read as the compiled code does."""
    width = column.width % library.LISTED
    values = (WIDTHS[width] * size).from_address(column.values)
    if column.valid is None:
        return list(values)
    bits = range(column.offset, column.offset + size)
    held = (ctypes.c_uint8 * (column.offset // 8 + size // 8 + 2)).from_address(column.valid)
    return [
        value if held[bit >> 3] >> (bit & 7) & 1 else None
        for value, bit in zip(values, bits, strict=True)
    ]


@pytest.mark.parametrize("first", [0, 3, 8, 29])
@pytest.mark.parametrize("numbers", [pl.Int8, pl.Int16, pl.Int32, pl.Int64])
def test_numbers_are_the_same_in_any_part_of_a_frame(
    numbers: type[pl.DataType], first: int
) -> None:
    part = frame(numbers)[first:77]
    kept, (seats, bets, _, _) = handed(part)
    assert kept.read == 3
    assert read(seats, len(part)) == part["seat:seat"].to_list()
    assert read(bets, len(part)) == part["bet:money"].to_list()


@pytest.mark.parametrize("first", [0, 3, 8, 29])
def test_texts_of_a_list_are_places_in_it(first: int) -> None:
    part = frame()[first:77]
    kept, (_, _, dealers, _) = handed(part)
    assert kept.read == 3
    assert dealers.width == library.LISTED + 1
    assert read(dealers, len(part)) == part["dealer:text"].to_physical().to_list()


def test_what_the_log_lacks_has_no_place_in_memory() -> None:
    kept, (_, _, _, lost) = handed(frame())
    assert kept.read == 3
    assert not lost.values


def test_texts_without_a_list_are_not_read() -> None:
    kept, (seats, _, dealers, _) = handed(uncoded(frame()))
    assert kept.read == 2
    assert seats.values
    assert not dealers.width


def test_numbers_are_never_read_from_a_list_of_texts() -> None:
    kept, (_, bets, _, _) = handed(frame().with_columns(pl.col("dealer:text").alias("bet:money")))
    assert kept.read == 2
    assert not bets.width


def test_a_frame_in_two_pieces_is_read_as_one() -> None:
    pieces = pl.concat([frame(), frame()], rechunk=False)
    kept, (_, bets, _, _) = handed(pieces)
    assert kept.read == 3
    assert read(bets, len(pieces)) == 2 * NUMBERS


def test_what_comes_in_several_pieces_is_not_read() -> None:
    assert COMPILED is not None
    batch = pa.record_batch({"seat:seat": pa.array([1, 2], pa.int8())})
    stream = pa.RecordBatchReader.from_batches(batch.schema, [batch, batch]).__arrow_c_stream__()
    column, number, held = library.Column(), (ctypes.c_int64 * 2)(), library.Held()
    to = ctypes.addressof(number), 1, ctypes.addressof(column), ctypes.byref(held)
    assert COMPILED.open_frame(stream_at(stream), len(batch), *to) == -1
    COMPILED.close_frame(held)
    assert not column.values


def test_a_field_with_numbers_below_the_line_is_not_handed_over() -> None:
    part = frame().with_columns(pl.lit(1).alias("bet:money:below"))
    assert Handing(FIELDS, part.columns).names == ["seat:seat", "dealer:text"]


def in_two_pieces(night: pl.DataFrame) -> pl.DataFrame:
    return pl.concat([night[:50], night[50:]], rechunk=False)


def behind_other_events(night: pl.DataFrame) -> pl.DataFrame:
    return pl.concat([night[:5], night], rechunk=True)[5:]


@pytest.mark.parametrize("other", [in_two_pieces, behind_other_events, uncoded])
def test_rules_find_the_same_however_a_log_lies_in_memory(
    other: Callable[[pl.DataFrame], pl.DataFrame], tmp_path: Path
) -> None:
    plan = table_plan("minibaccarat", "2010-03-06", seed=3, rounds=20, accidents=0.4)
    write_json_lines(tmp_path / "log.jsonl", plan.place, play_night(plan))
    [table] = tables([tmp_path / "log.jsonl"], SCHEMA)
    job = Job(bundled_rulebook(), SCHEMA, {})
    # The first of them makes known to the second one which fields are asked for.
    found = [
        [(item.rule, item.counts, [check.written() for check in item.found]) for item in result]
        for night in (table.frame, table.frame, other(table.frame))
        for result in [check_table(job, night)]
    ]
    assert found[0]
    assert found[1] == found[0]
    assert found[2] == found[0]
