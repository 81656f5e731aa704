"""A table's log as columns: one array for each field, one place for each event.

Every value is a whole number in its array: cents, microseconds, days, seat numbers, or the place of
a word in a list of words. Odds and percentages have a second array for what is below the line.
`valid` says where a value is recorded at all: what is missing is never zero, and what stands there
means nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from itertools import islice
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from compliance.values.elected_options import ELECTIONS
from compliance.values.event_texts import witness
from event_schemas import Card, Event, Schema
from reports.model import Witness

Integers = npt.NDArray[np.int64]
Numbers = npt.NDArray[np.integer[Any]]
"""Whole numbers as narrow as the log holds them."""
Flags = npt.NDArray[np.bool_]


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
class StoredColumn:
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

    def in_memory(self) -> ColumnInMemory:
        """The same for compiled code."""
        values = np.ascontiguousarray(self.values)
        valid = None if self.valid is None else self.valid.ctypes.data
        at, width = values.ctypes.data, values.dtype.itemsize
        return ColumnInMemory(
            (values, self.valid), at, width, valid, self.offset, self.below, self.listed
        )

    def recorded(self) -> Flags:
        """Where a value is recorded."""
        size = len(self.values)
        if self.valid is None:
            return np.ones(size, dtype=np.bool_)
        bits = np.unpackbits(self.valid, count=self.offset + size, bitorder="little")
        return bits[self.offset :].view(np.bool_)


class ColumnInMemory(NamedTuple):
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
    any_lost: bool = True
    """Whether any record is lost, or all stand for events that the source does not record."""

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
    made_ready: dict[object, Any] = field(default_factory=dict, repr=False, compare=False)
    """What others have made of the log, to use it again; by whom it was made for."""

    def __len__(self) -> int:
        return len(self.ts)

    @cached_property
    def in_order(self) -> bool:
        """Whether moments and sequence numbers only grow."""
        falls = (np.diff(self.ts) < 0).any() or (np.diff(self.seq) < 0).any()
        return not bool(falls)

    @cached_property
    def rows_of_tables(self) -> list[Integers]:
        """Of each table the rows of its events."""
        return [np.flatnonzero(self.tables == table) for table in range(len(self.table_names))]

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

    def _base_field(self, name: str) -> ColumnInMemory:
        """What every event has beside its own fields, as the numbers of texts."""
        if name == "id":
            numbers = np.array(self.words.numbers([event.id for event in self.source]))
        else:
            words = self.words.numbers([pair[name == "table"] for pair in self.table_names])
            numbers = np.array(words, dtype=np.int64)[self.tables]
        return StoredColumn(numbers.astype(np.int64, copy=False), None).in_memory()

    def in_memory(self, name: str, kind: str) -> ColumnInMemory | None:
        """A field as it lies in memory; None where the log never has it."""
        if name in ("id", "table", "casino"):
            return self._base_field(name)
        by_columns = getattr(self.columns, "in_memory", None)
        if by_columns is not None:
            found: ColumnInMemory | None = by_columns(name, kind)
            return found
        column = self.columns.get((name, kind))
        if column is None:
            return None
        bits = np.packbits(column.valid, bitorder="little")
        return StoredColumn(column.values, bits, 0, column.below).in_memory()

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
