"""A scene of a table's log as the compiled first look sees it."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence

import numpy as np

from compliance.columnar.doubtful_runs import marks
from compliance.columnar.evaluate import Evaluator
from compliance.columnar.scene import Scene
from compliance.columnar.windows import Stretches, stretches
from compliance.columns import Integers
from compliance.first_look import library
from compliance.first_look.library import Library, address
from compliance.first_look.program import Program, WrittenEdition
from compliance.first_look.room import Kept, Room

Cut = Callable[[], Scene]
"""Brings each run to a segment of its own."""


class RunsInMemory:
    """The runs of an interval as compiled code reads them, all in one piece of memory."""

    def __init__(self, runs: Stretches, known_until: int = 0) -> None:
        """Log and runs are known until some moment, where the runs are looked at one by one."""
        number = len(runs.first)
        self._numbers = numbers = np.empty((4, number), dtype=np.int64)
        numbers[0], numbers[1], numbers[3] = runs.first, runs.last, known_until
        np.add(runs.last, 1, out=numbers[2])
        self._flags = np.array((runs.closed, runs.proper))
        first, closed, each = address(numbers), address(self._flags), library.NUMBER * number
        self.struct = library.Runs(first, first + each, closed, closed + number, number)
        self.ends, self.known_until = first + 2 * each, first + 3 * each


class LookedScene:
    """A scene as the compiled code sees it, with what that has worked out about it."""

    def __init__(self, scene: Scene, log: library.Log, compiled: Library) -> None:
        self._begin(scene, log, compiled)
        kept, by_type = self._kept.address, scene.by_type
        self._kept.keep(by_type)
        starts, ends, known_until = self._segments(scene)
        self.struct = library.Scene(
            log=ctypes.addressof(log),
            places=None if scene.places is None else kept(scene.places),
            segment=kept(scene.segment),
            starts=starts,
            ends=ends,
            known_until=known_until,
            complete=kept(scene.complete),
            size=len(scene),
            segments=len(scene.starts),
            monotone=scene.table.whole.monotone or scene.monotone,
            by_type=by_type.at[0],
            rank=by_type.at[1],
            borders=by_type.at[2],
        )
        self.left = np.empty(len(scene), dtype=np.int64)
        """Room for the rows that are left to be judged."""
        self.left_at = address(self.left)

    def _begin(self, scene: Scene, log: library.Log, compiled: Library) -> None:
        self.scene = scene
        self._compiled = compiled
        self._kept = Kept()
        self.log = log
        self._runs = Room(library.Runs)
        self._certain: dict[int, bool] = {}

    def _segments(self, scene: Scene) -> Sequence[int | None]:
        """Where the borders of the segments stand; mostly there is but one."""
        of_segments = scene.starts, scene.ends, scene.known_until
        if len(scene.starts) != 1:
            return [self._kept.address(numbers) for numbers in of_segments]
        at = self._kept.numbers([numbers.item() for numbers in of_segments])
        return at, at + library.NUMBER, at + 2 * library.NUMBER

    def can_be_looked_at(self, program: Program, written: WrittenEdition) -> bool:
        """Whether it is certain which events and runs belong to the segments."""
        return self.scene.belongs is None and self.has_runs(program, written)

    def where_judged(self, rows: Integers) -> tuple[Scene, Integers]:
        """The scene in which the columnar engine judges, and there the same rows."""
        return self.scene, rows

    def has_runs(self, program: Program, written: WrittenEdition) -> bool:
        """Whether all runs that an edition speaks of are certain; they are known then."""
        for number in written.needs.intervals:
            if number not in self._certain:
                self._certain[number] = self._put_runs(number, program)
            if not self._certain[number]:
                return False
        return True

    def _put_runs(self, number: int, program: Program) -> bool:
        evaluator, names = Evaluator(self.scene), list(program.intervals)
        if marks(evaluator, names[number]):
            return False
        self.put_runs(number, len(names), RunsInMemory(stretches(evaluator, names[number])))
        return True

    def put_runs(self, number: int, room: int, runs: RunsInMemory) -> None:
        """Let the compiled code know the runs of an interval, by its number."""
        self._kept.keep(runs)
        self._runs.lacking({number}, room)
        self._runs.put(number, runs.struct)
        self.struct.runs = self._runs.address

    def __del__(self) -> None:
        self._compiled.forget_scene(ctypes.byref(self.struct))


class LookedRuns(LookedScene):
    """The runs of an interval as segments of the whole log, whose rows stay where they are.

    To bring each run to a scene of its own would take longer than to look at them.
    """

    def __init__(self, whole: LookedScene, number: int | None, runs: Stretches, cut: Cut) -> None:
        self._begin(whole.scene, whole.log, whole._compiled)
        self._whole = whole
        self.left, self.left_at = whole.left, whole.left_at
        self._stretches = runs
        self._cut = cut
        self._known = set() if number is None else {number}
        """The interval, where its runs are the same for one who sees nothing outside them."""
        of_whole, known_until = whole.struct, int(whole.scene.known_until[0])
        runs_at = RunsInMemory(runs, known_until)
        self._kept.keep(runs_at)
        self.struct = library.Scene(
            log=of_whole.log,
            base=ctypes.addressof(of_whole),
            places=of_whole.places,
            starts=runs_at.struct.first,
            ends=runs_at.ends,
            known_until=runs_at.known_until,
            complete=runs_at.struct.closed,
            size=of_whole.size,
            segments=runs_at.struct.number,
            monotone=of_whole.monotone,
            by_type=of_whole.by_type,
            borders=of_whole.borders,
            rank=of_whole.rank,
        )
        if number is not None:
            self.put_runs(number, number + 1, runs_at)

    def has_runs(self, program: Program, written: WrittenEdition) -> bool:
        """Other runs than these may end otherwise in each segment."""
        return written.needs.intervals <= self._known

    def where_judged(self, rows: Integers) -> tuple[Scene, Integers]:
        cut, first = self._cut(), self._stretches.first
        number = first.searchsorted(rows, side="right") - 1
        return cut, cut.starts[number] + rows - first[number]
