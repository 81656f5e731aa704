"""Writes a file whole or not at all: a crash in the middle leaves what was there before."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable
from pathlib import Path

from compliance.api.refusal import Refused


def write_whole(path: Path, content: str | bytes | Iterable[bytes]) -> None:
    """Replace or make a file, if need be piece by piece; where that is not possible, say why."""
    # A link goes on pointing at the file: the file that it means is the one that changes.
    target = path.resolve()
    try:
        _replace(target, _pieces(content))
    except OSError as problem:
        raise Refused(f"{path} cannot be written: {problem.strerror}.") from None


def _pieces(content: str | bytes | Iterable[bytes]) -> Iterable[bytes]:
    if isinstance(content, str):
        return (content.encode("utf-8"),)
    return (content,) if isinstance(content, bytes) else content


def _replace(target: Path, pieces: Iterable[bytes]) -> None:
    mode = target.stat().st_mode & 0o7777 if target.exists() else 0o666 & ~_umask()
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            for piece in pieces:
                file.write(piece)
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
