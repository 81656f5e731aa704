"""The compiled part of the first look, as Python sees it: where it lies, and what it is given."""

from __future__ import annotations

import ctypes
import os
import sysconfig
from ctypes import POINTER, Structure, c_int64, c_void_p
from functools import cache
from pathlib import Path
from typing import Any, Final, Protocol

import numpy as np
import numpy.typing as npt

SWITCH: Final = "COMPLIANCE_FIRST_LOOK"
"""Set to `off`, this leaves every check to the columnar engine: to compare the two."""

FILE: Final = Path(__file__).with_name(
    f"first_look-{sysconfig.get_platform().replace('.', '_')}.so"
)


NUMBER: Final = ctypes.sizeof(c_int64)
"""How many bytes a number has in memory, where nothing else is said."""


class Value(Structure):
    """A number above and below the line, and what is known of it."""

    _fields_ = (("above", c_int64), ("below", c_int64), ("state", c_int64))


class Column(Structure):
    """One field of the log; `values` is empty where the log never records it."""

    _fields_ = (
        ("values", c_void_p),
        ("width", c_int64),
        ("valid", c_void_p),
        ("offset", c_int64),
        ("below", c_void_p),
        ("listed", c_void_p),
    )


LISTED: Final = 16
"""What is added to the width where the values are places in a list of numbers."""


class Option(Structure):
    """What the table has chosen, each choice from some place on."""

    _fields_ = (("since", c_void_p), ("values", c_void_p), ("number", c_int64))


class Runs(Structure):
    """All runs of an interval in a scene."""

    _fields_ = (
        ("first", c_void_p),
        ("last", c_void_p),
        ("closed", c_void_p),
        ("proper", c_void_p),
        ("number", c_int64),
        ("finger", c_int64),
    )


class Log(Structure):
    """A table's log with all that rules ask of it."""

    _fields_ = (
        ("code", c_void_p),
        ("columns", c_void_p),
        ("constants", c_void_p),
        ("options", c_void_p),
        ("lookups", c_void_p),
        ("types", c_void_p),
        ("type_words", c_void_p),
        ("ts", c_void_p),
        ("seq", c_void_p),
        ("number_of_types", c_int64),
    )


class Scene(Structure):
    """The rows that a rule looks at; the last seven are for the compiled code itself."""

    _fields_ = (
        ("log", c_void_p),
        ("base", c_void_p),
        ("places", c_void_p),
        ("segment", c_void_p),
        ("starts", c_void_p),
        ("ends", c_void_p),
        ("known_until", c_void_p),
        ("complete", c_void_p),
        ("runs", c_void_p),
        ("size", c_int64),
        ("segments", c_int64),
        ("monotone", c_int64),
        ("finger", c_int64),
        ("by_type", c_void_p),
        ("borders", c_void_p),
        ("rank", c_void_p),
        ("pools", c_void_p),
        ("room", c_int64),
        ("answers", c_void_p),
        ("questions", c_int64),
        ("triggers", c_void_p),
        ("room_for_triggers", c_int64),
        ("by_word", c_void_p),
    )


SLICE: Final = np.dtype(
    [
        (name, np.int64)
        for name in (
            *("number", "columns", "values", "bears", "certain"),
            *("pools", "room", "answers", "questions"),
        )
    ]
)
"""The values of the `for each` keys; the second line is for the compiled code itself."""


class Held(Structure):
    """What a frame has handed over: an `ArrowArray`, which only the compiled code looks into."""

    _fields_ = (("inside", c_int64 * 10),)


class Cutting(Structure):
    """By what a log is cut into slices: the fields of the keys, and the event types that matter."""

    _fields_ = (
        ("keys", c_int64),
        ("columns", c_void_p),
        ("bears", c_void_p),
        ("triggers", c_void_p),
        ("relevant", c_void_p),
        ("number_of_triggers", c_int64),
        ("number_of_relevant", c_int64),
    )


class Slices(Structure):
    """All slices of a log with their triggers, which end at `ends`; `size` is of all triggers."""

    _fields_ = (
        ("slices", c_void_p),
        ("values", c_void_p),
        ("rows", c_void_p),
        ("ends", c_void_p),
        ("number", c_int64),
        ("size", c_int64),
    )


class Asked(Structure):
    """Which triggers are asked for: by date, by what is new, by what was chosen."""

    _fields_ = (
        ("dated", c_int64),
        ("since", c_int64),
        ("until", c_int64),
        ("fresh_from", c_int64),
        ("asked", c_void_p),
    )


class Looked(Structure):
    """How many checks surely comply, how many are excused, and how many are left."""

    _fields_ = (("complied", c_int64), ("excused", c_int64), ("left", c_int64))


class Judged(Structure):
    """How many verdicts were found, how many checks are left, and how many numbers tell these."""

    _fields_ = (("number", c_int64), ("left", c_int64), ("size", c_int64))


class Library(Protocol):
    """What the compiled code can do."""

    def first_look(
        self,
        scene: object,
        edition: int,
        asked: object,
        patience: int,
        left: int,
        looked: object,
    ) -> int: ...

    def look_at_slices(
        self,
        scene: object,
        slices: int,
        number: int,
        edition: int,
        asked: object,
        rows: int | None,
        ends: int | None,
        patience: int,
        left: int | None,
        left_ends: int | None,
        looked: object,
    ) -> int: ...

    def judge(
        self,
        scene: object,
        slice_: int | None,
        edition: int,
        rows: int | None,
        number: int,
        patience: int,
        verdicts: int,
        room: int,
        left: int,
        judged: object,
    ) -> None: ...

    def sort_by_type(
        self,
        types: int | None,
        size: int,
        number: int,
        rows: int | None,
        rank: int | None,
        borders: int | None,
    ) -> None: ...

    def never_falls(self, numbers: int | None, size: int) -> int: ...

    def cut_by_keys(self, scene: object, by: object, found: object) -> int: ...

    def find_runs(
        self,
        by_type: int,
        borders: int,
        size: int,
        opening: int,
        number_opening: int,
        closing: int,
        number_closing: int,
        complete: int,
        first: int,
        last: int,
        closed: int,
        proper: int,
    ) -> int: ...

    def never_holds(self, scene: object, condition: int) -> int: ...

    def forget_scene(self, scene: object) -> None: ...

    def forget_slices(self, slices: int, number: int) -> None: ...

    def keep_freed_memory(self) -> None: ...

    def open_frame(
        self, stream: int, rows: int, numbers: int, size: int, columns: int, held: object
    ) -> int: ...

    def close_frame(self, held: object) -> None: ...

    def forget_cut(self, found: object) -> None: ...


@cache
def library() -> Library | None:
    """The compiled code; None where there is none, or where it is switched off."""
    if os.environ.get(SWITCH) == "off" or not FILE.exists():
        return None
    try:
        found = ctypes.CDLL(str(FILE))
    except OSError:
        return None
    found.first_look.argtypes = [
        POINTER(Scene),
        c_int64,
        POINTER(Asked),
        c_int64,
        c_void_p,
        POINTER(Looked),
    ]
    found.first_look.restype = c_int64
    found.look_at_slices.argtypes = [
        POINTER(Scene),
        c_void_p,
        c_int64,
        c_int64,
        POINTER(Asked),
        c_void_p,
        c_void_p,
        c_int64,
        c_void_p,
        c_void_p,
        POINTER(Looked),
    ]
    found.look_at_slices.restype = c_int64
    found.judge.argtypes = [
        POINTER(Scene),
        c_void_p,
        c_int64,
        c_void_p,
        c_int64,
        c_int64,
        c_void_p,
        c_int64,
        c_void_p,
        POINTER(Judged),
    ]
    found.judge.restype = None
    found.sort_by_type.argtypes = [c_void_p, c_int64, c_int64, *[c_void_p] * 3]
    found.sort_by_type.restype = None
    found.never_falls.argtypes = [c_void_p, c_int64]
    found.never_falls.restype = c_int64
    found.cut_by_keys.argtypes = [POINTER(Scene), POINTER(Cutting), POINTER(Slices)]
    found.cut_by_keys.restype = c_int64
    found.find_runs.argtypes = [
        *(c_void_p, c_void_p, c_int64),
        *(c_void_p, c_int64, c_void_p, c_int64),
        *(c_int64, c_void_p, c_void_p, c_void_p, c_void_p),
    ]
    found.find_runs.restype = c_int64
    found.never_holds.argtypes = [POINTER(Scene), c_int64]
    found.never_holds.restype = c_int64
    found.forget_scene.argtypes = [POINTER(Scene)]
    found.forget_scene.restype = None
    found.forget_slices.argtypes = [c_void_p, c_int64]
    found.forget_slices.restype = None
    found.open_frame.argtypes = [*(c_void_p, c_int64, c_void_p, c_int64, c_void_p), POINTER(Held)]
    found.open_frame.restype = c_int64
    found.close_frame.argtypes = [POINTER(Held)]
    found.close_frame.restype = None
    found.keep_freed_memory.restype = None
    found.keep_freed_memory()
    found.forget_cut.argtypes = [POINTER(Slices)]
    found.forget_cut.restype = None
    return found


def address(array: npt.NDArray[Any]) -> int:
    """Where an array begins in memory. Whoever passes it on has to keep the array."""
    # `array.ctypes` would be made anew each time.
    found: int = array.__array_interface__["data"][0]
    return found
