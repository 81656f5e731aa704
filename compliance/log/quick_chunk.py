"""Turns a piece of a log into the typed frame at once, if nothing about its rows is in doubt."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pyarrow as pa  # type: ignore[import-untyped]

from compliance.log.columns_by_kind import encoded_column
from compliance.log.layout import BASE, Layout
from compliance.log.raw import RawChunk
from compliance.log.times_in_columns import in_microseconds, moments_of_texts
from compliance.log.typed_columns import (
    CloserLookNeeded,
    TypedColumns,
    is_expected,
    places_of_types,
)
from compliance.log.zone_offsets import offsets_of
from compliance.table_log.arrow_numbers import numbers_of, polars_series
from event_schemas import NUMBER, TEXT
from event_schemas.limits import LARGEST_SEQ


def quick_frame(layout: Layout, chunk: RawChunk, file: str) -> pl.DataFrame | None:
    """The events of a chunk, with texts as lists; None where its rows need a closer look."""
    if chunk.singles or (chunk.doubtful is not None and chunk.doubtful.any()):
        return None
    try:
        columns = chunk.columns()
        return _Chunk(layout, chunk, columns).frame(file) if columns is not None else None
    except (
        CloserLookNeeded,
        pa.ArrowException,
        pl.exceptions.PolarsError,
        ValueError,
        OverflowError,
    ):
        return None


class _Chunk:
    """The columns of a chunk, texts as places in lists of different texts."""

    def __init__(self, layout: Layout, chunk: RawChunk, columns: dict[str, Any]) -> None:
        if any(name not in columns for name in BASE):
            raise CloserLookNeeded("base")
        if not all(is_expected(name, column.type, layout) for name, column in columns.items()):
            raise CloserLookNeeded("form")
        self.chunk = chunk
        self.columns = columns
        types = columns["type"]
        if types.null_count:
            raise CloserLookNeeded("type")
        places = places_of_types(layout, types.dictionary.to_pylist())
        self.typed = TypedColumns(layout, places[numbers_of(types.indices)])

    def frame(self, file: str) -> pl.DataFrame:
        """All columns in their order."""
        self._base(file)
        for name, column in self.columns.items():
            if name not in BASE:
                self.typed.own_field(name, column, self._bare(name, column))
        self.typed.require(self.columns)
        return self.typed.frame()

    def _base(self, file: str) -> None:
        """What every event has."""
        size = self.typed.size
        self.typed.needed_everywhere("id", self._texts("id"))
        seq = encoded_column(
            polars_series(self.columns["seq"]),
            NUMBER,
            self._bare("seq", self.columns["seq"]),
            LARGEST_SEQ,
        )
        if seq.below is not None:
            raise CloserLookNeeded("seq")
        self.typed.needed_everywhere("seq", seq.values)
        written = polars_series(self.columns["ts"])
        if written.dtype == pl.String:
            found = moments_of_texts(written)
            self.typed.times(found.ts, lambda: found.offset)
        elif written.null_count():
            raise CloserLookNeeded("ts")
        else:
            instants = in_microseconds(written).to_physical()
            self.typed.times(instants, lambda: offsets_of(instants, self.columns["ts"].type.tz))
        for name in ("casino", "table"):
            column = self.columns[name]
            if column.null_count or self._bare(name, column) is not None:
                raise CloserLookNeeded(name)
            self.typed.listed(name, column.dictionary.to_pylist(), numbers_of(column.indices))
        self.typed.needed_everywhere("line", pl.Series(self.chunk.lines))
        self.typed.listed("file", [file], np.zeros(size, dtype=np.uint8))

    def _texts(self, name: str) -> pl.Series:
        column = self.columns[name]
        return encoded_column(polars_series(column), TEXT, self._bare(name, column)).values

    def _bare(self, name: str, column: Any) -> pl.Series | None:
        """Which texts stood without quotes in a JSON record; None where none did."""
        bare, unclear = self.chunk.bare_in_list(name, column)
        if unclear is not None and unclear.any():
            raise CloserLookNeeded(name)
        return bare if bare is not None and bare.any() else None
