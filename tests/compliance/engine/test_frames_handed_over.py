"""A frame hands its columns to the engine as they are, however it lies in memory."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pyarrow as pa  # type: ignore[import-untyped]
import pytest

from compliance.engine import layout
from compliance.engine.bindings import PlanBindings
from compliance.engine.frame_handover import _NAME, FrameHandover, HandoverColumns, _pointer
from compliance.engine.library import ArrowStream, library
from compliance.engine.shown_checks import ShownChecks
from compliance.judgement.circumstances import circumstances
from compliance.log import tables
from compliance.plan.builder import build_plan
from compliance.simulate.night import play_night
from compliance.simulate.writing import write_json_lines
from compliance.table_log.coded_texts import uncoded
from compliance.table_log.table_log import TableLog, table_log
from compliance.values.elected_options import ElectedOptions
from tests.columns_of_events import from_events
from tests.compliance.simulate.checking import SCHEMA, bundled_rulebook, table_plan
from tests.property.both_engines import judged

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


def handed(part: pl.DataFrame) -> tuple[FrameHandover, list[Any]]:
    columns = (layout.Column * len(FIELDS))()
    names = HandoverColumns(FIELDS, part.columns)
    return FrameHandover(part, names, ctypes.addressof(columns)), list(columns)


def read(column: Any, size: int) -> list[int | None]:
    """What stands in memory, read as the compiled code does."""
    width = column.width % layout.LISTED
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
    assert dealers.width == layout.LISTED + 1
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
    batch = pa.record_batch({"seat:seat": pa.array([1, 2], pa.int8())})
    stream = pa.RecordBatchReader.from_batches(batch.schema, [batch, batch]).__arrow_c_stream__()
    column, number, held = layout.Column(), (ctypes.c_int64 * 2)(), ArrowStream()
    to = ctypes.addressof(number), 1, ctypes.addressof(column), ctypes.byref(held)
    assert library().open_frame(_pointer(stream, _NAME), len(batch), *to) == -1
    library().close_frame(ctypes.byref(held))
    assert not column.values


def test_a_field_with_numbers_below_the_line_is_not_handed_over() -> None:
    part = frame().with_columns(pl.lit(1).alias("bet:money:below"))
    assert HandoverColumns(FIELDS, part.columns).names == ["seat:seat", "dealer:text"]


# ---- whole logs ------------------------------------------------------------------------------


def as_it_is(night: pl.DataFrame) -> pl.DataFrame:
    return night


def in_two_pieces(night: pl.DataFrame) -> pl.DataFrame:
    return pl.concat([night[:50], night[50:]], rechunk=False)


def behind_other_events(night: pl.DataFrame) -> pl.DataFrame:
    return pl.concat([night[:5], night], rechunk=True)[5:]


def found_in(log: TableLog) -> list[object]:
    """How often each edition of the law reaches each verdict, and every check."""
    book = bundled_rulebook()
    around = circumstances(book, SCHEMA, ElectedOptions(SCHEMA, list(log.source)))
    plan = build_plan(book, SCHEMA)
    editions = [n for n, edition in enumerate(plan.editions) if edition.across == "table"]
    found = judged(PlanBindings(plan, around), log, around, editions)
    shown = ShownChecks(plan, log, around)
    return [
        found.counts.tolist(),
        [shown.check(plan.editions[editions[c.edition]], c).written() for c in found.checks],
    ]


@pytest.mark.parametrize("form", [as_it_is, in_two_pieces, behind_other_events, uncoded])
def test_rules_find_the_same_however_a_log_lies_in_memory(
    form: Callable[[pl.DataFrame], pl.DataFrame], tmp_path: Path
) -> None:
    plan = table_plan("minibaccarat", "2010-03-06", seed=3, rounds=8, accidents=0.4)
    write_json_lines(tmp_path / "log.jsonl", plan.place, play_night(plan))
    [table] = tables([tmp_path / "log.jsonl"], SCHEMA)
    log = table_log(SCHEMA, form(table.frame))
    assert found_in(log) == found_in(from_events(SCHEMA, list(log.source)))
