"""Takes a first look at a table's log: gives the compiled code what it needs, and asks it."""

from __future__ import annotations

import ctypes
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import pairwise
from typing import Generic, NamedTuple, TypeVar

import numpy as np

from compliance.columnar.codes import value_of
from compliance.columnar.doubtful_runs import marks
from compliance.columnar.evaluate import Evaluator
from compliance.columnar.keyed_slices import Assignment
from compliance.columnar.scene import Scene, Table
from compliance.columnar.segments import Sliced
from compliance.columnar.shown_checks import Shown
from compliance.columnar.skipping import in_force
from compliance.columnar.slices import apart, certain_runs, same_inside, sliced, unkeyed_scene
from compliance.columnar.windows import stretches
from compliance.columns import Integers
from compliance.first_look import library
from compliance.first_look.bindings import Bindings
from compliance.first_look.library import Library, address
from compliance.first_look.program import Program, WrittenEdition, program_of
from compliance.first_look.scenes import LookedRuns, LookedScene
from compliance.first_look.slices import LookedSlices, rows_in_slices, slices_of
from compliance.first_look.verdicts import ROOM, Settled, settled, shown
from reports.verdicts import Verdict
from rules_dsl import core

SHOWN_EXCUSED = 3
"""How many excused checks of an edition are shown with their evidence; all are counted."""
MANY = 500
"""More checks than these are judged faster all at once, by the columnar engine."""
_OF_TABLE = "first look"
_NOTHING: Integers = np.zeros(0, dtype=np.int64)
Left = TypeVar("Left")


class Looked(NamedTuple):
    """What a first look at some slices has found."""

    part: Sliced
    complied: int
    excused: int
    left: Integers | None
    """The trigger rows that are to be judged; None for all."""
    checks: Sequence[Shown] = ()
    """What was judged to the end, and is neither complied nor only counted."""

    @property
    def counts(self) -> Sequence[int]:
        """How often each verdict was reached, in the order of the columnar engine."""
        if not self.checks:
            return self.complied, 0, self.excused, 0, 0
        shown_excused = sum(check.verdict is Verdict.EXCUSED for _, _, check, _ in self.checks)
        violated = len(self.checks) - shown_excused
        return self.complied, violated, self.excused + shown_excused, 0, 0


def first_look(table: Table, rule: core.Rule, edition: core.Edition) -> Iterable[Looked] | None:
    """Which checks of an edition surely comply, slice by slice, and what is left to be judged;
    None where no first look can be taken."""
    compiled = library.library()
    if compiled is None or not table.quick or len(table.log.table_names) != 1:
        return None
    if _OF_TABLE not in table.memo:
        surroundings = table.circumstances
        program = program_of(surroundings.rulebook, surroundings.schema)
        table.memo[_OF_TABLE] = FirstLook(table, program, compiled)
    look: FirstLook = table.memo[_OF_TABLE]
    return look.edition(rule, edition)


class _Found(NamedTuple, Generic[Left]):
    complied: int
    excused: int
    left: Left


class FirstLook:
    """One table's log as the compiled code sees it."""

    def __init__(self, table: Table, program: Program, compiled: Library) -> None:
        self._table = table
        self._program = program
        self._compiled = compiled
        self._bindings = Bindings(table, program)
        self._scenes: dict[int, LookedScene] = {}
        self._runs: dict[str, LookedRuns | None] = {}
        self._asked_for: dict[tuple[int, int], library.Asked] = {}
        self._never: dict[int, bool] = {}
        """Of conditions on options alone, whether they hold nowhere."""
        self._nowhere = _whole(table.whole)
        """For where nothing is left to be judged."""

    @cached_property
    def _room(self) -> Integers:
        """For what is said of checks that are judged to the end."""
        return np.empty(ROOM, dtype=np.int64)

    def edition(self, rule: core.Rule, edition: core.Edition) -> Iterable[Looked] | None:
        """What is found about an edition, slice by slice; None where no first look can be taken."""
        written = self._program.edition(edition)
        if isinstance(written, str) or written.too_costly:
            return None
        if self._is_for_others(written):
            return ()
        self._bindings.choices(written)
        self._bindings.fields(written)
        return self._looks(rule, edition, written)

    def _is_for_others(self, written: WrittenEdition) -> bool:
        """Whether an edition is for tables that have chosen otherwise; many ask the same of it."""
        for condition in written.by_options:
            never = self._never.get(condition)
            if never is None:
                self._bindings.choices(written)
                whole = ctypes.byref(self._scene(self._table.whole).struct)
                never = self._never[condition] = bool(self._compiled.never_holds(whole, condition))
            if never:
                return True
        return False

    def _looks(
        self, rule: core.Rule, edition: core.Edition, written: WrittenEdition
    ) -> Iterable[Looked]:
        if edition.slice.keys and edition.slice.interval is None:
            return self._at_slices(rule, edition, written)
        seen = None if edition.slice.keys else self._unkeyed(edition, written)
        looked = None if seen is None else self._everywhere(rule, edition, written, seen)
        if looked is not None:
            return (looked,)
        return (Looked(part, 0, 0, None) for part in sliced(self._table, edition))

    def _unkeyed(self, edition: core.Edition, written: WrittenEdition) -> LookedScene | None:
        """The whole log, or the runs of an interval; None where some of these are in doubt."""
        name = edition.slice.interval
        if name is not None:
            if name not in self._runs:
                self._runs[name] = self._runs_of(edition, name)
            runs = self._runs[name]
            if runs is not None and runs.can_be_looked_at(self._program, written):
                return runs
        scene = unkeyed_scene(self._table, edition)
        return None if scene is None else self._scene(scene)

    def _runs_of(self, edition: core.Edition, name: str) -> LookedRuns | None:
        evaluator = Evaluator(self._table.whole)
        if marks(evaluator, name):
            return None
        runs = stretches(evaluator, name)
        if not apart(runs):
            # An event that ends one run and begins the next has its place in both.
            return None
        table = self._table
        number = self._program.intervals[name] if same_inside(table, name) else None
        # The table, not this: what held itself in memory would stay there for a while.
        return LookedRuns(self._scene(table.whole), number, runs, lambda: certain_runs(table, name))

    def _everywhere(
        self, rule: core.Rule, edition: core.Edition, written: WrittenEdition, seen: LookedScene
    ) -> Looked | None:
        """A first look at all triggers of a scene."""
        found = self._look(edition, written, seen)
        if found is None:
            return None
        if not len(found.left):
            return Looked(self._nowhere, found.complied, found.excused, found.left)
        judged, left = self._judge(written, seen, found.left)
        if edition.exemptions and len(left):
            # Only some excused checks are shown: which ones can be said only of all together.
            judged, left = [], found.left
        checks = list(shown(self._table, rule, edition, written, judged, 0, {}))
        part = self._nowhere
        if len(left):
            scene, left = seen.where_judged(left)
            part = _whole(scene)
        return Looked(part, found.complied, found.excused, left, checks)

    def _at_slices(
        self, rule: core.Rule, edition: core.Edition, written: WrittenEdition
    ) -> Iterator[Looked]:
        """A first look at each player's or seat's slice; what is left is brought to its slice."""
        table = self._table
        whole = self._scene(table.whole)
        slices = slices_of(whole, edition, written, self._program, self._compiled)
        if slices is None:
            yield Looked(self._nowhere, 0, 0, _NOTHING)
            return
        found = self._look_at(edition, written, slices)
        if found is None:
            for part in sliced(table, edition):
                yield Looked(part, 0, 0, None)
            return
        complied, excused, left = found.complied, found.excused, found.left
        checks: list[Shown] = []
        for number in left if not edition.exemptions else ():
            if slices.certain[number]:
                only = slices.address(number)
                judged, left[number] = self._judge(written, whole, left[number], only)
                keys = self._keys(edition, written, slices.values[number])
                checks += shown(table, rule, edition, written, judged, number, keys)
        if not any(map(len, left.values())):
            yield Looked(self._nowhere, complied, excused, _NOTHING, checks)
            return
        for part in sliced(table, edition):
            yield Looked(part, complied, excused, rows_in_slices(part, left), checks)
            complied = excused = 0
            checks = []

    def _keys(
        self, edition: core.Edition, written: WrittenEdition, values: Assignment
    ) -> dict[str, object]:
        """Whose slice it is."""
        log, rulebook = self._table.log, self._table.circumstances.rulebook
        columns = list(self._program.columns)
        return {
            name: value_of(log, rulebook, columns[column][1], value or 0, 1)
            for name, column, value in zip(edition.slice.keys, written.keys, values, strict=True)
        }

    def _judge(
        self,
        written: WrittenEdition,
        seen: LookedScene,
        rows: Integers,
        only: int | None = None,
    ) -> tuple[list[Settled], Integers]:
        """The checks of some triggers that can be judged to the end here, and the other triggers.

        What may still change when the log goes on is not known here.
        """
        telling = written.telling
        if telling is None or self._table.goes_on or not 0 < len(rows) <= MANY:
            return [], rows
        self._bindings.choices(telling)
        self._bindings.fields(telling)
        judged = library.Judged()
        left = np.empty(len(rows), dtype=np.int64)
        self._compiled.judge(
            ctypes.byref(seen.struct),
            only,
            written.at,
            rows.ctypes.data,
            len(rows),
            patience(len(self._table.log)),
            self._room.ctypes.data,
            ROOM,
            left.ctypes.data,
            ctypes.byref(judged),
        )
        told = self._room[: judged.size].tolist()
        return settled(told, judged.number, written.quoted), left[: judged.left]

    def _look(
        self, edition: core.Edition, written: WrittenEdition, seen: LookedScene
    ) -> _Found[Integers] | None:
        """A first look at all triggers of a scene; None where it tells nothing."""
        if not seen.can_be_looked_at(self._program, written):
            return None
        found = library.Looked()
        done = self._compiled.first_look(
            ctypes.byref(seen.struct),
            written.at,
            ctypes.byref(self._asked(edition)),
            patience(len(self._table.log)),
            seen.left_at,
            ctypes.byref(found),
        )
        if not done:
            written.too_costly = True
            return None
        excused = max(0, found.excused - SHOWN_EXCUSED)
        left = seen.left[: found.left].copy() if found.left else _NOTHING
        return _Found(found.complied, excused, left)

    def _look_at(
        self, edition: core.Edition, written: WrittenEdition, slices: LookedSlices
    ) -> _Found[dict[int, Integers]] | None:
        """The same for the triggers of slices; what is left of each slice that has some left."""
        seen, found = self._scene(self._table.whole), library.Looked()
        if not seen.can_be_looked_at(self._program, written):
            return None
        left, ends = np.empty(slices.size, np.int64), np.empty(len(slices), np.int64)
        done = self._compiled.look_at_slices(
            ctypes.byref(seen.struct),
            slices.address(),
            len(slices),
            written.at,
            ctypes.byref(self._asked(edition)),
            slices.rows_at,
            slices.ends_at,
            patience(len(self._table.log)),
            address(left),
            address(ends),
            ctypes.byref(found),
        )
        written.too_costly = not done
        borders = enumerate(pairwise([0, *ends.tolist()])) if found.left else ()
        of_slices = {number: left[start:end] for number, (start, end) in borders if end > start}
        return _Found(found.complied, found.excused, of_slices)

    def _asked(self, edition: core.Edition) -> library.Asked:
        table = self._table
        since, until = in_force(edition, table.circumstances.rulebook.time_zone)
        known = self._asked_for.get((since, until))
        if known is not None:
            return known
        first, last = table.moments
        dated = not (since <= first and last < until)
        which = None if table.asked is None else address(table.asked)
        asked = library.Asked(dated, since, until, table.fresh_from, which)
        self._asked_for[since, until] = asked
        return asked

    def _scene(self, scene: Scene) -> LookedScene:
        known = self._scenes.get(id(scene))
        if known is None:
            known = self._scenes[id(scene)] = LookedScene(scene, self._bindings.log, self._compiled)
        return known


def patience(size: int) -> int:
    """How many events may be looked at in a scene before a first look is given up."""
    return 60 * size + 100_000


def _whole(scene: Scene) -> Sliced:
    """A scene without keys; its triggers were looked at."""
    return Sliced(scene, _NOTHING, ({},), np.zeros(len(scene.starts), dtype=np.int64))
