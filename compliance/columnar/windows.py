"""Where phrases look, for all contexts at once: from which row to which, and if more may come."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from compliance.columnar.bounds import Bounds, MomentFilter
from compliance.columnar.contexts import Contexts
from compliance.columnar.search import Candidates
from compliance.columnar.vectors import MISSING, OPEN, VALUE, States
from compliance.columns import Flags, Integers
from rules_dsl import core

if TYPE_CHECKING:
    from compliance.columnar.evaluate import Evaluator


@dataclass(frozen=True)
class Stretches:
    """All runs of an interval in a scene, in order, one array for each property."""

    table: Integers
    first: Integers
    last: Integers
    closed: Flags
    certain: Flags
    proper: Flags


@dataclass(frozen=True)
class Look:
    """A window for every context."""

    bounds: Bounds
    open: Flags
    doubt: States
    since: Integers
    before: Integers


def look(evaluator: Evaluator, window: core.Window, contexts: Contexts, at: int) -> Look:
    """The rows that a window shows from event `at` of each context."""
    scene = evaluator.scene
    anchor = contexts.rows[at]
    size = contexts.size
    segment = scene.segment[anchor]
    start, end = scene.starts[segment], scene.ends[segment]
    still_open = ~scene.complete[segment]
    doubt: States = np.zeros(size, dtype=np.uint8)
    low, high = start, end
    if window.reach == "past":
        high = anchor + 1 if window.inclusive else anchor
        still_open = np.zeros(size, dtype=np.bool_)
    elif window.reach == "future":
        low = anchor + 1

    if window.interval is not None:
        found, first, last, closed, certain, may_come = _stretch_for(evaluator, window, anchor)
        low = np.where(found, np.maximum(low, first), low)
        high = np.where(found, np.minimum(high, last + 1), low)
        still_open = np.where(found, still_open & ~closed, may_come & ~scene.complete[segment])
        doubt = np.where(found & ~certain, MISSING, VALUE).astype(np.uint8)

    none = np.full(size, -1, dtype=np.int64)
    since, before = none, none
    # Where there is nothing to look at, no bound can change that.
    idle = np.zeros(size, dtype=np.bool_) if window.interval is None else ~found & ~may_come
    if window.since is not None:
        since, state = evaluator.search.nearest(window.since, contexts, at, True)
        since = np.where(idle, -1, since)
        low = np.maximum(low, since + 1)
        doubt = np.where(since >= 0, np.maximum(doubt, state), doubt)
    if window.before is not None:
        before, state = evaluator.search.nearest(window.before, contexts, at, False)
        before = np.where(idle, -1, before)
        reached = before >= 0
        high = np.where(reached, np.minimum(high, before), high)
        still_open = still_open & ~reached
        doubt = np.where(reached, np.maximum(doubt, state), doubt)
    if window.within is None and window.at_least is None:
        return Look(Bounds(low, high), still_open, doubt, since, before)
    return _by_time(
        evaluator, window, contexts, at, Look(Bounds(low, high), still_open, doubt, since, before)
    )


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
        return Look(Bounds(low, high), still_open, doubt, seen.since, seen.before)
    return Look(Bounds(low, high, moments), still_open, doubt, seen.since, seen.before)


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
        return np.searchsorted(scene.ts, edge, side=side).astype(np.int64)  # type: ignore[call-overload, no-any-return]
    # Segment and time in one sorted key: the time counted from the earliest one.
    origin = int(scene.ts.min())
    width = int(scene.ts.max()) - origin + 3
    offset = np.clip(edge - origin, -1, width - 2) + 1
    keys = scene.segment * width + (scene.ts - origin) + 1
    wanted = scene.segment[anchor] * width + offset
    return np.searchsorted(keys, wanted, side=side).astype(np.int64)  # type: ignore[call-overload, no-any-return]


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
    opens = evaluator.search.candidates(evaluator.pattern(interval.opens))
    closes = evaluator.search.candidates(evaluator.pattern(interval.closes))
    opening = opens.rows[opens.state == VALUE]
    closing = closes.rows[closes.state == VALUE]
    doubts = np.unique(
        np.concatenate([opens.rows[opens.state != VALUE], closes.rows[closes.state != VALUE]])
    )
    tables = scene.log.tables[scene.place(np.arange(len(scene)))]
    several = len(scene.log.table_names) > 1
    parts = []
    for code in np.unique(tables):
        own = np.flatnonzero(tables == code) if several else None
        if len(doubts):
            parts.append(_in_doubt(own, opens, closes, evaluator, int(code)))
        else:
            parts.append(_of_table(own, opening, closing, evaluator, int(code)))
    if not parts:
        empty = np.zeros(0, dtype=np.int64)
        no = np.zeros(0, dtype=np.bool_)
        return Stretches(empty, empty, empty, no, no, no)
    return Stretches(*(np.concatenate(column) for column in zip(*parts, strict=True)))


def _of_table(
    own: Integers | None,
    opening: Integers,
    closing: Integers,
    evaluator: Evaluator,
    code: int,
) -> tuple[Integers, Integers, Integers, Flags, Flags, Flags]:
    """The runs at one table; `own` are the table's rows when others stand between them."""
    scene = evaluator.scene
    size = len(scene)
    if own is not None:
        opening = opening[np.isin(opening, own)]
        closing = closing[np.isin(closing, own)]
    segment_end = scene.end_of(opening)
    next_close = _after(closing, opening, size)
    next_open = _after(opening, opening, size)
    proper = (next_close < segment_end) & (next_close <= next_open)
    cut = ~proper & (next_open < segment_end)
    before_open = next_open - 1 if own is None else _row_before(own, next_open)
    last_row = segment_end - 1 if own is None else _row_before(own, segment_end)
    last = np.where(proper, next_close, np.where(cut, before_open, last_row))
    closed = proper | cut | scene.complete[scene.segment[opening]]
    return (
        np.full(len(opening), code, dtype=np.int64),
        opening,
        last.astype(np.int64),
        closed,
        np.ones(len(opening), dtype=np.bool_),
        proper,
    )


def _in_doubt(
    own: Integers | None,
    opens: Candidates,
    closes: Candidates,
    evaluator: Evaluator,
    code: int,
) -> tuple[Integers, Integers, Integers, Flags, Flags, Flags]:
    """The runs at a table where the log does not settle every beginning and end, one by one."""
    scene = evaluator.scene
    rows = np.arange(len(scene)) if own is None else own
    opening = dict(zip(opens.rows.tolist(), opens.state.tolist(), strict=True))
    closing = dict(zip(closes.rows.tolist(), closes.state.tolist(), strict=True))
    runs: list[tuple[int, int, bool, bool, bool]] = []
    for segment in range(len(scene.starts)):
        mine = rows[(rows >= scene.starts[segment]) & (rows < scene.ends[segment])].tolist()
        first, last, certain = -1, 0, True
        for row in mine:
            begins, ends = opening.get(row), closing.get(row)
            certain = certain and begins in (None, VALUE) and ends in (None, VALUE)
            if first >= 0 and ends == VALUE and row != first:
                runs.append((first, row, True, certain, True))
                first = -1
            if begins == VALUE:
                if first >= 0:
                    runs.append((first, last, True, certain, False))
                first, certain = row, True
            elif first < 0 and begins is not None:
                first, certain = row, False
            last = row
        if first >= 0:
            runs.append((first, last, bool(scene.complete[segment]), certain, False))
    columns = list(zip(*runs, strict=True)) or [()] * 5
    return (
        np.full(len(runs), code, dtype=np.int64),
        np.array(columns[0], dtype=np.int64),
        np.array(columns[1], dtype=np.int64),
        np.array(columns[2], dtype=np.bool_),
        np.array(columns[3], dtype=np.bool_),
        np.array(columns[4], dtype=np.bool_),
    )


def _after(rows: Integers, than: Integers, none: int) -> Integers:
    """For each row the next one of a sorted list that comes after it."""
    place = np.searchsorted(rows, than, side="right")
    padded = np.append(rows, none)
    return padded[place]


def _row_before(own: Integers, row: Integers) -> Integers:
    place = np.searchsorted(own, row) - 1
    return own[np.clip(place, 0, len(own) - 1)]


def around(evaluator: Evaluator, name: str, rows: Integers) -> Integers:
    """For each row the number of the run that it lies in, or -1."""
    runs = stretches(evaluator, name)
    scene = evaluator.scene
    result = np.full(len(rows), -1, dtype=np.int64)
    tables = scene.log.tables[scene.place(rows)]
    for code in np.unique(runs.table):
        mine = np.flatnonzero(runs.table == code)
        wanted = np.flatnonzero(tables == code)
        place = np.searchsorted(runs.last[mine], rows[wanted], side="left")
        inside = place < len(mine)
        place = np.clip(place, 0, len(mine) - 1)
        inside &= runs.first[mine][place] <= rows[wanted]
        result[wanted] = np.where(inside, mine[place], -1)
    return result


def _stretch_for(
    evaluator: Evaluator, window: core.Window, anchor: Integers
) -> tuple[Flags, Integers, Integers, Flags, Flags, Flags]:
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
        return no, zeros, zeros, no, no, may_come
    return (
        found,
        runs.first[place],
        runs.last[place],
        runs.closed[place],
        runs.certain[place],
        may_come,
    )


def _neighbour(
    evaluator: Evaluator, runs: Stretches, which: str, anchor: Integers, here: Integers
) -> Integers:
    """The run before or after each anchor, in its own segment and at its own table."""
    scene = evaluator.scene
    result = np.full(len(anchor), -1, dtype=np.int64)
    tables = scene.log.tables[scene.place(anchor)]
    for code in np.unique(runs.table):
        mine = np.flatnonzero(runs.table == code)
        wanted = np.flatnonzero(tables == code)
        rows = anchor[wanted]
        own = here[wanted]
        if which == "next":
            # The next run may begin with the very event that ends this one.
            place = np.searchsorted(runs.first[mine], rows, side="left")
            place = place + (mine[np.clip(place, 0, len(mine) - 1)] == own)
        else:
            start = np.where(own >= 0, runs.first[np.clip(own, 0, len(runs.first) - 1)], rows)
            # Runs that ended before the start, or that ended in the event that begins this one.
            place = np.searchsorted(runs.first[mine], start, side="left") - 1
            late = (place >= 0) & (runs.last[mine][np.clip(place, 0, len(mine) - 1)] > start)
            place = np.where(late, place - 1, place)
        inside = (place >= 0) & (place < len(mine))
        place = np.clip(place, 0, len(mine) - 1)
        same = scene.segment[runs.first[mine][place]] == scene.segment[rows]
        result[wanted] = np.where(inside & same, mine[place], -1)
    return result


def ends_run(evaluator: Evaluator, name: str, rows: Integers) -> tuple[Flags, Flags]:
    """Whether each row is the proper end of a run, and whether that is certain."""
    runs = stretches(evaluator, name)
    lasts = runs.last[runs.proper]
    certain = runs.certain[runs.proper]
    order = np.argsort(lasts, kind="stable")
    lasts, certain = lasts[order], certain[order]
    if not len(lasts):
        no = np.zeros(len(rows), dtype=np.bool_)
        return no, no
    place = np.clip(np.searchsorted(lasts, rows), 0, len(lasts) - 1)
    return lasts[place] == rows, certain[place]
