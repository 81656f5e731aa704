"""Sorts the rows of a log by the types of their events: nearly every rule begins with those."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from compliance.columns import Flags, Integers
from compliance.first_look.library import address, library

Rows = npt.NDArray[np.int32]
"""Short numbers, for there are many: a table's log has fewer than two thousand million events."""


@dataclass(frozen=True)
class RowsByType:
    """All rows, those of one type after those of another, in order within each type."""

    rows: Rows
    rank: Rows
    """Of each row, its place among those of its type."""
    borders: Integers
    """Where the rows of each type begin."""
    at: tuple[int, int, int]
    """Where all these stand in memory: to ask for it again and again takes time."""

    def of(self, code: int) -> Integers:
        """The rows of one type."""
        return self.rows[self.borders[code] : self.borders[code + 1]].astype(np.int64)

    def seen(self) -> Flags:
        """Which types occur."""
        found: Flags = self.borders[1:] > self.borders[:-1]
        return found


def rows_by_type(types: npt.NDArray[np.int16], number: int) -> RowsByType:
    """The rows of events with these types, of which there are so many."""
    size, compiled = len(types), library()
    assert size < 1 << 31, "a table's log has more events than short numbers count"
    if compiled is not None:
        types = np.ascontiguousarray(types)
        # All in one piece of memory, for the same reason.
        held = np.empty(number + 1 + size, dtype=np.int64)
        borders, both = held[: number + 1], held[number + 1 :].view(np.int32)
        borders.fill(0)
        start = address(held)
        rows_at = start + borders.nbytes
        at = rows_at, rows_at + 4 * size, start
        compiled.sort_by_type(address(types), size, number, *at)
        return RowsByType(both[:size], both[size:], borders, at)
    borders = np.append(0, np.cumsum(np.bincount(types, minlength=number)))
    rows = np.argsort(types, kind="stable").astype(np.int32)
    rank = np.empty(size, dtype=np.int32)
    rank[rows] = np.arange(size, dtype=np.int32) - borders[types[rows]].astype(np.int32)
    return RowsByType(rows, rank, borders, (address(rows), address(rank), address(borders)))


def never_falls(numbers: Integers) -> bool:
    """Whether no number is smaller than the one before it."""
    compiled = library()
    if compiled is not None and numbers.flags.c_contiguous:
        return bool(compiled.never_falls(address(numbers), len(numbers)))
    return not bool((numbers[1:] < numbers[:-1]).any())
