"""A log whose tables stand apart in its files already: none is read before somebody checks it.

log = grouped_log(files)
for table in log:
    frame = table.read(schema)
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from compliance.log.fingerprints import Fingerprints
from compliance.log.layout import layout_of
from compliance.log.manifest import Manifest
from compliance.log.problems import Quarantine
from compliance.log.row_group_table import DamagedFile, read_table
from compliance.log.row_groups import FileGroups, GroupedFile, Place, RowGroup, grouped_file
from compliance.log.sources import Sources
from compliance.log.tables import LogFiles, ReadLog, TableFrame, read_files
from event_schemas import Schema
from reports.model import Input


@dataclass(frozen=True)
class UnreadTable:
    """A table whose events still stand in the log: this is what travels between processes."""

    casino: str
    table: str
    parts: tuple[FileGroups, ...]

    def read(self, schema: Schema) -> TableFrame:
        """The events in their order, with texts as lists; `CloserLookNeeded` where in doubt."""
        place = self.casino, self.table
        frame, occurs = read_table(layout_of(schema), place, self.parts)
        return TableFrame(*place, frame, occurs=Manifest(occurs), in_lists=True)


class GroupedLog:
    """The tables of a log. What was set aside is known when all of them were read."""

    def __init__(self, log: LogFiles, files: Sequence[GroupedFile]) -> None:
        self._log = log
        self._files = files
        self._set_aside: dict[Path, int] = {}
        self._fingerprints = Fingerprints([file.path for file in files])
        self._quarantine = Quarantine(log.quarantine)

    @property
    def events(self) -> int:
        """How many records the files have."""
        return sum(file.rows for file in self._files)

    def as_read(self) -> ReadLog:
        """What a report says of the log besides its events."""
        inputs = tuple(
            Input(
                name=file.source.name,
                sha256=self._fingerprints.of(file.path),
                events=file.rows - self._set_aside.get(file.path, 0),
            )
            for file in self._files
        )
        return ReadLog(inputs, self._quarantine, self._log.sources.notes)

    def __iter__(self) -> Iterator[UnreadTable]:
        """Every table, in order of casino and table."""
        parts: defaultdict[Place, list[FileGroups]] = defaultdict(list)
        for file in self._files:
            for place, part in file.tables.items():
                parts[place].append(part)
        for casino, table in sorted(parts):
            yield UnreadTable(casino, table, tuple(parts[casino, table]))

    def read_closely(self, tables: Sequence[UnreadTable]) -> Iterator[TableFrame]:
        """Tables of which something is in doubt, read the general way: what is no event is set
        aside."""
        wanted: defaultdict[Path, list[RowGroup]] = defaultdict(list)
        for part in (part for table in tables for part in table.parts):
            wanted[part.path] += part.groups
        files = [file for file in self._files if file.path in wanted]
        sources = [
            replace(file.source, row_groups=tuple(sorted(g.number for g in wanted[file.path])))
            for file in files
        ]
        chosen = Sources(tuple(sources), (), ())
        log = read_files(replace(self._log, sources=chosen, progress=None))
        if log.problems:
            # What is wrong with a file is said of the whole file.
            raise DamagedFile
        self._quarantine = log.quarantine
        self._set_aside = {
            file.path: sum(group.rows for group in wanted[file.path]) - item.events
            for file, item in zip(files, log.inputs, strict=True)
        }
        return iter(log)

    def close(self) -> None:
        """Nobody asks for fingerprints any more."""
        self._fingerprints.stop()


def grouped_log(log: LogFiles) -> GroupedLog | None:
    """The log, if in all of its files the tables stand apart; None where it must be sorted out."""
    if log.mapping is not None or log.sources.problems:
        return None
    files = []
    for source in log.sources.files:
        file = grouped_file(source, layout_of(log.schema))
        if file is None:
            return None
        files.append(file)
    found = GroupedLog(log, files)
    if log.progress is not None:
        size = sum(file.size for file in files)
        log.progress(size, size, found.events)
    return found
