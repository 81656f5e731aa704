"""Brings a log to its tables: each table's events in the table's own order, whatever the files.

log = tables(["night/"], builtin_schema(), spill=Path("work"))
for table in log:
    check_table(job, table.frame)
log.inputs, log.problems, log.quarantine.total, log.notes
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import polars as pl

from compliance.log.blocks import BLOCK
from compliance.log.layout import Layout, layout_of
from compliance.log.lost_lines import LostLine
from compliance.log.manifest import Manifest
from compliance.log.mapped_records import MappedFeed
from compliance.log.mapping import Mapping
from compliance.log.problems import LogProblem, Quarantine
from compliance.log.reading import ROWS, Reading, ReadingProgress, told_in_bytes
from compliance.log.sources import Sources, find_sources
from compliance.log.spill import OnDisk, Spill, narrow
from compliance.table_log.coded_texts import coded, joined, recoded, uncoded
from compliance.table_log.frame import FIXED
from event_schemas import Schema
from reports.model import Input
from reports.wording import counted

BUDGET: Final = 128 << 20
"""How many bytes of events are kept in memory before they go to disk."""


@dataclass(frozen=True)
class Limits:
    """How much of a log is held in memory at once. No result depends on it."""

    budget: int = BUDGET
    """Bytes of events before they go to disk."""
    block_size: int = BLOCK
    """Bytes of a text file that are read together."""
    rows: int = ROWS
    """Records of other files that are read together."""


@dataclass(frozen=True)
class LogFiles:
    """The files of a log, and how they are to be read."""

    sources: Sources
    schema: Schema
    mapping: Mapping | None = None
    quarantine: Path | None = None
    """Where to write the lines that are set aside."""
    spill: Path | None = None
    """Where events may wait until their table is whole."""
    limits: Limits = Limits()
    progress: ReadingProgress | None = None
    aside: Quarantine | None = None
    """Takes the lines that are set aside, where somebody else needs them."""


@dataclass(frozen=True)
class ReadLog:
    """What a report says of a log besides its events."""

    inputs: tuple[Input, ...]
    """Every file that was read, with its fingerprint and its number of events."""
    quarantine: Quarantine
    """The lines that were set aside."""
    notes: tuple[str, ...]
    problems: tuple[LogProblem, ...] = ()
    """Why files could not be used; with any of them a run should stop."""


@dataclass(frozen=True)
class TableFrame:
    """All events of one table, in order. One that waits on disk travels between processes by the
    names of its files, and is read where it is worked on."""

    casino: str
    table: str
    held: pl.DataFrame | OnDisk
    columns: tuple[str, ...] = ()
    """All columns in their order, for one on disk."""
    numbers_left_out: tuple[int, ...] = ()
    """Sequence numbers of records that the mapping left out on purpose."""
    lost_lines: tuple[LostLine, ...] = ()
    """Lines that were set aside and may have been records of this table."""
    occurs: Manifest | None = None
    """The event types and fields that occur, where that is known from reading."""
    in_lists: bool = False
    """Whether the texts are lists already, as far as that is worth while."""

    @property
    def frame(self) -> pl.DataFrame:
        """The events with plain texts; made anew each time."""
        return uncoded(self.small())

    def small(self) -> pl.DataFrame:
        """The same with texts as lists, in little memory from the first part read to the last."""
        if not isinstance(self.held, pl.DataFrame):
            return in_order(self.columns, self.held.read())
        return self.held if self.in_lists else coded(self.held)


class LogTables:
    """A log that was read: iterate over it once for the tables, one at a time."""

    def __init__(self, layout: Layout, reading: Reading, spill: Spill, notes: Sequence[str]):
        self._layout = layout
        self._spill = spill
        self._left_out = reading.numbers_left_out
        self.inputs: tuple[Input, ...] = tuple(reading.inputs)
        """Every file that was read, with its fingerprint and its number of events."""
        self.problems: tuple[LogProblem, ...] = tuple(reading.problems)
        """Why files could not be used; with any of them a run should stop."""
        self.quarantine = reading.quarantine
        """The lines that were set aside."""
        self.notes: tuple[str, ...] = tuple(notes)

    @property
    def events(self) -> int:
        """How many events were read from all files."""
        return sum(item.events for item in self.inputs)

    def as_read(self) -> ReadLog:
        """What a report says of it besides its events."""
        return ReadLog(self.inputs, self.quarantine, self.notes, self.problems)

    def __iter__(self) -> Iterator[TableFrame]:
        columns = tuple(self._layout.order)
        self.quarantine.lost.doubt_other_tables(self._spill.places)
        for (casino, table), held in self._spill.tables():
            left_out = tuple(self._left_out.get((casino, table), ()))
            lost = self.quarantine.lost.of(casino, table)
            whole = held if isinstance(held, OnDisk) else in_order(columns, held)
            in_lists = isinstance(whole, pl.DataFrame)
            yield TableFrame(casino, table, whole, columns, left_out, lost, in_lists=in_lists)


def tables(
    paths: Sequence[str | Path],
    schema: Schema,
    mapping: Mapping | None = None,
    quarantine: Path | None = None,
    spill: Path | None = None,
    *,
    form: str | None = None,
    progress: ReadingProgress | None = None,
    budget: int = BUDGET,
    block_size: int = BLOCK,
    rows: int = ROWS,
) -> LogTables:
    """Read all files of a log. Memory is bounded by `budget` and by the largest table.

    Files are taken in the order of their names; `seq` orders a table's events, and events with the
    same `seq` stay in the order in which they were read.
    """
    limits = Limits(budget, block_size, rows)
    found = find_sources(paths, form)
    return read_files(LogFiles(found, schema, mapping, quarantine, spill, limits, progress))


def read_files(files: LogFiles) -> LogTables:
    """The same for files that are found already."""
    layout, limits, sources = layout_of(files.schema), files.limits, files.sources
    quarantine = files.aside or Quarantine(files.quarantine)
    reading = Reading(layout, quarantine, files.mapping, limits.block_size, limits.rows)
    if files.progress is not None:
        reading.told = told_in_bytes(files.progress, sources.files)
    reading.problems.extend(sources.problems)
    kept = Spill(files.spill, limits.budget)
    try:
        for source in sources.files:
            for frame in reading.frames(source):
                kept.add(frame)
    except BaseException:
        reading.quarantine.close(whole=False)
        raise
    reading.quarantine.close()
    notes = [*sources.notes, *reading.notes]
    if reading.left_out:
        notes.append(f"The mapping left out {counted(reading.left_out, 'record')} on purpose.")
    if reading.feed is not None:
        notes += mapping_notes(reading.feed)
    return LogTables(layout, reading, kept, notes)


def mapping_notes(feed: MappedFeed) -> Iterator[str]:
    """What a reader has to know of a feed that was mapped."""
    mapping = feed.mapping
    if feed.unseen:
        names = ", ".join(sorted(".".join(path) for path in feed.unseen))
        yield f"The mapping {mapping.name} names {names}, which no record has."
    if mapping.suits_unknown:
        yield (
            f"The mapping {mapping.name} takes cards without suits: one was put in for each, and "
            "rules that ask for suits are not evaluable."
        )


def in_order(order: Sequence[str], parts: Iterable[pl.DataFrame]) -> pl.DataFrame:
    """A table's events in its order, with the same columns however the log was cut into pieces."""
    waiting = [
        ({column.name: column for column in part}, pl.Series([None] * len(part))) for part in parts
    ]
    seq = pl.concat([columns["seq"] for columns, _ in waiting])
    rows = None
    if not seq.is_sorted():
        rows = seq.to_frame().select(pl.arg_sort_by("seq", maintain_order=True)).to_series()
    done: dict[str, pl.Series] = {}
    # One column after the other takes its new form, so that few of them are in memory twice.
    for name in order:
        if not any(name in columns for columns, _ in waiting):
            continue
        column = joined([_taken(columns, name, nothing) for columns, nothing in waiting])
        if rows is not None:
            column = recoded(column.gather(rows))
        if name in FIXED:
            done[name] = column
        elif name.endswith(":below"):
            values = done.get(name.removesuffix(":below"))
            if values is None:
                continue
            whole = column.fill_null(1).zip_with(values.is_not_null(), column)
            if (whole.drop_nulls() != 1).any():
                done[name] = narrow(whole)
        elif column.null_count() < len(column):
            done[name] = narrow(column)
    return pl.DataFrame(list(done.values()))


def _taken(columns: dict[str, pl.Series], name: str, nothing: pl.Series) -> pl.Series:
    """A column that its part has no more; a part that never had it says nothing there."""
    return columns.pop(name) if name in columns else nothing.alias(name)
