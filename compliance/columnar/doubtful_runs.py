"""Runs of an interval where the log does not settle every beginning and end.

Most runs are certain, and `windows` finds them as ranges of rows. Where a field is missing, or the
rest of the log decides, whether an event begins or ends a run, the few contexts near that event are
looked at one by one, by the very steps of the reference.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from compliance.columnar.bounds import OUT
from compliance.columnar.candidates import Candidates
from compliance.columnar.plain_runs import is_plain
from compliance.columnar.vectors import MISSING, OPEN, VALUE, States
from compliance.columns import Flags, Integers
from compliance.reference.answers import Absent, Truth, all_hold, any_holds, reverse
from compliance.reference.runs import SEEN_FROM, Runs

if TYPE_CHECKING:
    from compliance.columnar.evaluate import Evaluator

_TRUTHS: dict[int, Truth] = {VALUE: True, MISSING: Absent.MISSING, OPEN: Absent.OPEN, OUT: False}
_STATES = {truth: state for state, truth in _TRUTHS.items()}


@dataclass(frozen=True)
class Marks:
    """The events of one table that open or close a run of an interval, surely or perhaps.

    Places are numbers among the table's `own` rows. `runs` says for each marked place what happens
    there and whether a run goes on before and after it.
    """

    own: Integers
    places: Integers
    runs: Runs
    unclear: Integers
    """The places where it is not sure whether a run begins or ends."""
    borders: Integers
    """The places where one surely begins or ends."""
    openings: Integers
    """The places where one surely begins."""


@dataclass(frozen=True)
class RunsInDoubt:
    """For some contexts, row by row, whether the run that they mean contains it.

    `number` is a context's place in the other arrays, or -1 where its run is certain. The pieces
    of all runs stand one behind the other: from which place on which state holds.
    """

    number: Integers
    low: Integers
    high: Integers
    growing: Flags
    table: Integers
    keys: Integers
    states: States
    marks: dict[int, Marks]
    width: int

    @property
    def unclear(self) -> Flags:
        doubtful: Flags = self.number >= 0
        return doubtful

    @property
    def late(self) -> Flags:
        waiting = np.zeros(len(self.low) + 1, dtype=np.bool_)
        waiting[(self.keys // self.width)[self.states == OPEN]] = True
        return waiting[self.number]

    @property
    def nothing(self) -> Flags:
        """Whether a context means a run that cannot exist."""
        empty = (self.low >= self.high) & ~self.growing
        return self.unclear & empty[self.number]

    def __call__(self, rows: Integers, contexts: Integers) -> States:
        numbers = self.number[contexts]
        result = np.zeros(len(rows), dtype=np.uint8)
        for code, marks in self.marks.items():
            mine = np.flatnonzero((numbers >= 0) & (self.table[numbers] == code))
            # Between two events of the table lies what happens elsewhere.
            before = marks.own.searchsorted(rows[mine], side="right") - 1
            after = marks.own.searchsorted(rows[mine], side="left")
            result[mine] = np.maximum(
                self._at(numbers[mine], before), self._at(numbers[mine], after)
            )
        return result

    def _at(self, numbers: Integers, places: Integers) -> States:
        piece = self.keys.searchsorted(numbers * self.width + places, side="right") - 1
        inside = (piece >= 0) & (self.keys[piece] // self.width == numbers)
        return np.where(inside, self.states[piece], OUT).astype(np.uint8)


def marks(evaluator: Evaluator, name: str) -> dict[int, Marks]:
    """The beginnings and ends of an interval at each table where some of them are in doubt."""
    scene = evaluator.scene
    key = ("marks", name)
    if key not in scene.memo:
        scene.memo[key] = _marks(evaluator, name)
    found: dict[int, Marks] = scene.memo[key]
    return found


def _marks(evaluator: Evaluator, name: str) -> dict[int, Marks]:
    scene = evaluator.scene
    interval = evaluator.rulebook.intervals[name]
    if is_plain(scene, interval):
        return {}
    opens = evaluator.search.candidates(evaluator.pattern(interval.opens))
    closes = evaluator.search.candidates(evaluator.pattern(interval.closes))
    doubtful = np.concatenate(
        [opens.rows[opens.state != VALUE], closes.rows[closes.state != VALUE]]
    )
    if not len(doubtful):
        return {}
    tables = scene.log.tables[scene.place(np.arange(len(scene)))]
    return {
        int(code): _at_table(evaluator, opens, closes, np.flatnonzero(tables == code))
        for code in np.unique(tables[doubtful])
    }


def _at_table(evaluator: Evaluator, opens: Candidates, closes: Candidates, own: Integers) -> Marks:
    scene = evaluator.scene
    opening = dict(zip(opens.rows.tolist(), opens.state.tolist(), strict=True))
    closing = dict(zip(closes.rows.tolist(), closes.state.tolist(), strict=True))
    rows = np.intersect1d(np.union1d(opens.rows, closes.rows), own)
    places = own.searchsorted(rows)
    runs = Runs([], [], [], [], [])
    inside: Truth = False
    segment = -1
    for row, place in zip(rows.tolist(), places.tolist(), strict=True):
        if scene.segment[row] != segment:
            inside, segment = False, scene.segment[row]
        begins, ends = _TRUTHS[opening.get(row, OUT)], _TRUTHS[closing.get(row, OUT)]
        runs.positions.append(place)
        runs.opens.append(begins)
        runs.closes.append(ends)
        runs.before.append(inside)
        inside = any_holds(begins, all_hold(inside, reverse(ends)))
        runs.after.append(inside)
    both = list(zip(runs.opens, runs.closes, strict=True))
    return Marks(
        own,
        places,
        runs,
        places[[any(isinstance(truth, Absent) for truth in pair) for pair in both]],
        places[[True in pair for pair in both]],
        places[[begins is True for begins in runs.opens]],
    )


def runs_in_doubt(
    evaluator: Evaluator, name: str, which: str, anchors: Integers
) -> RunsInDoubt | None:
    """The runs that contexts mean, as far as they are in doubt; None where none is."""
    found = marks(evaluator, name)
    if not found or not len(anchors):
        return None
    scene = evaluator.scene
    number = np.full(len(anchors), -1, dtype=np.int64)
    tables = scene.log.tables[scene.place(anchors)]
    width = len(scene) + 2
    pieces: list[tuple[int, int]] = []
    spans: list[tuple[int, int, bool, int]] = []
    for code, table in found.items():
        mine = np.flatnonzero(tables == code)
        low, high = _reach(evaluator, table, which, anchors[mine])
        near = table.unclear.searchsorted(high, side="right") > table.unclear.searchsorted(low)
        rows, first, place = np.unique(anchors[mine][near], return_index=True, return_inverse=True)
        number[mine[near]] = len(spans) + place.ravel()
        for row, begin, end in zip(
            rows.tolist(), low[near][first].tolist(), high[near][first].tolist(), strict=True
        ):
            here = int(table.own.searchsorted(row))
            own, goes_on = _one_by_one(table, which, here, begin, end)
            base = len(spans) * width
            pieces += [(base + start, state) for start, state in own]
            inside = [(start, stop) for (start, state), (stop, _) in pairwise(own) if state != OUT]
            growing = goes_on is not False and not bool(scene.complete[scene.segment[row]])
            span = (0, 0)
            if inside:
                span = (int(table.own[inside[0][0]]), int(table.own[inside[-1][1] - 1]) + 1)
            spans.append((*span, growing, code))
    if not spans:
        return None
    lows, highs, grows, codes = zip(*spans, strict=True)
    keys, states = zip(*pieces, strict=True)
    return RunsInDoubt(
        number,
        np.array(lows, dtype=np.int64),
        np.array(highs, dtype=np.int64),
        np.array(grows, dtype=np.bool_),
        np.array(codes, dtype=np.int64),
        np.array(keys, dtype=np.int64),
        np.array(states, dtype=np.uint8),
        found,
        width,
    )


def runs_end_in_doubt(evaluator: Evaluator, name: str, rows: Integers, state: States) -> None:
    """Sets the state of rows that end a run, at the tables where some runs are in doubt."""
    tables = evaluator.scene.log.tables[evaluator.scene.place(rows)]
    for code, table in marks(evaluator, name).items():
        runs = table.runs
        ending = {
            int(table.own[place]): _STATES[all_hold(before, closes)]
            for place, before, closes in zip(runs.positions, runs.before, runs.closes, strict=True)
        }
        for i in np.flatnonzero(tables == code):
            state[i] = ending.get(int(rows[i]), OUT)


def _reach(
    evaluator: Evaluator, table: Marks, which: str, anchors: Integers
) -> tuple[Integers, Integers]:
    """The places between which a doubt can matter to each anchor."""
    scene = evaluator.scene
    here = table.own.searchsorted(anchors)
    start = table.own.searchsorted(scene.start_of(anchors))
    end = table.own.searchsorted(scene.end_of(anchors)) - 1
    if which == "previous":
        # Beyond the second beginning, counted back, lie only runs before the previous one.
        return np.maximum(_nth_before(table.openings, here, 2), start), here
    low = np.maximum(_nth_before(table.borders, here, 1), start)
    if which == "next":
        here = _next_after(table.openings, here)
    return low, np.minimum(_next_after(table.borders, here), end)


def _nth_before(places: Integers, here: Integers, nth: int) -> Integers:
    number = places.searchsorted(here) - nth
    padded = np.append(places, -1)
    return padded[np.where(number >= 0, number, len(places))]


def _next_after(places: Integers, here: Integers) -> Integers:
    padded = np.append(places, np.iinfo(np.int64).max)
    return padded[places.searchsorted(here, side="right")]


def _one_by_one(
    table: Marks, which: str, here: int, begin: int, end: int
) -> tuple[list[tuple[int, int]], Truth]:
    """From which place on each state holds, and whether the run goes on after the last one."""
    runs = table.runs
    first = int(table.places.searchsorted(begin))
    stop = int(table.places.searchsorted(end, side="right"))
    marked = {runs.positions[i]: i for i in range(first, stop)}
    starts = {begin, here, here + 1, *marked, *(place + 1 for place in marked)}
    near = Runs([], [], [], [], [])
    inside: Truth = False
    for place in sorted(start for start in starts if begin <= start <= end):
        i = marked.get(place)
        near.positions.append(place)
        near.opens.append(False if i is None else runs.opens[i])
        near.closes.append(False if i is None else runs.closes[i])
        near.before.append(inside if i is None else runs.before[i])
        inside = inside if i is None else runs.after[i]
        near.after.append(inside)
    belongs, goes_on = SEEN_FROM[which](near, near.positions.index(here))
    states = [_STATES[truth] for truth in belongs]
    return [*zip(near.positions, states, strict=True), (end + 1, OUT)], goes_on
