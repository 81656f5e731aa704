"""The columns of one table as the pages of its row groups hold them, decoded by compiled code.

Texts come as places in a list of the different texts, as Parquet holds them itself. What the
compiled code does not know (another packing, another way to write numbers) is left to pyarrow.
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
import pyarrow as pa  # type: ignore[import-untyped]

from compliance.log.compiled_pages import Target, address, library
from compliance.log.row_groups import FileGroups, Footer, footer_of
from compliance.table_log.arrow_numbers import Bits, in_one_piece
from compliance.table_log.columns import Integers, Numbers

_PACKINGS: Final = {"ZSTD": "zstd", "SNAPPY": "snappy", "GZIP": "gzip", "BROTLI": "brotli"}
_TEXTS: Final = -1
_BYTES_OF: Final = {"INT64": 8, "INT32": 4, "BOOLEAN": 0, "BYTE_ARRAY": _TEXTS}
_DICTIONARY: Final = 2
_DATA: Final = (0, 3)
_PLAIN: Final = (0, 2)
_MOST_PAGES: Final = 4096
_VIEW: Final = 16
_HEAD: Final = 64


class UnusualPages(Exception):
    """Pages that only pyarrow reads."""


@cache
def _unpacker(packing: str) -> Any:
    return pa.Codec(_PACKINGS[packing]) if packing in _PACKINGS else None


class _Page(NamedTuple):
    head: int
    """Where its head stands in memory."""
    kind: int
    encoding: int
    rows: int
    levels: tuple[int, int]
    """Where it says which rows have a value, and how long that is, if that stands apart."""
    at: int
    size: int
    body: Any


class _Chunk(NamedTuple):
    """The pages of a column in one row group."""

    dictionary: _Page | None
    data: Sequence[_Page]
    held: object
    """What has to be kept as long as this is used."""


class ColumnPages:
    """One column of a table."""

    def __init__(self, rows: int, stored: int, optional: bool, chunks: Sequence[_Chunk]) -> None:
        self._rows = rows
        self._stored = stored
        self._optional = optional
        self._chunks = chunks

    @property
    def is_text(self) -> bool:
        """Whether the column holds texts."""
        return self._stored == _TEXTS

    def texts(self) -> list[list[str]]:
        """The list of different texts of each row group."""
        return [_texts(chunk.dictionary) for chunk in self._chunks]

    def numbers(self) -> list[Integers]:
        """The list of different numbers of each row group; for yes and no these two."""
        if not self._stored:
            return [np.arange(2)] * len(self._chunks)
        form = f"i{self._stored}"
        return [
            np.zeros(0, dtype=np.int64)
            if chunk.dictionary is None
            else np.frombuffer(chunk.dictionary.body, form, chunk.dictionary.rows).astype(np.int64)
            for chunk in self._chunks
        ]

    def in_rows(
        self, tables: Sequence[Integers], form: Any, everywhere: bool = False
    ) -> tuple[Numbers, Bits | None]:
        """What each row has, by what the places in the lists stand for; and where it has anything.

        Where nothing is recorded stands 0: the same log is to give the same bytes.
        """
        out = np.zeros(self._rows, dtype=form)
        bits = None if everywhere else np.zeros((self._rows + 7) // 8, dtype=np.uint8)
        target = self._target(out, bits, out.dtype.itemsize)
        row, read, given = 0, library().read_page, ctypes.byref(target)
        for chunk, table in zip(self._chunks, tables, strict=True):
            target.table, target.table_size = address(table), len(table)
            for page in chunk.data:
                if read(given, page.head, *page.levels, page.at, page.size, row) < 0:
                    raise UnusualPages
                row += page.rows
        if row != self._rows:
            raise UnusualPages
        return out, bits

    def different_texts(self) -> Any:
        """Texts that every row has and that do not come again, without a list."""
        out = np.zeros(_VIEW * self._rows, dtype=np.uint8)
        target = self._target(out, None, _VIEW)
        buffers: list[Any] = []
        row, read = 0, library().read_views
        for chunk in self._chunks:
            if chunk.dictionary is not None:
                page = chunk.dictionary
                views = np.zeros(_VIEW * page.rows, dtype=np.uint8)
                listed = self._target(views, None, _VIEW, page.rows)
                at = page.head, page.at, page.size
                if read(ctypes.byref(listed), *at, 0, len(buffers)) < 0:
                    raise UnusualPages
                buffers.append(page.body)
                target.table, target.table_size = address(views), page.rows
            for page in chunk.data:
                at = page.head, page.at, page.size
                if read(ctypes.byref(target), *at, row, len(buffers)) < 0:
                    raise UnusualPages
                buffers.append(page.body)
                row += page.rows
        if row != self._rows:
            raise UnusualPages
        return pa.Array.from_buffers(
            pa.string_view(), self._rows, [None, pa.py_buffer(out), *buffers]
        )

    def _target(self, out: Any, bits: Bits | None, width: int, rows: int | None = None) -> Target:
        size = self._rows if rows is None else rows
        return Target(
            out=address(out),
            width=width,
            bits=0 if bits is None else address(bits),
            rows=size,
            codes=_room(size),
            stored=self._stored,
            optional=self._optional,
        )


def _texts(page: _Page | None) -> list[str]:
    if page is None or not page.rows:
        return []
    room = bytearray(page.size)
    size = library().parted_texts(
        page.at, page.size, page.rows, (ctypes.c_char * page.size).from_buffer(room)
    )
    if size < 0:
        raise UnusualPages
    return room[:size].decode().split("\n")


_heads: Final = np.empty((_MOST_PAGES, 8), dtype=np.int64)
_rooms: Final[list[tuple[Any, int]]] = []


def _room(size: int) -> int:
    """Memory for the places of one page, which the next column needs again."""
    if not _rooms or len(_rooms[0][0]) < size:
        made = np.empty(size, dtype=np.uint32)
        _rooms[:] = [(made, address(made))]
    return _rooms[0][1]


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
        chunks: list[_Chunk] = []
        forms = set()
        for part, footer in self._parts:
            if name not in footer.places:
                raise UnusualPages
            place = footer.places[name]
            forms.add((*footer.forms[place], str(footer.fields.field(place).type)))
            file = self._opened(part.path)
            chunks += [_chunk(file, group.column(place)) for group in self._groups[part.path]]
        if len(forms) > 1:
            raise UnusualPages
        [(physical, optional, repeated, _)] = forms
        if physical not in _BYTES_OF or optional > 1 or repeated:
            raise UnusualPages
        return ColumnPages(self.rows, _BYTES_OF[physical], bool(optional), chunks)

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


def _chunk(file: int, column: Any) -> _Chunk:
    """The pages of a column in one row group, unpacked."""
    begin, first = column.data_page_offset, column.dictionary_page_offset
    start = begin if first is None or not 0 < first < begin else first
    raw = os.pread(file, column.total_compressed_size, start)
    number = library().pages_of(raw, len(raw), address(_heads), _MOST_PAGES)
    packing = column.compression
    unpacker = _unpacker(packing)
    if number < 1 or (unpacker is None and packing != "UNCOMPRESSED"):
        raise UnusualPages
    heads = _heads[:number].copy()
    whole, at = pa.py_buffer(raw), address(heads)
    pages = [
        _page(at + place * _HEAD, head, whole, unpacker)
        for place, head in enumerate(heads.tolist())
    ]
    listed = pages.pop(0) if pages[0].kind == _DICTIONARY else None
    if any(page.kind not in _DATA for page in pages) or (listed and listed.encoding not in _PLAIN):
        raise UnusualPages
    return _Chunk(listed, pages, (whole, heads))


def _page(at: int, head: Sequence[int], whole: Any, unpacker: Any) -> _Page:
    kind, begin, packed, size, rows, encoding, levels, is_packed = head
    body = whole.slice(begin + levels, packed - levels)
    if is_packed and unpacker is not None and size > levels:
        body = unpacker.decompress(body, size - levels)
    apart = (whole.address + begin, levels)
    return _Page(at, kind, encoding, rows, apart, body.address, body.size, body)


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
