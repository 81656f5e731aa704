"""Writes a file whole or not at all: a crash in the middle leaves what was there before."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from compliance.api.refusal import Refused
from compliance.log.whole_file import CannotWrite, WholeFile


def write_whole(
    path: Path, content: str | bytes | Iterable[bytes], *, over_input: bool = False
) -> None:
    """Replace or make a file, if need be piece by piece; where that is not possible, say why."""
    try:
        file = WholeFile(path, over_input=over_input)
        try:
            for piece in _pieces(content):
                file.write(piece)
        except BaseException:
            file.abandon()
            raise
        file.finish()
    except CannotWrite as problem:
        raise Refused(str(problem)) from None


def _pieces(content: str | bytes | Iterable[bytes]) -> Iterable[bytes]:
    if isinstance(content, str):
        return (content.encode("utf-8"),)
    return (content,) if isinstance(content, bytes) else content
