"""Keeps typed frames until their tables are whole: in memory while they fit, else on disk."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Final

import numpy as np
import polars as pl

from compliance.table_log.coded_texts import coded_column, joined
from compliance.table_log.frame import FIXED

Place = tuple[str, str]
_FEW_RUNS: Final = 100
"""How many runs of one table's rows a frame may have to be cut instead of sorted out."""


@dataclass(frozen=True)
class OnDisk:
    """A table's rows that wait in files until somebody works on them."""

    parts: tuple[Path, ...]

    def read(self) -> Iterator[pl.DataFrame]:
        """One part after the other, in the order they came; each is made small before the next."""
        for part in self.parts:
            yield pl.DataFrame([narrow(coded_column(column)) for column in pl.read_ipc(part)])


class Spill:
    """Frames go in by file and come out by table, each table's rows in the order they came.

    What was written stays until its folder is removed.
    """

    def __init__(self, folder: Path | None, budget: int) -> None:
        """`budget` is in bytes; without a folder everything stays in memory."""
        self._folder = folder
        self._budget = budget
        self._waiting: dict[Place, list[pl.DataFrame]] = {}
        self._size = 0
        self._parts: dict[Place, list[Path]] = {}
        self._number = 0

    def add(self, frame: pl.DataFrame) -> None:
        """Keep a frame; when too much is kept, all of it goes to disk, a file for each table."""
        for place, part in _tables(frame):
            filled = _without_empty_columns(part)
            self._waiting.setdefault(place, []).append(filled)
            self._size += int(filled.estimated_size())
        if self._folder is not None and self._size > self._budget:
            self._write(self._folder)

    @property
    def places(self) -> frozenset[Place]:
        """Casino and name of every table."""
        return frozenset((*self._waiting, *self._parts))

    def tables(self) -> Iterator[tuple[Place, list[pl.DataFrame] | OnDisk]]:
        """Every table's rows, table after table, in order of casino and table."""
        if self._folder is not None and self._parts:
            self._write(self._folder)
            for place in sorted(self._parts):
                yield place, OnDisk(tuple(self._parts[place]))
            return
        for place in sorted(self._waiting):
            yield place, self._waiting.pop(place)

    def _write(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        while self._waiting:
            place, frames = self._waiting.popitem()
            self._number += 1
            path = folder / f"part-{self._number:06d}.arrow"
            one_after_the_other(frames).write_ipc(path, compression="lz4")
            self._parts.setdefault(place, []).append(path)
        self._size = 0


def _tables(frame: pl.DataFrame) -> Iterator[tuple[Place, pl.DataFrame]]:
    """The rows of each table. Where they stand together in the log, nothing is moved."""
    casinos, tables = frame["casino"], frame["table"]
    changes = (casinos != casinos.shift(1)) | (tables != tables.shift(1))
    starts = [0, *np.flatnonzero(changes.fill_null(False).to_numpy()).tolist(), len(frame)]
    if len(starts) - 1 <= _FEW_RUNS:
        for begin, end in pairwise(starts):
            yield (casinos[begin], tables[begin]), frame[begin:end]
        return
    parts = frame.partition_by("casino", "table", maintain_order=True, as_dict=True)
    for (casino, table), part in parts.items():
        yield (str(casino), str(table)), part


def one_after_the_other(frames: Sequence[pl.DataFrame]) -> pl.DataFrame:
    """The rows of several frames, with every column that any of them has."""
    if len(frames) == 1:
        return frames[0]
    names = dict.fromkeys(name for frame in frames for name in frame.columns)
    return pl.DataFrame(
        [joined([column_of(frame, name) for frame in frames]).alias(name) for name in names]
    )


def column_of(frame: pl.DataFrame, name: str) -> pl.Series:
    """A column of a frame; one that it does not have says nothing."""
    if name in frame.columns:
        return frame[name]
    return pl.repeat(None, len(frame), dtype=pl.Null(), eager=True).alias(name)


def narrow(column: pl.Series) -> pl.Series:
    """Small numbers, as nearly all are, in one or two bytes, money in four, others as they are.

    Others not in four: Polars would make their sums in four bytes, too, and these could overflow.
    """
    if not column.dtype.is_integer() or column.name in FIXED:
        return column
    small = column.shrink_dtype()
    money = small.dtype == pl.Int32 and column.name.endswith(":money")
    return small if money or small.dtype in (pl.Int8, pl.Int16) else column


def _without_empty_columns(frame: pl.DataFrame) -> pl.DataFrame:
    """One game's events have few of all the fields: most columns of a part would hold nothing."""
    return frame.select(
        column for column in frame.iter_columns() if column.null_count() < len(column)
    )
