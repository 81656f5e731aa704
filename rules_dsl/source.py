"""A rule file's text, and where in it something stands."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property

from rules_dsl.syntax import Span


@dataclass(frozen=True)
class Source:
    """The text of one file under the name that messages use for it."""

    name: str
    text: str

    @cached_property
    def _line_starts(self) -> list[int]:
        starts = [0]
        for index, character in enumerate(self.text):
            if character == "\n":
                starts.append(index + 1)
        return starts

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column of an offset, both counted from one."""
        offset = max(0, min(offset, len(self.text)))
        line = bisect_right(self._line_starts, offset)
        return line, offset - self._line_starts[line - 1] + 1

    def line(self, number: int) -> str:
        """The text of a line, without its line break."""
        start = self._line_starts[number - 1]
        end = self.text.find("\n", start)
        return self.text[start : len(self.text) if end < 0 else end].rstrip("\r")

    def cut(self, span: Span) -> str:
        """What is written at a span, on one line."""
        return " ".join(self.text[span.start : span.end].split())
