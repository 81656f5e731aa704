"""The compiled part of reading, as Python sees it: where it lies, and what can be asked of it."""

from __future__ import annotations

import ctypes
import sysconfig
from functools import cache
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from compliance.table_log.arrow_numbers import Bits
from compliance.table_log.columns import Integers

FILE: Final = Path(__file__).with_name(f"pages-{sysconfig.get_platform().replace('.', '_')}.so")


class Target(ctypes.Structure):
    """Where the values of a column go (see source/pages.c)."""

    _fields_ = (
        *((name, ctypes.c_int64) for name in ("table", "table_size", "out", "width", "bits")),
        *((name, ctypes.c_int64) for name in ("codes", "rows", "stored", "optional")),
    )


@cache
def library() -> Any:
    loaded = ctypes.CDLL(str(FILE))
    number, pointer = ctypes.c_int64, ctypes.c_void_p
    for work, given in (
        (loaded.pages_of, (pointer, number, pointer, number)),
        (loaded.parted_texts, (pointer, number, number, pointer)),
        (loaded.read_page, (pointer, pointer, pointer, number, pointer, number, number)),
        (loaded.read_views, (pointer, pointer, pointer, number, number, number)),
    ):
        work.argtypes, work.restype = given, number
    loaded.rows_of_types.argtypes = (pointer, number, pointer, pointer, number)
    loaded.rows_of_types.restype = None
    return loaded


def address(values: Any) -> int:
    """Where an array stands in memory."""
    # A third of the time that `values.ctypes.data` takes.
    found: int = values.__array_interface__["data"][0]
    return found


def bits_of_types(types: npt.NDArray[np.int16], occurring: Integers) -> Bits:
    """For each type that occurs a bit for each row, which says whether the row is of it."""
    size = (len(types) + 7) // 8
    rank = np.zeros(int(occurring[-1]) + 1 if len(occurring) else 0, dtype=np.int64)
    rank[occurring] = np.arange(len(occurring))
    bits = np.zeros((len(occurring), size), dtype=np.uint8)
    types = np.ascontiguousarray(types)
    library().rows_of_types(address(types), len(types), address(rank), address(bits), size)
    return bits
