"""Reads one table straight from its row groups into the typed frame of `compliance.table_frame`.

Each different text is looked at once, and whether every event has the fields of its type is asked
of all events of a type at once, a bit for each. The first doubt ends it: such a table is read the
general way, which can say what is wrong with which line.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import polars as pl

from compliance.coded_texts import worth_a_list
from compliance.columns import Numbers
from compliance.event_columns import field_column
from compliance.log.columns_by_kind import encoded_column
from compliance.log.layout import BASE, Layout
from compliance.log.raw_columns import RawColumns, raw_columns
from compliance.log.row_groups import FileGroups, Place, in_order
from compliance.log.rows_of_types import Bits, RowsOfTypes
from compliance.log.spill import narrow
from compliance.log.text_numbers import numbers_of_texts
from compliance.log.times_in_columns import EARLIEST_EVENT, LATEST_EVENT, instants_of_times
from compliance.log.zone_offsets import offsets_of
from event_schemas import Kind

_TEXT_KINDS: Final = ("text", "cards")
_ONE_BYTE: Final = np.iinfo(np.int8)


class CloserLookNeeded(Exception):
    """Something about a table is not as expected."""


class DamagedFile(Exception):
    """A file whose end promises other than what it holds."""


def read_table(layout: Layout, place: Place, parts: Sequence[FileGroups]) -> pl.DataFrame:
    """The typed frame of a table, with its texts as lists."""
    import pyarrow as pa  # type: ignore[import-untyped]

    if not in_order(parts):
        raise CloserLookNeeded("order")
    try:
        with raw_columns(parts) as columns:
            return _Table(layout, columns).frame(place, parts)
    except OSError as problem:
        raise DamagedFile from problem
    except (pa.ArrowException, pl.exceptions.PolarsError, ValueError, OverflowError) as problem:
        raise CloserLookNeeded from problem


class _Table:
    """The columns of one table on their way into the typed frame."""

    def __init__(self, layout: Layout, columns: RawColumns) -> None:
        self.layout = layout
        self.columns = columns
        self.base = columns.read(BASE)
        self.size = columns.rows
        self.types = self._types()
        self.rows = RowsOfTypes(self.types)
        self.done: dict[str, pl.Series] = {}

    def frame(self, place: Place, parts: Sequence[FileGroups]) -> pl.DataFrame:
        """All columns in their order."""
        self._base(place)
        self._lines(parts)
        names = self.columns.filled
        for name, column in self.columns.one_by_one(name for name in names if name not in BASE):
            self._own_field(name, column)
        for name, needed in self.layout.required.items():
            if name not in names and self.rows.of(needed).any():
                raise CloserLookNeeded(name)
        ordered = sorted(self.done, key=self.layout.order.__getitem__)
        return pl.DataFrame([self.done[name].alias(name) for name in ordered])

    def _types(self) -> npt.NDArray[np.int16]:
        column = self.base["type"]
        names = column.dictionary.to_pylist()
        if column.null_count or any(name not in self.layout.types for name in names):
            raise CloserLookNeeded("type")
        places = np.array([self.layout.types[name] for name in names], dtype=np.int16)
        return places[_codes(column)]

    def _base(self, place: Place) -> None:
        """What every event has."""
        ident, ts, seq = (_series(self.base[name]) for name in ("id", "ts", "seq"))
        if ident.null_count() or ts.null_count() or seq.null_count() or not seq.is_sorted():
            raise CloserLookNeeded("order")
        instants = instants_of_times(ts)
        if not instants.is_between(EARLIEST_EVENT, LATEST_EVENT).all():
            raise CloserLookNeeded("ts")
        self.done |= {"id": ident, "ts": instants, "seq": seq}
        self.done["offset"] = offsets_of(ts.dt.cast_time_unit("us"))
        self.done["type"] = pl.Series(self.types)
        for name, text in zip(("casino", "table"), place, strict=True):
            column = self.base[name]
            texts = column.dictionary.to_pylist()
            if column.null_count or text not in texts:
                raise DamagedFile(name)
            if len(texts) > 1 and (_codes(column) != texts.index(text)).any():
                raise DamagedFile(name)
            self.done[name] = self._listed(
                pl.Series([text]), np.zeros(self.size, dtype=np.uint8), None
            )

    def _lines(self, parts: Sequence[FileGroups]) -> None:
        """Where each event stands."""
        groups = [(part.name, group) for part in parts for group in part.groups]
        lines = [np.arange(group.first_line, group.first_line + group.rows) for _, group in groups]
        names = list(dict.fromkeys(name for name, _ in groups))
        files = np.repeat([names.index(name) for name, _ in groups], [len(line) for line in lines])
        self.done["line"] = pl.Series(np.concatenate(lines), dtype=pl.Int64)
        self.done["file"] = self._listed(pl.Series(names), files, None)

    def _own_field(self, name: str, column: Any) -> None:
        """A field that only events of some types have."""
        there = self._there(column)
        kinds = self.layout.kinds[name]
        owners = np.logical_or.reduce([field.bearers for field in kinds.values()])
        needed = self.layout.required.get(name)
        if (there & ~self.rows.of(owners)).any():
            raise CloserLookNeeded(name)
        if needed is not None and (self.rows.of(needed) & ~there).any():
            raise CloserLookNeeded(name)
        for kind, field in kinds.items():
            here = there & self.rows.of(field.bearers) if len(kinds) > 1 else there
            if here.any():
                self._field(field_column(name, kind), column, field.kind, here)

    def _there(self, column: Any) -> Bits:
        """Where a column has a value."""
        import pyarrow as pa

        if pa.types.is_null(column.type):
            return np.zeros_like(self.rows.all)
        known = column.buffers()[0]
        if known is None:
            return self.rows.all
        if column.offset:
            return np.packbits(column.is_valid().to_numpy(False), bitorder="little")
        return np.frombuffer(known, np.uint8, count=len(self.rows.all)) & self.rows.all

    def _field(self, name: str, column: Any, kind: Kind, here: Bits) -> None:
        """A field in one of its kinds; `here` is where it has that kind."""
        import pyarrow as pa

        if not pa.types.is_dictionary(column.type):
            self.done[name] = narrow(_numbers(_series(column), kind).alias(name))
            return
        codes, texts = _codes(column), _series(column.dictionary)
        if len(self.layout.kinds[name.partition(":")[0]]) > 1:
            # The other kinds have texts of their own.
            recorded = np.unpackbits(here, count=self.size, bitorder="little").view(np.bool_)
            used = np.unique(codes[recorded])
            codes, texts = np.searchsorted(used, codes), texts.gather(used)
        if kind.name in _TEXT_KINDS:
            if kind.name == "cards" and not encoded_column(texts, kind).values.equals(texts):
                raise CloserLookNeeded(name)
            self.done[name] = self._listed(texts, codes, here)
            return
        numbers = numbers_of_texts(texts.to_list(), kind)
        if any(above is None for above, _ in numbers):
            raise CloserLookNeeded(name)
        self.done[name] = self._numbered(name, [above for above, _ in numbers], codes, here)
        if any(below != 1 for _, below in numbers):
            lower = f"{name}:below"
            found = self._numbered(lower, [below or 1 for _, below in numbers], codes, here)
            if (found.drop_nulls() != 1).any():
                self.done[lower] = found

    def _numbered(
        self, name: str, numbers: Sequence[int | None], codes: Numbers, here: Bits
    ) -> pl.Series:
        """The numbers of a list where it was said which one is meant."""
        listed = np.array(numbers, dtype=np.int64)
        if listed.min() >= _ONE_BYTE.min and listed.max() <= _ONE_BYTE.max:
            return _held(listed.astype(np.int8).take(codes, mode="clip"), here)
        return narrow(_held(listed.take(codes, mode="clip"), here).alias(name))

    def _listed(self, texts: pl.Series, codes: Numbers, here: Bits | None) -> pl.Series:
        """Texts as places in a list, or as they are where a list would not be worth while."""
        if not worth_a_list(len(texts), self.size):
            return texts.gather(_held(codes.astype(np.uint32), here))
        places = codes.astype(np.min_scalar_type(len(texts)))
        return _held(places, here).cat.to(pl.Enum(texts))


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


def _codes(column: Any) -> Numbers:
    """The place of each text in its list; where there is no text, it means nothing."""
    places = column.indices
    width, offset = places.type.bit_width // 8, places.offset
    found: Numbers = np.frombuffer(
        places.buffers()[1], f"i{width}", count=len(places), offset=offset * width
    )
    return found


def _held(values: Numbers, here: Bits | None) -> pl.Series:
    """Numbers with a bit where one is recorded, without a copy."""
    import pyarrow as pa

    form = pa.from_numpy_dtype(values.dtype)
    bits = None if here is None else pa.py_buffer(here)
    return _series(pa.Array.from_buffers(form, len(values), [bits, pa.py_buffer(values)]))


def _series(column: Any) -> pl.Series:
    found = pl.from_arrow(column)
    assert isinstance(found, pl.Series)
    return found
