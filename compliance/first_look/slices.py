"""The slices of a table's log by the `for each` keys, as the compiled first look sees them."""

from __future__ import annotations

import ctypes
from collections.abc import Mapping

import numpy as np

from compliance.columnar.keyed_slices import Assignment, assignments
from compliance.columnar.scene import Table
from compliance.columnar.segments import Sliced
from compliance.columnar.slices import slice_key
from compliance.columns import Integers
from compliance.first_look import library
from compliance.first_look.library import Library, address
from compliance.first_look.program import Program, WrittenEdition
from compliance.first_look.room import Kept
from rules_dsl import core


class LookedSlice:
    """The events of one player or seat and those that name none; `rows` are the triggers."""

    def __init__(self, keys: _Keys, values: Assignment, rows: Integers, by: Library) -> None:
        self.rows = rows
        self.values = values
        self.certain = None not in values
        """Whether the triggers say to whom they belong."""
        self.address = address(rows)
        self._keys = keys
        self._values = (ctypes.c_int64 * len(values))(*(value or 0 for value in values))
        self._compiled = by
        self.struct = library.Slice(
            len(values), keys.columns, ctypes.addressof(self._values), keys.bears
        )

    def __del__(self) -> None:
        self._compiled.forget_slice(ctypes.byref(self.struct))


class _Keys:
    """The fields of the keys, and for each of them which event types have it."""

    def __init__(self, table: Table, written: WrittenEdition, program: Program) -> None:
        names = list(program.columns)
        events = table.log.schema.events.values()
        bears = [[names[key][0] in event.fields for event in events] for key in written.keys]
        self._kept = Kept()
        self.columns = self._kept.address(np.array(written.keys, dtype=np.int64))
        self.bears = self._kept.address(np.array(bears, dtype=np.uint8))


def slices_of(
    table: Table, edition: core.Edition, written: WrittenEdition, program: Program, by: Library
) -> list[LookedSlice]:
    """All slices of an edition, in order; those who cut the log alike share what is worked out."""
    key = ("looked slices", written.keys, table.plan.once(slice_key, edition))
    if key not in table.memo:
        keys = _Keys(table, written, program)
        table.memo[key] = [
            LookedSlice(keys, values, np.ascontiguousarray(rows), by)
            for values, rows in assignments(table, edition)
        ]
    found: list[LookedSlice] = table.memo[key]
    return found


def rows_in_slices(part: Sliced, left: Mapping[int, Integers]) -> Integers:
    """The triggers of some slices that are left to be judged, as rows of their scene."""
    scene, rows = part.scene, part.triggers
    numbers, places = part.owner[scene.segment[rows]], scene.place(rows)
    wanted = {(number, place) for number, mine in left.items() for place in mine.tolist()}
    pairs = zip(numbers.tolist(), places.tolist(), strict=True)
    return rows[np.array([pair in wanted for pair in pairs], dtype=np.bool_)]
