"""The log of a table made from events one by one: the frame that readers would have given."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import polars as pl

from compliance.table_log.event_columns import field_column
from compliance.table_log.frame import FrameEvents
from compliance.table_log.lost_rows import LOST_TYPES, lost_type
from compliance.table_log.table_log import TableLog, table_log
from compliance.values.codes import code_of, zone_of
from compliance.values.event_texts import witness
from compliance.values.moments import microseconds
from event_schemas import Event, Kind, LostRecord, Schema
from event_schemas.lost_record import UNRECORDED
from reports.model import Witness

FIXED: dict[str, Any] = {
    "id": pl.String,
    "ts": pl.Int64,
    "offset": pl.Int16,
    "seq": pl.Int64,
    "type": pl.Int16,
    "casino": pl.String,
    "table": pl.String,
}


def from_events(schema: Schema, events: Sequence[Event]) -> TableLog:
    """The log that rules see, of one table or of several."""
    frame = frame_of(schema, events)
    given = GivenEvents(schema, frame)
    given.events = events
    return replace(table_log(schema, frame, several=True), source=given)


class GivenEvents(FrameEvents):
    """Shows the events with their fields in the order in which they were given."""

    events: Sequence[Event]

    def __getitem__(self, place: int) -> Event:  # type: ignore[override]
        return self.events[place]

    def __iter__(self) -> Iterator[Event]:
        return iter(self.events)

    def witness(self, place: int, part: str) -> Witness:
        return witness(self.events[place], self.schema, part)


def frame_of(schema: Schema, events: Sequence[Event]) -> pl.DataFrame:
    """Events as a typed frame."""
    types = {name: number for number, name in enumerate(schema.events)}
    kinds: dict[str, Any] = dict(FIXED)
    rows = []
    for event in events:
        row: dict[str, object] = {
            "id": event.id,
            "ts": microseconds(event.ts),
            "offset": zone_of(event.ts),
            "seq": event.seq,
            "type": types.get(event.type, lost_type(schema)),
            "casino": event.casino,
            "table": event.table,
        }
        if isinstance(event, LostRecord):
            kinds |= LOST_TYPES
            row["lost_times"] = event.times
            row["lost_until"] = microseconds(event.until)
            row["lost_may_be"] = " ".join(sorted(event.may_be))
            row["lost_not_elected"] = " ".join(sorted(event.not_elected))
            row["lost_against_habit"] = " ".join(sorted(event.against_habit))
            row["lost_elected_against_habit"] = " ".join(sorted(event.elected_against_habit))
            row["lost_in_part"] = event.type == UNRECORDED
        else:
            for name, value in event.fields.items():
                if value is not None:
                    row |= _cells(name, schema.events[event.type].fields[name].kind, value)
        rows.append(row)
        for name, cell in row.items():
            kinds.setdefault(name, pl.String if isinstance(cell, str) else pl.Int64)
    return pl.DataFrame(rows, schema=kinds)


def _cells(name: str, kind: Kind, value: Any) -> dict[str, object]:
    """A value in its column, and what is below its line."""
    column = field_column(name, kind.name)
    if kind.name == "text":
        return {column: str(value)}
    if kind.name == "cards":
        return {column: " ".join(map(str, value))}
    if kind.enum:
        return {column: kind.enum.values.index(value)}
    above, below = code_of(kind.name, value)
    return {column: above} if below == 1 else {column: above, f"{column}:below": below}
