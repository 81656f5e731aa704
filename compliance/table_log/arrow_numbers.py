"""Columns handed between numpy, Arrow and Polars without a copy."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl
import pyarrow as pa  # type: ignore[import-untyped]

from compliance.table_log.columns import Numbers

Bits = npt.NDArray[np.uint8]
"""A bit for each row, the lowest of each byte first."""


def series_of(values: Numbers, recorded: Bits | None = None) -> pl.Series:
    """A column of numbers; where the bit is 0, nothing is recorded."""
    bits = None
    if recorded is not None:
        bits = pa.py_buffer(recorded)
        # The same log is to give the same bytes, also where they mean nothing.
        there = np.unpackbits(recorded, count=len(values), bitorder="little")
        values = values * there.view(np.bool_)
    form = pa.from_numpy_dtype(values.dtype)
    return polars_series(
        pa.Array.from_buffers(form, len(values), [bits, pa.py_buffer(np.ascontiguousarray(values))])
    )


def numbers_of(column: Any) -> Numbers:
    """The numbers of an Arrow column; where none is recorded, what stands there means nothing."""
    width, offset = column.type.bit_width // 8, column.offset
    sign = "u" if pa.types.is_unsigned_integer(column.type) else "i"
    found: Numbers = np.frombuffer(
        column.buffers()[1], f"{sign}{width}", count=len(column), offset=offset * width
    )
    return found


def recorded_in(column: Any) -> Bits | None:
    """Where an Arrow column has a value, the bits after the last row being 0; None: everywhere."""
    if pa.types.is_null(column.type):
        return np.zeros((len(column) + 7) // 8, dtype=np.uint8)
    if not column.null_count:
        return None
    if column.offset % 8:
        return np.packbits(column.is_valid().to_numpy(False), bitorder="little")
    size = len(column)
    first = column.offset // 8
    bits = np.frombuffer(column.buffers()[0], np.uint8)[first : first + (size + 7) // 8].copy()
    if size % 8:
        bits[-1] &= (1 << size % 8) - 1
    return bits


def polars_series(column: Any) -> pl.Series:
    """An Arrow column as a column of Polars."""
    found = pl.from_arrow(column)
    assert isinstance(found, pl.Series)
    return found


def in_one_piece(column: Any) -> Any:
    """An Arrow column of several pieces as one, with one list of texts."""
    if column.num_chunks == 1:
        return column.chunk(0)
    return column.unify_dictionaries().combine_chunks()
