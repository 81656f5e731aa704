"""Writes a file whole or not at all: a crash in the middle leaves what was there before."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from compliance.cli.refused import Refused


def write_whole(path: Path, text: str | bytes) -> None:
    """Replace or make a file; where that is not possible, say why."""
    # A link goes on pointing at the file: the file that it means is the one that changes.
    target = path.resolve()
    try:
        _replace(target, text.encode("utf-8") if isinstance(text, str) else text)
    except OSError as problem:
        raise Refused(f"{path} cannot be written: {problem.strerror}.") from None


def _replace(target: Path, content: bytes) -> None:
    mode = target.stat().st_mode & 0o7777 if target.exists() else 0o666 & ~_umask()
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(name, mode)
        os.replace(name, target)
    except BaseException:
        os.unlink(name)
        raise


def _umask() -> int:
    """What the user's own files may not allow; it can only be read by setting it."""
    mask = os.umask(0o077)
    os.umask(mask)
    return mask
