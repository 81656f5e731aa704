"""The rows that a rule looks at: a table's events in order, cut into segments that do not mix.

A segment is what the reference interpreter calls a scene: a whole table, a player's slice of it, or
one round. All segments of a rule stand one after the other in one array, so that a single sorted
search serves all of them.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass, field
from functools import cached_property
from operator import itemgetter
from typing import Any

import numpy as np
import numpy.typing as npt

from compliance.columnar.codes import code_of
from compliance.columnar.plan import Plan
from compliance.columnar.rows_by_type import RowsByType, never_falls, rows_by_type
from compliance.columnar.vectors import (
    MISSING,
    SURE,
    VALUE,
    States,
    Vector,
    absent,
    constant,
    joined,
)
from compliance.columns import Column, Flags, Integers, TableLog
from compliance.options import ElectedOptions
from compliance.reference.scene import Circumstances

Election = tuple[int, int, int, object]
"""Table (-1 for all), sequence number and moment from which a value holds, and the value."""
_NOWHERE: Integers = np.zeros(0, dtype=np.int64)


@dataclass
class Table:
    """One table's log with what has been worked out about it so far, shared by all rules.

    To judge several tables in one go, their logs stand one after the other, each a segment of its
    own. For rules across tables they are `interleaved`: one segment in the order of time.
    """

    log: TableLog
    circumstances: Circumstances
    plan: Plan
    fresh_from: int = 0
    """Where the new events begin: those before them were judged in an earlier run."""
    asked: Flags | None = None
    """Which events may be triggers, when only a part of the log was asked for."""
    interleaved: bool = False
    goes_on: bool = True
    """Whether another log may go on from this one: then it matters what may still change."""
    quick: bool = True
    """Whether a first look in compiled code may be taken, where there is one."""
    sorted: RowsByType | None = None
    """The events of each type, where they were sorted before."""
    memo: dict[object, Any] = field(default_factory=dict)

    @property
    def options(self) -> ElectedOptions:
        return self.circumstances.options

    @cached_property
    def whole(self) -> Scene:
        """Each table as one segment, or all of them together."""
        size = len(self.log)
        if self.interleaved or len(self.log.table_names) < 2:
            starts, ends = np.zeros(1, dtype=np.int64), np.full(1, size, dtype=np.int64)
            segment, latest = self.plan.zeros(size), np.array([self.moments[1]])
        else:
            changes = (np.diff(self.log.tables) != 0).nonzero()[0] + 1
            starts, ends = np.append(0, changes), np.append(changes, size)
            segment = np.repeat(np.arange(len(starts), dtype=np.int64), ends - starts)
            latest = np.maximum.reduceat(self.log.ts, starts)
        never = np.zeros(len(starts), dtype=np.bool_)
        return Scene(self, None, segment, starts, ends, never, latest, None)

    @cached_property
    def in_order_of_time(self) -> bool:
        """Whether the clock never goes back from one event to the next."""
        return never_falls(self.log.ts)

    @cached_property
    def moments(self) -> tuple[int, int]:
        """The earliest and the latest moment of the log."""
        ts = self.log.ts
        if not len(ts):
            return 0, 0
        return (
            (int(ts[0]), int(ts[-1])) if self.in_order_of_time else (int(ts.min()), int(ts.max()))
        )

    @property
    def remembered(self) -> int:
        """How many things have been worked out so far."""
        whole = self.__dict__.get("whole")
        return len(self.memo) + (0 if whole is None else len(whole.memo))

    def release(self) -> None:
        """Let go of what was worked out: table and scenes hold each other in memory."""
        self.memo.clear()
        whole = self.__dict__.pop("whole", None)
        if whole is not None:
            whole.memo.clear()

    @cached_property
    def types_seen(self) -> frozenset[str]:
        """The types of which the log has any event."""
        return self.plan.names_of(self.log.type_names, self.by_type.seen())

    @cached_property
    def by_type(self) -> RowsByType:
        """The events of each type."""
        return self.sorted or rows_by_type(self.log.types, len(self.log.type_names))


@dataclass(frozen=True)
class LastChoices:
    """From which place on each table keeps to what it chose last, and what that is."""

    since: Integers
    values: Vector
    constant: Vector | None
    """Where all tables chose the same."""


@dataclass
class Scene:
    """Rows in segments. `places` leads from a row to the event; None means they are the same."""

    table: Table
    places: Integers | None
    segment: Integers
    starts: Integers
    ends: Integers
    complete: Flags
    known_until: Integers
    belongs: States | None
    """How surely each row belongs to its segment; None where all surely do."""
    memo: dict[object, Any] = field(default_factory=dict)

    @property
    def log(self) -> TableLog:
        return self.table.log

    def __len__(self) -> int:
        return len(self.segment)

    def place(self, rows: Integers) -> Integers:
        """The places of rows in the log."""
        return rows if self.places is None else self.places[rows]

    @cached_property
    def ts(self) -> Integers:
        return self.log.ts if self.places is None else self.log.ts[self.places]

    @cached_property
    def monotone(self) -> bool:
        """Whether the clock never goes back inside a segment."""
        if self.places is None and self.table.in_order_of_time:
            return True
        back = self.ts[1:] < self.ts[:-1]
        if len(self.starts) > 1:
            back &= self.segment[1:] == self.segment[:-1]
        return not bool(back.any())

    @cached_property
    def _types(self) -> npt.NDArray[np.int16]:
        """The type of each row's event."""
        return self.log.types if self.places is None else self.log.types[self.places]

    @cached_property
    def by_type(self) -> RowsByType:
        """The rows of each type."""
        if self.places is None:
            return self.table.by_type
        return rows_by_type(self._types, len(self.log.type_names))

    @cached_property
    def _of_types(self) -> dict[str, Integers]:
        """The rows of the event types that rules have asked for so far."""
        return {}

    def _of_type(self, name: str) -> Integers:
        """The rows of events of one type, in order."""
        if name not in self.table.types_seen:
            return _NOWHERE
        rows = self._of_types.get(name)
        if rows is None:
            rows = self._of_types[name] = self.by_type.of(self.log.type_names.index(name))
        return rows

    def rows_of(self, types: tuple[str, ...]) -> Integers:
        """The rows of events of some types, in order."""
        found = [rows for name in types if len(rows := self._of_type(name))]
        if not found:
            return _NOWHERE
        if len(found) == 1:
            return found[0]
        key = ("rows of", types)
        if key not in self.memo:
            # Lists that are sorted each by itself are merged faster by this kind of sort.
            self.memo[key] = np.sort(np.concatenate(found), kind="stable")
        merged: Integers = self.memo[key]
        return merged

    def start_of(self, rows: Integers) -> Integers:
        return self.starts[self.segment[rows]]

    def end_of(self, rows: Integers) -> Integers:
        return self.ends[self.segment[rows]]

    # ---- fields

    def field(self, name: str, kind: str, rows: Integers) -> Vector:
        """The values of a field at rows."""
        places = self.place(rows)
        base = self._base_field(name, places)
        if base is not None:
            return base
        column = self.log.columns.get((name, kind))
        if column is None:
            return absent(MISSING)
        return vector_of(column, places)

    def _base_field(self, name: str, places: Integers) -> Vector | None:
        log = self.log
        if name == "ts":
            return Vector(log.ts[places], SURE)
        if name == "seq":
            return Vector(log.seq[places], SURE)
        if name == "type":
            numbers = self._remember("type words", self._type_words)
            return Vector(numbers[log.types[places]], SURE)
        if name in ("table", "casino"):
            numbers = self._remember(name, lambda: self._table_words(name == "table"))
            return Vector(numbers[log.tables[places]], SURE)
        if name == "id":
            number = log.words.number
            values = np.array([number(log.event(int(p)).id) for p in places], dtype=np.int64)
            return Vector(values, SURE)
        return None

    def _type_words(self) -> Integers:
        return np.array([self.log.words.number(name) for name in self.log.type_names])

    def _table_words(self, tables: bool) -> Integers:
        return np.array(
            [self.log.words.number(pair[1] if tables else pair[0]) for pair in self.log.table_names]
        )

    def _remember(self, key: object, work: Any) -> Any:
        if key not in self.table.memo:
            self.table.memo[key] = work()
        return self.table.memo[key]

    def option(self, name: str, rows: Integers) -> Vector:
        """A table option at the moment of each row."""
        elections = self._remember(("elections", name), lambda: self._elections(name))
        places = self.place(rows)
        if len(elections) == 1:
            return self._chosen(name, elections[0][3])
        last: LastChoices | None = self._remember(
            ("last", name), lambda: self._last_choices(name, elections)
        )
        if last is not None:
            tables = self.log.tables[places].astype(np.int64)
            if (places >= last.since[tables]).all():
                return last.constant or last.values.take(tables)
        everywhere: Vector = self._remember(
            ("option", name), lambda: self._at_every_event(name, elections)
        )
        return everywhere.take(places)

    def choices(self, name: str) -> list[tuple[int, object]]:
        """The places from which on a single table has chosen something else, and what that is."""
        elections = self._remember(("elections", name), lambda: self._elections(name))
        if len(elections) == 1:
            return [(0, elections[0][3])]
        if self._in_order:
            return self._in_turn(elections)
        number = self._number_of_election(elections)
        changes = (np.diff(number) != 0).nonzero()[0] + 1
        since = [0, *changes.tolist()]
        return [(place, elections[number[place]][3]) for place in since]

    @cached_property
    def _in_order(self) -> bool:
        """Whether time and numbers only grow."""
        return self.monotone and never_falls(self.log.seq)

    def _in_turn(self, elections: list[Election]) -> list[tuple[int, object]]:
        """The same where time and numbers only grow: each choice holds from one place on."""
        # Single numbers are had faster so than from the arrays themselves.
        all_seq, all_ts = self.log.seq.data, self.log.ts.data
        # Of all that hold at a place, the one that took effect last counts.
        holds: dict[int, object] = {}
        latest = len(self.log)
        for _, seq, moment, value in reversed(elections):
            begin = max(bisect_left(all_seq, seq), bisect_left(all_ts, moment))
            if begin < latest:
                holds[begin] = value
                latest = begin
        return list(reversed(holds.items()))

    def _last_choices(self, name: str, elections: list[Election]) -> LastChoices | None:
        """What each table chose last: most events come after all choices."""
        log = self.log
        if self.table.interleaved:
            return None
        whole = self.table.whole
        since = whole.starts.copy()
        chosen = [elections[0][3]] * len(since)
        for table, seq, moment, value in elections[1:]:
            own = slice(int(whole.starts[table]), int(whole.ends[table]))
            not_yet = ((log.seq[own] < seq) | (log.ts[own] < moment)).nonzero()[0]
            since[table] = own.start + (int(not_yet[-1]) + 1 if len(not_yet) else 0)
            chosen[table] = value
        vectors = [self._chosen(name, value) for value in chosen]
        same = all(value == chosen[0] for value in chosen)
        return LastChoices(since, joined(vectors), vectors[0] if same else None)

    def _at_every_event(self, name: str, elections: list[Election]) -> Vector:
        chosen = joined([self._chosen(name, value) for *_, value in elections])
        return chosen.take(self._number_of_election(elections))

    def _number_of_election(self, elections: list[Election]) -> Integers:
        """Which election holds at every event."""
        log, size = self.log, len(self.log)
        number = np.zeros(size, dtype=np.int64)
        several = len(log.table_names) > 1
        for place, (table, seq, since, _) in enumerate(elections[1:], start=1):
            held = (log.seq >= seq) & (log.ts >= since)
            if several:
                held &= log.tables == table
            number[held] = place
        return number

    def _elections(self, name: str) -> list[Election]:
        """What holds from the start, then every election in the order in which they take effect."""
        first = (-1, -(2**62), -(2**62), self.table.options.otherwise(name))
        later = []
        for code, (casino, table) in enumerate(self.log.table_names):
            for seq, since, value in self.table.options.elections(casino, table, name):
                later.append((since, seq, code, value))
        later.sort(key=itemgetter(0, 1))
        return [first, *((code, seq, since, value) for since, seq, code, value in later)]

    def _chosen(self, name: str, value: object) -> Vector:
        if value is None:
            return absent(MISSING)
        above, below = code_of(self.log, self.log.schema.options[name].kind, value)
        return constant(above, below)


def vector_of(column: Column, places: Integers) -> Vector:
    """The part of a column at some places."""
    valid = column.valid.take(places)
    values = column.values.take(places).astype(np.int64, copy=False)
    below = None if column.below is None else column.below.take(places)
    if valid.all():
        return Vector(values, SURE, below)
    return Vector(values * valid, np.where(valid, VALUE, MISSING).astype(np.uint8), below)
