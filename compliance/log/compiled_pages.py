"""The compiled part of reading, as Python sees it: where it lies, and what can be asked of it."""

from __future__ import annotations

import ctypes
import sysconfig
import threading
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pyarrow as pa  # type: ignore[import-untyped]

from compliance.table_log.arrow_numbers import Bits
from compliance.table_log.columns import Flags, Integers, Numbers

FILE: Final = Path(__file__).with_name(f"pages-{sysconfig.get_platform().replace('.', '_')}.so")


class Target(ctypes.Structure):
    """Where the values of a column go (see source/pages.c)."""

    _fields_ = (
        *((name, ctypes.c_int64) for name in ("table", "table_size", "out", "width", "bits")),
        *((name, ctypes.c_int64) for name in ("codes", "rows", "stored", "optional")),
    )


class Chunk(ctypes.Structure):
    """A column in one row group, as it stands in the file (see source/pages.c)."""

    _fields_ = (
        ("start", ctypes.c_void_p),
        ("size", ctypes.c_int64),
        ("unpack", ctypes.c_void_p),
        ("unpack_with", ctypes.c_void_p),
        ("unread", ctypes.c_int64),
    )


@cache
def library() -> Any:
    loaded = ctypes.CDLL(str(FILE))
    number, pointer = ctypes.c_int64, ctypes.c_void_p
    for work, given in (
        (loaded.new_names, (pointer, number, pointer, pointer, number)),
        (
            loaded.read_json_lines,
            (pointer, number, number, pointer, pointer, pointer, pointer, number),
        ),
        (loaded.are_cards, (pointer, number)),
        (loaded.listed_texts, (pointer, pointer, number, pointer)),
        (loaded.listed_numbers, (pointer, number, pointer, number)),
        (loaded.used_places, (pointer, number, number, pointer, pointer, number)),
        (
            loaded.put_in_rows,
            (pointer, number, number, pointer, pointer, number, pointer, number),
        ),
        (loaded.read_numbers, (pointer, pointer, number)),
        (loaded.read_views, (pointer, pointer, number, pointer, pointer, number, pointer, number)),
    ):
        work.argtypes, work.restype = given, number
    loaded.rows_of_types.argtypes = (pointer, number, pointer, pointer, number)
    loaded.rows_of_types.restype = None
    loaded.types_with.argtypes = (pointer, pointer, number, number, pointer, pointer)
    loaded.types_with.restype = None
    loaded.free_json_columns.argtypes = (pointer, number)
    loaded.free_json_columns.restype = None
    return loaded


_NAMES_KNOWN: Final = 4096
_NAMES_AT_ONCE: Final = 1000
_PACKINGS: Final = {"ZSTD": "zstd", "SNAPPY": "snappy", "GZIP": "gzip", "BROTLI": "brotli"}
_UNPACK: Final = ctypes.CFUNCTYPE(
    ctypes.c_size_t,
    ctypes.c_void_p,
    ctypes.c_void_p,
    ctypes.c_size_t,
    ctypes.c_void_p,
    ctypes.c_size_t,
)


def unpacker(packing: str) -> tuple[object, object] | None:
    """What unpacks the pages of a file, and with what; None where nobody here can."""
    if packing == "UNCOMPRESSED":
        return None, None
    zstd = _own_zstd() if packing == "ZSTD" else None
    if zstd is None:
        return _by_arrow(packing)
    if not hasattr(_of_thread, "unpack_with"):
        _of_thread.unpack_with = zstd.ZSTD_createDCtx()
    return ctypes.cast(zstd.ZSTD_decompressDCtx, ctypes.c_void_p).value, _of_thread.unpack_with


@cache
def _own_zstd() -> Any:
    """The machine's own library, where it has one: Arrow makes all things new for each page."""
    for name in ("libzstd.so.1", "libzstd.1.dylib", "libzstd.dll"):
        with suppress(OSError):
            zstd = ctypes.CDLL(name)
            zstd.ZSTD_createDCtx.restype = ctypes.c_void_p
            return zstd
    return None


@cache
def _by_arrow(packing: str) -> tuple[object, object] | None:
    if packing not in _PACKINGS:
        return None
    codec = pa.Codec(_PACKINGS[packing])

    def unpack(_: object, out: int, room: int, packed: int, size: int) -> int:
        try:
            found = codec.decompress(ctypes.string_at(packed, size), room)
        except (pa.ArrowException, OSError):
            return room + 1
        ctypes.memmove(out, found.address, found.size)
        return int(found.size)

    function = _UNPACK(unpack)
    _kept.append(function)
    return ctypes.cast(function, ctypes.c_void_p).value, None


def room(size: int) -> tuple[Any, int]:
    """Memory for a while, which the next column needs again, and where it stands."""
    made: Any = getattr(_of_thread, "room", None)
    if made is None or len(made) < size:
        made = _of_thread.room = np.empty(max(size, 1 << 20) // 8 * 8 + 8, dtype=np.uint8)
        _of_thread.room_at = address(made)
    return made, _of_thread.room_at


_of_thread: Final = threading.local()
_kept: Final[list[object]] = []
"""What compiled code calls must stay."""


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
    given = address(codes), codes.dtype.itemsize, len(codes), address(here)
    if library().used_places(*given, address(used), size) < 0:
        raise ValueError("a place beyond the end of the list")
    return np.flatnonzero(used)


def put_in_rows(codes: Numbers, here: Bits, table: Integers, form: Any) -> Numbers:
    """What the places of a list stand for in some rows, and 0 in the others."""
    codes = np.ascontiguousarray(codes)
    out: Numbers = np.zeros(len(codes), dtype=form)
    given = address(codes), codes.dtype.itemsize, len(codes), address(here)
    listed = address(table), len(table)
    if library().put_in_rows(*given, *listed, address(out), out.dtype.itemsize) < 0:
        raise ValueError("a place beyond the end of the list")
    return out


def are_cards(texts: Sequence[str]) -> bool:
    """Whether texts are lists of cards, written as a typed frame holds them."""
    whole = "\n".join(texts).encode()
    one_each = whole.count(b"\n") == len(texts) - 1
    return one_each and bool(library().are_cards(whole, len(whole)))


class NewNames:
    """The names in JSON lines, each told when it comes for the first time, or nearly each."""

    def __init__(self) -> None:
        self._known = np.zeros(_NAMES_KNOWN, dtype=np.uint64)
        self._found = np.zeros(_NAMES_AT_ONCE, dtype=np.int64)

    def places(self, data: bytes) -> list[int]:
        """Where names stand in some lines that were not there before."""
        given = data, len(data), address(self._known), address(self._found), _NAMES_AT_ONCE
        places: list[int] = self._found[: library().new_names(*given)].tolist()
        return places
