"""The slices of a table's log by the `for each` keys, as the compiled first look sees them."""

from __future__ import annotations

import ctypes
from collections.abc import Mapping, Sequence
from functools import cached_property

import numpy as np

from compliance.columnar.keyed_slices import Assignment, assignments
from compliance.columnar.scene import Table
from compliance.columnar.segments import Sliced
from compliance.columnar.slices import slice_key
from compliance.columns import Integers
from compliance.first_look import library
from compliance.first_look.library import Library
from compliance.first_look.program import Program, WrittenEdition
from compliance.first_look.room import Kept
from compliance.first_look.scenes import LookedScene
from rules_dsl import core

_NOTHING: Integers = np.zeros(0, dtype=np.int64)


class LookedSlices:
    """Slices one after the other: the events of one player or seat, and those that name none."""

    def __init__(self, found: library.Slices, keys: Keys, by: Library, kept: object = None) -> None:
        """`kept` is what the slices lie in where that is not memory of the compiled code."""
        self._found = found
        self._keys = keys
        self._compiled = by
        self._kept = kept
        self._number, self._at = int(found.number), int(found.slices)
        self.size = int(found.size)
        """How many triggers all slices have."""
        self.rows_at, self.ends_at = int(found.rows), int(found.ends)
        """Where the triggers stand in memory, and where those of each slice end among them."""

    def __len__(self) -> int:
        return self._number

    def address(self, number: int = 0) -> int:
        """Where a slice stands in memory."""
        return self._at + number * library.SLICE.itemsize

    @cached_property
    def values(self) -> list[tuple[int, ...]]:
        """The values of the keys; 0 for what is not said."""
        width = self._keys.number
        numbers: list[int] = _numbers(self._found.values, len(self) * width).tolist()
        return [tuple(numbers[i : i + width]) for i in range(0, len(numbers), width)]

    @cached_property
    def certain(self) -> list[bool]:
        """Whether the triggers of a slice say to whom they belong."""
        held = ctypes.string_at(self._at, len(self) * library.SLICE.itemsize)
        said: list[bool] = np.frombuffer(held, library.SLICE)["certain"].astype(np.bool_).tolist()
        return said

    @property
    def rows(self) -> Integers:
        """The triggers of all slices."""
        return _numbers(self.rows_at, self.size)

    @property
    def ends(self) -> Integers:
        """Where the triggers of each slice end."""
        return _numbers(self.ends_at, len(self))

    def __del__(self) -> None:
        self._compiled.forget_slices(self._at, self._number)
        if self._kept is None:
            self._compiled.forget_cut(self._found)


def _numbers(address: int, size: int) -> Integers:
    """A copy of numbers in memory."""
    return np.frombuffer(ctypes.string_at(address, 8 * size), dtype=np.int64)


class Keys:
    """The fields of the keys, for each of them which event types have it, and the types of events
    that an edition asks for."""

    def __init__(
        self, table: Table, edition: core.Edition, written: WrittenEdition, program: Program
    ) -> None:
        names = list(program.columns)
        events = table.log.schema.events.values()
        bears = [[names[key][0] in event.fields for event in events] for key in written.keys]
        code_of = {name: code for code, name in enumerate(table.log.type_names)}
        triggers = [code_of[name] for name in edition.trigger.pattern.types]
        relevant = [code_of[name] for name in edition.slice.relevant]
        self.shared_by = ("looked slices", written.keys, slice_key(edition))
        """What editions have in common that cut the log alike."""
        self._kept = Kept()
        self.number = len(written.keys)
        self.columns = self._kept.address(np.array(written.keys, dtype=np.int64))
        self.bears = self._kept.address(np.array(bears, dtype=np.uint8))
        self.cutting = library.Cutting(
            self.number,
            self.columns,
            self.bears,
            self._kept.address(np.array(triggers, dtype=np.int64)),
            self._kept.address(np.array(relevant, dtype=np.int64)),
            len(triggers),
            len(relevant),
        )
        self.of_relevant_events = set(triggers) <= set(relevant)
        """Whether the triggers are among the events that the slices have."""


def slices_of(
    whole: LookedScene,
    edition: core.Edition,
    written: WrittenEdition,
    program: Program,
    by: Library,
) -> LookedSlices | None:
    """All slices of an edition, in order, or None where it has none; those who cut the log alike
    share what is worked out."""
    table = whole.scene.table
    if written.cut_by is None:
        written.cut_by = Keys(table, edition, written, program)
    keys = written.cut_by
    if keys.shared_by not in table.memo:
        slices = cut_by_keys(whole, keys, by)
        if slices is None:
            slices = written_down(assignments(table, edition), keys, by)
        table.memo[keys.shared_by] = slices if len(slices) else None
    found: LookedSlices | None = table.memo[keys.shared_by]
    return found


def cut_by_keys(whole: LookedScene, keys: Keys, by: Library) -> LookedSlices | None:
    """The slices as compiled code cuts them; None where triggers say some keys and not others."""
    found = library.Slices()
    if not keys.of_relevant_events or not by.cut_by_keys(whole.struct, keys.cutting, found):
        return None
    return LookedSlices(found, keys, by)


def written_down(
    found: Sequence[tuple[Assignment, Integers]], keys: Keys, by: Library
) -> LookedSlices:
    """Slices that are known already, in the form that compiled code reads."""
    rows = np.concatenate([_NOTHING, *(rows for _, rows in found)])
    ends = np.cumsum([len(rows) for _, rows in found], dtype=np.int64)
    known = np.array([[value or 0 for value in values] for values, _ in found], dtype=np.int64)
    slices = np.zeros(len(found), dtype=library.SLICE)
    slices["number"] = keys.number
    slices["columns"], slices["bears"] = keys.columns, keys.bears
    slices["values"] = known.ctypes.data + keys.number * known.itemsize * np.arange(len(found))
    slices["certain"] = [None not in values for values, _ in found]
    kept = Kept()
    addresses = [kept.address(array) for array in (slices, known, rows, ends)]
    return LookedSlices(library.Slices(*addresses, len(found), len(rows)), keys, by, kept)


def rows_in_slices(part: Sliced, left: Mapping[int, Integers]) -> Integers:
    """The triggers of some slices that are left to be judged, as rows of their scene."""
    scene, rows = part.scene, part.triggers
    numbers, places = part.owner[scene.segment[rows]], scene.place(rows)
    wanted = {(number, place) for number, mine in left.items() for place in mine.tolist()}
    pairs = zip(numbers.tolist(), places.tolist(), strict=True)
    return rows[np.array([pair in wanted for pair in pairs], dtype=np.bool_)]
