"""Where in a table's log are records lost? At holes in its numbers and at lines set aside.

A line whose number is known stands at that number. One of which only the place in the file is known
may belong to each table of the file: it stands between the last record of the table before it and
the first one after it, unless the numbers of the table show that nothing is missing there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
import polars as pl

from compliance.integrity.sequence import Holes
from compliance.integrity.table_events import TableEvents, all_numbers
from compliance.log.lost_lines import LostLine
from compliance.table_log.columns import Integers
from event_schemas.lost_record import NO_LIMIT

_FEW = 16
"""Lines that may stand at more places than this lend their line to the first of these only."""


@dataclass(frozen=True)
class LostPlace:
    """Records that are lost after all others up to a number."""

    seq: int
    """The first of their numbers."""
    times: int = 1
    types: frozenset[str] | None = None
    """Of which types they were, where that is known."""
    file: str = ""
    line: int = 0
    perhaps: bool = False
    """Whether they may be records of another table instead."""


@dataclass
class _Slots:
    """Lines of which no number is known, by the record of the table before which they stand."""

    changes: Integers
    """By how many records each place has more than the one before it."""
    lines: dict[int, tuple[str, int]] = field(default_factory=dict)
    typed: dict[int, list[LostLine]] = field(default_factory=dict)

    @cached_property
    def records(self) -> Integers:
        """How many records may stand at each place."""
        return np.cumsum(self.changes)

    @classmethod
    def before(cls, size: int) -> _Slots:
        return cls(np.zeros(size + 2, dtype=np.int64))

    def add(self, first: int, last: int, line: LostLine) -> None:
        if first == last and line.known.type is not None:
            self.typed.setdefault(first, []).append(line)
        else:
            self.changes[first] += line.records
            self.changes[last + 1] -= line.records
        for slot in range(first, min(last, first + _FEW) + 1):
            self.lines.setdefault(slot, (line.file, line.first))


def lost_places(
    as_read: TableEvents,
    missing: Holes,
    left_out: Sequence[int] = (),
    lines: Sequence[LostLine] = (),
    old: int = 0,
) -> list[LostPlace]:
    """Every place of a table where records are lost, in order. The first `old` events are of an
    earlier log, of which nothing is said again."""
    if not lines and not len(missing.places):
        return []
    ids = set(as_read.frame["id"].to_list()) if any(line.known.id for line in lines) else set()
    # A damaged copy of a record that is there takes nothing away.
    gone = [line for line in lines if line.known.id is None or line.known.id not in ids]
    floor = int(as_read.seq[old - 1]) if old else None
    numbered = [
        line
        for line in gone
        if line.known.seq is not None and (floor is None or line.known.seq > floor)
    ]
    slots = _slots(as_read, [line for line in gone if line.known.seq is None], old)
    found = [_at_number(as_read, line) for line in numbered]
    present = all_numbers(as_read.seq, np.array([place.seq for place in found], dtype=np.int64))
    if missing.counter:
        found += _in_holes(present, left_out, slots, as_read, floor)
        found += _at_the_ends(present, slots, as_read, old)
    else:
        found += _between(slots, as_read, old)
    found.sort(key=lambda place: place.seq)
    return found


def _types(as_read: TableEvents, name: str | None) -> frozenset[str] | None:
    """The type that a line names, if the vocabulary has it; another word may be any type."""
    known = name is not None and name in as_read.schema.events
    return frozenset((str(name),)) if known else None


def _at_number(as_read: TableEvents, line: LostLine) -> LostPlace:
    assert line.known.seq is not None
    types = _types(as_read, line.known.type)
    return LostPlace(line.known.seq, line.records, types, line.file, line.first)


def _in_holes(
    present: Integers,
    left_out: Sequence[int],
    slots: _Slots,
    as_read: TableEvents,
    floor: int | None,
) -> Iterator[LostPlace]:
    """One for each hole in the numbers."""
    numbers = all_numbers(present, np.array(left_out, dtype=np.int64))
    numbers = numbers[(numbers >= present[0]) & (numbers <= present[-1])]
    for at in np.flatnonzero(np.diff(numbers) > 1):
        before, after = int(numbers[at]), int(numbers[at + 1])
        if floor is not None and before < floor:
            continue
        slot = int(np.searchsorted(as_read.seq, before, side="right"))
        file, line = slots.lines.get(slot, ("", 0))
        yield LostPlace(before + 1, after - before - 1, None, file, line)


def _at_the_ends(
    present: Integers, slots: _Slots, as_read: TableEvents, old: int
) -> Iterator[LostPlace]:
    """Lines before the first record and after the last one, where no numbers can be missing."""
    first, last = int(present[0]), int(present[-1])
    if not old and first > 1:
        # Whoever counts from one has lost no more than the numbers before the first.
        for place in _of_slot(slots, as_read, 0, first):
            times = min(place.times, first - 1)
            yield replace(place, seq=first - times, times=times)
    if len(as_read) > old:
        yield from _of_slot(slots, as_read, len(as_read), last + 1)


def _between(slots: _Slots, as_read: TableEvents, old: int) -> Iterator[LostPlace]:
    """Lines of a table whose numbers do not show what is missing."""
    taken = {*slots.typed, *(int(slot) for slot in np.flatnonzero(slots.records))}
    seq = as_read.seq
    for slot in sorted(taken):
        if slot < old:
            continue
        before = int(seq[slot - 1]) if slot else int(seq[0]) - 2
        room = slot == len(seq) or slot == 0 or before + 1 < int(seq[slot])
        yield from _of_slot(slots, as_read, slot, before + 1 if room else before)


def _of_slot(slots: _Slots, as_read: TableEvents, slot: int, seq: int) -> Iterator[LostPlace]:
    records = min(NO_LIMIT, int(slots.records[slot]))
    if records:
        yield LostPlace(seq, records, None, *slots.lines.get(slot, ("", 0)), perhaps=True)
    for line in slots.typed.get(slot, ()):
        types = _types(as_read, line.known.type)
        perhaps = line.known.table is None
        yield LostPlace(seq, line.records, types, line.file, line.first, perhaps)


def _slots(as_read: TableEvents, lines: Iterable[LostLine], old: int) -> _Slots:
    """Between which records of the table each line may stand."""
    slots = _Slots.before(len(as_read))
    by_file: dict[str, list[LostLine]] = {}
    for line in lines:
        by_file.setdefault(line.file, []).append(line)
    if not by_file:
        return slots
    fresh = as_read.frame[old:].select(pl.col("file").cast(pl.String), "line")
    for file, here in by_file.items():
        places = np.flatnonzero((fresh["file"] == file).to_numpy()) + old
        if len(places):
            _in_file(slots, as_read.frame["line"].to_numpy()[places], places, here)
        else:
            _beside_files(slots, fresh["file"], here, old, len(as_read))
    return slots


def _in_file(slots: _Slots, lines: Integers, places: Integers, here: Sequence[LostLine]) -> None:
    order = np.argsort(lines, kind="stable")
    lines, places = lines[order], places[order]
    for item in here:
        before = int(np.searchsorted(lines, item.first, side="left")) - 1
        after = int(np.searchsorted(lines, item.last, side="right"))
        ends = [int(places[before]) + 1] if before >= 0 else []
        ends += [int(places[after])] if after < len(places) else []
        # Where the file does not keep the order of the table, it is somewhere in between.
        slots.add(min(ends), max(ends), item)


def _beside_files(
    slots: _Slots, files: pl.Series, here: Sequence[LostLine], old: int, size: int
) -> None:
    """Lines of a file that has no record of the table: only those that name the table count.

    Files are read in the order of their names, as they were written.
    """
    for item in here:
        if item.known.table is None:
            continue
        earlier = np.flatnonzero((files < item.file).to_numpy()) + old
        later = np.flatnonzero((files > item.file).to_numpy()) + old
        ends = [int(earlier[-1]) + 1] if len(earlier) else []
        ends += [int(later[0])] if len(later) else []
        slots.add(min(ends, default=size), max(ends, default=size), item)
