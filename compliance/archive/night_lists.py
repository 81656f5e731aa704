"""Which nights an archive has."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from compliance.archive.folder import ArchiveFolder, ArchiveProblem, file_name, name_of_file
from compliance.archive.night_list import NightList, list_of_bytes


def casinos_of(archive: ArchiveFolder) -> list[str]:
    """The casinos that have nights in an archive."""
    return sorted(name_of_file(path) for path in archive.folders(""))


def days_of(archive: ArchiveFolder, casino: str) -> list[tuple[date, str]]:
    """The days of a casino that are archived, and where their lists lie, without opening any."""
    found = []
    for path in archive.files(f"{file_name(casino)}/nights"):
        name = path.rsplit("/", 1)[-1].removesuffix(".json")
        try:
            found.append((date.fromisoformat(name), path))
        except ValueError:
            raise ArchiveProblem(f"{path} of the archive is no list of a night.") from None
    return sorted(found)


def night_lists(
    archive: ArchiveFolder, casino: str, first: date | None = None, last: date | None = None
) -> Iterator[NightList]:
    """The nights of a casino from one day to another, both included."""
    for day, path in days_of(archive, casino):
        if (first is None or day >= first) and (last is None or day <= last):
            yield list_of_bytes(archive.read(path), path)
