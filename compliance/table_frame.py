"""The typed form in which a table's events travel between reading, storing and checking.

A polars frame with one row for each event, in the table's order:

    id      text           ts     microseconds since 1970 in UTC     offset  minutes east of UTC
    seq     whole number   type   place of the event type in the schema
    casino, table          text   file, line  where the event stands in the input

and one column for each field that occurs, named `name:kind` (a field such as `reason` is of another
kind in some event types). Whole numbers throughout, as in `compliance.columns`: cents, seats,
microseconds, days, places of words in their list, card codes, 0 and 1. Texts stay texts; a list of
cards is the text `9S 10H`. What is below the line of odds, percentages and broken numbers stands in
`name:kind:below`; without that column it is 1. An empty place is what the log does not record.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta, timezone
from fractions import Fraction
from functools import lru_cache

import numpy as np
import polars as pl

from compliance.columns import CARD_LIST, Column, Flags, Integers, TableLog, Words
from compliance.moments import EPOCH
from event_schemas import CARDS, Event, Rank, Schema, Suit, parse_value

FIXED = ("id", "ts", "offset", "seq", "type", "casino", "table", "file", "line")
_RANKS = tuple(Rank)
_SUITS = tuple(Suit)


def field_column(name: str, kind: str) -> str:
    """The name of a field's column in the frame."""
    return f"{name}:{kind}"


def table_log(schema: Schema, frame: pl.DataFrame) -> TableLog:
    """The columns that the engine works on, from a frame in the table's order."""
    words = Words()
    columns = {}
    for column in frame.columns:
        if column in FIXED or column.endswith(":below"):
            continue
        name, kind = column.split(":")
        columns[name, kind] = _column(frame, column, kind, words)
    places = frame.select(pl.struct("casino", "table")).to_series()
    tables = frame.select("casino", "table").unique(maintain_order=True).rows()
    numbers = np.zeros(len(frame), dtype=np.int32)
    if len(tables) > 1:
        index = {pair: number for number, pair in enumerate(tables)}
        numbers = np.array(
            [index[item["casino"], item["table"]] for item in places], dtype=np.int32
        )
    return TableLog(
        schema,
        frame["type"].to_numpy().astype(np.int16),
        tuple(schema.events),
        frame["ts"].to_numpy().astype(np.int64),
        frame["seq"].to_numpy().astype(np.int64),
        numbers,
        tuple(tables),
        columns,
        words,
        FrameEvents(schema, frame),
    )


def _column(frame: pl.DataFrame, column: str, kind: str, words: Words) -> Column:
    series = frame[column]
    valid: Flags = series.is_not_null().to_numpy()
    if kind in ("text", "cards"):
        return Column(kind, _numbers(series, kind, words), valid)
    values = series.cast(pl.Int64).fill_null(0).to_numpy()
    below: Integers | None = None
    if f"{column}:below" in frame.columns:
        below = frame[f"{column}:below"].cast(pl.Int64).fill_null(1).to_numpy()
    return Column(kind, values, valid, below)


def _numbers(series: pl.Series, kind: str, words: Words) -> Integers:
    """Each different text gets a number; the same text has the same one in every column."""
    texts = series.drop_nulls().unique()
    if not len(texts):
        return np.zeros(len(series), dtype=np.int64)
    numbers = [
        words.hand(parse_value(CARDS, text)) if kind == "cards" else words.number(text)  # type: ignore[arg-type]
        for text in texts
    ]
    coded = series.replace_strict(texts, pl.Series(numbers, dtype=pl.Int64), default=0)
    return coded.fill_null(0).to_numpy()


class FrameEvents(Sequence[Event]):
    """Gives back whole events from a frame, one at a time, for evidence."""

    def __init__(self, schema: Schema, frame: pl.DataFrame) -> None:
        self.schema = schema
        self.frame = frame
        self._type_names = tuple(schema.events)

    def __len__(self) -> int:
        return len(self.frame)

    def __getitem__(self, place: int) -> Event:  # type: ignore[override]
        if place >= len(self.frame):
            raise IndexError(place)
        row = self.frame.row(place, named=True)
        type_name = self._type_names[row["type"]]
        fields: dict[str, object] = {}
        for column, value in row.items():
            if value is None or column in FIXED or column.endswith(":below"):
                continue
            name, kind = column.split(":")
            below = row.get(f"{column}:below")
            fields[name] = decode(self.schema, kind, value, 1 if below is None else below)
        # In the order of the schema, so that evidence reads the same from every source.
        known = self.schema.events[type_name].fields
        ordered = {name: fields[name] for name in known if name in fields}
        return Event(
            row["id"],
            moment(row["ts"], row["offset"]),
            row["seq"],
            row["casino"],
            row["table"],
            type_name,
            ordered,
        )


def moment(microseconds: int, offset: int) -> datetime:
    """A moment with the offset in which the log wrote it."""
    return (EPOCH + timedelta(microseconds=microseconds)).astimezone(_zone(offset))


@lru_cache(maxsize=64)
def _zone(minutes: int) -> timezone:
    return UTC if minutes == 0 else timezone(timedelta(minutes=minutes))


def decode(schema: Schema, kind: str, value: object, below: int) -> object:
    """The value that a place of the frame stands for."""
    if kind == "text":
        return value
    if kind == "cards":
        return parse_value(CARDS, str(value))
    assert isinstance(value, int)
    if kind == "card":
        return CARD_LIST[value]
    if kind == "rank":
        return _RANKS[value]
    if kind == "suit":
        return _SUITS[value]
    if kind == "flag":
        return bool(value)
    if kind == "duration":
        return timedelta(microseconds=value)
    if kind == "time":
        return EPOCH + timedelta(microseconds=value)
    if kind == "date":
        return date(1970, 1, 1) + timedelta(days=value)
    if kind in ("odds", "percent") or below != 1:
        return Fraction(value, below)
    if kind in ("number", "money", "seat"):
        return value
    return schema.enums[kind].values[value]
