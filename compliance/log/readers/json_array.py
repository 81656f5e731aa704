"""Reads a file that is one JSON array of records, as systems export it, like JSON lines."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import msgspec
import numpy as np

from compliance.log.bytes_in import Opened
from compliance.log.problems import UnreadableFile
from compliance.log.readers.json_chunk import JsonChunk, Seen
from event_schemas.limits import LARGEST_ARRAY, LONGEST_LINE

_AT_BYTE: Final = re.compile(r"\(byte (\d+)\)")
_BLANKS: Final = bytes.maketrans(b"\r\n", b"  ")


def is_array(stream: Opened) -> bool:
    """Whether the file begins as an array; a line of a log begins as an object."""
    return stream.start.removeprefix(b"\xef\xbb\xbf").lstrip()[:1] == b"["


def read_json_array(stream: Opened, seen: Seen | None, size: int) -> Iterator[JsonChunk]:
    """The records of an array, some at a time, each with the line on which it begins."""
    data = _whole(stream)
    lines, numbers, length = [], [], 0
    place, line = 0, 1
    for raw in _records(data):
        record = bytes(raw)
        at = data.index(record, place)
        line += data.count(b"\n", place, at)
        place = at
        if len(record) > LONGEST_LINE:
            raise UnreadableFile(f"A record is longer than {LONGEST_LINE:,} bytes.", line)
        # Inside of texts there are no line ends: JSON writes them as two characters.
        lines.append(record.translate(_BLANKS))
        numbers.append(line)
        length += len(record)
        if length >= size:
            yield _chunk(lines, numbers, seen)
            lines, numbers, length = [], [], 0
    if lines:
        yield _chunk(lines, numbers, seen)


def _whole(stream: Opened) -> bytes:
    parts = []
    left = LARGEST_ARRAY + 1
    while left > 0 and (part := stream.read(min(left, 8 << 20))):
        parts.append(part)
        left -= len(part)
    if left <= 0:
        raise UnreadableFile(
            f"The file is one JSON array of more than {LARGEST_ARRAY:,} bytes; write one record on "
            "each line instead (JSON lines)."
        )
    return b"".join(parts).removeprefix(b"\xef\xbb\xbf")


def _records(data: bytes) -> list[msgspec.Raw]:
    try:
        data.decode()
        return msgspec.json.decode(data, type=list[msgspec.Raw])
    except UnicodeDecodeError as problem:
        line = data.count(b"\n", 0, problem.start) + 1
        raise UnreadableFile("The file is not UTF-8 text.", line) from None
    except (msgspec.DecodeError, RecursionError) as problem:
        found = _AT_BYTE.search(str(problem))
        line = data.count(b"\n", 0, int(found[1])) + 1 if found else data.count(b"\n") + 1
        raise UnreadableFile(
            "The file begins as one JSON array, but is not a whole one; write one record on each "
            "line (JSON lines), or close the array.",
            line,
        ) from None


def _chunk(lines: list[bytes], numbers: list[int], seen: Seen | None) -> JsonChunk:
    return JsonChunk(b"\n".join((*lines, b"")), np.array(numbers, dtype=np.int64), seen)
