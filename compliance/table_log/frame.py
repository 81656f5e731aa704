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

from collections.abc import Iterator, Sequence
from functools import cached_property, lru_cache
from operator import itemgetter
from pathlib import Path
from typing import Any, NamedTuple

import polars as pl

from compliance.table_log.event_columns import (
    OF_EVERY_EVENT,
    FieldColumn,
    TypeColumns,
    columns_of_type,
    fields_of_type,
)
from compliance.table_log.lost_rows import LOST_COLUMNS, lost_record, lost_type
from compliance.values.event_texts import witness as evidence_of
from compliance.values.moments import moment
from event_schemas import Event, Schema
from reports.model import Witness

FIXED = (*OF_EVERY_EVENT, "file", "line")


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

    def place(self, place: int) -> tuple[str, int | None]:
        """The file and the line in which the event at a place stands, where that is known."""
        if not {"file", "line"} <= set(self._columns):
            return "", None
        file, line = self.frame["file"][place], self.frame["line"][place]
        return ("", None) if file is None or line is None else (Path(str(file)).name, int(line))

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
