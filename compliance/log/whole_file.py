"""Writes a file whole or not at all, and never over what was read.

What is not finished lies under a hidden name beside it, so that a crash, a full disk or a kill
leaves what was there before. A device or a pipe is written to; it is not replaced.
"""

from __future__ import annotations

import os
import stat
import tempfile
from pathlib import Path
from typing import IO, Final

from event_schemas.file_content import was_read

_STREAMS: Final = ("/dev/", "/proc/")


class CannotWrite(Exception):
    """Why something cannot be written, in one sentence with the name of the file."""


class WholeFile:
    """A file on its way: `finish` puts it in its place, `abandon` leaves nothing behind."""

    def __init__(self, path: Path, *, over_input: bool = False) -> None:
        """`over_input` allows to replace a file that was read, as a formatter does."""
        self._path = path
        self._hidden: str | None = None
        refuse_to_write(path, over_input=over_input)
        try:
            if is_stream(path):
                self._file: IO[bytes] = path.open("wb", buffering=0)
            else:
                self._mode = _mode(path)
                handle, self._hidden = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
                self._file = os.fdopen(handle, "wb")
        except OSError as problem:
            raise cannot(path, problem) from None

    def write(self, data: bytes) -> None:
        """Add some bytes."""
        try:
            while data:
                # A pipe may take less than all.
                data = data[self._file.write(data) :]
        except OSError as problem:
            self.abandon()
            raise cannot(self._path, problem) from None

    def finish(self) -> None:
        """It is whole: from now on it has its name."""
        try:
            self._file.flush()
            if self._hidden is not None:
                os.fsync(self._file.fileno())
                os.chmod(self._hidden, self._mode)
            self._file.close()
            if self._hidden is not None:
                os.replace(self._hidden, self._path)
                self._hidden = None
        except OSError as problem:
            self.abandon()
            raise cannot(self._path, problem) from None

    def abandon(self) -> None:
        """It will never be whole."""
        if self._hidden is not None:
            os.unlink(self._hidden)
            self._hidden = None
        try:
            self._file.close()
        except OSError:
            # What could not be written does not matter any more.
            return


def refuse_to_write(path: Path, *, over_input: bool = False) -> None:
    """Say why a name is none to write to: a link, a folder, or what was read."""
    try:
        if is_stream(path):
            if was_read(path):
                raise CannotWrite(f"{path} is read by this command, and is not overwritten.")
            return
        if path.is_symlink():
            raise CannotWrite(f"{path} is a link; name the file itself that is to be written.")
        if path.is_dir():
            raise CannotWrite(f"{path} is a folder; name a file in it.")
        if not over_input and was_read(path):
            raise CannotWrite(f"{path} is read by this command, and is not overwritten.")
    except OSError as problem:
        raise cannot(path, problem) from None


def is_stream(path: Path) -> bool:
    """Whether a name is that of a device, of a pipe, or of what the shell has opened."""
    if not os.path.exists(path):
        return False
    if str(path).startswith(_STREAMS):
        return True
    mode = path.stat().st_mode
    return stat.S_ISCHR(mode) or stat.S_ISFIFO(mode)


def cannot(path: Path, problem: OSError) -> CannotWrite:
    """The sentence about a file that the system does not let us write."""
    return CannotWrite(f"{path} cannot be written: {problem.strerror}.")


def _mode(path: Path) -> int:
    """What may be done with a file: as before, or as the user's own files."""
    if path.exists():
        return path.stat().st_mode & 0o7777
    # What they may not allow can only be read by setting it.
    mask = os.umask(0o077)
    os.umask(mask)
    return 0o666 & ~mask
