"""Puts nights into the archive: whole, or not at all; the same night again changes nothing."""

from __future__ import annotations

import tempfile
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path

import polars as pl

from compliance.archive.archived_table import ArchivedTable, FileHere, TableNight
from compliance.archive.folder import ArchiveFolder, ArchiveProblem, digest, file_name
from compliance.archive.night_days import days_of_events, days_of_line
from compliance.archive.night_list import (
    ArchivedSource,
    KeptFile,
    NightList,
    NightTable,
    list_bytes,
    list_of_bytes,
    list_path,
)
from compliance.archive.parquet_form import log_bytes, numbers_bytes, places_bytes
from compliance.archive.set_aside_lines import KeptLines, lines_bytes
from compliance.log.layout import layout_of
from compliance.log.mapping import Mapping
from compliance.log.problems import LogProblem, SetAside
from compliance.log.sources import find_sources
from compliance.log.tables import LogFiles, LogTables, TableFrame, read_files
from compliance.table_log.frame import FIXED
from compliance.values.gaming_day import GamingClock
from event_schemas import Schema

Night = tuple[str, date]


@dataclass(frozen=True)
class WrittenNight:
    """What became of a night."""

    night: NightList
    changed: bool
    """Whether the archive had it not, or otherwise."""
    replaced: bool
    """Whether it had another one."""


class LogRefused(Exception):
    """Why a log was not archived."""

    def __init__(self, problems: tuple[LogProblem, ...]) -> None:
        super().__init__(" ".join(map(str, problems)))
        self.problems = problems


@dataclass
class _Gathered:
    """What is found of one night."""

    tables: list[NightTable] = field(default_factory=list)
    events: defaultdict[str, int] = field(default_factory=lambda: defaultdict(int))
    """By source."""
    aside: list[SetAside] = field(default_factory=list)


def write_night(
    place: str | Path | ArchiveFolder,
    casino: str,
    day: date,
    logs: Sequence[str | Path],
    schema: Schema,
    mapping: Mapping | None = None,
    form: str | None = None,
) -> WrittenNight:
    """Archive all that some files hold as one night of a casino, instead of what was there."""
    archive = ArchiveFolder.of(place)
    with tempfile.TemporaryDirectory(prefix="compliance-") as folder:
        writing = _Writing(archive, schema, mapping, Path(folder))
        log = writing.read(logs, form)
        gathered = _Gathered(aside=writing.aside.lines)
        for table in log:
            gathered.tables.append(writing.table(casino, day, table, table.frame, [*_left(table)]))
        for source in log.inputs:
            gathered.events[source.name] = source.events
        return writing.finished((casino, day), gathered, log)


def write_nights(
    place: str | Path | ArchiveFolder,
    clock: GamingClock,
    logs: Sequence[str | Path],
    schema: Schema,
    mapping: Mapping | None = None,
    *,
    form: str | None = None,
    replace: bool = False,
) -> list[WrittenNight]:
    """Archive what some files hold, night by night, by the times of the events.

    A night that is there already, from other files, is replaced only if that is asked for: a few
    events with a wrong clock must not take the place of a night.
    """
    archive = ArchiveFolder.of(place)
    with tempfile.TemporaryDirectory(prefix="compliance-") as folder:
        writing = _Writing(archive, schema, mapping, Path(folder))
        log = writing.read(logs, form)
        nights: defaultdict[Night, _Gathered] = defaultdict(_Gathered)
        where: defaultdict[SetAside, set[Night]] = defaultdict(set)
        for table in log:
            frame = table.frame
            days = days_of_events(frame["ts"], clock)
            for item in writing.aside.lines:
                found = days_of_line(item, table.casino, table.table, frame, days)
                where[item] |= {(table.casino, day) for day in found}
            for day in sorted(set(days.to_list())):
                part = frame.filter(days == day)
                left = _within(_left(table), part["seq"])
                night = nights[table.casino, day]
                night.tables.append(writing.table(table.casino, day, table, part, left))
                for name, number in part.group_by("file").len().iter_rows():
                    night.events[str(name)] += int(number)
        for item in writing.aside.lines:
            for key in where[item] or set(nights):
                nights[key].aside.append(item)
        if not replace:
            try:
                for key, gathered in nights.items():
                    writing.refuse_other_sources(key, gathered, log)
            except ArchiveProblem:
                writing.take_back()
                raise
        return [writing.finished(key, nights[key], log) for key in sorted(nights)]


def _left(table: TableFrame) -> tuple[int, ...]:
    return table.numbers_left_out


def _within(numbers: Iterable[int], seq: pl.Series) -> list[int]:
    """The numbers left out that lie among those of a night, or touch them."""
    first, last = int(seq.min()) - 1, int(seq.max()) + 1  # type: ignore[arg-type]
    return [number for number in numbers if first <= number <= last]


class _Writing:
    """Files on their way into an archive."""

    def __init__(
        self, archive: ArchiveFolder, schema: Schema, mapping: Mapping | None, folder: Path
    ) -> None:
        self._archive = archive
        self._schema = schema
        self._mapping = mapping
        self._folder = folder
        self.aside = KeptLines()
        self._new: list[str] = []
        """Files that the archive did not have."""

    def read(self, logs: Sequence[str | Path], form: str | None) -> LogTables:
        """The log, if all of it can be read."""
        files = LogFiles(
            find_sources(logs, form),
            self._schema,
            self._mapping,
            spill=self._folder,
            aside=self.aside,
        )
        log = read_files(files)
        if log.problems:
            raise LogRefused(log.problems)
        return log

    def table(
        self, casino: str, day: date, table: TableFrame, frame: pl.DataFrame, left: Sequence[int]
    ) -> NightTable:
        """Archive the events of a table, and see that they come back as they are."""
        layout, frame = layout_of(self._schema), _filled(frame)
        name = file_name(table.table)
        if table.casino != casino:
            name = f"{name}@{file_name(table.casino)}"
        place = f"{file_name(casino)}/tables/{name}/{day.isoformat()}"
        contents = {".parquet": log_bytes(layout, frame), ".places.parquet": places_bytes(frame)}
        if left:
            contents[".left-out.parquet"] = numbers_bytes(left)
        self._prove(table, frame, contents)
        kept = {end: self._kept(place, end, content) for end, content in contents.items()}
        return NightTable(
            table.casino,
            table.table,
            len(frame),
            kept[".parquet"],
            kept[".places.parquet"],
            kept.get(".left-out.parquet"),
        )

    def _prove(self, table: TableFrame, frame: pl.DataFrame, contents: dict[str, bytes]) -> None:
        """Evidence is not believed to be kept before it was read again."""
        here = {}
        for end, content in contents.items():
            path = self._folder / f"proof{end}"
            path.write_bytes(content)
            here[end] = FileHere(path, path.name, digest(content))
        night = TableNight(here[".parquet"], here[".places.parquet"])
        again = ArchivedTable(table.casino, table.table, (), (night,)).read(self._schema).small()
        if sorted(again.columns) != sorted(frame.columns):
            gone = sorted(set(again.columns) ^ set(frame.columns))
            raise _not_kept(table, gone)
        other = [
            column.name for column in frame.iter_columns() if not _alike(column, again[column.name])
        ]
        if other:
            raise _not_kept(table, other)

    def _kept(self, place: str, end: str, content: bytes) -> KeptFile:
        sha256 = digest(content)
        path = f"{place}.{sha256[:16]}{end}"
        if self._archive.size_of(path) != len(content):
            self._archive.write(path, content)
            self._new.append(path)
        return KeptFile(path, sha256, len(content))

    def refuse_other_sources(self, key: Night, gathered: _Gathered, log: LogTables) -> None:
        """A night that is there from other files stays."""
        before = self._before(*key)
        if before is None:
            return
        now = {(item.name, item.sha256) for item in log.inputs if item.name in gathered.events}
        others = [item.name for item in before.sources if (item.name, item.sha256) not in now]
        if others:
            raise ArchiveProblem(
                f"The archive has the night of {key[1]} of {key[0]} from other files "
                f"({', '.join(others[:3])}). If these belong to another night, name it with "
                "--night; if they are its correction, say --replace."
            )

    def take_back(self) -> None:
        """No night was made of what was written."""
        for path in self._new:
            self._archive.delete(path)

    def _before(self, casino: str, day: date) -> NightList | None:
        path = list_path(casino, day)
        if self._archive.size_of(path) is None:
            return None
        return list_of_bytes(self._archive.read(path), path)

    def finished(self, key: Night, gathered: _Gathered, log: LogTables) -> WrittenNight:
        """The night is there with its list; what only the one before it named goes."""
        casino, day = key
        aside = None
        if gathered.aside:
            place = f"{file_name(casino)}/aside/{day.isoformat()}"
            aside = self._kept(place, ".jsonl", lines_bytes(gathered.aside))
        night = NightList(
            casino=casino,
            day=day,
            sources=tuple(
                ArchivedSource(item.name, item.sha256, gathered.events[item.name])
                for item in log.inputs
                if item.name in gathered.events
            ),
            tables=tuple(gathered.tables),
            aside=aside,
            notes=log.notes,
            suits_unknown=self._mapping is not None and self._mapping.suits_unknown,
        )
        before = self._before(casino, day)
        if before != night:
            self._archive.write(list_path(casino, day), list_bytes(night))
        for path in leftovers(self._archive, night, () if before is None else before.files):
            self._archive.delete(path)
        return WrittenNight(night, before != night, before not in (None, night))


def leftovers(
    archive: ArchiveFolder, night: NightList, more: Iterable[KeptFile] = ()
) -> Iterator[str]:
    """Files of a night that its list does not name: of one that it replaced, or of a writing that
    was ended in the middle."""
    named = {file.path for file in night.files}
    folders = {file.path.rsplit("/", 1)[0] for file in (*night.files, *more)}
    for folder in sorted(folders):
        for path in archive.files(folder):
            if path.startswith(f"{folder}/{night.day.isoformat()}.") and path not in named:
                yield path


def _filled(frame: pl.DataFrame) -> pl.DataFrame:
    """Without columns that say nothing in this part of a table."""

    def says(column: pl.Series) -> bool:
        if column.name.endswith(":below"):
            return bool((column.drop_nulls() != 1).any())
        return column.name in FIXED or column.null_count() < len(column)

    return frame.select(column for column in frame.iter_columns() if says(column))


def _alike(one: pl.Series, other: pl.Series) -> bool:
    if one.dtype == pl.Enum or one.dtype == pl.String:
        return one.cast(pl.String).equals(other.cast(pl.String), null_equal=True)
    return one.cast(pl.Int64).equals(other.cast(pl.Int64), null_equal=True)


def _not_kept(table: TableFrame, columns: Sequence[str]) -> ArchiveProblem:
    names = ", ".join(sorted({column.split(":")[0] for column in columns})[:5])
    return ArchiveProblem(
        f"{table.table}: {names} did not come back from the archive as it was; nothing was "
        "archived of this night."
    )
