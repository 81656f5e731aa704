"""A terminal that a person looks at: colours, wrapped lines, tables that fit its width.

Loaded only where there is one: nothing that goes into a file or a pipe needs it.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile
from typing import TextIO

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from compliance.cli.visible_text import visible
from compliance.cli.words import Column, Styled, Words, plain

_UNBROKEN = "\ue000"
"""Stands for a blank at which a line is not broken; rich breaks lines at every real one."""


class Terminal:
    """A stream that can show colours and knows its width."""

    def __init__(self, console: Console) -> None:
        self._console = console

    def line(self, words: Sequence[Words], indent: int) -> None:
        """One line; what is too long goes on below, under its beginning."""
        width = max(20, self._console.width - indent)
        for part in _rich(words).wrap(self._console, width) or [Text()]:
            part.rstrip()
            part.plain = part.plain.replace(_UNBROKEN, " ")
            self._console.print(Text(" " * indent) + part, no_wrap=True, crop=False)

    def source(self, words: Sequence[Words]) -> None:
        """One line, never broken."""
        self._console.print(_rich(words), no_wrap=True, overflow="ignore", crop=False)

    def table(self, columns: Sequence[Column], cells: list[list[tuple[Words, ...]]]) -> None:
        """Rows in columns."""
        self._console.print(_rich_table(columns, cells, self._console.width // 2))


def terminal(stream: TextIO) -> Terminal | None:
    """The terminal behind a stream, if it is one or is to be taken for one."""
    console = Console(file=stream, highlight=False, emoji=False, markup=False)
    return Terminal(console) if console.is_terminal else None


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
        longest = max(len(text) for text in [title, *(plain(row[index]) for row in cells)])
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
