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

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, date, datetime, timedelta, timezone
from fractions import Fraction
from functools import lru_cache
from operator import itemgetter
from typing import Any

import numpy as np
import polars as pl

from compliance.columns import CARD_LIST, Column, Flags, Integers, Stored, TableLog, Words
from compliance.evidence import Written, line_of, value_text
from compliance.moments import EPOCH
from event_schemas import CARDS, PLAIN_KINDS, Card, Event, Rank, Schema, Suit, parse_value

FIXED = ("id", "ts", "offset", "seq", "type", "casino", "table", "file", "line")
_RANKS = tuple(Rank)
_SUITS = tuple(Suit)
_FieldColumn = tuple[str, str, int, int, tuple[str, ...] | None]
"""Name and kind of a field, the places of its column and of what is below the line (-1: none), and
its list of words, where it has one."""


def field_column(name: str, kind: str) -> str:
    """The name of a field's column in the frame."""
    return f"{name}:{kind}"


def table_log(schema: Schema, frame: pl.DataFrame) -> TableLog:
    """The columns that the engine works on, from a frame in the table's order."""
    places = frame.select("casino", "table")
    tables = places.head(1)
    numbers = np.zeros(len(frame), dtype=np.int32)
    if any((series != series.first()).any() for series in places):
        tables = places.unique(maintain_order=True)
        numbered = tables.with_row_index("number")
        joined = places.join(numbered, on=["casino", "table"], how="left", maintain_order="left")
        numbers = joined["number"].to_numpy().astype(np.int32)
    words = Words()
    return TableLog(
        schema,
        frame["type"].to_numpy().astype(np.int16),
        tuple(schema.events),
        frame["ts"].to_numpy().astype(np.int64),
        frame["seq"].to_numpy().astype(np.int64),
        numbers,
        tuple(tables.rows()),
        FrameColumns(frame, words),
        words,
        FrameEvents(schema, frame),
    )


class FrameColumns(Mapping[tuple[str, str], Column]):
    """The fields of a frame by name and kind, each turned into numbers when a rule asks for it."""

    def __init__(self, frame: pl.DataFrame, words: Words) -> None:
        self._frame = frame
        self._words = words
        self._names = {
            _name_and_kind(column): column
            for column in frame.columns
            if column not in FIXED and not column.endswith(":below")
        }
        self._made: dict[tuple[str, str], Column] = {}

    def __getitem__(self, key: tuple[str, str]) -> Column:
        if key not in self._made:
            self._made[key] = _column(self._frame, self._names[key], key[1], self._words)
        return self._made[key]

    def __contains__(self, key: object) -> bool:
        return key in self._names

    def stored(self, name: str, kind: str) -> Stored:
        """A field as it lies in the frame's own memory; texts as the numbers of their words."""
        column = self._names[name, kind]
        below: Integers | None = None
        if kind in ("text", "cards"):
            whole = self[name, kind]
            return Stored(whole.values, np.packbits(whole.valid, bitorder="little"), 0, None)
        if f"{column}:below" in self._frame.columns:
            below = self[name, kind].below
        numbers = self._frame[column].to_arrow()
        size, before = len(numbers), numbers.offset
        known, held = numbers.buffers()
        width = numbers.type.bit_width // 8
        values = np.frombuffer(held, f"i{width}", count=size, offset=before * width)
        bits = None if known is None else np.frombuffer(known, np.uint8)
        return Stored(values, bits, before, below)

    def __iter__(self) -> Iterator[tuple[str, str]]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


def _name_and_kind(column: str) -> tuple[str, str]:
    name, kind = column.split(":")
    return name, kind


def _column(frame: pl.DataFrame, column: str, kind: str, words: Words) -> Column:
    series = frame[column]
    if kind in ("text", "cards"):
        return Column(kind, _numbers(series, kind, words), series.is_not_null().to_numpy())
    values, valid = _whole_numbers(series)
    below: Integers | None = None
    if f"{column}:below" in frame.columns:
        below, known = _whole_numbers(frame[f"{column}:below"])
        below[~known] = 1
    return Column(kind, values, valid, below)


def _whole_numbers(series: pl.Series) -> tuple[Integers, Flags]:
    """The numbers of a column, 0 where there is none, and where there is one.

    Taken from the memory of the column itself: to ask for them takes four times as long.
    """
    numbers = series.to_arrow()
    size, before = len(numbers), numbers.offset
    known, held = numbers.buffers()
    width = numbers.type.bit_width // 8
    values = np.frombuffer(held, f"i{width}", count=size, offset=before * width).astype(np.int64)
    if known is None:
        return values, np.ones(size, dtype=np.bool_)
    bits = np.unpackbits(np.frombuffer(known, np.uint8), count=before + size, bitorder="little")
    valid: Flags = bits[before:].view(np.bool_)
    return values * valid, valid


def _numbers(series: pl.Series, kind: str, words: Words) -> Integers:
    """Each different text gets a number; the same text has the same one in every column."""
    if isinstance(series.dtype, pl.Enum):
        numbers = _numbers_of(series.dtype.categories.to_list(), kind, words)
        if not len(numbers):
            return np.zeros(len(series), dtype=np.int64)
        in_list: Integers = numbers[series.to_physical().fill_null(0).to_numpy()]
        return in_list
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
        return np.array([words.hand(_cards(text)) for text in texts], dtype=np.int64)
    return np.array([words.number(text) for text in texts], dtype=np.int64)


@lru_cache(maxsize=100_000)
def _cards(text: str) -> tuple[Card, ...]:
    """A list of cards; the same hands come again and again."""
    cards: tuple[Card, ...] = parse_value(CARDS, text)  # type: ignore[assignment]
    return cards


class FrameEvents(Sequence[Event]):
    """Gives back whole events from a frame, for evidence."""

    def __init__(self, schema: Schema, frame: pl.DataFrame) -> None:
        self.schema = schema
        self.frame = frame
        self._type_names = tuple(schema.events)
        self._places = {name: place for place, name in enumerate(frame.columns)}
        self._of_every_event = itemgetter(*(self._places[name] for name in FIXED[:7]))
        self._fields: dict[str, list[_FieldColumn]] = {}
        self._known: dict[int, Event] = {}
        self._written: dict[int, Written] = {}

    def __len__(self) -> int:
        return len(self.frame)

    def __getitem__(self, place: int) -> Event:  # type: ignore[override]
        if place >= len(self.frame):
            raise IndexError(place)
        if place not in self._known:
            self._known[place] = self._event(self.frame.row(place))
        return self._known[place]

    def written(self, place: int) -> Written:
        """The event at a place as a report shows it, from its row: most are never asked for more.

        Written once for all checks that show it.
        """
        if place not in self._written:
            row = self.frame.row(place)
            ident, ts, offset, seq, number, casino, table = self._of_every_event(row)
            name = self._type_names[number]
            line = line_of(name, self._texts(name, row))
            self._written[place] = Written(
                ident, moment(ts, offset), seq, casino, table, name, line
            )
        return self._written[place]

    def _texts(self, type_name: str, row: tuple[Any, ...]) -> Iterator[tuple[str, str]]:
        """The fields of a row with their values in words."""
        for name, kind, column, lower, words in self._fields_of(type_name):
            value = row[column]
            if value is None:
                continue
            if kind == "text":
                yield name, value
            elif words is not None:
                yield name, words[value]
            else:
                below = None if lower < 0 else row[lower]
                yield name, _in_words(kind, value, 1 if below is None else below)

    def __iter__(self) -> Iterator[Event]:
        return map(self._event, self.frame.iter_rows())

    def _event(self, row: tuple[Any, ...]) -> Event:
        ident, ts, offset, seq, number, casino, table = self._of_every_event(row)
        type_name = self._type_names[number]
        fields: dict[str, object] = {}
        # In the order of the schema, so that evidence reads the same from every source.
        for name, kind, column, lower, _ in self._fields_of(type_name):
            value = row[column]
            if value is not None:
                below = None if lower < 0 else row[lower]
                fields[name] = decode(self.schema, kind, value, 1 if below is None else below)
        return Event(ident, moment(ts, offset), seq, casino, table, type_name, fields)

    def _fields_of(self, type_name: str) -> list[_FieldColumn]:
        """The columns that hold the fields of an event type, in the order of the schema."""
        if type_name not in self._fields:
            found = []
            for name, field in self.schema.events[type_name].fields.items():
                kind = field.kind.name
                column = field_column(name, kind)
                if column in self._places:
                    lower = self._places.get(f"{column}:below", -1)
                    words = None if kind in PLAIN_KINDS else self.schema.enums[kind].values
                    found.append((name, kind, self._places[column], lower, words))
            self._fields[type_name] = found
        return self._fields[type_name]


def moment(microseconds: int, offset: int) -> datetime:
    """A moment with the offset in which the log wrote it."""
    return _start(offset) + timedelta(microseconds=microseconds)


@lru_cache(maxsize=64)
def _start(minutes: int) -> datetime:
    """The moment from which all others are counted, as clocks with an offset showed it."""
    zone = UTC if minutes == 0 else timezone(timedelta(minutes=minutes))
    return EPOCH.astimezone(zone)


def decode(schema: Schema, kind: str, value: object, below: int) -> object:
    """The value that a place of the frame stands for."""
    if kind in PLAIN_KINDS:
        return _plain(kind, value, below)
    assert isinstance(value, int)
    return schema.enums[kind].values[value]


@lru_cache(maxsize=100_000)
def _in_words(kind: str, value: object, below: int) -> str:
    """The same value in words; the same cards and amounts come again and again."""
    return value_text(kind, _plain(kind, value, below))


def _plain(kind: str, value: object, below: int) -> object:
    """A value of a kind that needs no list of words."""
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
    return value
