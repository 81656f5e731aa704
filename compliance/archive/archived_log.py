"""Nights of an archive as one log: only the tables and days that are wanted are opened."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import chain
from pathlib import Path

from compliance.archive.archived_table import ArchivedTable, FileHere, TableNight, UnusableNight
from compliance.archive.folder import ArchiveFolder, ArchiveProblem, digest
from compliance.archive.night_list import KeptFile, NightList, NightTable
from compliance.archive.night_lists import casinos_of, days_of, night_lists
from compliance.archive.set_aside_lines import lines_of_bytes
from compliance.log.fingerprints import Fingerprints
from compliance.log.problems import Quarantine, SetAside
from compliance.log.tables import ReadLog
from event_schemas import did_you_mean
from reports.model import Input
from reports.wording import counted, day

Place = tuple[str, str]


@dataclass(frozen=True)
class Wanted:
    """A part of an archive: a casino, and of it some tables and days."""

    casino: str | None = None
    """The only one that the archive has, if none is named."""
    tables: tuple[str, ...] = ()
    """All of them if none is named."""
    first: date | None = None
    last: date | None = None
    """The last day, included."""


class ArchivedLog:
    """The wanted tables, none of which is read before its turn comes."""

    def __init__(
        self,
        archive: ArchiveFolder,
        wanted: Wanted,
        nights: Sequence[NightList],
        quarantine: Path | None,
        folder: Path,
    ) -> None:
        self._archive = archive
        self._wanted = wanted
        self._nights = nights
        self._folder = folder
        self._named = _names(nights)
        self._entries = [
            (night, item)
            for night in nights
            for item in night.tables
            if not wanted.tables or item.table in wanted.tables
        ]
        self._files: list[tuple[NightTable, FileHere]] = []
        self._tables = list(self._here())
        self._fingerprints = Fingerprints([here.path for _, here in self._files])
        self._quarantine = self._set_aside(quarantine)

    @property
    def in_part(self) -> bool:
        """Whether some tables of the casino are left out."""
        return len(self._entries) < sum(len(night.tables) for night in self._nights)

    @property
    def suits_unknown(self) -> bool:
        """Whether the suits of some cards were put in by a mapping."""
        return any(night.suits_unknown for night in self._nights)

    @property
    def events(self) -> int:
        """How many events the wanted tables have."""
        return sum(item.events for _, item in self._entries)

    def __iter__(self) -> Iterator[ArchivedTable]:
        """Every wanted table, in order of casino and table."""
        for (casino, table), nights in self._tables:
            lost = self._quarantine.lost.of(casino, table)
            yield ArchivedTable(casino, table, (), tuple(nights), lost)

    def as_read(self) -> ReadLog:
        """What a report says of the log besides its events."""
        inputs = []
        for item, here in self._files:
            try:
                found = self._fingerprints.of(here.path)
            except OSError as problem:
                raise here.unusable(f"It cannot be read: {problem.strerror}.") from None
            if found != here.sha256:
                raise here.unusable("It was altered since it was archived.")
            inputs.append(Input(name=here.name, sha256=found, events=item.events))
        return ReadLog(tuple(inputs), self._quarantine, tuple(self._notes()))

    def close(self) -> None:
        """Nobody asks for fingerprints any more."""
        self._fingerprints.stop()

    def _notes(self) -> Iterator[str]:
        days = [night.day for night in self._nights]
        span = day(days[0]) if len(days) == 1 else f"{day(days[0])} to {day(days[-1])}"
        yield (
            f"Read from an archive: {counted(len(days), 'night')} of {self._nights[0].casino}, "
            f"{span}. Files and lines that are named are those that were archived."
        )
        if self.in_part:
            yield (
                f"Only {', '.join(sorted(self._wanted.tables))} was read of the tables of the "
                "casino: rules that look across tables were not judged."
            )
        yield from dict.fromkeys(note for night in self._nights for note in night.notes)

    def _here(self) -> Iterator[tuple[Place, list[TableNight]]]:
        found: defaultdict[Place, list[TableNight]] = defaultdict(list)
        for night, item in self._entries:
            here = self._fetched(item.log)
            self._files.append((item, here))
            left_out = None if item.left_out is None else self._fetched(item.left_out)
            places = self._fetched(item.places)
            named = self._named.get(night.day)
            found[item.casino, item.table].append(TableNight(here, places, left_out, named))
        yield from sorted(found.items())

    def _fetched(self, file: KeptFile) -> FileHere:
        """A file on this machine; what comes from elsewhere is looked at before it is used."""
        if self._archive.local is not None:
            return FileHere(self._archive.local / file.path, file.path, file.sha256)
        content = self._archive.read(file.path)
        if digest(content) != file.sha256:
            raise ArchiveProblem(f"{file.path} of the archive was altered since it was archived.")
        path = self._folder / f"{file.sha256}{Path(file.path).suffix}"
        path.write_bytes(content)
        return FileHere(path, file.path, file.sha256)

    def _set_aside(self, path: Path | None) -> Quarantine:
        """The lines of these nights that may be records of the wanted tables."""
        quarantine = Quarantine(path)
        known = {(item.casino, item.table) for night in self._nights for item in night.tables}
        wanted = {(item.casino, item.table) for _, item in self._entries}
        seen: dict[tuple[str, int], SetAside] = {}
        for night in self._nights:
            if night.aside is not None:
                content = self._fetched(night.aside).content()
                for item in lines_of_bytes(content, night.aside.path):
                    name = (self._named.get(night.day) or {}).get(item.file, item.file)
                    placed = SetAside(name, item.line, item.reason, item.text, item.known)
                    seen.setdefault((name, item.line), placed)
        for item in seen.values():
            # Of a table that the archive does not know, the name may be what is wrong with it.
            own = (item.known.casino, item.known.table)
            if own in wanted or own not in known:
                quarantine.add([item])
        quarantine.lost.doubt_other_tables(frozenset(known))
        quarantine.close()
        return quarantine


def _names(nights: Sequence[NightList]) -> dict[date, dict[str, str]]:
    """What the sources of each night are called, where different ones have the same name."""
    by_name: defaultdict[str, set[str]] = defaultdict(set)
    for source in chain.from_iterable(night.sources for night in nights):
        by_name[source.name].add(source.sha256)
    if all(len(found) == 1 for found in by_name.values()):
        return {}
    first: dict[tuple[str, str], str] = {}
    for night in nights:
        for source in night.sources:
            first.setdefault((source.name, source.sha256), f"{night.day}/{source.name}")
    return {
        night.day: {source.name: first[source.name, source.sha256] for source in night.sources}
        for night in nights
    }


def archived_log(
    place: str | Path | ArchiveFolder, wanted: Wanted, folder: Path, quarantine: Path | None = None
) -> ArchivedLog:
    """The wanted part of an archive. What has to be fetched comes into the folder."""
    archive = ArchiveFolder.of(place)
    casino = wanted.casino or _only_casino(archive)
    nights = list(night_lists(archive, casino, wanted.first, wanted.last))
    if not nights:
        raise ArchiveProblem(_no_night(archive, casino, wanted))
    known = {item.table for night in nights for item in night.tables}
    for table in wanted.tables:
        if table not in known:
            close = did_you_mean(table, known)
            guess = f" Did you mean {close}?" if close else ""
            raise ArchiveProblem(
                f"The archive {archive.name} has no table {table} of {casino} in these "
                f"nights.{guess}"
            )
    return ArchivedLog(archive, wanted, nights, quarantine, folder)


def _only_casino(archive: ArchiveFolder) -> str:
    casinos = casinos_of(archive)
    if len(casinos) == 1:
        return casinos[0]
    if not casinos:
        raise ArchiveProblem(f"There is no archive {archive.name}, or it is empty.")
    raise ArchiveProblem(
        f"The archive {archive.name} has {len(casinos)} casinos ({', '.join(casinos[:5])}); name "
        "one with --casino."
    )


def _no_night(archive: ArchiveFolder, casino: str, wanted: Wanted) -> str:
    days = [found for found, _ in days_of(archive, casino)]
    if days:
        span = f"{day(days[0])} to {day(days[-1])}"
        return f"The archive {archive.name} has no night of {casino} in this time; it has {span}."
    casinos = casinos_of(archive)
    close = did_you_mean(casino, casinos)
    guess = f" Did you mean {close}?" if close else ""
    if not casinos:
        return f"There is no archive {archive.name}, or it is empty."
    return f"The archive {archive.name} has no casino {casino}.{guess}"


__all__ = ["ArchivedLog", "UnusableNight", "Wanted", "archived_log"]
