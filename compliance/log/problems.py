"""What is said about a log that cannot be read, or cannot be read in full."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import msgspec

from compliance.log.lost_lines import NOTHING, KnownOfLine, LostLines
from compliance.log.whole_file import WholeFile, cannot

SHOWN: Final = 1_000
"""How many characters of a line that was set aside are kept."""
_DIFFERENT_REASONS: Final = 1_000
_FIRST: Final = 20


@dataclass(frozen=True, slots=True)
class LogProblem:
    """Why a whole file (or folder, or mapping) could not be used: one sentence and its place."""

    file: str
    message: str
    line: int | None = None
    suggestion: str | None = None

    def __str__(self) -> str:
        place = self.file if self.line is None else f"{self.file}, line {self.line}"
        guess = f" Did you mean {self.suggestion}?" if self.suggestion else ""
        return f"{place}: {self.message}{guess}"


class UnreadableFile(Exception):
    """Stops the reading of one file; it becomes a `LogProblem` before it reaches a person."""

    def __init__(self, message: str, line: int | None = None, suggestion: str | None = None):
        super().__init__(message)
        self.message = message
        self.line = line
        self.suggestion = suggestion


@dataclass(frozen=True, slots=True)
class SetAside:
    """A line that is no event, and why: nothing is dropped without being counted here."""

    file: str
    line: int
    reason: str
    text: str
    known: KnownOfLine = NOTHING
    """What the line still tells of its record."""

    def written(self) -> bytes:
        """The line of the side file."""
        shown = {"file": self.file, "line": self.line, "reason": self.reason, "text": self.text}
        return msgspec.json.encode(shown)


class Quarantine:
    """Keeps every line that was set aside, in a file of JSON lines, and counts the reasons."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = path
        self.total = 0
        self.reasons: Counter[str] = Counter()
        self.first: list[SetAside] = []
        self.lost = LostLines()
        """What is known of all these lines."""
        self._file: WholeFile | None = None

    def add(self, items: Iterable[SetAside]) -> None:
        """Set lines aside; the side file is made when the first one comes."""
        for item in items:
            self.total += 1
            self.lost.add(item.file, item.line, item.known)
            known = item.reason in self.reasons or len(self.reasons) < _DIFFERENT_REASONS
            # A log of nonsense has as many reasons as lines: counting them must not fill memory.
            self.reasons[item.reason if known else "Another reason."] += 1
            if len(self.first) < _FIRST:
                self.first.append(item)
            if self.path is not None:
                if self._file is None:
                    _make_folder(self.path.parent)
                    # Half a list would look like all of it.
                    self._file = WholeFile(self.path)
                self._file.write(item.written() + b"\n")

    def close(self, *, whole: bool = True) -> None:
        """Finish the side file; one that is not `whole` is thrown away."""
        if self._file is None:
            return
        file, self._file = self._file, None
        if whole:
            file.finish()
        else:
            file.abandon()


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise cannot(folder, problem) from None


def shortened(text: str) -> str:
    """The beginning of a text that is too long to keep."""
    return text if len(text) <= SHOWN else text[:SHOWN]
