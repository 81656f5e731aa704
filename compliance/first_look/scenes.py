"""A scene of a table's log as the compiled first look sees it."""

from __future__ import annotations

import ctypes
from collections.abc import Callable

import numpy as np

from compliance.columnar.doubtful_runs import marks
from compliance.columnar.evaluate import Evaluator
from compliance.columnar.scene import Scene
from compliance.columnar.windows import Stretches, stretches
from compliance.columns import Integers
from compliance.first_look import library
from compliance.first_look.library import Library
from compliance.first_look.program import Program, WrittenEdition
from compliance.first_look.room import Kept, Room

Cut = Callable[[], Scene]
"""Brings each run to a segment of its own."""


class LookedScene:
    """A scene as the compiled code sees it, with what that has worked out about it."""

    def __init__(self, scene: Scene, log: library.Log, compiled: Library) -> None:
        self._begin(scene, log, compiled)
        self.struct = library.Scene(
            log=ctypes.pointer(log),
            places=self._kept.address(scene.places),
            segment=self._kept.address(scene.segment),
            starts=self._kept.address(scene.starts),
            ends=self._kept.address(scene.ends),
            known_until=self._kept.address(scene.known_until),
            complete=self._kept.address(scene.complete),
            size=len(scene),
            segments=len(scene.starts),
            monotone=int(scene.table.whole.monotone or scene.monotone),
            by_type=self._kept.address(scene.by_type.rows),
            borders=self._kept.address(scene.by_type.borders),
            rank=self._kept.address(scene.by_type.rank),
        )
        self.left = np.empty(len(scene), dtype=np.int64)
        """Room for the rows that are left to be judged."""
        self.left_at: int = self.left.ctypes.data

    def _begin(self, scene: Scene, log: library.Log, compiled: Library) -> None:
        self.scene = scene
        self._compiled = compiled
        self._kept = Kept()
        self.log = log
        self._runs = Room(library.Runs)
        self._certain: dict[int, bool] = {}

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
        self.put_runs(number, len(names), stretches(evaluator, names[number]))
        return True

    def put_runs(self, number: int, room: int, runs: Stretches) -> None:
        """Let the compiled code know the runs of an interval, by its number."""
        self._runs.lacking({number}, room)
        self._runs.put(
            number,
            library.Runs(
                self._kept.address(runs.first),
                self._kept.address(runs.last),
                self._kept.address(runs.closed),
                self._kept.address(runs.proper),
                len(runs.first),
            ),
        )
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
        ends, of_whole = runs.last + 1, whole.struct
        known_until = np.full(len(ends), whole.scene.known_until[0], dtype=np.int64)
        self.struct = library.Scene(
            log=of_whole.log,
            base=ctypes.addressof(of_whole),
            places=of_whole.places,
            starts=self._kept.address(runs.first),
            ends=self._kept.address(ends),
            known_until=self._kept.address(known_until),
            complete=self._kept.address(runs.closed),
            size=of_whole.size,
            segments=len(ends),
            monotone=of_whole.monotone,
            by_type=of_whole.by_type,
            borders=of_whole.borders,
            rank=of_whole.rank,
        )
        if number is not None:
            self.put_runs(number, number + 1, runs)

    def has_runs(self, program: Program, written: WrittenEdition) -> bool:
        """Other runs than these may end otherwise in each segment."""
        return written.needs.intervals <= self._known

    def where_judged(self, rows: Integers) -> tuple[Scene, Integers]:
        cut, first = self._cut(), self._stretches.first
        number = first.searchsorted(rows, side="right") - 1
        return cut, cut.starts[number] + rows - first[number]
