"""What a mapping file says: which records of another system are which events, and where our fields
come from. How it is applied stands in `mapped_records`.
"""

from __future__ import annotations

from collections.abc import Mapping as Dictionary
from dataclasses import dataclass, field
from datetime import tzinfo
from fractions import Fraction
from functools import cached_property
from typing import Final, Literal

from compliance.log.problems import LogProblem

Overlap = Literal["refuse", "first", "second"]
Path = tuple[str, ...]
"""A column, or the way into nested objects."""
EPOCHS: Final[dict[str, int]] = {
    "epoch seconds": 1_000_000,
    "epoch milliseconds": 1_000,
    "epoch microseconds": 1,
}
PLACE: Final = ("each", "place")
"""The place of an item in its list, from 1 on: there where an event is made for each item."""


@dataclass(frozen=True)
class Wanted:
    """What the value of a column must be."""

    values: frozenset[str] | None = None
    """One of these, written as a text."""
    numbers: frozenset[Fraction] = frozenset()
    """Or one of these, however it is written: 0 is also 0.00 and $0."""
    present: bool | None = None
    """Whether it is filled at all."""
    excluded: frozenset[str] = frozenset()
    above: int | None = None
    below: int | None = None
    same_as: Path = ()
    other_than: Path = ()
    """Columns with whose number it is compared."""


Condition = Dictionary[Path, Wanted]


@dataclass(frozen=True)
class FieldRule:
    """Where one of our fields comes from, and how its value is turned into ours."""

    name: str
    path: Path = ()
    """Empty for a constant."""
    constant: object = None
    values: dict[str, object] | None = None
    """Their value -> ours; a value that is not listed is not understood."""
    time: str | None = None
    money: str | None = None
    """`cents` or `dollars`: what a plain number means."""
    joined: tuple[Path, ...] = ()
    """More columns, whose texts follow with a space between: a day and a time of day."""
    plus: tuple[Path, ...] = ()
    minus: tuple[Path, ...] = ()
    """Columns that are added and taken away."""
    split: str | None = None
    """What stands between the items of a list in a text; a space if nothing does."""
    suits: bool = True
    """Whether cards are told with their suits."""

    @property
    def paths(self) -> tuple[Path, ...]:
        """Every column that it is made from."""
        first = (self.path,) if self.path else ()
        return (*first, *self.joined, *self.plus, *self.minus)


@dataclass(frozen=True)
class EventRule:
    """Which records are events of one type."""

    type: str
    when: Condition = field(default_factory=dict)
    fields: tuple[FieldRule, ...] = ()
    each: Path = ()
    """The list of which every item is an event, or empty."""
    split: str | None = None
    """What stands between its items, where the list is a text."""
    cards: bool = False
    """Whether its items are cards, of which none may be lacking between others."""


@dataclass(frozen=True)
class ZoneByColumn:
    """The zone of times without an offset, by the value of a column."""

    path: Path
    zones: Dictionary[str, tzinfo]


@dataclass(frozen=True)
class Mapping:
    """How the records of one system become events."""

    name: str
    fields: tuple[FieldRule, ...]
    """For every record."""
    events: tuple[EventRule, ...] = ()
    leave_out: tuple[Condition, ...] = ()
    ignore: tuple[Path, ...] = ()
    others: Literal["refuse", "ignore", "keep"] = "refuse"
    zone: tzinfo | ZoneByColumn | None = None
    overlap: Overlap = "refuse"
    file_order: bool = False
    """Whether the order of the file is that of the table, so that numbers and names are made."""
    lacks: Dictionary[str, frozenset[str]] = field(default_factory=dict)
    """By event type: those of `fields` that it does not have."""
    file: str = ""
    lines: Dictionary[Path, int] = field(default_factory=dict)
    """Where in the mapping file each column is named."""

    @cached_property
    def used(self) -> frozenset[Path]:
        """Every column that some part of the mapping names."""
        return frozenset([*self.asked, *self.ignore])

    @cached_property
    def asked(self) -> frozenset[Path]:
        """Every column that something is made from."""
        rules = [*self.fields, *(rule for event in self.events for rule in event.fields)]
        conditions = [*self.leave_out, *(event.when for event in self.events)]
        found = {
            *(path for rule in rules for path in rule.paths),
            *(path for condition in conditions for path in condition),
            *(wanted.same_as for condition in conditions for wanted in condition.values()),
            *(wanted.other_than for condition in conditions for wanted in condition.values()),
            *(event.each for event in self.events if event.each),
        }
        if isinstance(self.zone, ZoneByColumn):
            found.add(self.zone.path)
        return frozenset(found - {PLACE, ()})

    @property
    def suits_unknown(self) -> bool:
        """Whether some cards are told without their suits."""
        rules = [*self.fields, *(rule for event in self.events for rule in event.fields)]
        return any(not rule.suits for rule in rules)

    def may_make(self, event_type: str) -> bool:
        """Whether some record may become an event of a type."""
        named = any(event.type == event_type for event in self.events)
        return named or self.others == "keep" or any(rule.name == "type" for rule in self.fields)

    def lacking(self, path: Path, feed: str, suggestion: str | None) -> LogProblem:
        """What is said of a column that the feed does not have."""
        message = f'{feed} has no column "{".".join(path)}".'
        return LogProblem(self.file or self.name, message, self.lines.get(path), suggestion)
