"""The typed form in which a table's events travel between reading, storing and checking.

A polars frame with one row for each event, in the table's order:

    id      text           ts     microseconds since 1970 in UTC     offset  minutes east of UTC
    seq     whole number   type   place of the event type in the schema
    casino, table          text   file, line  where the event stands in the input

and one column for each field that occurs, named `name:kind` (a field such as `reason` is of another
kind in some event types). Whole numbers throughout, as in `compliance.table_log.columns`: cents,
seats, microseconds, days, places of words in their list, card codes, 0 and 1. Texts stay texts; a
list of cards is the text `9S 10H`. What is below the line of odds, percentages and broken numbers
stands in `name:kind:below`; without that column it is 1. An empty place is what the log does not
record.

A record that is known to be lost is a row, too: see `compliance.table_log.lost_rows`.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, lru_cache
from operator import itemgetter
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import polars as pl
import pyarrow as pa  # type: ignore[import-untyped]

from compliance.table_log.columns import (
    Column,
    ColumnInMemory,
    Flags,
    Integers,
    LostRows,
    StoredColumn,
    TableLog,
    Words,
)
from compliance.table_log.event_columns import (
    OF_EVERY_EVENT,
    FieldColumn,
    TypeColumns,
    columns_of_type,
    field_column,
    fields_of_type,
)
from compliance.table_log.lost_rows import LOST_COLUMNS, lost_record, lost_type
from compliance.values.event_texts import witness as evidence_of
from compliance.values.moments import moment
from event_schemas import Event, Schema
from reports.model import Witness

FIXED = (*OF_EVERY_EVENT, "file", "line")
_NO_FIELDS = frozenset((*FIXED, *LOST_COLUMNS))
_FIRST_TABLE = np.zeros(1, dtype=np.int32)
_FIRST_TABLE.flags.writeable = False


def table_log(
    schema: Schema,
    frame: pl.DataFrame,
    *,
    several: bool = False,
    columns: ColumnNames | None = None,
) -> TableLog:
    """The columns that the engine works on, from a frame in the table's order, or from one with
    the events of several tables; `columns` are those of the frame, where they are known already."""
    words = Words()
    numbers, names = _tables(frame) if several else _one_table(frame)
    return TableLog(
        schema,
        frame.get_column("type").to_numpy().astype(np.int16, copy=False),
        tuple(schema.events),
        frame.get_column("ts").to_numpy().astype(np.int64, copy=False),
        frame.get_column("seq").to_numpy().astype(np.int64, copy=False),
        numbers,
        names,
        FrameColumns(frame, words, columns),
        words,
        FrameEvents(schema, frame),
        frame.get_column("offset").to_numpy().astype(np.int16, copy=False),
        _lost_rows(schema, frame),
    )


def _lost_rows(schema: Schema, frame: pl.DataFrame) -> LostRows | None:
    """The rows that stand for lost records, with what these can have been."""
    if LOST_COLUMNS[0] not in frame.columns:
        return None
    rows = (frame.get_column("type").to_numpy() == lost_type(schema)).nonzero()[0]
    if not len(rows):
        return None
    known: dict[str, npt.NDArray[np.uint8]] = {}

    def types(column: str) -> npt.NDArray[np.uint8]:
        sets = []
        for text in frame.get_column(column)[rows].to_list():
            if text not in known:
                names = set(text.split())
                known[text] = np.array([name in names for name in schema.events], dtype=np.uint8)
            sets.append(known[text])
        return np.array(sets, dtype=np.uint8)

    def options(column: str) -> list[frozenset[str]]:
        return [frozenset(text.split()) for text in frame.get_column(column)[rows].to_list()]

    until = frame.get_column("ts").to_numpy().astype(np.int64, copy=True)
    until[rows] = frame.get_column("lost_until")[rows].to_numpy()
    times = frame.get_column("lost_times")[rows].to_numpy().astype(np.int64, copy=False)
    return LostRows(
        rows.astype(np.int64),
        times,
        until,
        types("lost_may_be"),
        options("lost_not_elected"),
        types("lost_against_habit"),
        options("lost_elected_against_habit"),
        not bool(frame.get_column("lost_in_part")[rows].all()),
    )


def _one_table(frame: pl.DataFrame) -> tuple[npt.NDArray[np.int32], tuple[tuple[str, str], ...]]:
    """The number of each event's table, which is always the first, with casino and name of it."""
    if not len(frame):
        return np.zeros(0, dtype=np.int32), ()
    first = frame.get_column("casino")[0], frame.get_column("table")[0]
    # The same place of memory for every event.
    return np.ndarray(len(frame), np.int32, _FIRST_TABLE, strides=(0,)), (first,)


def _tables(frame: pl.DataFrame) -> tuple[npt.NDArray[np.int32], tuple[tuple[str, str], ...]]:
    """The number of each event's table, and casino and name of each table."""
    places = frame.select("casino", "table")
    different = places.unique(maintain_order=True)
    numbered = different.with_row_index("number")
    joined = places.join(numbered, on=["casino", "table"], how="left", maintain_order="left")
    return joined["number"].to_numpy().astype(np.int32), tuple(different.rows())


class ColumnNames(NamedTuple):
    """The names of a frame's columns; frames that are alike have the very same ones."""

    in_order: tuple[str, ...]
    all: frozenset[str]


def columns_of(frame: pl.DataFrame) -> ColumnNames:
    """The names of the columns that a frame has."""
    return _columns(tuple(frame.columns))


@lru_cache(maxsize=100)
def _columns(names: tuple[str, ...]) -> ColumnNames:
    return ColumnNames(names, frozenset(names))


class FrameColumns(Mapping[tuple[str, str], Column]):
    """The fields of a frame by name and kind, each turned into numbers when a rule asks for it."""

    def __init__(
        self, frame: pl.DataFrame, words: Words, columns: ColumnNames | None = None
    ) -> None:
        self.frame = frame
        self.names = columns or columns_of(frame)
        self._words = words
        self._made: dict[tuple[str, str], Column] = {}
        self._lists: dict[str, Integers] = {}

    def __getitem__(self, key: tuple[str, str]) -> Column:
        if key not in self._made:
            if key not in self:
                raise KeyError(key)
            stored = self._stored(field_column(*key), key[1])
            self._made[key] = Column(key[1], stored.numbers(), stored.recorded(), stored.below)
        return self._made[key]

    def __contains__(self, key: object) -> bool:
        return isinstance(key, tuple) and field_column(*key) in self.names.all

    def in_memory(self, name: str, kind: str) -> ColumnInMemory | None:
        """Where a field lies in the frame's own memory, without a look at it; None for no field."""
        column = field_column(name, kind)
        if column not in self.names.all:
            return None
        if f"{column}:below" in self.names.all:
            return self._stored(column, kind).in_memory()
        held = self.frame.get_column(column).to_arrow()
        listed, numbers = None, held.type
        if kind in ("text", "cards"):
            if not pa.types.is_dictionary(numbers):
                return self._stored(column, kind).in_memory()
            listed, numbers = self._listed(column, held, kind), numbers.index_type
        known, values = held.buffers()
        width, offset = numbers.bit_width // 8, held.offset
        valid = None if known is None else known.address
        return ColumnInMemory(
            held, values.address + offset * width, width, valid, offset, None, listed
        )

    def _stored(self, column: str, kind: str) -> StoredColumn:
        """A field as it lies in the frame's own memory; texts as the numbers of their words, or as
        places in a list of these."""
        held = self.frame.get_column(column).to_arrow()
        if kind not in ("text", "cards"):
            found = _as_stored(held, "i")
        elif pa.types.is_dictionary(held.type):
            return replace(_as_stored(held, "u"), listed=self._listed(column, held, kind))
        else:
            bits = np.packbits(held.is_valid().to_numpy(False), bitorder="little")
            return StoredColumn(_numbers(self.frame[column], kind, self._words), bits)
        if f"{column}:below" in self.names.all:
            lower = self._stored(f"{column}:below", "number")
            below = np.where(lower.recorded(), lower.values, np.int64(1))
            return replace(found, below=below)
        return found

    def listed(self, column: str, kind: str) -> Integers | None:
        """The numbers of the texts in a column's list; None where it has no list of its own."""
        if column not in self._lists:
            form = self.frame.get_column(column).dtype
            if not isinstance(form, pl.Enum):
                return None
            self._lists[column] = _numbers_of(form.categories.to_list(), kind, self._words)
        return self._lists[column]

    def _listed(self, column: str, held: Any, kind: str) -> Integers:
        """The same for a list in any form."""
        found = self.listed(column, kind)
        if found is None:
            return _numbers_of(held.dictionary.to_pylist(), kind, self._words)
        return found

    def __iter__(self) -> Iterator[tuple[str, str]]:
        for column in self.names.in_order:
            name, _, kind = column.partition(":")
            if column not in _NO_FIELDS and not kind.endswith(":below"):
                yield name, kind

    def __len__(self) -> int:
        return sum(1 for _ in self)


def places_with_values(series: pl.Series) -> Flags:
    """Where a column has a value."""
    if not series.null_count():
        return np.ones(len(series), dtype=np.bool_)
    if series.dtype.is_integer():
        return _as_stored(series.to_arrow(), "i").recorded()
    return series.is_not_null().to_numpy()


def numbers_at(series: pl.Series, places: Integers, otherwise: int) -> Integers:
    """The numbers at some places, and another one where none is recorded."""
    stored = _as_stored(series.to_arrow(), "i")
    found = stored.values[places].astype(np.int64)
    if stored.valid is not None:
        found[~stored.recorded()[places]] = otherwise
    return found


def _as_stored(held: Any, sign: str) -> StoredColumn:
    """The numbers of a column, from the memory of the column itself."""
    numbers = held.type.index_type if sign == "u" else held.type
    known, values = held.buffers()
    width, offset = numbers.bit_width // 8, held.offset
    found = np.frombuffer(values, f"{sign}{width}", count=len(held), offset=offset * width)
    return StoredColumn(found, None if known is None else np.frombuffer(known, np.uint8), offset)


def _numbers(series: pl.Series, kind: str, words: Words) -> Integers:
    """The same for texts that are not in a list yet."""
    if 2 * series.null_count() > len(series):
        # Most fields belong to few events: only those are looked at.
        codes: Integers = np.zeros(len(series), dtype=np.int64)
        if series.null_count() < len(series):
            codes[series.is_not_null().to_numpy()] = _numbers(series.drop_nulls(), kind, words)
        return codes
    coded = series.to_arrow().dictionary_encode()
    numbers = _numbers_of(coded.dictionary.to_pylist(), kind, words)
    if not len(numbers):
        return np.zeros(len(series), dtype=np.int64)
    codes = numbers[coded.indices.fill_null(0).to_numpy(zero_copy_only=False)]
    return codes


def _numbers_of(texts: Sequence[str], kind: str, words: Words) -> Integers:
    if kind == "cards":
        return np.array(words.hand_numbers(texts), dtype=np.int64)
    # By way of a plain array: from a list it would take three times as long.
    return np.asarray(array("q", words.numbers(texts)), dtype=np.int64)


class FrameEvents(Sequence[Event]):
    """Gives back whole events from a frame, for evidence."""

    def __init__(self, schema: Schema, frame: pl.DataFrame) -> None:
        self.schema = schema
        self.frame = frame
        self._of_types: dict[int, tuple[TypeColumns, pl.DataFrame]] = {}
        self._known: dict[int, Event] = {}
        self._witnesses: dict[tuple[int, str], Witness] = {}

    def __len__(self) -> int:
        return len(self.frame)

    def __getitem__(self, place: int) -> Event:  # type: ignore[override]
        if place >= len(self.frame):
            raise IndexError(place)
        if place not in self._known:
            if self._types[place] == self._lost:
                self._known[place] = lost_record(self._lost_rows.row(place, named=True))
                return self._known[place]
            columns, rows = self._of_type(place)
            row = rows.row(place)
            self._known[place] = _event(columns.type_name, row, row, columns.fields)
        return self._known[place]

    def witness(self, place: int, part: str) -> Witness:
        """The event at a place as evidence, made once for all checks that show it."""
        found = self._witnesses.get((place, part))
        if found is None and self._types[place] == self._lost:
            found = self._witnesses[place, part] = evidence_of(self[place], self.schema, part)
        if found is None:
            columns, rows = self._of_type(place)
            row = rows.row(place)
            ident, ts, offset, seq, _, casino, table, *_ = row
            name, line = columns.type_name, columns.line(row)
            ts = moment(ts, offset)
            found = Witness(
                event_id=ident,
                ts=ts,
                type=name,
                casino=casino,
                table=table,
                seq=seq,
                line_text=line,
                part=part,
            )
            self._witnesses[place, part] = found
        return found

    def __iter__(self) -> Iterator[Event]:
        columns = self.frame.columns
        of_every_event = itemgetter(*(columns.index(name) for name in OF_EVERY_EVENT))
        of_types: dict[str, Sequence[FieldColumn]] = {}
        for place, row in enumerate(self.frame.iter_rows()):
            first = of_every_event(row)
            number = first[OF_EVERY_EVENT.index("type")]
            if number == self._lost:
                yield self[place]
                continue
            name = self._type_names[number]
            if name not in of_types:
                of_types[name] = fields_of_type(self.schema, name, columns)
            yield _event(name, first, row, of_types[name])

    @cached_property
    def _type_names(self) -> tuple[str, ...]:
        return tuple(self.schema.events)

    @cached_property
    def _lost(self) -> int:
        return lost_type(self.schema)

    @cached_property
    def _lost_rows(self) -> pl.DataFrame:
        return self.frame.select(*OF_EVERY_EVENT, *LOST_COLUMNS)

    @cached_property
    def _types(self) -> memoryview:
        # Single numbers are had faster so than from the array itself.
        return self.frame["type"].to_numpy().data

    @cached_property
    def _columns(self) -> tuple[str, ...]:
        return tuple(self.frame.columns)

    def _of_type(self, place: int) -> tuple[TypeColumns, pl.DataFrame]:
        """Where the event at a place has values: a whole row is many more, and slow to get."""
        number = self._types[place]
        found = self._of_types.get(number)
        if found is None:
            columns = columns_of_type(self.schema, self._type_names[number], self._columns)
            found = self._of_types[number] = columns, self.frame[:, columns.names]
        return found


def _event(
    type_name: str, first: Sequence[Any], row: Sequence[Any], fields: Sequence[FieldColumn]
) -> Event:
    """An event, from what every one has and from a row with its fields."""
    ident, ts, offset, seq, _, casino, table, *_ = first
    # In the order of the schema, so that evidence reads the same from every source.
    values = {field.name: value for field in fields if (value := field.value(row)) is not None}
    return Event(ident, moment(ts, offset), seq, casino, table, type_name, values)
