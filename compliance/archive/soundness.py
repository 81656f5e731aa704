"""Whether every file of an archive is there and is what was archived."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from compliance.archive.folder import ArchiveFolder, ArchiveProblem, digest, file_name
from compliance.archive.night_list import KeptFile, list_of_bytes
from compliance.archive.night_lists import days_of


@dataclass(frozen=True)
class Unsound:
    """What is wrong with a file of an archive."""

    path: str
    sentence: str
    harmless: bool = False
    """Whether no night rests on the file."""


def unsound_files(archive: ArchiveFolder, casino: str) -> Iterator[Unsound]:
    """Everything that is wrong with a casino's nights, in the order of their names."""
    named: set[str] = set()
    for _, path in days_of(archive, casino):
        named.add(path)
        try:
            night = list_of_bytes(archive.read(path), path)
        except ArchiveProblem as problem:
            yield Unsound(path, str(problem))
            continue
        for file in night.files:
            named.add(file.path)
            wrong = _wrong(archive, file)
            if wrong:
                yield Unsound(file.path, wrong)
    for path in archive.files(file_name(casino), deep=True):
        if path not in named:
            said = f"{path} of the archive belongs to no night; it may be removed."
            yield Unsound(path, said, harmless=True)


def _wrong(archive: ArchiveFolder, file: KeptFile) -> str:
    if archive.size_of(file.path) is None:
        return f"{file.path} of the archive is gone."
    try:
        content = archive.read(file.path)
    except ArchiveProblem as problem:
        return str(problem)
    if digest(content) != file.sha256:
        return f"{file.path} of the archive was altered since it was archived."
    return ""
