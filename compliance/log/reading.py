"""Reads one file of a log into typed frames, chunk by chunk, and sets aside what is no event."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import numpy as np
import polars as pl

from compliance.log.blocks import BLOCK
from compliance.log.bytes_in import Opened, opened, sniffed
from compliance.log.layout import Layout
from compliance.log.mapped_records import MappedFeed
from compliance.log.mapping import Mapping
from compliance.log.problems import LogProblem, Quarantine, UnreadableFile
from compliance.log.raw import RawChunk, Single
from compliance.log.readers.csv_lines import read_csv
from compliance.log.readers.json_chunk import JsonChunk, Seen
from compliance.log.readers.json_lines import read_json_lines
from compliance.log.readers.parquet import read_parquet
from compliance.log.readers.xes import read_xes
from compliance.log.sources import Source
from compliance.log.typed import typed_chunk
from event_schemas import did_you_mean
from reports.model import Input

ReadingProgress = Callable[[int, int | None, int], None]
"""Told how many bytes were read, of how many (if that is known), and how many events they held."""
ROWS = 30_000
"""How many records of a file are looked at together."""

_UNPROVEN: Final = (
    "{} was packed without a checksum, so that damage in it may go unnoticed; `zstd --check` packs "
    "with one."
)

_NEEDS_MAPPING: Final = (
    " If these are another system's words, `compliance mapping draft FILE` writes a mapping file "
    "that says what they mean."
)


class UnusedFile(Exception):
    """Stops the reading of a file of which a problem has been noted."""


@dataclass
class Reading:
    """Reads the files of a log and keeps count of what they hold."""

    layout: Layout
    quarantine: Quarantine
    mapping: Mapping | None = None
    block_size: int = BLOCK
    rows: int = ROWS
    inputs: list[Input] = field(default_factory=list)
    problems: list[LogProblem] = field(default_factory=list)
    left_out: int = 0
    """Records that the mapping leaves out on purpose."""
    numbers_left_out: dict[tuple[str, str], array[int]] = field(default_factory=dict)
    """By casino and table: the sequence numbers of those records."""
    notes: list[str] = field(default_factory=list)
    """What a reader of the report should know of the files."""
    told: Callable[[int, int], None] | None = None
    """Told how many more bytes and events were read."""
    feed: MappedFeed | None = None

    def __post_init__(self) -> None:
        self.feed = None if self.mapping is None else MappedFeed(self.mapping)

    def frames(self, source: Source) -> Iterator[pl.DataFrame]:
        """The events of one file; its fingerprint and number of events are noted at the end."""
        events, aside, skipped = 0, self.quarantine.total, self.left_out
        done = 0
        try:
            with opened(source) as stream:
                for chunk in self._chunks(source, stream):
                    frame, set_aside = typed_chunk(self.layout, chunk, source.name)
                    self.quarantine.add(set_aside)
                    events += len(frame)
                    if self.told is not None:
                        self.told(stream.position - done, len(frame))
                        done = stream.position
                    if len(frame):
                        yield frame
                digest = stream.hashed.sha256()
                if stream.frames is not None and stream.frames.without_checksum:
                    self.notes.append(_UNPROVEN.format(source.name))
        except UnusedFile:
            return
        except UnreadableFile as problem:
            found = LogProblem(source.name, problem.message, problem.line, problem.suggestion)
            self.problems.append(found)
            return
        self.inputs.append(Input(name=source.name, sha256=digest, events=events))
        if not events and self.left_out == skipped:
            self.problems.append(self._nothing(source, self.quarantine.total - aside))

    def _nothing(self, source: Source, aside: int) -> LogProblem:
        if not aside:
            return LogProblem(source.name, "The file holds no events.")
        first = next((item for item in self.quarantine.first if item.file == source.name), None)
        reason = f" The first, line {first.line}: {first.reason}" if first else ""
        hint = _NEEDS_MAPPING if first and self.feed is None and _of_others(first.reason) else ""
        return LogProblem(
            source.name, f"None of the {aside:,} records could be read as an event.{reason}{hint}"
        )

    def _chunks(self, source: Source, stream: Opened) -> Iterator[RawChunk]:
        layout = self.layout if self.mapping is None else None
        form, chunks = raw_chunks(source, stream, layout, self.rows, self.block_size)
        if self.feed is None:
            yield from chunks
            return
        seen = Seen(self.layout)
        for chunk in chunks:
            if form in ("csv", "parquet"):
                self._check_columns(self.feed.mapping, source, chunk.frame.columns)
            yield self._mapped(chunk, self.feed, seen, source.name)

    def _check_columns(self, mapping: Mapping, source: Source, columns: Sequence[str]) -> None:
        """A column that the mapping names must be there where a file names all of its columns."""
        lacking = {
            path
            for path in mapping.asked
            if path[0] not in columns and ".".join(path) not in columns
        }
        if lacking:
            self.problems += sorted(
                (
                    mapping.lacking(path, source.name, _close(".".join(path), columns))
                    for path in lacking
                ),
                key=lambda problem: problem.line or 0,
            )
            raise UnusedFile

    def _mapped(self, chunk: RawChunk, feed: MappedFeed, seen: Seen, file: str) -> RawChunk:
        lines = feed.lines(chunk.records(), file)
        self.left_out += lines.left_out
        for casino, table, number in lines.numbers_left_out:
            self.numbers_left_out.setdefault((casino, table), array("q")).append(number)
        numbers = np.array(lines.numbers, dtype=np.int64)
        mapped = JsonChunk(lines.data, numbers, seen, lines.texts)
        mapped.singles = [*mapped.singles, *lines.unmapped]
        return mapped


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        # It is gone; its reader will say so.
        return 0


def _of_others(reason: str) -> bool:
    """Whether a record was not understood for the words in it, and not for damage."""
    return reason.startswith(("The record does not say", "There is no event type"))


def _close(name: str, columns: Sequence[str]) -> str | None:
    """The column that may have been meant, whatever its capitals."""
    known = {column.lower(): column for column in columns}
    close = did_you_mean(name.lower(), known)
    return known[close] if close else None


def raw_chunks(
    source: Source, stream: Opened, layout: Layout | None, rows: int = ROWS, size: int = BLOCK
) -> tuple[str | None, Iterator[RawChunk]]:
    """The format of a file, and its records as they stand in it."""
    form = source.format or sniffed(stream.start)
    if form == "parquet" or stream.start[:4] == b"PAR1":
        return "parquet", read_parquet(stream, source, layout, rows)
    if form == "csv":
        return form, read_csv(stream, layout, size)
    if form == "xes":
        return form, read_xes(stream, layout, rows)
    return form, read_json_lines(stream, layout, size)


def raw_records(source: Source) -> Iterator[Single]:
    """The records of another system's file, one by one and in its own words."""
    with opened(source) as stream:
        for chunk in raw_chunks(source, stream, None)[1]:
            yield from chunk.records()


def told_in_bytes(progress: ReadingProgress, files: Sequence[Source]) -> Callable[[int, int], None]:
    """Adds up what was read of all files; the size of a pipe is not known beforehand."""
    paths = [source.path for source in files]
    total = sum(_size(path) for path in paths if path is not None)
    whole = total if None not in paths else None
    so_far = [0, 0]

    def told(size: int, events: int) -> None:
        so_far[0] += size
        so_far[1] += events
        progress(so_far[0], whole, so_far[1])

    told(0, 0)
    return told
