"""The fields of a table's frame, handed over to the compiled engine in one go.

To ask for each column by itself would take longer than all else that is prepared for a table.
"""

from __future__ import annotations

import array
import ctypes
from collections.abc import Collection, Iterable
from typing import Any, Final

import polars as pl

from compliance.engine.library import ArrowStream, library
from compliance.table_log.event_columns import field_column

_NAME: Final = b"arrow_array_stream"
_pointer = ctypes.pythonapi.PyCapsule_GetPointer
_pointer.argtypes = [ctypes.py_object, ctypes.c_char_p]
_pointer.restype = ctypes.c_void_p


class HandoverColumns:
    """Which columns of frames with the same columns are handed over: those that rules ask for."""

    def __init__(self, fields: Iterable[tuple[str, str]], columns: Collection[str]) -> None:
        self.names: list[str] = []
        self.numbers: list[int] = []
        self.texts: dict[int, tuple[str, str]] = {}
        """By the number of a field of texts: its column and its kind."""
        self.times: list[int] = []
        """The numbers of fields that hold moments."""
        self.apart: list[int] = []
        """The numbers of fields that need a look of their own."""
        for number, (name, kind) in enumerate(fields):
            column = field_column(name, kind)
            if f"{column}:below" in columns or name in ("id", "table", "casino"):
                self.apart.append(number)
            elif column in columns:
                self.names.append(column)
                self.numbers.append(number)
                if kind in ("text", "cards"):
                    self.texts[number] = column, kind
                if kind == "time":
                    self.times.append(number)
        in_lists = (number in self.texts for number in self.numbers)
        self._held = array.array("q", (*self.numbers, *in_lists))
        self.at = self._held.buffer_info()[0]
        """Where the numbers stand in memory, and then which of them are those of texts."""


class FrameHandover:
    """What a frame has handed over, as long as this is kept."""

    def __init__(self, frame: pl.DataFrame, handed: HandoverColumns, columns: int) -> None:
        """Put the fields of a frame to where they stand by their numbers, from an address on."""
        self._held = ArrowStream()
        self.read = 0
        """How many columns were read; -1 where they do not come in one piece."""
        if handed.names:
            stream: Any = frame[:, handed.names].__arrow_c_stream__()
            at = _pointer(stream, _NAME)
            self.read = library().open_frame(
                at, len(frame), handed.at, len(handed.names), columns, ctypes.byref(self._held)
            )

    def __del__(self) -> None:
        library().close_frame(ctypes.byref(self._held))
