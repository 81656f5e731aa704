"""Tells whether a file is still the one that it was."""

from __future__ import annotations

from pathlib import Path

FileState = tuple[int, int, int]
"""Which file it is, its size, and when it was changed."""


def state_of(path: Path) -> FileState:
    """What changes when a file is replaced, written to or cut off."""
    state = path.stat()
    return state.st_ino, state.st_size, state.st_mtime_ns
