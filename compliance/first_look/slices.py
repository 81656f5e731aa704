"""The slices of a table's log by the `for each` keys, as the compiled first look sees them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

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
from rules_dsl import core

_NOTHING: Integers = np.zeros(0, dtype=np.int64)


class LookedSlices:
    """Slices one after the other: the events of one player or seat, and those that name none."""

    def __init__(
        self, keys: _Keys, found: Sequence[tuple[Assignment, Integers]], by: Library
    ) -> None:
        self.values = [values for values, _ in found]
        self.rows: Integers = np.concatenate([_NOTHING, *(rows for _, rows in found)])
        """The triggers of all slices."""
        self.ends: Integers = np.cumsum([len(rows) for _, rows in found], dtype=np.int64)
        self.certain = [None not in values for values in self.values]
        """Whether the triggers of a slice say to whom they belong."""
        self._keys = keys
        self._compiled = by
        known = [[value or 0 for value in values] for values in self.values]
        self._known = np.array(known, dtype=np.int64)
        # All at once: to make a structure for each player takes longer than to look at them.
        self._slices = np.zeros(len(found), dtype=library.SLICE)
        self._slices["number"] = keys.number
        self._slices["columns"], self._slices["bears"] = keys.columns, keys.bears
        width = keys.number * self._known.itemsize
        self._slices["values"] = self._known.ctypes.data + width * np.arange(len(found))
        self._slices["certain"] = self.certain

    def __len__(self) -> int:
        return len(self.values)

    def address(self, number: int = 0) -> int:
        """Where a slice stands in memory."""
        return int(self._slices.ctypes.data) + number * self._slices.itemsize

    def __del__(self) -> None:
        self._compiled.forget_slices(self.address(), len(self))


class _Keys:
    """The fields of the keys, and for each of them which event types have it."""

    def __init__(self, table: Table, written: WrittenEdition, program: Program) -> None:
        names = list(program.columns)
        events = table.log.schema.events.values()
        bears = [[names[key][0] in event.fields for event in events] for key in written.keys]
        self._kept = Kept()
        self.number = len(written.keys)
        self.columns = self._kept.address(np.array(written.keys, dtype=np.int64))
        self.bears = self._kept.address(np.array(bears, dtype=np.uint8))


def slices_of(
    table: Table, edition: core.Edition, written: WrittenEdition, program: Program, by: Library
) -> LookedSlices | None:
    """All slices of an edition, in order, or None where it has none; those who cut the log alike
    share what is worked out."""
    key = ("looked slices", written.keys, table.plan.once(slice_key, edition))
    if key not in table.memo:
        found = assignments(table, edition)
        keys = table.plan.remember("keys", written, lambda: _Keys(table, written, program))
        table.memo[key] = LookedSlices(keys, found, by) if found else None
    slices: LookedSlices | None = table.memo[key]
    return slices


def rows_in_slices(part: Sliced, left: Mapping[int, Integers]) -> Integers:
    """The triggers of some slices that are left to be judged, as rows of their scene."""
    scene, rows = part.scene, part.triggers
    numbers, places = part.owner[scene.segment[rows]], scene.place(rows)
    wanted = {(number, place) for number, mine in left.items() for place in mine.tolist()}
    pairs = zip(numbers.tolist(), places.tolist(), strict=True)
    return rows[np.array([pair in wanted for pair in pairs], dtype=np.bool_)]
