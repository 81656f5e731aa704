"""Where a command's answer goes: colours and tables on a terminal, plain text in a pipe.

Text from logs and rules is shown, never obeyed: characters that move the cursor, change colours or
hide text appear as their code.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, TextIO

from compliance.cli.words import Cell, Column, Styled, Words, plain
from reports.wording import Tone

if TYPE_CHECKING:
    from compliance.cli.terminal import Terminal

__all__ = ["TONES", "Cell", "Column", "Screen", "Styled", "Words"]

TONES: dict[Tone, str] = {"bad": "red", "good": "green", "doubt": "yellow", "quiet": "dim"}


_TAKEN_FOR_TERMINALS = ("FORCE_COLOR", "TTY_COMPATIBLE")
"""Settings by which a stream may count as a terminal although it is none."""


class Screen:
    """A stream that a person or another program reads."""

    def __init__(self, stream: TextIO | None = None) -> None:
        self._stream = stream or sys.stdout
        self._terminal = _terminal(self._stream)

    def line(self, *words: Words, indent: int = 0) -> None:
        """One line; on a terminal, what is too long goes on below, under its beginning."""
        if self._terminal is None:
            self._write(" " * indent + plain(words))
        else:
            self._terminal.line(words, indent)

    def source(self, *words: Words) -> None:
        """One line of a file, never broken: carets below it must stay in place."""
        if self._terminal is None:
            self._write(plain(words))
        else:
            self._terminal.source(words)

    def table(self, columns: Sequence[Column], rows: Iterable[Sequence[Cell]]) -> None:
        """Rows in columns; in a pipe they are aligned and never cut."""
        cells = [[_as_words(cell) for cell in row] for row in rows]
        if self._terminal is None:
            for text in _aligned(columns, [[plain(cell) for cell in row] for row in cells]):
                self._write(text)
        else:
            self._terminal.table(columns, cells)

    def listing(self, items: Sequence[str], indent: int = 0) -> None:
        """Many short texts: side by side on a terminal, in a pipe one below the other."""
        if self._terminal is not None:
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


def may_be_terminal(stream: TextIO) -> bool:
    """Whether a stream may be a terminal; only then is it worth while to load what draws on one."""
    return stream.isatty() or any(name in os.environ for name in _TAKEN_FOR_TERMINALS)


def _terminal(stream: TextIO) -> Terminal | None:
    if not may_be_terminal(stream):
        return None
    from compliance.cli.terminal import terminal

    return terminal(stream)


def _ends(items: Sequence[str]) -> Iterable[tuple[str, bool]]:
    return ((item, number == len(items)) for number, item in enumerate(items, start=1))


def _as_words(cell: Cell) -> tuple[Words, ...]:
    return (cell,) if isinstance(cell, str | Styled) else tuple(cell)


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
