"""The compiled engine as Python sees it: where it lies, and what can be asked of it."""

from __future__ import annotations

import ctypes
import sysconfig
from functools import cache
from pathlib import Path
from typing import Any, Final

FILE: Final = Path(__file__).with_name(f"engine-{sysconfig.get_platform().replace('.', '_')}.so")


class EngineMissing(Exception):
    """The compiled part of the program is not where it was installed."""


@cache
def library() -> Any:
    """The compiled engine, which is always there: without it nothing can be installed."""
    try:
        loaded = ctypes.CDLL(str(FILE))
    except OSError as problem:
        raise EngineMissing(
            f"The compiled engine {FILE.name} cannot be loaded ({problem}); install the project "
            "again."
        ) from None
    pointer = ctypes.c_void_p
    for work in (loaded.judge_log, loaded.keep_for_next_log, loaded.rows_spoken_of):
        work.argtypes = [pointer, pointer, pointer]
        work.restype = ctypes.c_int64
    loaded.forget_result.argtypes = [pointer]
    loaded.forget_result.restype = None
    number = ctypes.c_int64
    loaded.open_frame.argtypes = [pointer, number, pointer, number, pointer, pointer]
    loaded.open_frame.restype = ctypes.c_int64
    loaded.close_frame.argtypes = [pointer]
    loaded.close_frame.restype = None
    return loaded


class ArrowStream(ctypes.Structure):
    """What a frame has handed over: an `ArrowArray`, which only the compiled code looks into."""

    _fields_ = (("inside", ctypes.c_int64 * 10),)
