"""Turns raw columns into those of the typed frame at once, as long as nothing is in doubt.

Each different text is looked at once, and whether every event has the fields of its type is asked
of all events of a type at once, a bit for each. The first doubt ends it: then the rows have to be
looked at in the way that can say what is wrong with which line.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, Final

import numpy as np
import polars as pl
import pyarrow as pa  # type: ignore[import-untyped]

from compliance.log.columns_by_kind import encoded_column
from compliance.log.layout import BASE, FieldColumn, Layout
from compliance.log.rows_of_types import RowsOfTypes
from compliance.log.spill import narrow
from compliance.log.text_numbers import numbers_of_texts
from compliance.log.times_in_columns import EARLIEST_EVENT, LATEST_EVENT, instants_of_times
from compliance.table_log.arrow_numbers import (
    Bits,
    numbers_of,
    polars_series,
    recorded_in,
    series_of,
)
from compliance.table_log.coded_texts import coded_column, listed_texts
from compliance.table_log.columns import Numbers
from compliance.table_log.event_columns import field_column
from event_schemas import Kind

_TEXT_KINDS: Final = ("text", "cards")
_WHOLE_KINDS: Final = ("number", "money", "seat")
_ONE_BYTE: Final = np.iinfo(np.int8)


class CloserLookNeeded(Exception):
    """Something is not as expected."""


def is_expected(name: str, form: Any, layout: Layout) -> bool:
    """Whether a column is held as its kind suggests; any other form needs a closer look."""
    if pa.types.is_dictionary(form):
        form = form.value_type
    if pa.types.is_string(form) or pa.types.is_large_string(form) or pa.types.is_null(form):
        return True
    zoned = pa.types.is_timestamp(form) and form.tz is not None
    if name in BASE:
        return (name == "ts" and zoned) or (name == "seq" and form == pa.int64())
    kind = layout.single_kind(name)
    if kind in _WHOLE_KINDS:
        return bool(pa.types.is_signed_integer(form))
    if kind == "time":
        return bool(zoned)
    return (kind == "flag" and form == pa.bool_()) or (kind == "date" and form == pa.date32())


class TypedColumns:
    """The columns of one table, or of a piece of a log, on their way into the typed frame."""

    def __init__(self, layout: Layout, types: Any) -> None:
        """`types` names the type of each event, as places in a list of different names."""
        names = types.dictionary.to_pylist()
        if types.null_count or any(name not in layout.types for name in names):
            raise CloserLookNeeded("type")
        places = np.array([layout.types[name] for name in names], dtype=np.int16)
        self.layout = layout
        self.size = len(types)
        self.done: dict[str, pl.Series] = {}
        numbers = places[numbers_of(types.indices)]
        self._rows = RowsOfTypes(numbers)
        self.done["type"] = pl.Series(numbers)

    def frame(self) -> pl.DataFrame:
        """All columns in their order."""
        ordered = sorted(self.done, key=self.layout.order.__getitem__)
        return pl.DataFrame([self.done[name].alias(name) for name in ordered])

    def times(self, instants: pl.Series, offsets: pl.Series) -> None:
        """When each event was."""
        if not instants.is_between(EARLIEST_EVENT, LATEST_EVENT).fill_null(False).all():
            raise CloserLookNeeded("ts")
        self.done |= {"ts": instants, "offset": offsets}

    def needed_everywhere(self, name: str, column: pl.Series) -> None:
        """A column that has to say something of each event."""
        if column.null_count():
            raise CloserLookNeeded(name)
        self.done[name] = column

    def listed(self, name: str, texts: Sequence[str], codes: Numbers) -> None:
        """Texts that every event has, by their places in a list."""
        self.done[name] = listed_texts(pl.Series(texts, dtype=pl.String), codes)

    def require(self, names: Collection[str]) -> None:
        """Are there events that need a field of which there is no column?"""
        for name, needed in self.layout.required.items():
            if name not in names and self._rows.of(needed).any():
                raise CloserLookNeeded(name)

    def own_field(self, name: str, column: Any, bare: pl.Series | None = None) -> None:
        """A field that only events of some types have.

        `bare` says which texts stood without quotes in a JSON record, if any did.
        """
        there = recorded_in(column)
        if there is None:
            there = self._rows.all
        kinds = self.layout.kinds[name]
        owners = np.logical_or.reduce([field.bearers for field in kinds.values()])
        needed = self.layout.required.get(name)
        if (there & ~self._rows.of(owners)).any():
            raise CloserLookNeeded(name)
        if needed is not None and (self._rows.of(needed) & ~there).any():
            raise CloserLookNeeded(name)
        for kind, field in kinds.items():
            here = there & self._rows.of(field.bearers) if len(kinds) > 1 else there
            if here.any():
                self._field(field_column(name, kind), column, field, here, bare)

    def _field(
        self, name: str, column: Any, field: FieldColumn, here: Bits, bare: pl.Series | None
    ) -> None:
        """A field in one of its kinds; `here` is where it has that kind."""
        if bare is not None:
            self._partly_bare(name, polars_series(column).cast(pl.String), field.kind, here, bare)
        elif pa.types.is_dictionary(column.type):
            self._coded(name, column, field.kind, here)
        else:
            self.done[name] = narrow(_numbers(polars_series(column), field.kind).alias(name))

    def _coded(self, name: str, column: Any, kind: Kind, here: Bits) -> None:
        codes, texts = numbers_of(column.indices), polars_series(column.dictionary)
        if len(self.layout.kinds[name.partition(":")[0]]) > 1:
            # The other kinds have texts of their own.
            used = np.unique(codes[self._flags(here)])
            rank = np.zeros(len(texts), dtype=np.int32)
            rank[used] = np.arange(len(used))
            codes, texts = rank.take(codes, mode="clip"), texts.gather(used)
        if kind.name in _TEXT_KINDS:
            if kind.name == "cards" and not encoded_column(texts, kind).values.equals(texts):
                raise CloserLookNeeded(name)
            self.done[name] = listed_texts(texts, codes, here)
            return
        numbers = numbers_of_texts(texts.to_list(), kind)
        if any(above is None for above, _ in numbers):
            raise CloserLookNeeded(name)
        self.done[name] = _numbered(name, [above for above, _ in numbers], codes, here)
        if any(below != 1 for _, below in numbers):
            lower = _numbered(f"{name}:below", [below for _, below in numbers], codes, here)
            self._below(name, lower)

    def _partly_bare(
        self, name: str, column: pl.Series, kind: Kind, here: Bits, bare: pl.Series
    ) -> None:
        flags = pl.Series(self._flags(here))
        part = column.set(~flags, None)
        values, below = encoded_column(part, kind, bare & flags)
        if values.null_count() != self.size - int(flags.sum()):
            raise CloserLookNeeded(name)
        self.done[name] = coded_column(narrow(values.alias(name)))
        if below is not None:
            self._below(name, narrow(below.set(flags & below.is_null(), 1)))

    def _below(self, name: str, lower: pl.Series) -> None:
        """What is below the line, if anything is."""
        if (lower.drop_nulls() != 1).any():
            self.done[f"{name}:below"] = lower

    def _flags(self, bits: Bits) -> Any:
        return np.unpackbits(bits, count=self.size, bitorder="little").view(np.bool_)


def _numbers(column: pl.Series, kind: Kind) -> pl.Series:
    """A typed column as the frame holds it."""
    if kind.name == "time":
        values = instants_of_times(column)
    elif kind.name == "seat":
        values = column.cast(pl.Int64)
        if (values < 1).any():
            raise CloserLookNeeded("seat")
    else:
        values = encoded_column(column, kind).values
    if values.null_count() != column.null_count():
        raise CloserLookNeeded(kind.name)
    return values


def _numbered(name: str, numbers: Sequence[int | None], codes: Numbers, here: Bits) -> pl.Series:
    """The numbers of a list where it was said which one is meant."""
    listed = np.array(numbers, dtype=np.int64)
    if listed.min() >= _ONE_BYTE.min and listed.max() <= _ONE_BYTE.max:
        return series_of(listed.astype(np.int8).take(codes, mode="clip"), here)
    return narrow(series_of(listed.take(codes, mode="clip"), here).alias(name))
