"""Turns raw columns into those of the typed frame at once, as long as nothing is in doubt.

Each different text is looked at once, and whether every event has the fields of its type is asked
of all events of a type at once, a bit for each. The first doubt ends it: then the rows have to be
looked at in the way that can say what is wrong with which line.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import polars as pl
import pyarrow as pa  # type: ignore[import-untyped]

from compliance.log.columns_by_kind import encoded_column
from compliance.log.compiled_pages import are_cards, put_in_rows, used_places
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
)
from compliance.table_log.coded_texts import coded_column, listed_texts, worth_a_list
from compliance.table_log.columns import Integers, Numbers
from compliance.table_log.event_columns import field_column
from event_schemas import Kind

_TEXT_KINDS: Final = ("text", "cards")
_WHOLE_KINDS: Final = ("number", "money", "seat")


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

    def __init__(self, layout: Layout, types: npt.NDArray[np.int16]) -> None:
        """`types` has the place of each event's type in the layout."""
        self.layout = layout
        self.size = len(types)
        self.done: dict[str, pl.Series] = {}
        self._rows = RowsOfTypes(types)
        self._held: dict[str, Any] = {}
        """Columns that come into the frame all at once, as Arrow has them."""
        self._lists: dict[str, pl.Enum] = {}
        self._occurs: dict[str, list[int]] = {}
        """By field the types in whose events it occurs."""
        self.held("type", types)

    def held(
        self, name: str, values: Numbers, recorded: Bits | None = None, texts: Any = None
    ) -> None:
        """A column of numbers, or of places in a list of texts; where the bit is 0, of nothing."""
        bits = None if recorded is None else pa.py_buffer(recorded)
        form = pa.from_numpy_dtype(values.dtype)
        self._held[name] = pa.Array.from_buffers(form, len(values), [bits, pa.py_buffer(values)])
        if texts is not None:
            self._lists[name] = pl.Enum(texts)

    def frame(self) -> pl.DataFrame:
        """All columns in their order."""
        held = pl.DataFrame(_Stream(pa.RecordBatch.from_pydict(self._held)))
        if self._lists:
            held = held.with_columns(
                [pl.col(name).cat.to(texts) for name, texts in self._lists.items()]
            )
        self.done |= {column.name: column for column in held.iter_columns()}
        ordered = sorted(self.done, key=self.layout.order.__getitem__)
        return pl.DataFrame([self.done[name].alias(name) for name in ordered])

    def occurring(self) -> dict[str, frozenset[str]]:
        """The event types that occur, each with the fields that any of its events has."""
        names = tuple(self.layout.types)
        found = {place: {*BASE} for place in self._rows.occurring.tolist()}
        for name, places in self._occurs.items():
            for place in places:
                found[place].add(name)
        return {names[place]: frozenset(fields) for place, fields in found.items()}

    def times(self, instants: pl.Series, offsets: Callable[[], pl.Series]) -> None:
        """When each event was; how far its clock was from UTC is asked of sound times only."""
        ends: Any = instants.min(), instants.max()
        if instants.null_count() or ends[0] < EARLIEST_EVENT or ends[1] > LATEST_EVENT:
            raise CloserLookNeeded("ts")
        self.done |= {"ts": instants, "offset": offsets()}

    def needed_everywhere(self, name: str, column: pl.Series) -> None:
        """A column that has to say something of each event."""
        if column.null_count():
            raise CloserLookNeeded(name)
        self.done[name] = column

    def listed(self, name: str, texts: Sequence[str], codes: Numbers) -> None:
        """Texts that every event has, by their places in a list."""
        if worth_a_list(texts, codes):
            self.held(name, codes.astype(np.min_scalar_type(len(texts))), None, texts)
        else:
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
        for field, here in self.by_kind(name, recorded_in(column)):
            self._field(field_column(name, field.kind.name), column, field, here, bare)

    def by_kind(self, name: str, recorded: Bits | None) -> Iterator[tuple[FieldColumn, Bits]]:
        """In which kinds a field occurs, and where; the right events must have it, and no other."""
        there = self._rows.all if recorded is None else recorded
        kinds = self.layout.kinds[name]
        needed = self.layout.required.get(name)
        if (there & ~self._rows.of(self.layout.owners[name])).any():
            raise CloserLookNeeded(name)
        if needed is not None and (self._rows.of(needed) & ~there).any():
            raise CloserLookNeeded(name)
        self._occurs[name] = self._rows.with_any(there, self.layout.owners[name])
        for field in kinds.values():
            here = there & self._rows.of(field.bearers) if len(kinds) > 1 else there
            if here.any():
                yield field, here

    def _field(
        self, name: str, column: Any, field: FieldColumn, here: Bits, bare: pl.Series | None
    ) -> None:
        """A field in one of its kinds; `here` is where it has that kind."""
        if bare is not None:
            self._partly_bare(name, polars_series(column).cast(pl.String), field.kind, here, bare)
        elif pa.types.is_dictionary(column.type):
            codes, texts = numbers_of(column.indices), column.dictionary.to_pylist()
            self.coded(name, codes, texts, field.kind, here)
        else:
            self.done[name] = narrow(_numbers(polars_series(column), field.kind).alias(name))

    def coded(
        self, name: str, codes: Numbers, texts: Sequence[str], kind: Kind, here: Bits
    ) -> None:
        """Texts of one kind as places in a list; `here` is where they are of that kind."""
        used = np.arange(len(texts))
        if len(self.layout.kinds[name.partition(":")[0]]) > 1:
            # The other kinds have texts of their own.
            used = used_places(codes, here, len(texts))
            texts = [texts[place] for place in used.tolist()]
        if kind.name in _TEXT_KINDS:
            if kind.name == "cards" and not are_cards(texts):
                raise CloserLookNeeded(name)
            form = np.min_scalar_type(len(texts))
            places = self._in_rows(codes, used, np.arange(len(used)), here, form)
            if worth_a_list(texts, places):
                self.held(name, places, here, texts)
            else:
                self.done[name] = listed_texts(pl.Series(texts, dtype=pl.String), places, here)
            return
        numbers = numbers_of_texts(texts, kind)
        if any(above is None for above, _ in numbers):
            raise CloserLookNeeded(name)
        upper = np.array([above for above, _ in numbers], dtype=np.int64)
        self.held(name, self._in_rows(codes, used, upper, here, narrowest(name, upper)), here)
        lower = np.array([below for _, below in numbers], dtype=np.int64)
        if (lower != 1).any():
            below = f"{name}:below"
            self.held(below, self._in_rows(codes, used, lower, here, narrowest(below, lower)), here)

    @staticmethod
    def _in_rows(
        codes: Numbers, used: Integers, values: Integers, here: Bits, form: Any
    ) -> Numbers:
        """The values that the places of a list stand for."""
        table = np.zeros(int(used[-1]) + 1, dtype=np.int64)
        table[used] = values
        return put_in_rows(codes, here, table, form)

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


class _Stream:
    """Columns on their way to Polars, all in one go."""

    def __init__(self, batch: Any) -> None:
        self._batch = batch

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        reader = pa.RecordBatchReader.from_batches(self._batch.schema, [self._batch])
        return reader.__arrow_c_stream__(requested_schema)


def places_of_types(layout: Layout, names: Sequence[str]) -> npt.NDArray[np.int16]:
    """The places of event types in the layout, by their names."""
    if any(name not in layout.types for name in names):
        raise CloserLookNeeded("type")
    return np.array([layout.types[name] for name in names], dtype=np.int16)


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


def narrowest(column: str, values: Integers) -> Any:
    """In how many bytes numbers are held: see `spill.narrow`."""
    form = np.min_scalar_type(-max(int(values.max()), -int(values.min()) - 1) - 1)
    wide = form.itemsize > 2 and not (column.endswith(":money") and form.itemsize == 4)
    return np.dtype(np.int64) if wide else form
