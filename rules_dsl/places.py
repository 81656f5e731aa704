"""Turns the place of a part of a rule into what stands there, and into a file, line and column."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from rules_dsl import core
from rules_dsl.source import Source
from rules_dsl.syntax import Span

_SECTION_HEAD = re.compile(r"\bapplies\s+when[\s(]*$")


@dataclass(frozen=True)
class Position:
    """A point in a rule file, lines and columns counted from one."""

    file: str
    line: int
    column: int


NOWHERE = Position("", 0, 0)


@dataclass(frozen=True)
class Places:
    """The rule files of a rulebook, to look things up in."""

    sources: Sequence[Source]

    def text(self, place: core.Place | None, limit: int | None = None) -> str:
        """What is written at a place, on one line; longer texts lose their middle."""
        if place is None or place.file >= len(self.sources):
            return ""
        text = self.sources[place.file].cut(Span(place.start, place.end))
        # A bracket that closes the last part of a text belongs to no part of the rule.
        text += ")" * (text.count("(") - text.count(")"))
        if limit is None or len(text) <= limit:
            return text
        head = limit * 2 // 3
        return f"{text[:head].rstrip()} ... {text[len(text) - limit + head + 5 :].lstrip()}"

    def position(self, place: core.Place | None) -> Position:
        """Where a place begins."""
        if place is None or place.file >= len(self.sources):
            return NOWHERE
        source = self.sources[place.file]
        line, column = source.position(place.start)
        return Position(source.name, line, column)

    def is_section_condition(self, place: core.Place | None) -> bool:
        """Whether a condition is the `applies when` of a section: it belongs to all its rules."""
        if place is None or place.file >= len(self.sources):
            return False
        before = self.sources[place.file].text[max(0, place.start - 80) : place.start]
        return _SECTION_HEAD.search(before) is not None
