"""The columns of one table as the pages of its row groups hold them, decoded by compiled code.

Texts come as places in a list of the different texts, as Parquet holds them itself. What the
compiled code does not know (another packing, another way to write numbers) is left to pyarrow.
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
import pyarrow as pa  # type: ignore[import-untyped]

from compliance.log.compiled_pages import Chunk, Target, address, library, room, unpacker
from compliance.log.row_groups import FileGroups, Footer, footer_of
from compliance.table_log.arrow_numbers import Bits, in_one_piece
from compliance.table_log.columns import Integers, Numbers

_TEXTS: Final = -1
_BYTES_OF: Final = {"INT64": 8, "INT32": 4, "BOOLEAN": 0, "BYTE_ARRAY": _TEXTS}
_VIEW: Final = 16


class UnusualPages(Exception):
    """Pages that only pyarrow reads."""


class _Part(NamedTuple):
    """A column in one row group."""

    chunk: Chunk
    unpacked: int
    """How many bytes it has when it is unpacked."""
    raw: bytes


class ColumnPages:
    """One column of a table."""

    def __init__(self, rows: int, stored: int, optional: bool, parts: Sequence[_Part]) -> None:
        self._rows = rows
        self._stored = stored
        self._optional = optional
        self._parts = parts

    @property
    def is_text(self) -> bool:
        """Whether the column holds texts."""
        return self._stored == _TEXTS

    def texts(self) -> list[list[str]]:
        """The list of different texts of each row group."""
        found = []
        number = ctypes.c_int64()
        for part in self._parts:
            held, at = room(part.unpacked)
            given = ctypes.byref(part.chunk), at, len(held), ctypes.byref(number)
            size = library().listed_texts(*given)
            if size < 0:
                raise UnusualPages
            found.append(held[:size].tobytes().decode().split("\n") if number.value else [])
        return found

    def numbers(self) -> list[Integers]:
        """The list of different numbers of each row group; for yes and no these two."""
        if not self._stored:
            return [np.arange(2)] * len(self._parts)
        found = []
        for part in self._parts:
            held, at = room(8 * part.unpacked // self._stored)
            given = ctypes.byref(part.chunk), self._stored, at, len(held) // 8
            size = library().listed_numbers(*given)
            if size < 0:
                raise UnusualPages
            found.append(held[: 8 * size].view(np.int64).copy())
        return found

    def in_rows(
        self, tables: Sequence[Integers], form: Any, everywhere: bool = False
    ) -> tuple[Numbers, Bits | None]:
        """What each row has, by what the places in the lists stand for; and where it has anything.

        Where nothing is recorded stands 0: the same log is to give the same bytes.
        """
        out = np.zeros(self._rows, dtype=form)
        bits = None if everywhere else np.zeros((self._rows + 7) // 8, dtype=np.uint8)
        target = self._target(out, bits, out.dtype.itemsize)
        row, read, given = 0, library().read_numbers, ctypes.byref(target)
        for part, table in zip(self._parts, tables, strict=True):
            target.table, target.table_size = address(table), len(table)
            size = read(given, ctypes.byref(part.chunk), row)
            if size < 0:
                raise UnusualPages
            row += size
        if row != self._rows:
            raise UnusualPages
        return out, bits

    def different_texts(self) -> Any:
        """Texts that every row has and that do not come again, without a list."""
        out = np.zeros(_VIEW * self._rows, dtype=np.uint8)
        data = np.empty(sum(part.unpacked for part in self._parts), dtype=np.uint8)
        views = np.empty(_VIEW * self._rows, dtype=np.uint8)
        target = self._target(out, None, _VIEW)
        used, row = ctypes.c_int64(), 0
        for part in self._parts:
            given = ctypes.byref(target), ctypes.byref(part.chunk), row, address(data)
            kept = ctypes.byref(used), len(data), address(views), self._rows
            size = library().read_views(*given, *kept)
            if size < 0:
                raise UnusualPages
            row += size
        if row != self._rows:
            raise UnusualPages
        buffers = [None, pa.py_buffer(out), pa.py_buffer(data)]
        return pa.Array.from_buffers(pa.string_view(), self._rows, buffers)

    def _target(self, out: Any, bits: Bits | None, width: int) -> Target:
        return Target(
            out=address(out),
            width=width,
            bits=0 if bits is None else address(bits),
            rows=self._rows,
            codes=room(4 * self._rows)[1],
            stored=self._stored,
            optional=self._optional,
        )


class TableColumns:
    """The columns of a table; several row groups, also of several files, are joined."""

    def __init__(self, parts: Sequence[FileGroups]) -> None:
        self._parts = [(part, footer_of(part.path)) for part in parts]
        self.rows = sum(group.rows for part in parts for group in part.groups)
        self._groups = {
            part.path: [footer.told.row_group(group.number) for group in part.groups]
            for part, footer in self._parts
        }
        self._files: dict[Path, Any] = {}
        self.filled: tuple[str, ...] = tuple(
            dict.fromkeys(
                name
                for part, footer in self._parts
                for name in _filled(self._groups[part.path], footer)
            )
        )
        """The names of the columns that hold anything."""

    def __enter__(self) -> TableColumns:
        return self

    def __exit__(self, *problem: object) -> None:
        for file in self._files.values():
            file.close()

    def _opened(self, path: Path) -> int:
        if path not in self._files:
            self._files[path] = path.open("rb")
        number: int = self._files[path].fileno()
        return number

    def form(self, name: str) -> Any:
        """What a column holds, as the first file that has it says."""
        return next(
            footer.fields.field(name).type for _, footer in self._parts if name in footer.places
        )

    def pages(self, name: str) -> ColumnPages:
        """The pages of a column; `UnusualPages` where only pyarrow can read them."""
        parts: list[_Part] = []
        forms = set()
        for part, footer in self._parts:
            if name not in footer.places:
                raise UnusualPages
            place = footer.places[name]
            forms.add((*footer.forms[place], str(footer.fields.field(place).type)))
            file = self._opened(part.path)
            parts += [_part(file, group.column(place)) for group in self._groups[part.path]]
        if len(forms) > 1:
            raise UnusualPages
        [(physical, optional, repeated, _)] = forms
        if physical not in _BYTES_OF or optional > 1 or repeated:
            raise UnusualPages
        return ColumnPages(self.rows, _BYTES_OF[physical], bool(optional), parts)

    def read(self, name: str) -> Any:
        """A column in one piece, read by pyarrow."""
        import pyarrow.parquet as pq  # type: ignore[import-untyped]

        read = []
        for part, footer in self._parts:
            texts = [name] if name in footer.texts and name != "id" else []
            with pq.ParquetFile(part.path, metadata=footer.told, read_dictionary=texts) as file:
                numbers = [group.number for group in part.groups]
                read.append(file.read_row_groups(numbers, columns=[name], use_threads=False))
        # A file may lack a column that others have.
        whole = pa.concat_tables(read, promote_options="default") if len(read) > 1 else read[0]
        return in_one_piece(whole.column(name))


def _part(file: int, column: Any) -> _Part:
    """A column in one row group, as it stands in the file."""
    begin, first = column.data_page_offset, column.dictionary_page_offset
    start = begin if first is None or not 0 < first < begin else first
    raw = os.pread(file, column.total_compressed_size, start)
    unpack = unpacker(column.compression)
    if unpack is None:
        raise UnusualPages
    at = address(np.frombuffer(raw, dtype=np.uint8))
    return _Part(Chunk(at, len(raw), *unpack), column.total_uncompressed_size, raw)


def _filled(groups: Sequence[Any], footer: Footer) -> Iterator[str]:
    for name, place in footer.places.items():
        if not all(_says_nothing(group.column(place)) for group in groups):
            yield name


def _says_nothing(column: Any) -> bool:
    """Whether the end of the file tells, in two ways, that a column is empty in a row group."""
    told = column.statistics
    if told is None or not told.has_null_count or told.has_min_max:
        return False
    return bool(told.null_count == column.num_values)
