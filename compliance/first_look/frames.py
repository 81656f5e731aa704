"""The fields of a table's log, handed over to the compiled first look in one go.

To ask for each column by itself would take longer than all else that is prepared for a table.
"""

from __future__ import annotations

import array
import ctypes
from collections.abc import Collection, Iterable
from typing import Any, Final

import polars as pl

from compliance.event_columns import field_column
from compliance.first_look import library
from compliance.first_look.library import Library

_NAME: Final = b"arrow_array_stream"
_pointer = ctypes.pythonapi.PyCapsule_GetPointer
_pointer.argtypes = [ctypes.py_object, ctypes.c_char_p]
_pointer.restype = ctypes.c_void_p


def stream_at(stream: object) -> int:
    """Where a stream of columns stands in memory; only as long as it is kept."""
    found: int = _pointer(stream, _NAME)
    return found


class Handing:
    """Which columns are handed over: those that rules have asked for so far, and the log has."""

    def __init__(self, fields: Iterable[tuple[str, str]], columns: Collection[str]) -> None:
        self.names: list[str] = []
        self.numbers: list[int] = []
        known = set()
        self.in_lists: dict[int, tuple[str, str]] = {}
        """By the number of a field of texts: its column and its kind."""
        for number, (name, kind) in enumerate(fields):
            column = field_column(name, kind)
            if f"{column}:below" in columns:
                continue
            if column in columns:
                self.names.append(column)
                self.numbers.append(number)
            if column in columns and kind in ("text", "cards"):
                self.in_lists[number] = column, kind
            else:
                known.add(number)
        self.known = frozenset(known)
        """The fields of which nothing else is to be found out; also those that the log lacks."""
        in_lists = (number in self.in_lists for number in self.numbers)
        self._held = array.array("q", (*self.numbers, *in_lists))
        self.at = self._held.buffer_info()[0]
        """Where the numbers stand in memory, and then which of them are those of texts."""


class HandedFrame:
    """What a frame has handed over, as long as this is kept."""

    def __init__(self, frame: pl.DataFrame, handing: Handing, columns: int, by: Library) -> None:
        """Put the fields of a frame to where they stand by their numbers, from an address on."""
        self._compiled = by
        self._held = library.Held()
        self.read = 0
        """How many columns were read; -1 where they do not come in one piece."""
        if handing.names:
            stream: Any = frame[:, handing.names].__arrow_c_stream__()
            to = handing.at, len(handing.names), columns, ctypes.byref(self._held)
            self.read = by.open_frame(stream_at(stream), len(frame), *to)

    def __del__(self) -> None:
        self._compiled.close_frame(self._held)
