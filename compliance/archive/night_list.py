"""What an archived night is made of: its files with their hashes, and what it was made from."""

from __future__ import annotations

from datetime import date
from typing import Final

import msgspec

from compliance.archive.folder import ArchiveProblem, file_name

VERSION: Final = "1"


class KeptFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A file of the archive."""

    path: str
    sha256: str
    size: int


class ArchivedSource(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A file that was archived."""

    name: str
    sha256: str
    events: int


class NightTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The night of one table."""

    casino: str
    table: str
    events: int
    log: KeptFile
    """Its events, a log in Parquet."""
    places: KeptFile
    """Where each stood, and by what clock its time was written."""
    left_out: KeptFile | None = None
    """The numbers of the records that the mapping left out on purpose."""


class NightList(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One night of one casino."""

    archive_version: str = VERSION
    casino: str
    day: date
    sources: tuple[ArchivedSource, ...]
    tables: tuple[NightTable, ...]
    aside: KeptFile | None = None
    """The lines that could not be read, and what is known of each."""
    notes: tuple[str, ...] = ()
    """What a reader has to know of the files."""
    suits_unknown: bool = False
    """Whether the suits of its cards were put in by the mapping."""

    @property
    def files(self) -> tuple[KeptFile, ...]:
        """Every file of the night."""
        tables = (file for item in self.tables for file in (item.log, item.places, item.left_out))
        return tuple(file for file in (*tables, self.aside) if file is not None)


def list_path(casino: str, day: date) -> str:
    """Where the list of a night lies."""
    return f"{file_name(casino)}/nights/{day.isoformat()}.json"


def list_bytes(night: NightList) -> bytes:
    """The list as it is kept: the same night gives the same bytes."""
    return msgspec.json.format(msgspec.json.encode(night), indent=1) + b"\n"


def list_of_bytes(content: bytes, path: str) -> NightList:
    """The list that some bytes are, if they are one and speak of the night that they lie at."""
    try:
        found = msgspec.json.decode(content, type=NightList)
    except msgspec.MsgspecError as problem:
        raise ArchiveProblem(f"{path} of the archive is no list of a night: {problem}.") from None
    if found.archive_version != VERSION:
        raise ArchiveProblem(
            f"{path} of the archive has the form {found.archive_version:.20}; this version of the "
            f"program reads form {VERSION}."
        )
    if list_path(found.casino, found.day) != path:
        raise ArchiveProblem(f"{path} of the archive is the list of another night.")
    own = f"{file_name(found.casino)}/"
    for file in found.files:
        if not file.path.startswith(own) or ".." in file.path.split("/"):
            raise ArchiveProblem(f"{path} of the archive names a file outside its casino.")
    return found
