"""Reads CSV: the first line names the columns, every other line is a record, all of it is text."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Collection, Iterator, Sequence
from functools import cached_property
from typing import Any, Final, NamedTuple

import numpy as np
import polars as pl
import polars.selectors as cs

from compliance.log.blocks import Block, count_byte, line_blocks
from compliance.log.bytes_in import Opened
from compliance.log.layout import Layout
from compliance.log.problems import UnreadableFile, shortened
from compliance.log.raw import RawChunk, Single
from compliance.log.readers.csv_columns import listed_columns
from compliance.log.readers.csv_header import Header, header_of
from compliance.table_log.columns import Integers

_LONGEST_RECORD: Final = 100
"""How many lines a record may have; a quotation mark open for longer was forgotten."""
_OPEN_QUOTE: Final = "A quotation mark on this line is not closed."


class _Records(NamedTuple):
    """Records that may have several lines: where each begins, its text, and where it got lost."""

    lines: list[int]
    texts: list[str]
    lost: list[Single]
    rest: list[str]


def read_csv(stream: Opened, layout: Layout | None, size: int) -> Iterator[RawChunk]:
    """The records of a file, some at a time."""
    header: Header | None = None
    waiting: list[str] = []
    first_waiting = 1
    for block in line_blocks(stream, size):
        if header is None:
            header, block = _begin(block, layout)
            if header is None:
                continue
        if waiting:
            start = "\n".join(waiting) + "\n"
            block = Block(start.encode() + block.data, first_waiting, block.bad)
        chunk, waiting = _chunk(block, header, final=False)
        first_waiting = block.first_line + block.count - len(waiting)
        yield chunk
    if header is None:
        raise UnreadableFile("The file is empty: it does not even name its columns.")
    if waiting:
        left = Block(("\n".join(waiting) + "\n").encode(), first_waiting)
        yield _chunk(left, header, final=True)[0]


def _begin(block: Block, layout: Layout | None) -> tuple[Header | None, Block]:
    """The names of the columns, and the block without them."""
    data, number = block.data, block.first_line
    while data:
        end = data.index(b"\n") + 1
        line, data = data[:end].decode().rstrip("\r\n"), data[end:]
        if line.strip():
            return header_of(line, number, layout), Block(data, number + 1, block.bad)
        number += 1
    return None, block


def _chunk(block: Block, header: Header, final: bool) -> tuple[RawChunk, list[str]]:
    bad = [Single(item.line, item.reason, item.text) for item in block.bad]
    count = block.count
    width = len(header.names)
    if b'"' not in block.data and count_byte(block.data, ord(header.delimiter)) == count * (
        width - 1
    ):
        numbers = np.arange(block.first_line, block.first_line + count, dtype=np.int64)
        chunk = _Chunk(header, numbers, bad, block.data)
        if chunk.is_whole():
            return chunk, []
    lines = block.data.decode().split("\n")[:-1]
    records = _records(lines, block.first_line, final)
    return _line_by_line(records, header, bad), records.rest


def _records(lines: Sequence[str], first_line: int, final: bool) -> _Records:
    """Join lines while a quotation mark is open."""
    records = _Records([], [], [], [])
    place = 0
    while place < len(lines):
        end, marks = place, lines[place].count('"')
        while marks % 2 and end - place < _LONGEST_RECORD and end + 1 < len(lines):
            end += 1
            marks += lines[end].count('"')
        number = first_line + place
        if marks % 2 == 0:
            text = "\n".join(line.rstrip("\r") for line in lines[place : end + 1])
            if text.strip():
                records.lines.append(number)
                records.texts.append(text)
            place = end + 1
        elif end - place < _LONGEST_RECORD and not final:
            # The rest of it is in the next block.
            records.rest.extend(lines[place:])
            break
        else:
            records.lost.append(Single(number, _OPEN_QUOTE, shortened(lines[place])))
            place += 1
    return records


def _line_by_line(records: _Records, header: Header, bad: list[Single]) -> RawChunk:
    """Columns from those records that have all of them; the others are looked at by themselves."""
    width, mark = len(header.names), re.escape(header.delimiter)
    cell = f'(?:[^"{mark}\\n]*|"(?:[^"]|"")*")'
    texts = pl.Series(records.texts, dtype=pl.String)
    fits = texts.str.contains(f"^{cell}(?:{mark}{cell}){{{width - 1}}}$").to_numpy()
    numbers = np.array(records.lines, dtype=np.int64)
    good = [records.texts[place] for place in np.flatnonzero(fits)]
    frame = _frame(("\n".join(good) + "\n").encode(), header) if good else pl.DataFrame()
    if frame is None or len(frame) != len(good):
        fits[:] = False
        frame, good = pl.DataFrame(), []
    singles = [
        Single(records.lines[place], _record(records.texts[place], header), records.texts[place])
        for place in np.flatnonzero(~fits)
    ]
    return RawChunk(frame, numbers[fits], [*bad, *records.lost, *singles], good)


def _record(text: str, header: Header) -> dict[str, str] | str:
    """One record, read by the rules that everybody's CSV follows."""
    try:
        rows = list(csv.reader(io.StringIO(text, newline=""), delimiter=header.delimiter))
    except csv.Error:
        return "The line cannot be read as CSV."
    cells = rows[0] if len(rows) == 1 else []
    if len(cells) != len(header.names):
        return f"The line has {len(cells)} columns where {len(header.names)} are named."
    return {name: cell for name, cell in zip(header.names, cells, strict=True) if cell}


def _frame(data: bytes, header: Header) -> pl.DataFrame | None:
    try:
        frame = _columns(data, header, () if _has_blank_cells(data, header) else header.whole)
    except (pl.exceptions.PolarsError, ValueError):
        try:
            frame = _columns(data, header, ())
        except (pl.exceptions.PolarsError, ValueError):
            return None
    if len(frame.columns) != len(header.names):
        return None
    # An empty cell, with quotes or without, says that nothing was recorded.
    return frame.with_columns(cs.string().replace("", None)) if b'"' in data else frame


def _has_blank_cells(data: bytes, header: Header) -> bool:
    """Whether a cell may begin with white space: among whole numbers Polars takes it for empty."""
    before = (header.delimiter.encode(), b"\n", b'"')
    blanks = [blank for blank in (b" ", b"\t") if blank not in before]
    return any(data.startswith(blank) for blank in blanks) or any(
        mark + blank in data for mark in before for blank in blanks
    )


def _columns(data: bytes, header: Header, whole: Collection[str]) -> pl.DataFrame:
    """All cells as texts, but for columns of nothing but whole numbers."""
    return pl.read_csv(
        data,
        has_header=False,
        separator=header.delimiter,
        schema={name: pl.Int64 if name in whole else pl.String for name in header.names},
    )


class _Chunk(RawChunk):
    """Lines without any quotation mark; their texts are cut out only when they are asked for."""

    def __init__(
        self, header: Header, lines: Integers, singles: Sequence[Single], data: bytes
    ) -> None:
        self._header = header
        self._data = data
        self._listed = listed_columns(data, header) if header.known else None
        if self._listed is not None and len(self._listed["type"]) == len(lines):
            self.lines, self.singles = lines, singles
        else:
            self._listed = None
            super().__init__(self._as_texts(), lines, singles)

    def is_whole(self) -> bool:
        """Whether there is a row for each line."""
        return self._listed is not None or len(self.frame) == len(self.lines)

    @cached_property
    def frame(self) -> pl.DataFrame:  # type: ignore[override]
        """The records as texts, where single ones are looked at."""
        return self._as_texts()

    def _as_texts(self) -> pl.DataFrame:
        found = _frame(self._data, self._header)
        return pl.DataFrame() if found is None else found

    def columns(self) -> dict[str, Any] | None:
        return super().columns() if self._listed is None else self._listed

    def picked(self, rows: Integers) -> Iterator[Single]:
        if self.texts is None and len(rows):
            self.texts = self._data.decode().split("\n")
        return super().picked(rows)
