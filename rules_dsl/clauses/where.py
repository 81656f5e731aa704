"""Finds the place of a row, and of a word in it, in a file of the clause map.

The TOML reader of Python tells what a file says, not where; messages need the where.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from rules_dsl.source import Source
from rules_dsl.syntax import Span

_HEAD = re.compile(r"^[ \t]*\[\[[ \t]*(?:row|text)[ \t]*\]\]", re.M)


@dataclass(frozen=True)
class Places:
    """Where the rows of one file stand."""

    source: Source
    heads: list[int] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "heads", [m.start() for m in _HEAD.finditer(self.source.text)])

    def of(self, row: int | None, key: str = "", word: str = "") -> Span:
        """The word after a key of a row, or the key, or the head of the row; of the file if none.

        A file that hides row heads in texts of several lines gets its first line.
        """
        start, end = self._block(row)
        text = self.source.text
        if key:
            found = re.compile(rf"^[ \t]*{re.escape(key)}[ \t]*=[ \t]*", re.M).search(
                text, start, end
            )
            if found is None:
                return self._line(start)
            at = text.find(f'"{word}"', found.end(), end) if word else -1
            return Span(at + 1, at + 1 + len(word)) if at >= 0 else self._line(found.start())
        return self._line(start)

    def _block(self, row: int | None) -> tuple[int, int]:
        if row is None or row >= len(self.heads):
            return 0, self.heads[0] if self.heads and row is None else len(self.source.text)
        ends = [*self.heads[1:], len(self.source.text)]
        return self.heads[row], ends[row]

    def _line(self, start: int) -> Span:
        end = self.source.text.find("\n", start)
        return Span(start, len(self.source.text) if end < 0 else end)

    def at(self, line: int, column: int) -> Span:
        """The character at a place, or the end of the text."""
        lines = self.source.text.split("\n")
        start = sum(len(before) + 1 for before in lines[: line - 1]) + column - 1
        return Span(start, min(start + 1, len(self.source.text)))
