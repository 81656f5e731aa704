"""Reads JSON lines: one record on each line; or all of them in one array."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from compliance.log.blocks import Block, line_blocks
from compliance.log.bytes_in import Opened
from compliance.log.layout import Layout
from compliance.log.lost_lines import NOTHING, known_of_text
from compliance.log.raw import Single
from compliance.log.readers.json_array import is_array, read_json_array
from compliance.log.readers.json_chunk import JsonChunk, Seen


def read_json_lines(stream: Opened, layout: Layout | None, size: int) -> Iterator[JsonChunk]:
    """The records of a file, some at a time; without a layout they are wanted one by one."""
    seen = None if layout is None else Seen(layout)
    if is_array(stream):
        yield from read_json_array(stream, seen, size)
        return
    for block in line_blocks(stream, size):
        yield json_chunk(block, seen)


def json_chunk(block: Block, seen: Seen | None) -> JsonChunk:
    """The records of a block of lines."""
    numbers = np.arange(block.first_line, block.first_line + block.count, dtype=np.int64)
    chunk = JsonChunk(block.data, numbers, seen)
    # Without a layout the lines are in the words of another system.
    known = (lambda _: NOTHING) if seen is None else known_of_text
    bad = (Single(bad.line, bad.reason, bad.text, known(bad.text)) for bad in block.bad)
    chunk.singles = [*chunk.singles, *bad]
    return chunk
