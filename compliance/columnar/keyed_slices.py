"""Cuts a table's log by the `for each` keys of a rule: one slice for each player or seat."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Any

import numpy as np
import numpy.typing as npt

from compliance.columnar.codes import value_of
from compliance.columnar.intervals_used import run_types
from compliance.columnar.scene import Scene, Table
from compliance.columnar.segments import Sliced, segments_scene
from compliance.columnar.vectors import VALUE
from compliance.columns import Flags, Integers
from event_schemas import Schema
from rules_dsl import core

Assignment = tuple[int | None, ...]
PORTION = 400_000
"""How many rows the slices may have together before what comes next is judged apart."""
_SHORT, _WIDEST = 2**15, 2**62


@dataclass(frozen=True)
class _Key:
    """One `for each` field at every relevant place of the log."""

    has: Flags
    known: Flags
    values: Integers
    kind: str

    @cached_property
    def shared(self) -> Flags:
        """Where an event has no such field, or does not say: it may belong to any slice."""
        return ~self.has | ~self.known

    @cached_property
    def certain(self) -> Flags:
        """Where it is sure to which slices an event belongs."""
        return ~self.has | self.known


def keyed_slices(table: Table, edition: core.Edition) -> Iterator[Sliced]:
    """The slices of an edition by its keys, in portions that memory can hold.

    Events without a key belong to every slice, so that many players make many copies of them.
    """
    whole, slice_ = table.whole, edition.slice
    places = _relevant_places(table, edition)
    keys_of: list[dict[str, object]] = []
    portion = _Portion()
    # A player here and one of that name at another table are judged apart.
    for start, end, last in zip(whole.starts, whole.ends, whole.known_until, strict=True):
        own = places[slice(*places.searchsorted([start, end]))]
        keys = [_key(table, name, own) for name in slice_.keys]
        types = table.log.types[own].astype(np.int64)
        for assignment, rows in _assignments(table, edition, types, keys):
            kept, sure = _members(keys, assignment, len(own))
            portion.add(len(keys_of), own[kept], sure[kept], kept.searchsorted(rows), int(last))
            keys_of.append(_decoded_keys(table, slice_.keys, keys, assignment))
            if portion.size > PORTION:
                yield portion.sliced(table, tuple(keys_of))
                portion = _Portion()
    yield portion.sliced(table, tuple(keys_of))


def assignments(table: Table, edition: core.Edition) -> list[tuple[Assignment, Integers]]:
    """The key values of each slice of a single table, and the places of its triggers; in the same
    order as the slices."""
    if not _says_all_keys(table, edition):
        return []
    places = _relevant_places(table, edition)
    keys = [_key(table, name, places) for name in edition.slice.keys]
    types = table.log.types[places].astype(np.int64)
    return [(values, places[rows]) for values, rows in _assignments(table, edition, types, keys)]


def _says_all_keys(table: Table, edition: core.Edition) -> bool:
    """Whether each key is a field of some event of the log: a slice needs a value of each."""
    events = table.log.schema.events
    asked = (*edition.slice.relevant, *edition.trigger.pattern.types)
    types_seen = table.types_seen.intersection(asked)
    return all(any(key in events[name].fields for name in types_seen) for key in edition.slice.keys)


def _relevant_places(table: Table, edition: core.Edition) -> Integers:
    rulebook = table.circumstances.rulebook
    types = table.plan.remember(
        "relevant",
        edition,
        lambda: tuple(sorted({*edition.slice.relevant, *run_types(rulebook, edition)})),
    )
    return table.whole.rows_of(types)


class _Portion:
    """Some slices one after the other."""

    def __init__(self) -> None:
        self.size = 0
        self._numbers: list[int] = []
        self._segments: list[Integers] = []
        self._certain: list[Flags] = []
        self._triggers: list[Integers] = []
        self._known_until: list[int] = []

    def add(
        self, number: int, places: Integers, certain: Flags, triggers: Integers, known_until: int
    ) -> None:
        """One more slice: its events, whether they surely belong to it, and its triggers."""
        self._numbers.append(number)
        self._segments.append(places)
        self._certain.append(certain)
        self._triggers.append(triggers + self.size)
        self._known_until.append(known_until)
        self.size += len(places)

    def sliced(self, table: Table, keys: tuple[dict[str, object], ...]) -> Sliced:
        """The scene of these slices."""
        scene = segments_scene(table, self._segments, self._certain, self._known_until)
        empty = np.zeros(0, dtype=np.int64)
        triggers = np.concatenate(self._triggers) if self._triggers else empty
        return Sliced(scene, triggers, keys, np.array(self._numbers, dtype=np.int64))


def every_slice(table: Table, edition: core.Edition, most: int) -> list[tuple[Scene, bool]] | None:
    """Each slice that a later trigger can belong to, and whether such a trigger says its keys.

    That is one for each value of the keys seen so far, one for a value not seen yet, and one for a
    trigger that does not say. None where these are more than can be looked at.
    """
    places = _relevant_places(table, edition)
    keys = [_key(table, name, places) for name in edition.slice.keys]
    values: list[list[int | None]] = []
    for key in keys:
        seen = np.unique(key.values[key.known])
        new = int(seen[0]) - 1 if len(seen) else 0
        values.append([None, new, *seen.tolist()])
    if math.prod(len(column) for column in values) > most:
        return None
    found = []
    for assignment in product(*values):
        kept, sure = _members(keys, assignment, len(places))
        last = int(table.whole.known_until.max())
        found.append(
            (segments_scene(table, [places[kept]], [sure[kept]], [last]), None not in assignment)
        )
    return found


def _members(keys: Sequence[_Key], assignment: Assignment, size: int) -> tuple[Integers, Flags]:
    """The rows that belong to a slice, and whether that is sure (at every row)."""
    belongs = np.ones(size, dtype=np.bool_)
    sure = np.ones(size, dtype=np.bool_)
    for key, value in zip(keys, assignment, strict=True):
        if value is None:
            sure &= ~key.has
            continue
        belongs &= key.shared | (key.values == value)
        sure &= key.certain
    return belongs.nonzero()[0], sure


def _decoded_keys(
    table: Table, names: tuple[str, ...], keys: Sequence[_Key], assignment: Assignment
) -> dict[str, object]:
    return {
        name: None if value is None else _decoded(table, key.kind, value)
        for name, key, value in zip(names, keys, assignment, strict=True)
    }


def _decoded(table: Table, kind: str, value: int) -> object:
    return value_of(table.log, table.circumstances.rulebook, kind, value, 1)


def _key(table: Table, name: str, places: Integers) -> _Key:
    log = table.log
    kinds, bears = table.plan.remember(
        f"bearers of {name}", log.schema, lambda: _bearers(log.schema, name)
    )
    has = bears.take(log.types[places])
    known = np.zeros(len(places), dtype=np.bool_)
    values = np.zeros(len(places), dtype=np.int64)
    kind = kinds[0]
    for kind_name in kinds:
        vector = table.whole.field(name, kind_name, places).spread(len(places))
        own = vector.state == VALUE
        if own.any():
            kind = kind_name
        known |= own
        values = np.where(own, vector.above, values)
    return _Key(has, known & has, values, kind)


def _bearers(schema: Schema, name: str) -> tuple[list[str], Flags]:
    """The kinds of values that a key can have, and which event types have it."""
    fields = [event.fields for event in schema.events.values()]
    kinds = {own[name].kind.name for own in fields if name in own}
    return sorted(kinds), np.array([name in own for own in fields])


def _assignments(
    table: Table,
    edition: core.Edition,
    types: Integers,
    keys: Sequence[_Key],
) -> list[tuple[Assignment, Integers]]:
    """Every combination of key values that some trigger asks for, with those triggers' rows."""
    log = table.log
    wanted: dict[Assignment, list[Integers]] = {}
    codes = [log.type_names.index(name) for name in edition.trigger.pattern.types]
    for code in codes:
        rows = np.flatnonzero(types == code)
        if not len(rows):
            continue
        own = [bool(key.has[rows[0]]) for key in keys]
        for fixed, mine in _by_own_keys(rows, keys, own):
            if all(own):
                wanted.setdefault(fixed, []).append(mine)
                continue
            complete, firsts = _completed(edition, log.type_names, types, keys, own, fixed)
            begins = mine.searchsorted(firsts).tolist()
            for full, begin in zip(complete, begins, strict=True):
                if begin < len(mine):
                    wanted.setdefault(full, []).append(mine[begin:])
    return [(values, _merged(rows)) for values, rows in wanted.items()]


def _merged(lists: Sequence[Integers]) -> Integers:
    return lists[0] if len(lists) == 1 else np.sort(np.concatenate(lists))


def _by_own_keys(
    rows: Integers, keys: Sequence[_Key], own: Sequence[bool]
) -> list[tuple[Assignment, Integers]]:
    """Trigger rows grouped by the keys that they have themselves (None where not recorded)."""
    columns = [
        column
        for key, has in zip(keys, own, strict=True)
        if has
        for column in (key.known[rows], np.where(key.known[rows], key.values[rows], 0))
    ]
    if not columns:
        return [((None,) * len(keys), rows)]
    order, starts = grouped(columns)
    ordered, ends = rows[order], np.append(starts[1:], len(rows))
    different = iter([column[order[starts]].tolist() for column in columns])
    fixed: list[list[int | None]] = []
    for has in own:
        if has:
            known, values = next(different), next(different)
            fixed.append([v if k else None for k, v in zip(known, values, strict=True)])
        else:
            fixed.append([None] * len(starts))
    members = [ordered[a:b] for a, b in zip(starts.tolist(), ends.tolist(), strict=True)]
    return list(zip(zip(*fixed, strict=True), members, strict=True))


def grouped(columns: Sequence[npt.NDArray[Any]]) -> tuple[Integers, Integers]:
    """Rows sorted by several values, of which the last one counts most, and where in that order
    each combination of values begins. Of equal ones the first comes first."""
    code, width = np.zeros(len(columns[0]), dtype=np.int64), 1
    for column in columns:
        low, high = int(column.min()), int(column.max())
        if width * (high - low + 1) > _WIDEST:
            different, code = np.unique(code, return_inverse=True)
            width = len(different)
            different, column = np.unique(column, return_inverse=True)
            low, high = 0, len(different) - 1
        code = code + (column.astype(np.int64) - low) * width
        width *= high - low + 1
    # Short numbers are sorted much faster.
    order = np.argsort(code.astype(np.int16) if width < _SHORT else code, kind="stable")
    ordered = code[order]
    return order, np.append(0, np.flatnonzero(ordered[1:] != ordered[:-1]) + 1)


def _completed(
    edition: core.Edition,
    names: tuple[str, ...],
    types: Integers,
    keys: Sequence[_Key],
    own: Sequence[bool],
    fixed: Assignment,
) -> tuple[list[Assignment], Integers]:
    """The assignments of a trigger: keys that it lacks take every value seen so far, each from the
    row where it is first seen together with the keys that the trigger has."""
    others = [i for i, has in enumerate(own) if not has]
    relevant = np.zeros(len(names), dtype=np.bool_)
    relevant[[names.index(name) for name in edition.slice.relevant]] = True
    known = relevant.take(types)
    for i in others:
        known = known & keys[i].known
    for i, has in enumerate(own):
        if has:
            same = keys[i].known & (keys[i].values == (fixed[i] if fixed[i] is not None else 0))
            agrees = ~keys[i].known | (same if fixed[i] is not None else False)
            known = known & agrees
    rows = known.nonzero()[0]
    if not len(rows):
        return [], rows
    values = [keys[i].values[rows] for i in others]
    order, starts = grouped(values)
    first = order[starts]
    columns: list[list[int | None]] = [[value] * len(starts) for value in fixed]
    for i, column in zip(others, values, strict=True):
        columns[i] = column[first].tolist()
    return list(zip(*columns, strict=True)), rows[first]
