"""A table's events as the tests of the evidence look at them: by type, by field, by place."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

import numpy as np
import numpy.typing as npt
import polars as pl

from compliance.table_log.columns import Flags, Integers
from compliance.table_log.event_columns import field_column
from compliance.values.moments import moment
from event_schemas import Schema


@dataclass(frozen=True)
class Row:
    """What every event has."""

    id: str
    ts: datetime
    seq: int
    type: str
    file: str
    line: int


class TableEvents:
    """One table's frame with its schema."""

    def __init__(self, schema: Schema, frame: pl.DataFrame) -> None:
        self.schema = schema
        self.frame = frame
        self.type_names = tuple(schema.events)

    def __len__(self) -> int:
        return len(self.frame)

    @cached_property
    def types(self) -> npt.NDArray[np.int16]:
        """The place of each event's type in the schema."""
        return self.frame["type"].to_numpy()

    @cached_property
    def ts(self) -> Integers:
        """Microseconds since 1970."""
        return self.frame["ts"].to_numpy()

    @cached_property
    def seq(self) -> Integers:
        """The sequence numbers."""
        return self.frame["seq"].to_numpy()

    def are(self, *names: str) -> Flags:
        """Which events are of one of these types."""
        # The last place stands for records that are lost: they are of no type.
        wanted = np.array([*(name in names for name in self.type_names), False], dtype=np.bool_)
        return wanted[self.types]

    def places(self, *names: str) -> Integers:
        """Where events of these types stand, in order."""
        return np.flatnonzero(self.are(*names))

    def field(self, name: str, kind: str) -> pl.Series | None:
        """The values of a field, or None where no event records it."""
        column = field_column(name, kind)
        return self.frame[column] if column in self.frame.columns else None

    def in_their_own_right(self) -> TableEvents:
        """Without corrections and cancellations, which may bear the time and the sequence number
        of the record that they are about."""
        names = [field_column(name, "text") for name in ("corrects", "voids")]
        empty = [pl.col(name).is_null() for name in names if name in self.frame.columns]
        return TableEvents(self.schema, self.frame.filter(*empty)) if empty else self

    def one_of_each_record(self) -> TableEvents:
        """The first event of each record: what one record tells stands in its order, under one
        number."""
        same = pl.Series(np.append(False, np.diff(self.seq) == 0))
        frame = self.frame
        if not len(frame) or not same.any():
            return self
        for name in ("file", "line"):
            same &= frame[name] == frame[name].shift()
        return TableEvents(self.schema, frame.filter(~same.fill_null(False)))

    @cached_property
    def _rows(self) -> pl.DataFrame:
        return self.frame.select("id", "ts", "offset", "seq", "type", "file", "line")

    def row(self, place: int) -> Row:
        """What is known of every event, at one place."""
        ident, ts, offset, seq, type_, file, line = self._rows.row(place)
        return Row(ident, moment(ts, offset), seq, self.type_names[type_], file, line)

    def name(self, place: int) -> str:
        """An event as a sentence names it: what it is, its id and where it stands."""
        row = self.row(place)
        return f"{row.type} {row.id} ({row.file}, line {row.line})"


def all_numbers(one: Integers, other: Integers) -> Integers:
    """The numbers of two lists, in order and each once. Both are mostly in order already: sorting
    them takes a tenth of the time of looking each number up."""
    both = np.sort(np.concatenate([one, other]), kind="stable")
    numbers: Integers = both[np.diff(both, prepend=both[:1] - 1) != 0]
    return numbers


def last_before(marks: Integers, places: Integers) -> Integers:
    """For each place, the number of the last mark before it (-1: there is none)."""
    return np.searchsorted(marks, places, side="left") - 1
