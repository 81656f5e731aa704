"""Cuts a text file into blocks of whole lines, so that memory never depends on the file's size."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np

from compliance.log.bytes_in import Opened, refuse_other_text
from compliance.log.problems import SHOWN, UnreadableFile
from event_schemas.limits import LONGEST_LINE

BLOCK: Final = 8 << 20
SLICE: Final = 1 << 18
_BYTE_ORDER_MARK: Final = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class BadLine:
    """A line that is not text of a log at all."""

    line: int
    reason: str
    text: str


def count_byte(data: bytes, byte: int) -> int:
    """How often a byte occurs; much faster than searching where it is frequent."""
    buffer = np.frombuffer(data, dtype=np.uint8)
    # In slices that stay in the processor's own memory.
    slices = range(0, len(buffer), SLICE)
    return sum(int(np.count_nonzero(buffer[at : at + SLICE] == byte)) for at in slices)


@dataclass(frozen=True)
class Block:
    """Whole lines, each with its line end. A bad line is empty here, so that lines keep their
    numbers."""

    data: bytes
    first_line: int
    bad: tuple[BadLine, ...] = ()

    @cached_property
    def count(self) -> int:
        """How many lines."""
        return count_byte(self.data, 10)


def line_blocks(stream: Opened, size: int = BLOCK) -> Iterator[Block]:
    """The lines of a file in blocks of about `size` bytes. A cut-off file gives what it has."""
    refuse_other_text(stream.start)
    size = max(size, 1)
    line, rest, start = 1, b"", True
    failure: UnreadableFile | None = None
    while failure is None:
        try:
            more = stream.read(size)
        except UnreadableFile as problem:
            more, failure = b"", problem
        if start:
            more, start = more.removeprefix(_BYTE_ORDER_MARK), False
        if not more:
            break
        cut = more.rfind(b"\n") + 1
        if not cut:
            rest = _bounded(rest + more)
            continue
        data, rest = rest + more[:cut], more[cut:]
        block = _cleaned(data, line)
        yield block
        line += block.count
    if rest and failure is None:
        yield _cleaned(rest + b"\n", line)
    if failure is not None:
        raise UnreadableFile(failure.message, line)


def _bounded(rest: bytes) -> bytes:
    """Of a line that is too long already, only the beginning is kept, and that it is too long."""
    return rest if len(rest) <= LONGEST_LINE else rest[: LONGEST_LINE + 1]


def _cleaned(data: bytes, first_line: int) -> Block:
    bad: list[BadLine] = []
    if len(data) > LONGEST_LINE:
        data = _without_long_lines(data, first_line, bad)
    if b"\0" in data or not _is_utf8(data):
        data = _without_foreign_bytes(data, first_line, bad)
    return Block(data, first_line, tuple(sorted(bad, key=lambda item: item.line)))


def _is_utf8(data: bytes) -> bool:
    if data.isascii():
        return True
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def _without_long_lines(data: bytes, first_line: int, bad: list[BadLine]) -> bytes:
    parts: list[bytes] = []
    kept, place = 0, 0
    while place < len(data):
        # A window as long as the longest line must hold a line end: almost always one search.
        end = data.rfind(b"\n", place, place + LONGEST_LINE + 1)
        if end >= 0:
            place = end + 1
            continue
        end = data.find(b"\n", place)
        text = data[place : place + 4 * SHOWN].decode(errors="replace")[:SHOWN]
        number = first_line + data.count(b"\n", 0, place)
        reason = f"The line is longer than {LONGEST_LINE:,} bytes; only its beginning is kept here."
        bad.append(BadLine(number, reason, text))
        parts.append(data[kept:place])
        kept = place = end
        place += 1
    return b"".join((*parts, data[kept:])) if parts else data


def _without_foreign_bytes(data: bytes, first_line: int, bad: list[BadLine]) -> bytes:
    lines = data.split(b"\n")
    for place, line in enumerate(lines):
        reason = _foreign(line)
        if reason:
            text = line.decode(errors="backslashreplace")[:SHOWN]
            bad.append(BadLine(first_line + place, reason, text))
            lines[place] = b""
    return b"\n".join(lines)


def _foreign(line: bytes) -> str | None:
    try:
        line.decode()
    except UnicodeDecodeError as problem:
        return (
            f"The line is not UTF-8 text: byte {line[problem.start]:#04x} at place "
            f"{problem.start + 1}; it may be in another encoding, such as Windows-1252."
        )
    return "The line holds a NUL byte, as after a crash of the recorder." if b"\0" in line else None
