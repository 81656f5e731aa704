"""Where a command's answer goes: colours and tables on a terminal, plain text in a pipe.

Text from logs and rules is shown, never obeyed: characters that move the cursor, change colours or
hide text appear as their code.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import TextIO

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from compliance.cli.visible import visible
from reports.wording import Tone

_UNBROKEN = "\ue000"
"""Stands for a blank at which a line is not broken; rich breaks lines at every real one."""
TONES: dict[Tone, str] = {"bad": "red", "good": "green", "doubt": "yellow", "quiet": "dim"}


@dataclass(frozen=True)
class Styled:
    """Words with the style in which a terminal shows them; `whole` ones stay on one line."""

    text: str
    style: str = ""
    whole: bool = False


Words = str | Styled
Cell = Words | Sequence[Words]


@dataclass(frozen=True)
class Column:
    """A column of a table; only one that may wrap gives way on a narrow terminal.

    A column that goes `below` the one before it shares its space on a terminal. A column of `names`
    wraps too, but gets as much space as its names need, up to half of the terminal.
    """

    title: str
    wraps: bool = False
    right: bool = False
    below: bool = False
    names: bool = False


class Screen:
    """A stream that a person or another program reads."""

    def __init__(self, stream: TextIO | None = None) -> None:
        self._stream = stream or sys.stdout
        self._console = Console(file=self._stream, highlight=False, emoji=False, markup=False)

    @property
    def is_terminal(self) -> bool:
        return self._console.is_terminal

    def line(self, *words: Words, indent: int = 0) -> None:
        """One line; on a terminal, what is too long goes on below, under its beginning."""
        if not self.is_terminal:
            self._write(" " * indent + _plain(words))
            return
        width = max(20, self._console.width - indent)
        for part in _rich(words).wrap(self._console, width) or [Text()]:
            part.rstrip()
            part.plain = part.plain.replace(_UNBROKEN, " ")
            self._console.print(Text(" " * indent) + part, no_wrap=True, crop=False)

    def source(self, *words: Words) -> None:
        """One line of a file, never broken: carets below it must stay in place."""
        if self.is_terminal:
            self._console.print(_rich(words), no_wrap=True, overflow="ignore", crop=False)
        else:
            self._write(_plain(words))

    def table(self, columns: Sequence[Column], rows: Iterable[Sequence[Cell]]) -> None:
        """Rows in columns; in a pipe they are aligned and never cut."""
        cells = [[_as_words(cell) for cell in row] for row in rows]
        if self.is_terminal:
            self._console.print(_rich_table(columns, cells, self._console.width // 2))
        else:
            for text in _aligned(columns, [[_plain(cell) for cell in row] for row in cells]):
                self._write(text)

    def listing(self, items: Sequence[str], indent: int = 0) -> None:
        """Many short texts: side by side on a terminal, in a pipe one below the other."""
        if self.is_terminal:
            words = [
                Styled(item + ("" if last else ","), whole=True) for item, last in _ends(items)
            ]
            self.line(*(part for word in words for part in (word, " ")), indent=indent)
        else:
            for item in items:
                self.line(item, indent=indent)

    def json(self, data: object) -> None:
        """An answer for another program, in the keys that docs/command-line.md lists."""
        self._write(json.dumps(data, indent=2, ensure_ascii=True))

    def _write(self, text: str) -> None:
        self._stream.write(text + "\n")


def _ends(items: Sequence[str]) -> Iterable[tuple[str, bool]]:
    return ((item, number == len(items)) for number, item in enumerate(items, start=1))


def _as_words(cell: Cell) -> tuple[Words, ...]:
    return (cell,) if isinstance(cell, str | Styled) else tuple(cell)


def _plain(words: Sequence[Words]) -> str:
    return "".join(visible(w.text if isinstance(w, Styled) else w) for w in words)


def _rich(words: Sequence[Words]) -> Text:
    text = Text()
    for word in words:
        if isinstance(word, Styled):
            shown = visible(word.text)
            text.append(shown.replace(" ", _UNBROKEN) if word.whole else shown, word.style)
        else:
            text.append(visible(word))
    return text


def _rich_table(
    columns: Sequence[Column], cells: list[list[tuple[Words, ...]]], half: int
) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    for index, column in enumerate(columns):
        if column.below:
            continue
        shared = takewhile(lambda other: other.below, columns[index + 1 :])
        title = " / ".join([column.title, *(other.title for other in shared)])
        longest = max(len(text) for text in [title, *(_plain(row[index]) for row in cells)])
        # What has a width of its own does not give way; rich would let other columns vanish.
        table.add_column(
            title,
            width=None if column.wraps else min(longest, half) if column.names else longest,
            overflow="fold",
            justify="right" if column.right else "left",
            header_style="bold",
        )
    for row in cells:
        shown: list[Text] = []
        for column, cell in zip(columns, row, strict=True):
            if column.below:
                shown[-1] = Text("\n").join([shown[-1], _rich(cell)])
            else:
                shown.append(_rich(cell))
        table.add_row(*shown)
    return table


def _aligned(columns: Sequence[Column], rows: list[list[str]]) -> list[str]:
    lines = [[column.title for column in columns], *rows]
    widths = [max(len(line[index]) for line in lines) for index in range(len(columns))]
    return [
        "  ".join(
            text.rjust(width) if column.right else text.ljust(width)
            for text, width, column in zip(line, widths, columns, strict=True)
        ).rstrip()
        for line in lines
    ]
