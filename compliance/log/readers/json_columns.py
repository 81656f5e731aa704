"""Reads plain JSON lines into columns in one pass, with texts as places in lists.

Compiled code reads them (see source/json_lines.h). It refuses every line that is not plain: then
the lines are read in the way that can say what is wrong with which of them.
"""

from __future__ import annotations

import ctypes
from functools import lru_cache
from itertools import accumulate
from typing import Any, Final, NamedTuple

import numpy as np
import pyarrow as pa  # type: ignore[import-untyped]

from compliance.log.compiled_pages import address, library
from compliance.log.layout import BASE, Layout
from compliance.log.raw import LONG_LISTS
from compliance.table_log.arrow_numbers import numbers_of
from compliance.table_log.columns import Flags, Integers, Numbers

WHOLE_KINDS: Final = ("number", "seat", "money", "duration")
"""Kinds whose values may stand as whole numbers without quotes."""
_EACH, _WHOLE, _FLAG = 2, 3, 4
_ALL_DIFFERENT, _NUMERIC = 1, 2


class _Column(ctypes.Structure):
    """One column (see source/json_lines.h)."""

    _fields_ = (
        ("sort", ctypes.c_int64),
        *((name, ctypes.c_void_p) for name in ("bits", "values", "text")),
        *((name, ctypes.c_int64) for name in ("text_size", "text_room")),
        *((name, ctypes.c_void_p) for name in ("ends", "bare")),
        *((name, ctypes.c_int64) for name in ("texts", "texts_room", "bare_room")),
        ("slots", ctypes.c_void_p),
        *((name, ctypes.c_int64) for name in ("slots_size", "filled", "last_row", "next")),
    )


class _Names(NamedTuple):
    """The names that a column may have, as compiled code takes them."""

    names: tuple[str, ...]
    texts: bytes
    ends: Integers
    known: Numbers


class PlainColumns(NamedTuple):
    """The columns that hold anything, and in which places values stood without quotes."""

    columns: dict[str, Any]
    bare: dict[str, Flags]


@lru_cache(maxsize=4)
def _names(layout: Layout) -> _Names:
    names = tuple(sorted({*layout.names, *BASE}))
    texts = [name.encode() for name in names]
    return _Names(
        names,
        b"".join(texts),
        np.array(list(accumulate(map(len, texts))), dtype=np.int64),
        np.array([_known(name, layout) for name in names], dtype=np.uint8),
    )


def _known(name: str, layout: Layout) -> int:
    kind = "number" if name == "seq" else layout.single_kind(name)
    numeric = kind == "flag" or kind in WHOLE_KINDS
    return _ALL_DIFFERENT * (name in LONG_LISTS) + _NUMERIC * numeric


def plain_columns(data: bytes, rows: int, layout: Layout) -> PlainColumns | None:
    """The columns of some lines; None where a line is not plain.

    `data` has `rows` whole lines of UTF-8, each with its end.
    """
    known = _names(layout)
    columns = (_Column * len(known.names))()
    given = known.texts, address(known.ends), address(known.known), columns, len(columns)
    found = PlainColumns({}, {})
    try:
        if library().read_json_lines(data, len(data), rows, *given) < 0:
            return None
        for name, column in zip(known.names, columns, strict=True):
            if column.sort:
                found.columns[name] = held = _as_arrow(column, rows)
                bare = np.frombuffer(_copied(column.bare, column.texts), dtype=np.bool_)
                if bare.any():
                    found.bare[name] = _at_places(bare, held)
    finally:
        library().free_json_columns(columns, len(columns))
    fits = all(_fits(name, column, layout) for name, column in found.columns.items())
    return found if fits else None


def _at_places(bare: Flags, column: Any) -> Flags:
    recorded: Flags = column.is_valid().to_numpy(zero_copy_only=False)
    return bare[numbers_of(column.indices)] & recorded


def _fits(name: str, column: Any, layout: Layout) -> bool:
    """Whether what is no text is such as the kind of the field has."""
    other = pa.int64() if layout.single_kind(name) == "flag" else pa.bool_()
    return bool(column.type != other)


def _as_arrow(column: _Column, rows: int) -> Any:
    """A column with memory of its own."""
    bits = _copied(column.bits, (rows + 7) // 8)
    if column.sort == _WHOLE:
        return _array(pa.int64(), rows, bits, _copied(column.values, rows * 8))
    if column.sort == _FLAG:
        flags = np.frombuffer(_copied(column.values, rows), dtype=np.uint8)
        packed = pa.py_buffer(np.packbits(flags, bitorder="little"))
        return _array(pa.bool_(), rows, bits, packed)
    number = rows if column.sort == _EACH else column.texts
    text = _copied(column.text, column.text_size), _copied(column.ends, (number + 1) * 8)
    if column.sort == _EACH:
        return _array(pa.large_string(), rows, bits, text[1], text[0])
    places = _array(pa.int32(), rows, bits, _copied(column.values, rows * 4))
    texts = _array(pa.large_string(), number, None, text[1], text[0])
    return pa.DictionaryArray.from_arrays(places, texts, safe=False)


def _array(form: Any, size: int, *buffers: Any) -> Any:
    return pa.Array.from_buffers(form, size, list(buffers))


def _copied(start: int | None, size: int) -> Any:
    return pa.py_buffer(ctypes.string_at(start, size) if start else b"")
