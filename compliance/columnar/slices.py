"""Cuts a table's log into the segments that a rule is applied to, and finds its triggers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

import numpy as np

from compliance.columnar.bounds import OUT
from compliance.columnar.contexts import spread_ranges
from compliance.columnar.doubtful_runs import RunsInDoubt, marks, runs_in_doubt
from compliance.columnar.evaluate import Evaluator
from compliance.columnar.intervals_used import intervals_of
from compliance.columnar.keyed_slices import keyed_slices
from compliance.columnar.plan import phrases_in
from compliance.columnar.scene import Scene, Table
from compliance.columnar.segments import Sliced
from compliance.columnar.vectors import States
from compliance.columnar.windows import Stretches, around, stretches
from compliance.columns import Integers
from rules_dsl import core


def sliced(table: Table, edition: core.Edition) -> Iterator[Sliced]:
    """The segments of an edition's slice, worked out once for rules that share it.

    When there are so many that they come in portions, each is let go before the next one comes.
    """
    key = table.plan.once(slice_key, edition)
    if key in table.memo:
        yield table.memo[key]
        return
    parts = _sliced(table, edition)
    first, second = next(parts), next(parts, None)
    if second is None:
        table.memo[key] = first
    yield first
    if second is not None:
        del first
        yield second
        del second
        yield from parts


def unkeyed_scene(table: Table, edition: core.Edition) -> Scene | None:
    """The segments of an edition that has no keys; None where some of them are in doubt."""
    name = edition.slice.interval
    if name is None:
        return table.whole
    return None if marks(Evaluator(table.whole), name) else certain_runs(table, name)


def certain_runs(table: Table, name: str) -> Scene:
    """Each run of an interval as a segment, where none is in doubt."""
    return _cut(table, table.whole, name, stretches(Evaluator(table.whole), name))


def with_only(part: Sliced, rows: Integers) -> Sliced:
    """The same slices without the segments in which none of some rows lie: to judge a few triggers
    then costs little, for segments do not mix. The rows are the triggers of the result."""
    scene = part.scene
    segments = np.unique(scene.segment[rows])
    starts, ends = scene.starts[segments], scene.ends[segments]
    lengths = ends - starts
    if 4 * int(lengths.sum()) > len(scene):
        return replace(part, triggers=rows)
    kept, owners = spread_ranges(starts, ends)
    new_ends = np.cumsum(lengths)
    few = Scene(
        scene.table,
        scene.place(kept),
        owners,
        new_ends - lengths,
        new_ends,
        scene.complete[segments],
        scene.known_until[segments],
        None if scene.belongs is None else scene.belongs[kept],
    )
    number = segments.searchsorted(scene.segment[rows])
    moved = rows - starts[number] + few.starts[number]
    return Sliced(few, moved, part.keys, part.owner[segments])


def slice_key(edition: core.Edition) -> tuple[object, ...]:
    """What two editions must have in common to share their segments."""
    types = edition.trigger.pattern.types
    slice_ = edition.slice
    events = (slice_.relevant, intervals_of(edition)) if slice_.keys else ()
    return ("sliced", slice_.interval, slice_.keys, events, types)


def _sliced(table: Table, edition: core.Edition) -> Iterator[Sliced]:
    slice_ = edition.slice
    bases: Iterable[Sliced] = keyed_slices(table, edition) if slice_.keys else ()
    if not slice_.keys:
        scene = table.whole
        rows = scene.rows_of(edition.trigger.pattern.types)
        bases = [Sliced(scene, rows, ({},), np.zeros(len(scene.starts), dtype=np.int64))]
    for base in bases:
        yield base if slice_.interval is None else _by_interval(table, base, slice_.interval)


def _by_interval(table: Table, base: Sliced, name: str) -> Sliced:
    """One segment for each run of an interval, with the triggers that lie in one."""
    scene = base.scene
    evaluator = Evaluator(scene)
    numbers_of_all = around(evaluator, name, base.triggers)
    inside = numbers_of_all >= 0
    triggers, numbers = base.triggers[inside], numbers_of_all[inside]
    runs = stretches(evaluator, name)
    doubt = runs_in_doubt(evaluator, name, "this", base.triggers)
    if doubt is not None:
        return _by_doubtful_interval(base, numbers_of_all, runs, doubt)
    cut = _cut(table, scene, name, runs)
    moved = triggers - runs.first[numbers] + cut.starts[numbers]
    return Sliced(cut, moved, base.keys, base.owner[scene.segment[runs.first]])


def _cut(table: Table, scene: Scene, name: str, runs: Stretches) -> Scene:
    """All runs of an interval one after the other, shared by every rule that looks at them."""
    key = ("runs as segments", name)
    if key not in scene.memo:
        scene.memo[key] = _runs_as_segments(table, scene, name, runs)
    cut: Scene = scene.memo[key]
    return cut


def _runs_as_segments(table: Table, scene: Scene, name: str, runs: Stretches) -> Scene:
    rows, owners = spread_ranges(runs.first, runs.last + 1)
    lengths = runs.last + 1 - runs.first
    ends = np.cumsum(lengths)
    cut = Scene(
        table,
        scene.place(rows),
        owners,
        ends - lengths,
        ends,
        runs.closed,
        scene.known_until[scene.segment[runs.first]],
        None if scene.belongs is None else scene.belongs[rows],
    )
    if apart(runs) and same_inside(table, name) and not table.interleaved:
        # Then each segment is one run and no more.
        of_cut = replace(runs, first=cut.starts, last=ends - 1)
        cut.memo |= {("stretches", name): of_cut, ("marks", name): {}}
    return cut


def apart(runs: Stretches) -> bool:
    """Whether no event ends one run and begins the next."""
    return not np.count_nonzero(runs.first[1:] == runs.last[:-1])


def same_inside(table: Table, name: str) -> bool:
    """Whether a run begins and ends with the same events for one who sees nothing outside it."""
    interval = table.circumstances.rulebook.intervals[name]
    return table.plan.once(phrases_in, interval) == 0


def _by_doubtful_interval(
    base: Sliced, numbers: Integers, runs: Stretches, doubt: RunsInDoubt
) -> Sliced:
    """The same where some runs are in doubt: triggers near a doubt have segments of their own."""
    scene = base.scene
    segments: dict[object, tuple[Integers, States, bool]] = {}
    triggers: list[tuple[object, int]] = []
    for i, row in enumerate(base.triggers.tolist()):
        number, in_doubt = int(numbers[i]), int(doubt.number[i])
        if in_doubt >= 0:
            rows = np.arange(doubt.low[in_doubt], doubt.high[in_doubt])
            state = doubt(rows, np.full(len(rows), i))
            rows, state = rows[state != OUT], state[state != OUT]
            growing = bool(doubt.growing[in_doubt])
            key: object = (rows.tobytes(), state.tobytes(), growing)
            if row not in rows:
                continue
            segments.setdefault(key, (rows, state, not growing))
        elif number >= 0:
            key = number
            if key not in segments:
                rows = np.arange(runs.first[number], runs.last[number] + 1)
                state = np.zeros(len(rows), dtype=np.uint8)
                segments[key] = (rows, state, bool(runs.closed[number]))
        else:
            continue
        triggers.append((key, row))
    starts, place = {}, 0
    for key, (rows, _, _) in segments.items():
        starts[key], place = place, place + len(rows)
    lengths = np.array([len(rows) for rows, _, _ in segments.values()], dtype=np.int64)
    nothing = np.zeros(0, dtype=np.int64)
    rows = np.concatenate([nothing, *(rows for rows, _, _ in segments.values())])
    state = np.concatenate([nothing, *(state for _, state, _ in segments.values())])
    if scene.belongs is not None:
        state = np.maximum(state, scene.belongs[rows])
    ends = np.cumsum(lengths)
    origin = scene.segment[rows[ends - lengths]]
    cut = Scene(
        scene.table,
        scene.place(rows),
        np.repeat(np.arange(len(lengths)), lengths),
        ends - lengths,
        ends,
        np.array([closed for _, _, closed in segments.values()], dtype=np.bool_),
        scene.known_until[origin],
        state.astype(np.uint8),
    )
    moved = [starts[key] + int(segments[key][0].searchsorted(row)) for key, row in triggers]
    return Sliced(cut, np.array(moved, dtype=np.int64), base.keys, base.owner[origin])
