"""Records as a reader found them, by columns: nothing is understood yet but where they stood."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import msgspec
import numpy as np
import polars as pl
import pyarrow as pa  # type: ignore[import-untyped]

from compliance.log.lost_lines import NOTHING, KnownOfLine
from compliance.log.problems import shortened
from compliance.table_log.columns import Flags, Integers

LONG_LISTS: Final = ("id", "ts", "seq")
"""Columns whose texts are different in every record."""


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

    def columns(self) -> dict[str, Any] | None:
        """The columns that hold anything, texts as places in lists of different texts; None where
        there are none."""
        size = len(self.frame)
        return {
            column.name: _coded(column)
            for column in self.frame.iter_columns()
            if column.null_count() < size
        }

    def look_closer(self) -> None:
        """Make ready what is needed to look at single rows."""

    def bare(self, name: str, column: pl.Series) -> tuple[pl.Series | None, Flags | None]:
        """Which texts of a column stood without quotes (JSON only), and which are not clear."""
        return None, None

    def bare_in_list(self, name: str, column: Any) -> tuple[pl.Series | None, Flags | None]:
        """The same of a column as `columns` has it."""
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


def _coded(column: pl.Series) -> Any:
    """A column with its texts in a list, but for those that are different in every record."""
    if column.dtype != pl.String or column.name in LONG_LISTS:
        return column.to_arrow()
    # Texts as Polars holds them itself: no copy is made of them.
    listed = column.to_arrow(compat_level=pl.CompatLevel.newest()).dictionary_encode()
    texts = listed.dictionary.cast(pa.large_string())
    return pa.DictionaryArray.from_arrays(listed.indices, texts, safe=False)
