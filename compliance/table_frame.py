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

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta, timezone
from fractions import Fraction
from functools import lru_cache
from operator import itemgetter
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from compliance.columns import CARD_LIST, Column, Integers, Numbers, Stored, TableLog, Words
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


def with_fields(frame: pl.DataFrame, names: Collection[str]) -> pl.DataFrame:
    """The same events with some of their fields alone."""
    return frame[[c for c in frame.columns if c in FIXED or c.partition(":")[0] in names]]


def table_log(schema: Schema, frame: pl.DataFrame) -> TableLog:
    """The columns that the engine works on, from a frame in the table's order."""
    words = Words()
    numbers, names = _tables(frame)
    return TableLog(
        schema,
        frame["type"].to_numpy().astype(np.int16, copy=False),
        tuple(schema.events),
        frame["ts"].to_numpy().astype(np.int64, copy=False),
        frame["seq"].to_numpy().astype(np.int64, copy=False),
        numbers,
        names,
        FrameColumns(frame, words),
        words,
        FrameEvents(schema, frame),
    )


def _tables(frame: pl.DataFrame) -> tuple[npt.NDArray[np.int32], tuple[tuple[str, str], ...]]:
    """The number of each event's table, and casino and name of each table."""
    casinos, tables = frame["casino"], frame["table"]
    if not len(frame):
        return np.zeros(0, dtype=np.int32), ()
    first = (casinos[0], tables[0])
    if (tables == first[1]).all() and (casinos == first[0]).all():
        return np.zeros(len(frame), dtype=np.int32), (first,)
    places = frame.select("casino", "table")
    different = places.unique(maintain_order=True)
    numbered = different.with_row_index("number")
    joined = places.join(numbered, on=["casino", "table"], how="left", maintain_order="left")
    return joined["number"].to_numpy().astype(np.int32), tuple(different.rows())


class FrameColumns(Mapping[tuple[str, str], Column]):
    """The fields of a frame by name and kind, each turned into numbers when a rule asks for it."""

    def __init__(self, frame: pl.DataFrame, words: Words) -> None:
        self._frame = frame
        self._words = words
        self._names = set(frame.columns)
        self._made: dict[tuple[str, str], Column] = {}
        self._stored: dict[tuple[str, str], Stored] = {}

    def __getitem__(self, key: tuple[str, str]) -> Column:
        if key not in self._made:
            if key not in self:
                raise KeyError(key)
            stored = self.stored(*key)
            self._made[key] = Column(key[1], stored.values, stored.recorded(), stored.below)
        return self._made[key]

    def __contains__(self, key: object) -> bool:
        return isinstance(key, tuple) and field_column(*key) in self._names

    def stored(self, name: str, kind: str) -> Stored:
        """A field as it lies in the frame's own memory; texts as the numbers of their words."""
        key = (name, kind)
        if key not in self._stored:
            self._stored[key] = self._found(field_column(name, kind), kind)
        return self._stored[key]

    def _found(self, column: str, kind: str) -> Stored:
        series = self._frame[column]
        if kind in ("text", "cards"):
            return _texts_as_numbers(series, kind, self._words)
        found = _whole_numbers(series)
        if f"{column}:below" in self._names:
            lower = _whole_numbers(self._frame[f"{column}:below"])
            below = np.where(lower.recorded(), lower.values, np.int64(1))
            return replace(found, below=below)
        return found

    def __iter__(self) -> Iterator[tuple[str, str]]:
        for column in self._frame.columns:
            name, _, kind = column.partition(":")
            if column not in FIXED and not kind.endswith(":below"):
                yield name, kind

    def __len__(self) -> int:
        return sum(1 for _ in self)


def _whole_numbers(series: pl.Series) -> Stored:
    """The numbers of a column, from the memory of the column itself."""
    numbers = series.to_arrow()
    width = numbers.type.bit_width // 8
    known, held = numbers.buffers()
    values = np.frombuffer(held, f"i{width}", count=len(numbers), offset=numbers.offset * width)
    return Stored(values, _bits(known), numbers.offset)


def _bits(known: Any) -> npt.NDArray[np.uint8] | None:
    return None if known is None else np.frombuffer(known, np.uint8)


def _texts_as_numbers(series: pl.Series, kind: str, words: Words) -> Stored:
    """Each different text gets a number; the same text has the same one in every column."""
    if isinstance(series.dtype, pl.Enum):
        coded = series.to_arrow()
        known, held = coded.buffers()
        width = coded.indices.type.bit_width // 8
        places = np.frombuffer(held, f"u{width}", count=len(coded), offset=coded.offset * width)
        numbers = _numbers_of(coded.dictionary.to_pylist(), kind, words)
        return Stored(_in_list(numbers, places), _bits(known), coded.offset)
    return Stored(
        _numbers(series, kind, words),
        np.packbits(series.is_not_null().to_numpy(), bitorder="little"),
    )


def _in_list(numbers: Integers, places: npt.NDArray[np.unsignedinteger[Any]]) -> Numbers:
    """The number at each place of a list; where no text is recorded, the place means nothing."""
    if not len(numbers):
        return np.zeros(len(places), dtype=np.int8)
    narrow = numbers.astype(np.min_scalar_type(-int(numbers.max()) - 1))
    found: Numbers = narrow.take(places, mode="clip")
    return found


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
