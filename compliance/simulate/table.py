"""A table's clock and its book: every event of the night is written down here, in order."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random
from typing import Any

Record = dict[str, Any]
"""One event before it has a number: its type, its time in milliseconds, and its fields."""

SECOND = 1000
MINUTE = 60 * SECOND
HOUR = 60 * MINUTE


@dataclass(frozen=True)
class Place:
    """Where a table stands, and what is played at it."""

    casino: str
    pit: str
    table: str
    game: str


@dataclass
class Chapter:
    """A stretch of the night that belongs together: the opening, a shuffle, a round."""

    kind: str
    records: list[Record] = field(default_factory=list)
    accident: str = ""
    """What went wrong in it by accident, by its name."""

    def first(self, type: str, **wanted: object) -> Record | None:
        """The first event of a type with these values."""
        return next(iter(self.all(type, **wanted)), None)

    def last(self, type: str, **wanted: object) -> Record | None:
        """The last event of a type with these values."""
        return next(iter(self.all(type, **wanted)[::-1]), None)

    def all(self, type: str, **wanted: object) -> list[Record]:
        """All events of a type with these values, in order."""
        return [
            record
            for record in self.records
            if record["type"] == type
            and all(record.get(name) == value for name, value in wanted.items())
        ]

    def place(self, record: Record) -> int:
        """Where an event stands; equal events are told apart."""
        return next(place for place, other in enumerate(self.records) if other is record)

    def drop(self, record: Record) -> None:
        """Take an event out of the book."""
        del self.records[self.place(record)]

    def insert(self, place: int, type: str, /, **fields: object) -> Record:
        """Write an event at a place, at the time of the event before it."""
        near = self.records[place - 1 if place else 0]
        record: Record = {"type": type, "ts": near["ts"], **fields}
        self.records.insert(place, record)
        return record

    def move(self, record: Record, place: int) -> None:
        """Let an event happen at another place, counted without it."""
        self.drop(record)
        self.records.insert(place, record)
        record["ts"] = self.records[place - 1 if place else 1]["ts"]


class Table:
    """One table during one night."""

    __slots__ = ("chapters", "dealer", "floorperson", "now", "place", "random", "records", "round")

    def __init__(self, place: Place, start: int, random: Random) -> None:
        self.place = place
        self.now = start
        """Milliseconds since 1970 in UTC."""
        self.random = random
        self.round = 0
        self.dealer = ""
        self.floorperson = f"F-{place.pit}"
        self.chapters: list[Chapter] = []
        self.records: list[Record] = []

    def begin(self, kind: str) -> None:
        """Open a new chapter of the book."""
        chapter = Chapter(kind)
        self.chapters.append(chapter)
        self.records = chapter.records

    def wait(self, least: int, most: int) -> None:
        """Let time pass."""
        self.now += least + int(self.random.random() * (most - least))

    def emit(self, type: str, **fields: Any) -> None:
        """Write down an event that belongs to no round."""
        fields["type"] = type
        fields["ts"] = self.now
        self.records.append(fields)

    def play(self, type: str, **fields: Any) -> None:
        """Write down an event of the round."""
        fields["type"] = type
        fields["ts"] = self.now
        fields["round"] = self.round
        fields["dealer"] = self.dealer
        self.records.append(fields)

    def by_dealer(self, type: str, **fields: Any) -> None:
        """Write down what the dealer does outside the rounds."""
        self.emit(type, by=self.dealer, by_role="dealer", **fields)

    def by_floorperson(self, type: str, **fields: Any) -> None:
        """Write down what the floorperson does outside the rounds."""
        self.emit(type, by=self.floorperson, by_role="floorperson", **fields)
