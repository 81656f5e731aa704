"""Numbered things in memory that compiled code reads."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np


class Room:
    """Numbered things in memory that grows with their number."""

    def __init__(self, kind: Any) -> None:
        self._kind = kind
        self._array = (kind * 0)()
        self._known: set[int] = set()
        self.address = ctypes.addressof(self._array)

    def copy(self) -> Room:
        """The same things in memory of its own."""
        other = Room(self._kind)
        other._array = type(self._array).from_buffer_copy(self._array)
        other._known = set(self._known)
        other.address = ctypes.addressof(other._array)
        return other

    def lacks(self, needed: set[int]) -> bool:
        return not needed <= self._known

    def lacking(self, needed: set[int], number: int) -> list[int]:
        """The things that are needed and not there yet; there is room for them then."""
        if number > len(self._array):
            larger = (self._kind * (2 * number))()
            ctypes.memmove(larger, self._array, ctypes.sizeof(self._array))
            self._array = larger
            self.address = ctypes.addressof(larger)
        missing = sorted(needed - self._known)
        self._known.update(missing)
        return missing

    def put(self, number: int, thing: Any) -> None:
        self._array[number] = thing


class Kept:
    """Arrays that compiled code points to, kept in memory as long as this."""

    def __init__(self) -> None:
        self._arrays: list[Any] = []

    def address(self, array: Any) -> int | None:
        """Where an array begins in memory; None for none."""
        if array is None:
            return None
        array = np.ascontiguousarray(array)
        self._arrays.append(array)
        return int(array.ctypes.data)
