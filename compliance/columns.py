"""A table's log as columns: one array for each field, one place for each event.

Every value is a whole number in its array: cents, microseconds, days, seat numbers, or the place of
a word in a list of words. Odds and percentages have a second array for what is below the line.
`valid` says where a value is recorded at all: what is missing is never zero, and what stands there
means nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from fractions import Fraction
from functools import cached_property, partial
from itertools import islice
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from compliance.evidence import witness
from compliance.moments import MICROSECOND, microseconds
from compliance.options import ELECTIONS
from event_schemas import LOST_RECORD, Card, Event, Kind, LostRecord, Rank, Schema, Suit
from event_schemas.cards import JOKER
from reports.model import Witness

Integers = npt.NDArray[np.int64]
Numbers = npt.NDArray[np.integer[Any]]
"""Whole numbers as narrow as the log holds them."""
Flags = npt.NDArray[np.bool_]

_FIRST_DAY = date(1970, 1, 1)

RANKS: dict[Rank, int] = {rank: place for place, rank in enumerate(Rank)}
SUITS: dict[Suit, int] = {suit: place for place, suit in enumerate(Suit)}
JOKER_CODE = 52
CARD_LIST: tuple[Card, ...] = (*(Card(rank, suit) for rank in Rank for suit in Suit), JOKER)
CARDS: dict[Card, int] = {card: code for code, card in enumerate(CARD_LIST)}


class Words:
    """All different texts of a log, each with its number: equal texts have equal numbers."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self.texts: list[str] = []
        self._hands: dict[str, int] = {}

    @property
    def hands(self) -> list[str]:
        """All different lists of cards, as texts such as `9S 10H`."""
        return list(self._hands)

    def hand_numbers(self, texts: Sequence[str]) -> list[int]:
        """The numbers of several lists of cards: equal ones are written alike."""
        known = self._hands
        return [known.setdefault(text, len(known)) for text in texts]

    def hand(self, cards: Sequence[Card]) -> int:
        """The number of a list of cards, given anew when it was not seen before."""
        return self.hand_numbers([" ".join(map(str, cards))])[0]

    def numbers(self, texts: Sequence[str]) -> list[int]:
        """The numbers of several texts."""
        known = self._numbers
        found = [known.setdefault(text, len(known)) for text in texts]
        self.texts += islice(known, len(self.texts), None)
        return found

    def number(self, text: str) -> int:
        """The number of a text, given anew when it was not seen before."""
        found = self._numbers.get(text)
        if found is None:
            found = self._numbers[text] = len(self.texts)
            self.texts.append(text)
        return found


@dataclass(frozen=True)
class Column:
    """The values of one field at every event; `below` is the denominator where there is one."""

    kind: str
    values: Numbers
    valid: Flags
    below: Integers | None = None


@dataclass(frozen=True)
class Stored:
    """One field as it lies in memory: numbers of any width, and a bit where one is recorded."""

    values: Numbers
    valid: npt.NDArray[np.uint8] | None
    """Bits, the lowest of each byte first; None where every place has a value."""
    offset: int = 0
    """The place of the first bit."""
    below: Integers | None = None
    listed: Integers | None = None
    """Where the values are places in a list: the numbers in it."""

    def numbers(self) -> Numbers:
        """The value at every place; where none is recorded, the number means nothing."""
        if self.listed is None:
            return self.values
        if not len(self.listed):
            return np.zeros(len(self.values), dtype=np.int8)
        narrow = self.listed.astype(np.min_scalar_type(-int(self.listed.max()) - 1))
        return narrow.take(self.values, mode="clip")

    def in_memory(self) -> InMemory:
        """The same for compiled code."""
        values = np.ascontiguousarray(self.values)
        valid = None if self.valid is None else self.valid.ctypes.data
        at, width = values.ctypes.data, values.dtype.itemsize
        return InMemory(
            (values, self.valid), at, width, valid, self.offset, self.below, self.listed
        )

    def recorded(self) -> Flags:
        """Where a value is recorded."""
        size = len(self.values)
        if self.valid is None:
            return np.ones(size, dtype=np.bool_)
        bits = np.unpackbits(self.valid, count=self.offset + size, bitorder="little")
        return bits[self.offset :].view(np.bool_)


class InMemory(NamedTuple):
    """The same for compiled code: where the numbers and the bits begin in memory."""

    held: object
    """What has to be kept as long as this is used."""
    values: int
    width: int
    """How many bytes a number has."""
    valid: int | None
    offset: int
    below: Integers | None = None
    listed: Integers | None = None


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
    against_habit: npt.NDArray[np.uint8]
    """The types that it can have been besides, if its table did not keep its habits."""
    elected_against_habit: Sequence[frozenset[str]]

    def whatever_the_habits(self) -> LostRows:
        """The same, of tables of which nothing is taken for granted."""
        pairs = zip(self.not_elected, self.elected_against_habit, strict=True)
        return replace(
            self,
            may_be=self.may_be | self.against_habit,
            not_elected=[sure - perhaps for sure, perhaps in pairs],
        )


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
    columns: Mapping[tuple[str, str], Column]
    """By name and kind: a field such as `reason` is of another kind in some event types."""
    words: Words
    source: Sequence[Event] | Any = field(repr=False, default=())
    """Gives back the whole event at a place, for evidence."""
    zones: npt.NDArray[np.int16] = field(default_factory=lambda: np.zeros(0, dtype=np.int16))
    """The offset of each event's moment, in minutes east of UTC."""
    lost: LostRows | None = None

    def __len__(self) -> int:
        return len(self.ts)

    @cached_property
    def in_order(self) -> bool:
        """Whether moments and sequence numbers only grow."""
        falls = (np.diff(self.ts) < 0).any() or (np.diff(self.seq) < 0).any()
        return not bool(falls)

    def lost_elections(self, option: str | None = None) -> list[int]:
        """The rows of lost records that may have elected an option; without its name, any."""
        if self.lost is None:
            return []
        names = ["option_elected"] if option not in (None, "game") else [*ELECTIONS]
        places = [self.type_names.index(name) for name in names if name in self.type_names]
        may_elect = np.flatnonzero(self.lost.may_be[:, places].any(axis=1)).tolist()
        return [
            int(self.lost.rows[number])
            for number in may_elect
            if option not in self.lost.not_elected[number]
        ]

    def _base_field(self, name: str) -> InMemory:
        """What every event has beside its own fields, as the numbers of texts."""
        if name == "id":
            numbers = np.array(self.words.numbers([event.id for event in self.source]))
        else:
            words = self.words.numbers([pair[name == "table"] for pair in self.table_names])
            numbers = np.array(words, dtype=np.int64)[self.tables]
        return Stored(numbers.astype(np.int64, copy=False), None).in_memory()

    def in_memory(self, name: str, kind: str) -> InMemory | None:
        """A field as it lies in memory; None where the log never has it."""
        if name in ("id", "table", "casino"):
            return self._base_field(name)
        by_columns = getattr(self.columns, "in_memory", None)
        if by_columns is not None:
            found: InMemory | None = by_columns(name, kind)
            return found
        column = self.columns.get((name, kind))
        if column is None:
            return None
        bits = np.packbits(column.valid, bitorder="little")
        return Stored(column.values, bits, 0, column.below).in_memory()

    def event(self, place: int) -> Event:
        """The event at a place, with everything that the log records of it."""
        event: Event = self.source[place]
        return event

    @cached_property
    def witness(self) -> Callable[[int, str], Witness]:
        """Gives the event at a place as evidence, with what it showed."""
        by_source: Callable[[int, str], Witness] | None = getattr(self.source, "witness", None)
        return by_source or partial(_witness, self.source, self.schema)


def _witness(events: Sequence[Event], schema: Schema, place: int, part: str) -> Witness:
    return witness(events[place], schema, part)


def encode(
    kind: str, value: Any, words: Words, enum_places: Mapping[str, int] | None = None
) -> int:
    """A value as the whole number that stands for it in a column."""
    if enum_places is not None:
        return enum_places[value]
    if kind in ("number", "money", "seat", "flag"):
        return int(value)
    if kind == "text":
        return words.number(value)
    if kind == "cards":
        return words.hand(tuple(value))
    if kind == "time":
        return microseconds(value)
    if kind == "duration":
        return int(value // MICROSECOND)
    if kind == "date":
        return int((value - _FIRST_DAY).days)
    if kind == "card":
        return CARDS[value]
    if kind == "rank":
        return RANKS[value]
    if kind == "suit":
        return SUITS[value]
    raise ValueError(f"{kind} has no place in a column")


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
        if event.type == LOST_RECORD:
            continue
        known = schema.events[event.type].fields
        for name in event.fields:
            kinds.setdefault((name, known[name].kind.name), known[name].kind)
    type_places[LOST_RECORD] = len(type_names)
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
    places = {word: i for i, word in enumerate(kind.enum.values)} if kind.enum else None
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
            values[place] = encode(kind.name, value, words, places)
    fractions = bool((below != 1).any())
    return Column(kind.name, values, valid, below if fractions else None)
