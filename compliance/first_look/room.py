"""Numbered things in memory that compiled code reads."""

from __future__ import annotations

import array
import ctypes
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from compliance.first_look.library import address


class Room:
    """Numbered things in memory that grows with their number."""

    def __init__(self, kind: Any) -> None:
        self._kind = kind
        self._array: Any = ()
        self._known: set[int] = set()
        self.address = 0

    def copy(self) -> Room:
        """The same things in memory of its own."""
        other = Room(self._kind)
        if self._known:
            other._array = type(self._array).from_buffer_copy(self._array)
            other._known = set(self._known)
            other.address = ctypes.addressof(other._array)
        return other

    def lacks(self, needed: set[int]) -> bool:
        return not needed <= self._known

    def lacking(self, needed: set[int], number: int) -> list[int]:
        """The things that are needed and not there yet; there is room for them then."""
        if number > len(self._array):
            self.widen(number)
        missing = sorted(needed - self._known)
        self._known.update(missing)
        return missing

    def widen(self, number: int) -> None:
        """Make room for so many things, and for more to come."""
        larger = (self._kind * (2 * number))()
        if self._array:
            ctypes.memmove(larger, self._array, ctypes.sizeof(self._array))
        self._array = larger
        self.address = ctypes.addressof(larger)

    def learn(self, numbers: Iterable[int]) -> None:
        """Some things are there that others have put into memory."""
        self._known.update(numbers)

    def at(self, number: int) -> Any:
        return self._array[number]

    def put(self, number: int, thing: Any) -> None:
        self._array[number] = thing


class Kept:
    """What compiled code points to, kept in memory as long as this."""

    def __init__(self) -> None:
        self._held: list[object] = []

    def address(self, values: npt.NDArray[Any] | None) -> int | None:
        """Where an array begins in memory; None for none."""
        if values is None:
            return None
        # An array without gaps stays as it is.
        values = np.ascontiguousarray(values)
        self._held.append(values)
        return address(values)

    def numbers(self, numbers: Sequence[int]) -> int:
        """Where a few numbers begin in memory; an array would take longer to make."""
        made = array.array("q", numbers)
        self._held.append(made)
        return made.buffer_info()[0]

    def keep(self, held: object) -> None:
        """Keep what holds memory of its own."""
        self._held.append(held)
