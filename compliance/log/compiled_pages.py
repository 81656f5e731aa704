"""The compiled part of reading, as Python sees it: where it lies, and what can be asked of it."""

from __future__ import annotations

import ctypes
import sysconfig
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from compliance.table_log.arrow_numbers import Bits
from compliance.table_log.columns import Flags, Integers, Numbers

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
    loaded.are_cards.argtypes, loaded.are_cards.restype = (pointer, number), number
    loaded.used_places.argtypes = (pointer, number, number, pointer, pointer)
    loaded.used_places.restype = None
    loaded.put_in_rows.argtypes = (pointer, number, number, pointer, pointer, pointer, number)
    loaded.put_in_rows.restype = None
    loaded.types_with.argtypes = (pointer, pointer, number, number, pointer, pointer)
    loaded.types_with.restype = None
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


def types_with(marked: Bits, rows: Bits, wanted: Flags) -> list[int]:
    """Of the types that are wanted those with a row that is marked; by `bits_of_types`."""
    found = np.zeros(len(rows), dtype=np.bool_)
    library().types_with(
        address(marked), address(rows), rows.shape[1], len(rows), address(wanted), address(found)
    )
    numbers: list[int] = found.nonzero()[0].tolist()
    return numbers


def used_places(codes: Numbers, here: Bits, size: int) -> Integers:
    """Which places of a list of some size are named in some rows."""
    codes = np.ascontiguousarray(codes)
    used = np.zeros(size, dtype=np.bool_)
    library().used_places(
        address(codes), codes.dtype.itemsize, len(codes), address(here), address(used)
    )
    return np.flatnonzero(used)


def put_in_rows(codes: Numbers, here: Bits, table: Integers, form: Any) -> Numbers:
    """What the places of a list stand for in some rows, and 0 in the others."""
    codes = np.ascontiguousarray(codes)
    out: Numbers = np.zeros(len(codes), dtype=form)
    library().put_in_rows(
        address(codes),
        codes.dtype.itemsize,
        len(codes),
        address(here),
        address(table),
        address(out),
        out.dtype.itemsize,
    )
    return out


def are_cards(texts: Sequence[str]) -> bool:
    """Whether texts are lists of cards, written as a typed frame holds them."""
    whole = "\n".join(texts).encode()
    return bool(library().are_cards(whole, len(whole)))
