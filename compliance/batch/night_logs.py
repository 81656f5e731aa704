"""Finds the log files of a night, and tells whether they are those that it was judged by."""

from __future__ import annotations

import glob
import hashlib
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from compliance.api.refusal import Refused
from compliance.batch.settings import Casino, with_date
from compliance.log.sources import format_of
from compliance.store.night_record import UsedFile

LOG = "log"


@dataclass(frozen=True)
class LogFile:
    """A file that belongs to a night."""

    path: Path
    name: str
    """From the folder of the settings."""
    size: int
    stamp: str
    """As long as it is the same, nobody has touched the file."""


def logs_of(casino: Casino, day: date, home: Path) -> tuple[LogFile, ...]:
    """The files of a night, in the order of their names."""
    found: dict[str, LogFile] = {}
    for pattern in casino.logs:
        for name in glob.glob(with_date(pattern, day), root_dir=home, recursive=True):
            path = home / name
            if path.is_dir():
                within = (item for item in sorted(path.rglob("*")) if format_of(item) is not None)
                for item in within:
                    _add(found, item, home)
            else:
                _add(found, path, home)
    return tuple(found[name] for name in sorted(found))


def _add(found: dict[str, LogFile], path: Path, home: Path) -> None:
    if path.name.startswith("."):
        return
    try:
        state = path.stat()
    except OSError as problem:
        # A link to nowhere is a file that should be there.
        raise Refused(f"{path} cannot be read: {problem.strerror}.") from None
    name = path.relative_to(home).as_posix() if path.is_relative_to(home) else str(path)
    stamp = f"{state.st_size}:{state.st_mtime_ns}:{state.st_ctime_ns}:{state.st_ino}"
    found[name] = LogFile(path, name, state.st_size, stamp)


def used_files(logs: Sequence[LogFile], known: Iterable[UsedFile] = ()) -> tuple[UsedFile, ...]:
    """The files with their hashes; one that nobody touched is not read again."""
    before = {file.name: file for file in known}
    used = []
    for log in logs:
        earlier = before.get(log.name)
        same = earlier is not None and earlier.stamp == log.stamp
        sha256 = earlier.sha256 if same and earlier is not None else _sha256(log.path)
        used.append(UsedFile(LOG, log.name, sha256, log.size, log.stamp))
    return tuple(used)


def contents(files: Iterable[UsedFile]) -> list[str]:
    """What a night was judged by: the same contents under other names are the same night."""
    return sorted(file.sha256 for file in files)


def refuse_changed(logs: Iterable[LogFile]) -> None:
    """A file that somebody wrote to while it was read says nothing reliable."""
    for log in logs:
        state = os.stat(log.path) if log.path.exists() else None
        if state is None or not log.stamp.startswith(f"{state.st_size}:{state.st_mtime_ns}:"):
            raise Refused(
                f"{log.path} was changed while it was read.",
                hint="Let the batch begin when the files are complete (ready_after_minutes).",
            )


def _sha256(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as problem:
        raise Refused(f"{path} cannot be read: {problem.strerror}.") from None
