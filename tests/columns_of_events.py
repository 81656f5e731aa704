"""The columns of a table's log made from events one by one, as the frame would give them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from fractions import Fraction
from typing import Any

import numpy as np

from compliance.table_log.columns import Column, LostRows, TableLog, Words
from compliance.values.codes import code_of
from compliance.values.moments import microseconds
from event_schemas import LOST_RECORD, Event, Kind, LostRecord, Schema
from event_schemas.lost_record import UNRECORDED


def from_events(schema: Schema, events: Sequence[Event]) -> TableLog:
    """Columns made from events one by one: for small logs and for tests."""
    words = Words()
    type_names = tuple(schema.events)
    type_places = {name: place for place, name in enumerate(type_names)}
    tables: dict[tuple[str, str], int] = {}
    for event in events:
        tables.setdefault((event.casino, event.table), len(tables))
    kinds: dict[tuple[str, str], Kind] = {}
    for event in events:
        if isinstance(event, LostRecord):
            continue
        known = schema.events[event.type].fields
        for name in event.fields:
            kinds.setdefault((name, known[name].kind.name), known[name].kind)
    type_places[LOST_RECORD] = type_places[UNRECORDED] = len(type_names)
    columns = {key: _column(schema, events, key[0], kind, words) for key, kind in kinds.items()}
    return TableLog(
        schema,
        np.array([type_places[event.type] for event in events], dtype=np.int16),
        type_names,
        np.array([microseconds(event.ts) for event in events], dtype=np.int64),
        np.array([event.seq for event in events], dtype=np.int64),
        np.array([tables[event.casino, event.table] for event in events], dtype=np.int32),
        tuple(tables),
        columns,
        words,
        events,
        np.array([_offset(event.ts) for event in events], dtype=np.int16),
        _lost_rows(type_names, events),
    )


def _offset(moment: datetime) -> int:
    return (moment.utcoffset() or timedelta()) // timedelta(minutes=1)


def _lost_rows(type_names: tuple[str, ...], events: Sequence[Event]) -> LostRows | None:
    lost = [(row, event) for row, event in enumerate(events) if isinstance(event, LostRecord)]
    if not lost:
        return None
    return LostRows(
        np.array([row for row, _ in lost], dtype=np.int64),
        np.array([event.times for _, event in lost], dtype=np.int64),
        np.array(
            [
                microseconds(event.until if isinstance(event, LostRecord) else event.ts)
                for event in events
            ],
            dtype=np.int64,
        ),
        np.array([[name in event.may_be for name in type_names] for _, event in lost], np.uint8),
        [event.not_elected for _, event in lost],
        np.array(
            [[name in event.against_habit for name in type_names] for _, event in lost], np.uint8
        ),
        [event.elected_against_habit for _, event in lost],
    )


def _column(schema: Schema, events: Sequence[Event], name: str, kind: Kind, words: Words) -> Column:
    bearers = {
        event.name
        for event in schema.events.values()
        if name in event.fields and event.fields[name].kind == kind
    }
    size = len(events)
    values = np.zeros(size, dtype=np.int64)
    below = np.ones(size, dtype=np.int64)
    valid = np.zeros(size, dtype=np.bool_)
    for place, event in enumerate(events):
        value: Any = event.get(name) if event.type in bearers else None
        if value is None:
            continue
        valid[place] = True
        if isinstance(value, Fraction) or kind.name in ("odds", "percent"):
            exact = Fraction(value)
            values[place], below[place] = exact.numerator, exact.denominator
        else:
            values[place] = _number(kind, value, words)
    fractions = bool((below != 1).any())
    return Column(kind.name, values, valid, below if fractions else None)


def _number(kind: Kind, value: Any, words: Words) -> int:
    if kind.enum:
        return kind.enum.values.index(value)
    if kind.name == "text":
        return words.number(value)
    if kind.name == "cards":
        return words.hand(tuple(value))
    return code_of(kind.name, value)[0]
