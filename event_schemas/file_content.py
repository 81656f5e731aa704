"""Reads a whole file, once: what was read is what a report names, with the hash of these bytes.

Only stored files are read, and pipes that a shell has opened. A named pipe would wait for ever, a
device never ends, and what lies in /proc is no evidence: each is refused in a sentence.
"""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Final

from event_schemas.limits import LARGEST_SIDE_FILE

_MACHINE: Final = ("/proc", "/sys")
_PIECE: Final = 1 << 20
_now: Final[ContextVar[_Read | None]] = ContextVar("_now", default=None)


class UnreadableContent(Exception):
    """Why a file is not read: `reason` follows a colon, and ends without a full stop."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(frozen=True)
class FileContent:
    """The bytes of a file as they were used."""

    data: bytes

    @cached_property
    def sha256(self) -> str:
        """The hash of exactly these bytes."""
        return hashlib.sha256(self.data).hexdigest()

    def text(self) -> str:
        """What the file says, if it is text."""
        try:
            return self.data.decode("utf-8-sig").replace("\r\n", "\n")
        except UnicodeDecodeError as problem:
            raise UnreadableContent(f"it is not UTF-8 text at byte {problem.start + 1:,}") from None


@dataclass
class _Read:
    """What one command has read so far."""

    contents: dict[str, FileContent] = field(default_factory=dict)
    files: set[tuple[int, int]] = field(default_factory=set)


@contextmanager
def each_file_once(*, anew: bool = False) -> Iterator[None]:
    """Meanwhile, who reads a file again gets the same bytes, whatever became of the file, and it is
    known which files were read. A command that does several checks begins `anew` for each."""
    if _now.get() is not None and not anew:
        yield
        return
    before = _now.set(_Read())
    try:
        yield
    finally:
        _now.reset(before)


def was_read(path: str | Path) -> bool:
    """Whether a file is one of those that were read, by whatever name."""
    now = _now.get()
    if now is None or not os.path.exists(path):
        return False
    state = os.stat(path)
    return (state.st_dev, state.st_ino) in now.files


def file_content(path: str | Path, most: int = LARGEST_SIDE_FILE) -> FileContent:
    """All bytes of a file, if it has no more than `most`."""
    now, name = _now.get(), os.path.abspath(path)
    if now is not None and name in now.contents:
        return now.contents[name]
    content = FileContent(_all_bytes(path, most))
    if now is not None:
        now.contents[name] = content
    return content


def _all_bytes(path: str | Path, most: int) -> bytes:
    handle = open_stored(path)
    pieces: list[bytes] = []
    size = 0
    try:
        while piece := os.read(handle, _PIECE):
            pieces.append(piece)
            size += len(piece)
            if size > most:
                raise UnreadableContent(f"it is larger than {most:,} bytes")
    except OSError as problem:
        raise UnreadableContent(_reason(problem)) from None
    finally:
        os.close(handle)
    return b"".join(pieces)


def why_unreadable(path: str | Path) -> str:
    """Why something is no file to read, without opening it; nothing where it may be one."""
    try:
        return _strange(path, os.stat(path))
    except OSError as problem:
        return _reason(problem)
    except ValueError:
        return "no file can have this name"


def open_stored(path: str | Path) -> int:
    """A handle of a stored file or of a shell's pipe; anything else is refused, without waiting."""
    try:
        # A named pipe that nobody writes to would keep us here for ever.
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError as problem:
        raise UnreadableContent(_reason(problem)) from None
    except ValueError:
        raise UnreadableContent("no file can have this name") from None
    try:
        strange = _strange(path, os.fstat(handle))
        if strange:
            raise UnreadableContent(strange)
        os.set_blocking(handle, True)
    except BaseException:
        os.close(handle)
        raise
    return handle


def _strange(path: str | Path, state: os.stat_result) -> str:
    """Why something that is there is no file to read; one that is will be remembered as read."""
    if stat.S_ISDIR(state.st_mode):
        return "it is a folder"
    if stat.S_ISSOCK(state.st_mode):
        return "it is a socket, not a stored file"
    if stat.S_ISFIFO(state.st_mode):
        # What a shell opens has no place among the files.
        named = os.path.exists(os.path.realpath(path))
        return "it is a named pipe, not a stored file" if named else ""
    if not stat.S_ISREG(state.st_mode):
        return "it is a device, not a stored file"
    if any(os.path.isdir(top) and state.st_dev == os.stat(top).st_dev for top in _MACHINE):
        return "it is a view of the running machine, not a stored file"
    now = _now.get()
    if now is not None:
        now.files.add((state.st_dev, state.st_ino))
    return ""


def _reason(problem: OSError) -> str:
    return (problem.strerror or "it cannot be opened").lower()
