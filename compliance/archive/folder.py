"""Where an archive lies: a folder of this machine, or an object store by its address."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote, unquote

from compliance.log.whole_file import CannotWrite, WholeFile

_ADDRESS: Final = re.compile(r"[a-z][a-z0-9+.-]+://")
_SAFE: Final = " "


class ArchiveProblem(Exception):
    """Why an archive cannot be used as it was asked, in one sentence."""


@dataclass(frozen=True)
class ArchiveFolder:
    """A place where files are kept by names with slashes."""

    name: str
    """As it was given."""
    store: Any
    """A file system of pyarrow."""
    root: str
    local: Path | None
    """The folder, if it is one of this machine."""

    @classmethod
    def of(cls, place: str | Path | ArchiveFolder) -> ArchiveFolder:
        """The archive at a path, or at an address such as s3://bucket/archive."""
        from pyarrow import ArrowException, fs  # type: ignore[import-untyped]

        if isinstance(place, ArchiveFolder):
            return place
        name = str(place)
        if not _ADDRESS.match(name):
            return cls(name, fs.LocalFileSystem(), name, Path(name))
        try:
            store, root = fs.FileSystem.from_uri(name)
        except (ArrowException, OSError, ValueError, ImportError) as problem:
            raise ArchiveProblem(f"The archive {name} cannot be opened: {problem}") from None
        return cls(name, store, root, Path(root) if name.startswith("file://") else None)

    def read(self, path: str) -> bytes:
        """The content of a file."""
        try:
            with self.store.open_input_stream(self._at(path)) as file:
                return bytes(file.read())
        except (OSError, ValueError) as problem:
            raise ArchiveProblem(f"{path} of the archive cannot be read: {_why(problem)}") from None

    def write(self, path: str, content: bytes) -> None:
        """Make or replace a file, whole or not at all."""
        try:
            if self.local is None:
                # An object of a store is there when it is closed, and not before.
                with self.store.open_output_stream(self._at(path)) as stream:
                    stream.write(content)
                return
            at = self.local / path
            at.parent.mkdir(parents=True, exist_ok=True)
            file = WholeFile(at, over_input=True)
            file.write(content)
            file.finish()
        except CannotWrite as problem:
            raise ArchiveProblem(str(problem)) from None
        except (OSError, ValueError) as problem:
            said = f"{path} of the archive cannot be written: {_why(problem)}"
            raise ArchiveProblem(said) from None

    def delete(self, path: str) -> None:
        """Take a file away that nothing names any more."""
        try:
            self.store.delete_file(self._at(path))
        except OSError as problem:
            raise ArchiveProblem(
                f"{path} of the archive cannot be removed: {_why(problem)}"
            ) from None

    def size_of(self, path: str) -> int | None:
        """How large a file is; None where there is none."""
        from pyarrow import fs

        try:
            found = self.store.get_file_info(self._at(path))
        except OSError as problem:
            raise ArchiveProblem(f"{path} of the archive cannot be read: {_why(problem)}") from None
        return found.size if found.type == fs.FileType.File else None

    def files(self, folder: str, *, deep: bool = False) -> Iterator[str]:
        """The names of the files in a folder, in order; none where there is no folder."""
        yield from (path for path, is_file in self._inside(folder, deep) if is_file)

    def folders(self, folder: str) -> Iterator[str]:
        """The folders in a folder, in order."""
        yield from (path for path, is_file in self._inside(folder, False) if not is_file)

    def _inside(self, folder: str, deep: bool) -> list[tuple[str, bool]]:
        from pyarrow import fs

        root = self._at(folder)
        chosen = fs.FileSelector(root, allow_not_found=True, recursive=deep)
        try:
            found = self.store.get_file_info(chosen)
        except OSError as problem:
            said = f"The archive {self.name} cannot be read: {_why(problem)}"
            raise ArchiveProblem(said) from None
        start = f"{self.root.rstrip('/')}/"
        return sorted(
            (item.path.removeprefix(start), item.type == fs.FileType.File)
            for item in found
            # What was being written when a machine died lies under a hidden name.
            if not item.base_name.startswith(".")
        )

    def _at(self, path: str) -> str:
        return f"{self.root.rstrip('/')}/{path}".rstrip("/")


def file_name(name: str) -> str:
    """A casino or table as the name of a folder: whatever it is, it leads to no other place."""
    safe = quote(name, safe=_SAFE)
    return safe.replace(".", "%2E") if set(name) <= {"."} else safe


def name_of_file(path: str) -> str:
    """The casino or table that a folder is named after."""
    return unquote(path)


def digest(content: bytes) -> str:
    """The SHA-256 of a file."""
    return hashlib.sha256(content).hexdigest()


def _why(problem: Exception) -> str:
    strerror = getattr(problem, "strerror", None)
    said = str(strerror or problem).splitlines()[0] if str(problem) else type(problem).__name__
    return said if said.endswith(".") else f"{said}."
