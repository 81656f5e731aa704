"""Keeps every comment with what it is about.

A comment behind something stays behind it. A comment on a line of its own stays before what comes
next; at the end of a declaration, an indented one stays there, and one in the first column goes
with the next declaration.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from rules_dsl.formatting.clauses import Unit
from rules_dsl.syntax import Span

_FAR = 4_000


def _lists() -> dict[int, list[Any]]:
    return defaultdict(list)


@dataclass
class Remarks:
    """Which comments stand where. Declarations are known by their number, units by identity."""

    text: str
    above: dict[int, list[str]] = field(default_factory=_lists)
    """Before a declaration, or one past the last for the end of the file; with blank lines."""
    at_end: dict[int, list[str]] = field(default_factory=_lists)
    before: dict[int, list[Span]] = field(default_factory=_lists)
    behind: dict[int, list[Span]] = field(default_factory=_lists)

    def lines_with(self, unit: Unit) -> list[str]:
        """The lines of a unit with its comments."""
        indent = unit.lines[0][: len(unit.lines[0]) - len(unit.lines[0].lstrip())]
        before = [indent + self.cut(comment) for comment in self.before[id(unit)]]
        behind = "".join(f"  {self.cut(comment)}" for comment in self.behind[id(unit)])
        return [*before, *unit.lines[:-1], unit.lines[-1] + behind]

    def cut(self, comment: Span) -> str:
        return self.text[comment.start : comment.end]


def attach(comments: Iterable[Span], blocks: Sequence[Sequence[Unit]], text: str) -> Remarks:
    """Find the place of each comment of a file among the lines that will be printed."""
    remarks = Remarks(text)
    places = sorted(
        ((unit.start, number, unit) for number, units in enumerate(blocks) for unit in units),
        key=lambda place: place[0],
    )
    starts = [start for start, _, _ in places]
    heads = {id(units[0]): number for number, units in enumerate(blocks)}
    left = -1
    for span in comments:
        index = bisect_right(starts, span.start) - 1
        number, here = (places[index][1], places[index][2]) if index >= 0 else (-1, None)
        following = places[index + 1][2] if index + 1 < len(places) else None
        column = span.start - (text.rfind("\n", 0, span.start) + 1)
        own_line = not text[span.start - column : span.start].strip()
        if here is not None and not own_line:
            remarks.behind[id(here)].append(span)
        elif here is not None and span.start < here.end:
            remarks.before[id(here)].append(span)
        elif following is not None and id(following) not in heads:
            remarks.before[id(following)].append(span)
        elif here is not None and column > 0 and left != number:
            remarks.at_end[number].append(remarks.cut(span))
        else:
            # From the first comment in the first column on, the declaration above is left.
            left = number
            target = len(blocks) if following is None else heads[id(following)]
            remarks.above[target].append(remarks.cut(span))
            if _blank_line_follows(text, span.end, at_end=following is None):
                remarks.above[target].append("")
    _settle(remarks, places, heads)
    return remarks


def _settle(
    remarks: Remarks, places: Sequence[tuple[int, int, Unit]], heads: dict[int, int]
) -> None:
    """One comment can stand behind a unit; the others go before it, or above its declaration."""
    for _, _, unit in places:
        behind = remarks.behind[id(unit)]
        before = sorted(remarks.before[id(unit)] + behind[:-1], key=lambda span: span.start)
        remarks.behind[id(unit)] = behind[-1:]
        if id(unit) in heads:
            remarks.above[heads[id(unit)]] += map(remarks.cut, before)
            before = []
        remarks.before[id(unit)] = before


def _blank_line_follows(text: str, at: int, at_end: bool) -> bool:
    """Whether a blank line was left after a comment; none is kept at the end of a file."""
    rest = text[at : at + _FAR]
    blanks = rest[: len(rest) - len(rest.lstrip())]
    return blanks.count("\n") > 1 and not (at_end and len(blanks) == len(rest))
