"""Words and columns of a command's answer, with the style in which a terminal shows them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from compliance.cli.visible_text import visible


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


def plain(words: Sequence[Words]) -> str:
    """Words without any style; what would be obeyed is shown."""
    return "".join(visible(w.text if isinstance(w, Styled) else w) for w in words)
