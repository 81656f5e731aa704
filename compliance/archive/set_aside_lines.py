"""The lines of an archived night that could not be read: what they say is lost, that they were
there is not."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

import msgspec

from compliance.archive.folder import ArchiveProblem
from compliance.log.lost_lines import KnownOfLine
from compliance.log.problems import Quarantine, SetAside


class _Kept(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    file: str
    line: int
    reason: str
    text: str
    known: KnownOfLine


_reader: Final = msgspec.json.Decoder(_Kept)


class KeptLines(Quarantine):
    """Remembers every line that is set aside, with all that is known of it."""

    def __init__(self, path: Path | None = None) -> None:
        super().__init__(path)
        self.lines: list[SetAside] = []

    def add(self, items: Iterable[SetAside]) -> None:
        """Set lines aside."""
        items = list(items)
        self.lines += items
        super().add(items)


def lines_bytes(lines: Iterable[SetAside]) -> bytes:
    """The lines as they are kept."""
    encode = msgspec.json.encode
    kept = (_Kept(item.file, item.line, item.reason, item.text, item.known) for item in lines)
    return b"".join(encode(item) + b"\n" for item in kept)


def lines_of_bytes(content: bytes, path: str) -> Iterator[SetAside]:
    """The lines again."""
    for number, line in enumerate(content.splitlines(), start=1):
        try:
            kept = _reader.decode(line)
        except msgspec.MsgspecError as problem:
            said = f"{path} of the archive, line {number}: {problem}."
            raise ArchiveProblem(said) from None
        yield SetAside(kept.file, kept.line, kept.reason, kept.text, kept.known)
