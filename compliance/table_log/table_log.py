"""The log of a table as the engine and the shown checks need it: the columns of its frame, the
numbers of its texts, and the rows that are lost. Nothing is copied that need not be.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache, partial
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl
import pyarrow as pa  # type: ignore[import-untyped]

from compliance.table_log.arrow_numbers import numbers_of, polars_series
from compliance.table_log.columns import (
    Integers,
    Numbers,
    StoredColumn,
    Words,
    stored_column,
)
from compliance.table_log.event_columns import field_column
from compliance.table_log.frame import ColumnNames, FrameEvents, columns_of
from compliance.table_log.lost_rows import LOST_COLUMNS, lost_type
from compliance.values.elected_options import ELECTIONS
from event_schemas import Schema

_FIRST_TABLE = np.zeros(1, dtype=np.int32)
_FIRST_TABLE.flags.writeable = False


@dataclass(frozen=True)
class LostRows:
    """The rows of a log that stand for lost records (see event_schemas/lost_record.py)."""

    rows: Integers
    times: Integers
    """How many records are lost at each of them."""
    until: Integers
    """For every row of the log: its moment, or the latest moment of what is lost there."""
    may_be: npt.NDArray[np.uint8]
    """For each of them and each event type, whether it can have been of that type."""
    not_elected: Sequence[frozenset[str]]
    """For each of them the options that it did not elect."""
    against_habit: Callable[[], npt.NDArray[np.uint8]]
    """The types that it can have been besides, if its table did not keep its habits. That is asked
    only where a violation is found."""
    elected_against_habit: Callable[[], Sequence[frozenset[str]]]
    any_lost: bool = True
    """Whether any record is lost, or all stand for events that the source does not record."""

    def whatever_the_habits(self) -> LostRows:
        """The same, of tables of which nothing is taken for granted."""
        pairs = zip(self.not_elected, self.elected_against_habit(), strict=True)
        return replace(
            self,
            may_be=self.may_be | self.against_habit(),
            not_elected=[sure - perhaps for sure, perhaps in pairs],
        )


@dataclass(frozen=True)
class OwnRows:
    """The rows of one of the tables of a log, with their numbers and moments."""

    rows: Integers
    seq: Integers
    ts: Integers

    def from_both(self, seq: int, ts: int) -> Integers:
        """The rows from a number and a moment on."""
        if self._in_order:
            return self.rows[max(self.seq.searchsorted(seq), self.ts.searchsorted(ts)) :]
        return self.rows[(self.seq >= seq) & (self.ts >= ts)]

    @cached_property
    def _in_order(self) -> bool:
        return _only_grows(self.ts) and _only_grows(self.seq)


def _only_grows(numbers: Integers) -> bool:
    return bool((numbers[1:] >= numbers[:-1]).all())


@dataclass(frozen=True)
class TableLog:
    """The events of one table (or of several, for rules across tables), in order."""

    schema: Schema
    types: npt.NDArray[np.int16]
    """The place of each event's type in `type_names`."""
    type_names: tuple[str, ...]
    ts: Integers
    """Microseconds since 1970 in UTC."""
    seq: Integers
    tables: npt.NDArray[np.int32]
    """The place of each event's table in `table_names`."""
    table_names: tuple[tuple[str, str], ...]
    """Casino and table."""
    columns: FrameColumns
    """By name and kind: a field such as `reason` is of another kind in some event types."""
    words: Words
    source: FrameEvents
    """Gives back the whole event at a place, for evidence."""
    zones: npt.NDArray[np.int16]
    """The offset of each event's moment, in minutes east of UTC."""
    lost: LostRows | None = None
    made_ready: dict[object, Any] = field(default_factory=dict, repr=False, compare=False)
    """What others have made of the log, to use it again."""

    def __len__(self) -> int:
        return len(self.ts)

    @cached_property
    def in_order(self) -> bool:
        """Whether moments and sequence numbers only grow."""
        return _only_grows(self.ts) and _only_grows(self.seq)

    @cached_property
    def rows_of_tables(self) -> list[OwnRows]:
        """Of each table the rows of its events."""
        rows = [np.flatnonzero(self.tables == table) for table in range(len(self.table_names))]
        return [OwnRows(own, self.seq[own], self.ts[own]) for own in rows]

    def lost_elections(self, option: str | None = None) -> tuple[int, ...]:
        """The rows of lost records that may have elected an option; without its name, any."""
        if self.lost is None:
            return ()
        names = ["option_elected"] if option not in (None, "game") else [*ELECTIONS]
        different, which = self._not_elected
        open_to_it = tuple(option not in options for options in different)
        key = len(names), open_to_it
        if key not in self._lost_elections:
            places = [self.type_names.index(name) for name in names if name in self.type_names]
            may_elect = self.lost.may_be[:, places].any(axis=1) & np.array(open_to_it)[which]
            self._lost_elections[key] = tuple(self.lost.rows[may_elect].tolist())
        return self._lost_elections[key]

    @cached_property
    def _not_elected(self) -> tuple[list[frozenset[str]], Integers]:
        """The different sets of options that lost records did not elect, and which each has."""
        assert self.lost is not None
        known: dict[frozenset[str], int] = {}
        which = [known.setdefault(options, len(known)) for options in self.lost.not_elected]
        return list(known), np.array(which, dtype=np.int64)

    @cached_property
    def _lost_elections(self) -> dict[object, tuple[int, ...]]:
        """Most options have the same ones."""
        return {}

    def stored(self, name: str, kind: str) -> StoredColumn | None:
        """A field as it lies in memory; None where the log never has it."""
        if name == "id":
            numbers = _numbers_of(self.columns.frame["id"].cast(pl.String), "text", self.words)
            return StoredColumn(numbers, None)
        if name in ("table", "casino"):
            listed = self.words.numbers([pair[name == "table"] for pair in self.table_names])
            places: Numbers = self.tables.astype(np.uint8 if len(listed) < 2 else np.uint32)
            return StoredColumn(places, None, listed=np.array(listed, dtype=np.int64))
        column = field_column(name, kind)
        return self.columns.stored(column, kind) if column in self.columns.names.all else None


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

    def sets(column: str) -> tuple[list[str], Integers]:
        """The different sets of names, each in one text, and which each row has."""
        texts = frame.get_column(column)[rows].cast(pl.String)
        # Texts as Polars holds them itself: they are long, and no copy is made of them.
        coded = texts.to_arrow(compat_level=pl.CompatLevel.newest()).dictionary_encode()
        return coded.dictionary.to_pylist(), numbers_of(coded.indices).astype(np.int64)

    def types(column: str) -> npt.NDArray[np.uint8]:
        named, which = sets(column)
        found: npt.NDArray[np.uint8] = np.array([_types_in(schema, text) for text in named])[which]
        return found

    def options(column: str) -> list[frozenset[str]]:
        named, which = sets(column)
        found = [frozenset(text.split()) for text in named]
        return [found[number] for number in which.tolist()]

    until = frame.get_column("ts").to_numpy().astype(np.int64, copy=True)
    until[rows] = frame.get_column("lost_until")[rows].to_numpy()
    times = frame.get_column("lost_times")[rows].to_numpy().astype(np.int64, copy=False)
    return LostRows(
        rows.astype(np.int64),
        times,
        until,
        types("lost_may_be"),
        options("lost_not_elected"),
        partial(types, "lost_against_habit"),
        partial(options, "lost_elected_against_habit"),
        not bool(frame.get_column("lost_in_part")[rows].all()),
    )


@lru_cache(maxsize=1000)
def _types_in(schema: Schema, text: str) -> npt.NDArray[np.uint8]:
    """Which event types a text names; the same few texts come again and again."""
    names = frozenset(text.split())
    return np.array([name in names for name in schema.events], dtype=np.uint8)


def _one_table(frame: pl.DataFrame) -> tuple[npt.NDArray[np.int32], tuple[tuple[str, str], ...]]:
    """The number of each event's table, which is always the first, with casino and name of it."""
    if not len(frame):
        return np.zeros(0, dtype=np.int32), ()
    first = frame.get_column("casino")[0], frame.get_column("table")[0]
    # The same place of memory for every event.
    return np.ndarray(len(frame), np.int32, _FIRST_TABLE, strides=(0,)), (first,)


def _tables(frame: pl.DataFrame) -> tuple[npt.NDArray[np.int32], tuple[tuple[str, str], ...]]:
    """The number of each event's table, and casino and name of each table."""
    casinos, tables = (
        frame.get_column(name).cast(pl.String).to_arrow().dictionary_encode()
        for name in ("casino", "table")
    )
    size = len(tables.dictionary)
    pairs = numbers_of(casinos.indices).astype(np.int64) * size + numbers_of(tables.indices)
    coded = pa.array(pairs).dictionary_encode()
    return numbers_of(coded.indices).astype(np.int32, copy=False), tuple(
        (casinos.dictionary[pair // size].as_py(), tables.dictionary[pair % size].as_py())
        for pair in coded.dictionary.to_pylist()
    )


class FrameColumns:
    """The fields of a frame by name and kind, each turned into numbers when a rule asks for it."""

    def __init__(
        self, frame: pl.DataFrame, words: Words, columns: ColumnNames | None = None
    ) -> None:
        self.frame = frame
        self.names = columns or columns_of(frame)
        self._words = words
        self._lists: dict[str, Integers] = {}

    def stored(self, column: str, kind: str) -> StoredColumn:
        """A field as it lies in the frame's own memory; texts as the numbers of their words, or as
        places in a list of these."""
        series = self.frame.get_column(column)
        if series.dtype == pl.String:
            return _coded(series, kind, self._words)
        held = series.to_arrow()
        if kind in ("text", "cards"):
            return replace(stored_column(held, "u"), listed=self._listed(column, held, kind))
        found = stored_column(held, "i")
        if f"{column}:below" in self.names.all:
            lower = self.stored(f"{column}:below", "number")
            below = np.where(lower.recorded(), lower.values, np.int64(1))
            return replace(found, below=below)
        return found

    def listed(self, column: str, kind: str) -> Integers | None:
        """The numbers of the texts in a column's list; None where it has no list of its own."""
        if column not in self._lists:
            form = self.frame.get_column(column).dtype
            if not isinstance(form, pl.Enum):
                return None
            self._lists[column] = _numbers_of(form.categories, kind, self._words)
        return self._lists[column]

    def _listed(self, column: str, held: Any, kind: str) -> Integers:
        """The same for a list in any form."""
        found = self.listed(column, kind)
        return _numbers_in(held, kind, self._words) if found is None else found


def _coded(series: pl.Series, kind: str, words: Words) -> StoredColumn:
    """The same for texts that are not in a list yet; most fields belong to few events."""
    there = series.is_not_null().to_numpy()
    coded = series.drop_nulls().to_arrow().dictionary_encode()
    places = np.zeros(len(series), dtype=np.uint32)
    places[there] = numbers_of(coded.indices)
    bits = np.packbits(there, bitorder="little")
    return StoredColumn(places, bits, listed=_numbers_in(coded, kind, words))


def _numbers_in(coded: Any, kind: str, words: Words) -> Integers:
    return _numbers_of(polars_series(coded.dictionary), kind, words)


def _numbers_of(texts: pl.Series, kind: str, words: Words) -> Integers:
    if kind == "cards":
        return words.hand_numbers(texts)
    # By way of a plain array: from a list it would take three times as long.
    return np.asarray(array("q", words.numbers(texts.to_list())), dtype=np.int64)
