"""A scene of a table's log as the compiled first look sees it."""

from __future__ import annotations

import ctypes

import numpy as np

from compliance.columnar.doubtful_runs import marks
from compliance.columnar.evaluate import Evaluator
from compliance.columnar.scene import Scene
from compliance.columnar.windows import stretches
from compliance.first_look import library
from compliance.first_look.library import Library
from compliance.first_look.program import Program, WrittenEdition
from compliance.first_look.room import Kept, Room


class LookedScene:
    """A scene as the compiled code sees it, with what that has worked out about it."""

    def __init__(self, scene: Scene, log: library.Log, compiled: Library) -> None:
        self.scene = scene
        self._compiled = compiled
        self._kept = Kept()
        self._log = log
        self._runs = Room(library.Runs)
        self._certain: dict[int, bool] = {}
        self.struct = library.Scene(
            ctypes.pointer(log),
            self._kept.address(scene.places),
            self._kept.address(scene.segment),
            self._kept.address(scene.starts),
            self._kept.address(scene.ends),
            self._kept.address(scene.known_until),
            self._kept.address(scene.complete),
            None,
            len(scene),
            int(scene.table.whole.monotone or scene.monotone),
        )
        self.left = np.empty(len(scene), dtype=np.int64)
        """Room for the rows that are left to be judged."""
        self.left_at: int = self.left.ctypes.data

    def has_runs(self, program: Program, written: WrittenEdition) -> bool:
        """Whether all runs that an edition speaks of are certain; they are known then."""
        names = list(program.intervals)
        for number in written.needs.intervals:
            if number not in self._certain:
                self._certain[number] = self._put_runs(number, names)
            if not self._certain[number]:
                return False
        self.struct.runs = self._runs.address
        return True

    def _put_runs(self, number: int, names: list[str]) -> bool:
        evaluator = Evaluator(self.scene)
        if marks(evaluator, names[number]):
            return False
        runs = stretches(evaluator, names[number])
        self._runs.lacking({number}, len(names))
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
        return True

    def __del__(self) -> None:
        self._compiled.forget_scene(ctypes.byref(self.struct))
