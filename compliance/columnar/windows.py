"""Where phrases look, for all contexts at once: from which row to which, and if more may come."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from compliance.columnar.bounds import OUT, Bounds, Doubt, Edge, MomentFilter
from compliance.columnar.contexts import Contexts
from compliance.columnar.doubtful_runs import marks, runs_end_in_doubt, runs_in_doubt
from compliance.columnar.plain_runs import plain_runs
from compliance.columnar.vectors import MISSING, OPEN, VALUE, States, Vector, flags
from compliance.columns import Flags, Integers
from rules_dsl import core

if TYPE_CHECKING:
    from compliance.columnar.evaluate import Evaluator


@dataclass(frozen=True)
class Stretches:
    """All runs of an interval in a scene, in order, one array for each property.

    Beginnings and ends that are in doubt are left out here; `doubtful_runs` looks at what is near
    them.
    """

    table: Integers
    first: Integers
    last: Integers
    closed: Flags
    proper: Flags


@dataclass(frozen=True)
class Look:
    """A window for every context, and the rows that bound it, surely or perhaps (-1: none)."""

    bounds: Bounds
    open: Flags
    doubt: States
    late: Flags
    since: tuple[Integers, ...]
    before: tuple[Integers, ...]


def look(evaluator: Evaluator, window: core.Window, contexts: Contexts, at: int) -> Look:
    """The rows that a window shows from event `at` of each context."""
    scene = evaluator.scene
    anchor = contexts.rows[at]
    size = contexts.size
    start, end, complete = evaluator.span(contexts, at)
    still_open = ~complete
    doubts: list[Doubt] = []
    # Where there is nothing to look at, no bound can change that.
    idle = np.zeros(size, dtype=np.bool_)
    low, high = start, end
    if window.reach == "past":
        high = anchor + 1 if window.inclusive else anchor
        still_open = np.zeros(size, dtype=np.bool_)
    elif window.reach == "future":
        low = anchor + 1

    if window.interval is not None:
        found, first, last, closed, may_come = _stretch_for(evaluator, window, anchor)
        may_come = may_come & ~complete
        idle = ~found & ~may_come
        ahead = np.where(found, still_open & ~closed, may_come)
        beyond = np.where(found, last + 1, 0)
        first = np.where(found, first, 0)
        runs = runs_in_doubt(evaluator, window.interval, window.which, anchor)
        if runs is not None:
            doubts.append(runs)
            first = np.where(runs.unclear, runs.low[runs.number], first)
            beyond = np.where(runs.unclear, runs.high[runs.number], beyond)
            ahead = np.where(runs.unclear, still_open & runs.growing[runs.number], ahead)
            idle = np.where(runs.unclear, runs.nothing, idle)
        low, high, still_open = np.maximum(low, first), np.minimum(high, beyond), ahead

    late = np.zeros(size, dtype=np.bool_)
    since: tuple[Integers, ...] = ()
    before: tuple[Integers, ...] = ()
    if window.since is not None:
        edge = evaluator.search.nearest(window.since, contexts, at, True)
        since = _shown(edge, idle, -1)
        low = np.maximum(low, edge.sure + 1)
        doubts.append(edge)
    if window.before is not None:
        edge = evaluator.search.nearest(window.before, contexts, at, False)
        before = _shown(edge, idle, len(scene))
        high = np.minimum(high, edge.sure)
        still_open = still_open & (edge.sure == len(scene))
        late = ~idle & ~complete & (edge.sure == len(scene))
        doubts.append(edge)
    doubts = [doubt for doubt in doubts if doubt.unclear.any()]
    for doubt in doubts:
        late = late | doubt.late
    bounds = Bounds(low, high, doubts=tuple(doubts))
    seen = Look(bounds, still_open, np.zeros(size, dtype=np.uint8), late, since, before)
    if window.within is None and window.at_least is None:
        return seen
    return _by_time(evaluator, window, contexts, at, seen)


def _shown(edge: Edge, idle: Flags, none: int) -> tuple[Integers, ...]:
    """The nearest row that may bound each window, and the one that surely does."""
    bounds = (edge.nearest, edge.sure) if edge.unclear.any() else (edge.sure,)
    return tuple(np.where(idle | (row == none), -1, row) for row in bounds)


def _by_time(
    evaluator: Evaluator, window: core.Window, contexts: Contexts, at: int, seen: Look
) -> Look:
    """The window narrowed by lengths of time."""
    scene = evaluator.scene
    anchor = contexts.rows[at]
    moment = scene.ts[anchor]
    known_until = scene.known_until[scene.segment[anchor]]
    lengths: dict[str, Integers] = {}
    doubt, still_open = seen.doubt, seen.open
    for name, expr in (("within", window.within), ("at_least", window.at_least)):
        if expr is None:
            continue
        vector = evaluator.vector(expr, contexts).spread(contexts.size)
        unknown = vector.state != VALUE
        graver = np.where(vector.state == OPEN, OPEN, MISSING)
        doubt = np.where(unknown, np.maximum(doubt, graver), doubt).astype(np.uint8)
        # A length that is not known does not narrow anything.
        free = 2**61 if name == "within" else -1
        lengths[name] = np.where(unknown, free, vector.above)
        if name == "within" and window.reach == "future":
            still_open = still_open & ~(~unknown & (known_until > moment + vector.above))
    low, high = seen.bounds.low, seen.bounds.high
    moments = MomentFilter(moment, lengths.get("within"), lengths.get("at_least"))
    if scene.monotone and window.reach != "whole":
        low, high = _rows_by_time(evaluator, window, anchor, moment, lengths, low, high)
        bounds = replace(seen.bounds, low=low, high=high)
    else:
        bounds = replace(seen.bounds, moments=moments)
    return replace(seen, bounds=bounds, open=still_open, doubt=doubt)


def _rows_by_time(
    evaluator: Evaluator,
    window: core.Window,
    anchor: Integers,
    moment: Integers,
    lengths: dict[str, Integers],
    low: Integers,
    high: Integers,
) -> tuple[Integers, Integers]:
    """On a clock that never goes back, a length of time is a range of rows."""
    past = window.reach == "past"
    for name, length in lengths.items():
        bounded = np.clip(length, -1, 2**60)
        edge = moment - bounded if past else moment + bounded
        if (name == "within") is past:
            # The first row at or after the edge.
            low = np.maximum(low, _row_at(evaluator, anchor, edge, "left"))
        else:
            # The row after the last one at or before the edge.
            high = np.minimum(high, _row_at(evaluator, anchor, edge, "right"))
    return low, high


def _row_at(evaluator: Evaluator, anchor: Integers, edge: Integers, side: str) -> Integers:
    """Where a moment falls among the rows of each context's own segment."""
    scene = evaluator.scene
    if len(scene.starts) == 1:
        return scene.ts.searchsorted(edge, side=side).astype(np.int64)  # type: ignore[call-overload, no-any-return]
    # Segment and time in one sorted key: the time counted from the earliest one.
    origin = int(scene.ts.min())
    width = int(scene.ts.max()) - origin + 3
    offset = np.clip(edge - origin, -1, width - 2) + 1
    keys = scene.segment * width + (scene.ts - origin) + 1
    wanted = scene.segment[anchor] * width + offset
    return keys.searchsorted(wanted, side=side).astype(np.int64)  # type: ignore[call-overload, no-any-return]


# ---- intervals -----------------------------------------------------------------------------


def stretches(evaluator: Evaluator, name: str) -> Stretches:
    """All runs of an interval, worked out once for all that ask."""
    scene = evaluator.scene
    key = ("stretches", name)
    if key not in scene.memo:
        scene.memo[key] = _stretches(evaluator, name)
    found: Stretches = scene.memo[key]
    return found


def _stretches(evaluator: Evaluator, name: str) -> Stretches:
    scene = evaluator.scene
    interval = evaluator.rulebook.intervals[name]
    plain = plain_runs(scene, interval)
    if plain is not None:
        return Stretches(*plain)
    opens = evaluator.search.candidates(evaluator.pattern(interval.opens))
    closes = evaluator.search.candidates(evaluator.pattern(interval.closes))
    opening = opens.rows[opens.state == VALUE]
    closing = closes.rows[closes.state == VALUE]
    several = scene.table.interleaved
    tables = scene.log.tables[scene.place(np.arange(len(scene)))] if several else None
    parts = []
    for code in range(len(scene.log.table_names) if several else 1):
        own = None if tables is None else np.flatnonzero(tables == code)
        parts.append(_of_table(own, opening, closing, evaluator, code))
    if not parts:
        empty = np.zeros(0, dtype=np.int64)
        no = np.zeros(0, dtype=np.bool_)
        return Stretches(empty, empty, empty, no, no)
    if len(parts) == 1:
        return Stretches(*parts[0])
    return Stretches(*(np.concatenate(column) for column in zip(*parts, strict=True)))


def _of_table(
    own: Integers | None,
    opening: Integers,
    closing: Integers,
    evaluator: Evaluator,
    code: int,
) -> tuple[Integers, Integers, Integers, Flags, Flags]:
    """The runs at one table; `own` are the table's rows when others stand between them."""
    scene = evaluator.scene
    size = len(scene)
    if own is not None:
        opening = opening[np.isin(opening, own)]
        closing = closing[np.isin(closing, own)]
    alone = own is None and len(scene.ends) == 1
    segment_end = scene.ends if alone else scene.end_of(opening)
    next_close = _after(closing, opening, size)
    next_open = np.append(opening, size)[1:]
    proper = (next_close < segment_end) & (next_close <= next_open)
    cut = ~proper & (next_open < segment_end)
    before_open = next_open - 1 if own is None else _row_before(own, next_open)
    last_row = segment_end - 1 if own is None else _row_before(own, segment_end)
    last = np.where(proper, next_close, np.where(cut, before_open, last_row))
    complete = scene.complete if alone else scene.complete[scene.segment[opening]]
    closed = proper | cut | complete
    return (
        np.full(len(opening), code, dtype=np.int64),
        opening,
        last.astype(np.int64),
        closed,
        proper,
    )


def _after(rows: Integers, than: Integers, none: int) -> Integers:
    """For each row the next one of a sorted list that comes after it."""
    place = rows.searchsorted(than, side="right")
    padded = np.append(rows, none)
    return padded[place]


def _row_before(own: Integers, row: Integers) -> Integers:
    place = own.searchsorted(row) - 1
    return own[np.clip(place, 0, len(own) - 1)]


def around(evaluator: Evaluator, name: str, rows: Integers) -> Integers:
    """For each row the number of the run that it lies in, or -1."""
    runs = stretches(evaluator, name)
    scene = evaluator.scene
    if not len(runs.first):
        return np.full(len(rows), -1, dtype=np.int64)
    if not scene.table.interleaved:
        return _number_around(runs.first, runs.last, rows)
    result = np.full(len(rows), -1, dtype=np.int64)
    tables = scene.log.tables[scene.place(rows)]
    for code in np.unique(runs.table):
        mine = np.flatnonzero(runs.table == code)
        wanted = np.flatnonzero(tables == code)
        number = _number_around(runs.first[mine], runs.last[mine], rows[wanted])
        result[wanted] = np.where(number >= 0, mine[number], -1)
    return result


def _number_around(first: Integers, last: Integers, rows: Integers) -> Integers:
    """The number of the run around each row, among runs in order, or -1."""
    place = last.searchsorted(rows, side="left")
    inside = place < len(last)
    place = np.minimum(place, len(last) - 1)
    inside &= first[place] <= rows
    return np.where(inside, place, -1)


def _stretch_for(
    evaluator: Evaluator, window: core.Window, anchor: Integers
) -> tuple[Flags, Integers, Integers, Flags, Flags]:
    """Of each context: whether there is such a run, its ends, and whether one may still come."""
    assert window.interval is not None
    runs = stretches(evaluator, window.interval)
    here = around(evaluator, window.interval, anchor)
    number = here
    may_come = np.zeros(len(anchor), dtype=np.bool_)
    if window.which != "this":
        number = _neighbour(evaluator, runs, window.which, anchor, here)
        may_come = (number < 0) if window.which == "next" else may_come
    found = number >= 0
    place = np.clip(number, 0, max(0, len(runs.first) - 1))
    if not len(runs.first):
        zeros = np.zeros(len(anchor), dtype=np.int64)
        no = np.zeros(len(anchor), dtype=np.bool_)
        return no, zeros, zeros, no, may_come
    return found, runs.first[place], runs.last[place], runs.closed[place], may_come


def _neighbour(
    evaluator: Evaluator, runs: Stretches, which: str, anchor: Integers, here: Integers
) -> Integers:
    """The run before or after each anchor, in its own segment and at its own table."""
    scene = evaluator.scene
    result = np.full(len(anchor), -1, dtype=np.int64)
    if not len(runs.first):
        return result
    if not scene.table.interleaved:
        every = np.arange(len(runs.first), dtype=np.int64)
        return _beside(evaluator, runs, every, which, anchor, here)
    tables = scene.log.tables[scene.place(anchor)]
    for code in np.unique(runs.table):
        mine = np.flatnonzero(runs.table == code)
        wanted = np.flatnonzero(tables == code)
        result[wanted] = _beside(evaluator, runs, mine, which, anchor[wanted], here[wanted])
    return result


def _beside(
    evaluator: Evaluator,
    runs: Stretches,
    mine: Integers,
    which: str,
    rows: Integers,
    own: Integers,
) -> Integers:
    """The run before or after each row, among some of the runs; `own` is the run around it."""
    first, last = runs.first[mine], runs.last[mine]
    if which == "next":
        # The next run may begin with the very event that ends this one.
        place = first.searchsorted(rows, side="left")
        place = place + (mine[np.clip(place, 0, len(mine) - 1)] == own)
    else:
        start = np.where(own >= 0, runs.first[np.clip(own, 0, len(runs.first) - 1)], rows)
        # Runs that ended before the start, or that ended in the event that begins this one.
        place = first.searchsorted(start, side="left") - 1
        late = (place >= 0) & (last[np.clip(place, 0, len(mine) - 1)] > start)
        place = np.where(late, place - 1, place)
    inside = (place >= 0) & (place < len(mine))
    place = np.clip(place, 0, len(mine) - 1)
    segment = evaluator.scene.segment
    same = segment[first[place]] == segment[rows]
    return np.where(inside & same, mine[place], -1)


def ends_run(evaluator: Evaluator, name: str, rows: Integers) -> Vector:
    """Whether each row is the proper end of a run."""
    runs = stretches(evaluator, name)
    ends = np.isin(rows, runs.last[runs.proper])
    if not marks(evaluator, name):
        return flags(ends)
    state = np.where(ends, VALUE, OUT).astype(np.uint8)
    runs_end_in_doubt(evaluator, name, rows, state)
    return Vector((state != OUT).astype(np.int64), np.where(state == OUT, VALUE, state))
