"""One table of an archive: read where it is checked, night after night, and with all that the
files told that were archived."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from compliance.archive.folder import digest
from compliance.archive.parquet_form import PLACES, frame_of_bytes
from compliance.log.grouped_log import UnreadTable
from compliance.log.layout import Layout, layout_of
from compliance.log.lost_lines import LostLine
from compliance.log.manifest import Manifest
from compliance.log.problems import LogProblem
from compliance.log.row_group_table import DamagedFile, read_table
from compliance.log.row_groups import grouped_file
from compliance.log.sources import Source
from compliance.log.spill import narrow
from compliance.log.tables import TableFrame, in_order, tables
from compliance.log.typed_columns import CloserLookNeeded
from compliance.table_log.coded_texts import coded_column
from event_schemas import Schema

Read = tuple[pl.DataFrame, Mapping[str, frozenset[str]] | None]


class UnusableNight(DamagedFile):
    """A file of the archive that is not what its night's list says."""

    def __init__(self, problem: LogProblem) -> None:
        super().__init__(problem)
        self.problem = problem


@dataclass(frozen=True)
class FileHere:
    """A file of the archive, on this machine."""

    path: Path
    name: str
    sha256: str

    def content(self) -> bytes:
        """What is in it, if it is what was archived."""
        try:
            content = self.path.read_bytes()
        except OSError as problem:
            raise self.unusable(f"It cannot be read: {problem.strerror}.") from None
        if digest(content) != self.sha256:
            raise self.unusable("It was altered since it was archived.")
        return content

    def unusable(self, message: str) -> UnusableNight:
        """What is said of a file that cannot be relied on."""
        return UnusableNight(LogProblem(self.name, message))


@dataclass(frozen=True)
class TableNight:
    """One night of a table."""

    log: FileHere
    places: FileHere
    left_out: FileHere | None = None
    named: Mapping[str, str] | None = None
    """What its sources are called where several nights have sources of one name."""


@dataclass(frozen=True)
class ArchivedTable(UnreadTable):
    """A table whose events still lie in the archive: this is what travels between processes."""

    nights: tuple[TableNight, ...] = ()
    lost_lines: tuple[LostLine, ...] = ()

    def read(self, schema: Schema) -> TableFrame:
        """The events as they were when they were archived."""
        layout = layout_of(schema)
        found = [self._night(layout, schema, night) for night in self.nights]
        frame, occurs = found[0]
        if len(found) > 1:
            frame, occurs = in_order(list(layout.order), [frame for frame, _ in found]), None
        return TableFrame(
            self.casino,
            self.table,
            frame,
            numbers_left_out=tuple(self._left_out()),
            lost_lines=self.lost_lines,
            occurs=None if occurs is None else Manifest(occurs),
            in_lists=True,
        )

    def _night(self, layout: Layout, schema: Schema, night: TableNight) -> Read:
        frame, occurs = self._straight(layout, night) or self._closely(schema, night)
        places = frame_of_bytes(night.places.content())
        if len(places) != len(frame) or tuple(places.columns) != PLACES:
            raise night.places.unusable("It does not speak of the events of its night.")
        if night.named:
            file = pl.col("file").replace(dict(night.named))
            places = places.with_columns(file)
        columns = {column.name: column for column in frame.iter_columns()}
        columns |= {name: places[name] for name in PLACES}
        return pl.DataFrame([narrow(coded_column(column)) for column in columns.values()]), occurs

    def _straight(self, layout: Layout, night: TableNight) -> Read | None:
        """The table as its pages hold it; nothing where these are unusual."""
        file = grouped_file(Source(night.log.path, night.log.name, "parquet"), layout)
        place = self.casino, self.table
        if file is None or list(file.tables) != [place]:
            return None
        try:
            return read_table(layout, place, (file.tables[place],))
        except CloserLookNeeded:
            return None
        except DamagedFile:
            raise night.log.unusable("It was altered since it was archived.") from None

    def _closely(self, schema: Schema, night: TableNight) -> Read:
        log = tables([night.log.path], schema, form="parquet")
        found = [] if log.problems or log.quarantine.total else list(log)
        if [(table.casino, table.table) for table in found] != [(self.casino, self.table)]:
            raise night.log.unusable("It is not the log of this table alone that was archived.")
        return found[0].small(), None

    def _left_out(self) -> Iterator[int]:
        for night in self.nights:
            if night.left_out is not None:
                yield from frame_of_bytes(night.left_out.content())["seq"].to_list()
