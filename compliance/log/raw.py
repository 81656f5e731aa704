"""Records as a reader found them, by columns: nothing is understood yet but where they stood."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import msgspec
import numpy as np
import polars as pl

from compliance.columns import Flags, Integers
from compliance.log.lost_lines import NOTHING, KnownOfLine
from compliance.log.problems import shortened


class Single(NamedTuple):
    """One record by itself, or the reason why the line is none."""

    line: int
    record: dict[str, Any] | str
    text: str
    known: KnownOfLine = NOTHING
    """What a line that is no record still tells."""


@dataclass
class RawChunk:
    """Some records of one file: a column for each name, and the line of each row."""

    frame: pl.DataFrame
    lines: Integers
    singles: Sequence[Single] = ()
    """Lines that do not fit into columns; each is looked at by itself."""
    texts: Sequence[str] | None = None
    """The lines as they stand in the file, where they do."""
    doubtful: Flags | None = None
    """Rows whose columns may not tell all that the line says."""

    def bare(self, name: str, column: pl.Series) -> tuple[pl.Series | None, Flags | None]:
        """Which texts of a column stood without quotes (JSON only), and which are not clear."""
        return None, None

    def picked(self, rows: Integers) -> Iterator[Single]:
        """The records of some rows, each by itself."""
        for row, values in zip(rows, self.frame[rows].iter_rows(named=True), strict=True):
            record = {name: value for name, value in values.items() if value is not None}
            yield Single(int(self.lines[row]), record, self._text(int(row), record))

    def _text(self, row: int, record: dict[str, Any]) -> str:
        """The line as it stands in the file, or the record written as a line."""
        if self.texts is not None:
            return shortened(self.texts[row])
        return shortened(msgspec.json.encode(record, enc_hook=str).decode())

    def records(self) -> Iterator[Single]:
        """Every record by itself, in the order of the file."""
        rows = self.picked(np.arange(len(self.frame)))
        yield from sorted([*rows, *self.singles], key=lambda item: item.line)
