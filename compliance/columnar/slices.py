"""Cuts a table's log into the segments that a rule is applied to, and finds its triggers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from compliance.columnar.codes import value_of
from compliance.columnar.contexts import spread_ranges
from compliance.columnar.evaluate import Evaluator
from compliance.columnar.scene import Scene, Table
from compliance.columnar.vectors import VALUE
from compliance.columnar.windows import around, stretches
from compliance.columns import Flags, Integers
from rules_dsl import core

Assignment = tuple[int | None, ...]


@dataclass(frozen=True)
class Sliced:
    """A scene in segments, with the trigger rows in it; `keys` are the key values of a segment."""

    scene: Scene
    triggers: Integers
    keys: tuple[dict[str, object], ...]
    owner: Integers
    """For each segment the place of its key values in `keys`."""


def sliced(table: Table, edition: core.Edition) -> Sliced:
    """The segments of an edition's slice, worked out once for rules that share it."""
    types = edition.trigger.pattern.types
    slice_ = edition.slice
    key = ("sliced", slice_.interval, slice_.keys, slice_.relevant if slice_.keys else (), types)
    if key not in table.memo:
        table.memo[key] = _sliced(table, edition)
    found: Sliced = table.memo[key]
    return found


def _sliced(table: Table, edition: core.Edition) -> Sliced:
    slice_ = edition.slice
    if slice_.keys:
        base = _by_keys(table, edition)
    else:
        scene = table.whole
        rows = scene.rows_of(edition.trigger.pattern.types)
        base = Sliced(scene, rows, ({},), np.zeros(1, dtype=np.int64))
    if slice_.interval is None:
        return base
    return _by_interval(table, base, slice_.interval)


# ---- keys ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Key:
    """One `for each` field at every relevant place of the log."""

    has: Flags
    known: Flags
    values: Integers
    kind: str


def _by_keys(table: Table, edition: core.Edition) -> Sliced:
    log, slice_ = table.log, edition.slice
    relevant = set(slice_.relevant) | _interval_types(table, edition)
    places = table.whole.rows_of(tuple(relevant))
    keys = [_key(table, name, places) for name in slice_.keys]
    types = log.types[places].astype(np.int64)
    segments: list[Integers] = []
    certain: list[Flags] = []
    triggers: list[Integers] = []
    assignments: list[Assignment] = []
    offset = 0
    for assignment, rows in _assignments(table, edition, places, types, keys):
        belongs = np.ones(len(places), dtype=np.bool_)
        sure = np.ones(len(places), dtype=np.bool_)
        for key, value in zip(keys, assignment, strict=True):
            if value is None:
                sure &= ~key.has
                continue
            belongs &= ~key.has | ~key.known | (key.values == value)
            sure &= ~key.has | key.known
        kept = np.flatnonzero(belongs)
        segments.append(places[kept])
        certain.append(sure[kept])
        triggers.append(np.searchsorted(kept, rows) + offset)
        assignments.append(assignment)
        offset += len(kept)
    scene = _scene(table, segments, certain)
    decoded = tuple(
        {
            name: None if value is None else _decoded(table, key.kind, value)
            for name, key, value in zip(slice_.keys, keys, assignment, strict=True)
        }
        for assignment in assignments
    )
    rows = np.concatenate(triggers) if triggers else np.zeros(0, dtype=np.int64)
    return Sliced(scene, rows, decoded, np.arange(len(assignments), dtype=np.int64))


def _decoded(table: Table, kind: str, value: int) -> object:
    return value_of(table.log, table.circumstances.rulebook, kind, value, 1)


def _interval_types(table: Table, edition: core.Edition) -> set[str]:
    """Events that open and close intervals matter too, whether or not the rule names them."""
    found: set[str] = set()
    for interval in table.circumstances.rulebook.intervals.values():
        found |= {*interval.opens.types, *interval.closes.types}
    return found


def _key(table: Table, name: str, places: Integers) -> _Key:
    log = table.log
    kinds = {
        event.fields[name].kind.name for event in log.schema.events.values() if name in event.fields
    }
    bearers = [
        code
        for code, type_name in enumerate(log.type_names)
        if name in log.schema.events[type_name].fields
    ]
    has = np.isin(log.types[places], bearers)
    known = np.zeros(len(places), dtype=np.bool_)
    values = np.zeros(len(places), dtype=np.int64)
    kind = sorted(kinds)[0]
    for kind_name in sorted(kinds):
        vector = table.whole.field(name, kind_name, places).spread(len(places))
        own = vector.state == VALUE
        if own.any():
            kind = kind_name
        known |= own
        values = np.where(own, vector.above, values)
    return _Key(has, known & has, values, kind)


def _assignments(
    table: Table,
    edition: core.Edition,
    places: Integers,
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
            for full, first in _completed(edition, log.type_names, types, keys, own, fixed):
                later = mine[mine >= first]
                if len(later):
                    wanted.setdefault(full, []).append(later)
    return [(values, np.sort(np.concatenate(rows))) for values, rows in wanted.items()]


def _by_own_keys(
    rows: Integers, keys: Sequence[_Key], own: Sequence[bool]
) -> list[tuple[Assignment, Integers]]:
    """Trigger rows grouped by the keys that they have themselves (None where not recorded)."""
    columns = [
        np.stack([key.known[rows].astype(np.int64), np.where(key.known[rows], key.values[rows], 0)])
        for key, has in zip(keys, own, strict=True)
        if has
    ]
    if not columns:
        return [((None,) * len(keys), rows)]
    different, place = np.unique(np.concatenate(columns), axis=1, return_inverse=True)
    groups = []
    for number in range(different.shape[1]):
        values = iter(different[:, number].tolist())
        fixed = []
        for has in own:
            known, value = (next(values), next(values)) if has else (0, 0)
            fixed.append(int(value) if known else None)
        groups.append((tuple(fixed), rows[place.ravel() == number]))
    return groups


def _completed(
    edition: core.Edition,
    names: tuple[str, ...],
    types: Integers,
    keys: Sequence[_Key],
    own: Sequence[bool],
    fixed: Assignment,
) -> list[tuple[Assignment, int]]:
    """The assignments of a trigger: keys that it lacks take every value seen so far, each from the
    row where it is first seen together with the keys that the trigger has."""
    others = [i for i, has in enumerate(own) if not has]
    if not others:
        return [(fixed, 0)]
    known = np.isin(types, [names.index(name) for name in edition.slice.relevant])
    for i in others:
        known = known & keys[i].known
    for i, has in enumerate(own):
        if has:
            same = keys[i].known & (keys[i].values == (fixed[i] if fixed[i] is not None else 0))
            agrees = ~keys[i].known | (same if fixed[i] is not None else False)
            known = known & agrees
    rows = np.flatnonzero(known)
    if not len(rows):
        return []
    values = np.stack([keys[i].values[rows] for i in others])
    different, first = np.unique(values, axis=1, return_index=True)
    found = []
    for number in range(different.shape[1]):
        full = list(fixed)
        for i, value in zip(others, different[:, number].tolist(), strict=True):
            full[i] = int(value)
        found.append((tuple(full), int(rows[first[number]])))
    return found


def _scene(table: Table, segments: Sequence[Integers], certain: Sequence[Flags]) -> Scene:
    lengths = np.array([len(segment) for segment in segments], dtype=np.int64)
    ends = np.cumsum(lengths)
    places = np.concatenate(segments) if segments else np.zeros(0, dtype=np.int64)
    sure = np.concatenate(certain) if certain else np.zeros(0, dtype=np.bool_)
    last = int(table.log.ts.max()) if len(table.log) else 0
    return Scene(
        table,
        places,
        np.repeat(np.arange(len(segments), dtype=np.int64), lengths),
        ends - lengths,
        ends,
        np.zeros(len(segments), dtype=np.bool_),
        np.full(len(segments), last, dtype=np.int64),
        None if bool(sure.all()) else sure,
    )


# ---- intervals -----------------------------------------------------------------------------


def _by_interval(table: Table, base: Sliced, name: str) -> Sliced:
    """One segment for each run of an interval in which the rule is triggered."""
    scene = base.scene
    evaluator = Evaluator(scene)
    runs = stretches(evaluator, name)
    numbers = around(evaluator, name, base.triggers)
    inside = numbers >= 0
    triggers, numbers = base.triggers[inside], numbers[inside]
    used, segment = np.unique(numbers, return_inverse=True)
    rows, owners = spread_ranges(runs.first[used], runs.last[used] + 1)
    lengths = runs.last[used] + 1 - runs.first[used]
    ends = np.cumsum(lengths)
    certain = runs.certain[used][owners]
    if scene.certain is not None:
        certain = certain & scene.certain[rows]
    cut = Scene(
        table,
        scene.place(rows),
        owners,
        ends - lengths,
        ends,
        runs.closed[used],
        scene.known_until[scene.segment[runs.first[used]]],
        None if bool(certain.all()) else certain,
    )
    moved = triggers - runs.first[used][segment] + (ends - lengths)[segment]
    owner = base.owner[scene.segment[runs.first[used]]]
    return Sliced(cut, moved.astype(np.int64), base.keys, owner)
