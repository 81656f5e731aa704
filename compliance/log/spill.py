"""Keeps typed frames until their tables are whole: in memory while they fit, else on disk."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import polars as pl

Place = tuple[str, str]


class Spill:
    """Frames go in by file and come out by table, each table's rows in the order they came."""

    def __init__(self, folder: Path | None, budget: int) -> None:
        """`budget` is in bytes; without a folder everything stays in memory."""
        self._folder = folder
        self._budget = budget
        self._waiting: list[pl.DataFrame] = []
        self._size = 0
        self._parts: dict[Place, list[Path]] = {}
        self._number = 0

    def add(self, frame: pl.DataFrame) -> None:
        """Keep a frame; when too much is kept, all of it goes to disk, a file for each table."""
        self._waiting.append(frame)
        self._size += int(frame.estimated_size())
        if self._folder is not None and self._size > self._budget:
            self._write(self._folder)

    def tables(self) -> Iterator[tuple[Place, pl.DataFrame]]:
        """Every table's rows, table after table, in order of casino and table."""
        if self._folder is not None and self._parts:
            self._write(self._folder)
            for place in sorted(self._parts):
                parts = [pl.read_ipc(part) for part in self._parts[place]]
                yield place, pl.concat(parts, how="diagonal")
            return
        if not self._waiting:
            return
        whole = pl.concat(self._waiting, how="diagonal")
        self._waiting.clear()
        tables = _by_table(whole)
        del whole
        for place in sorted(tables):
            yield place, tables.pop(place)

    def clear(self) -> None:
        """Remove what was written."""
        for parts in self._parts.values():
            for part in parts:
                part.unlink(missing_ok=True)
        self._parts.clear()

    def _write(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        if not self._waiting:
            return
        whole = pl.concat(self._waiting, how="diagonal")
        self._waiting.clear()
        self._size = 0
        for place, frame in _by_table(whole).items():
            self._number += 1
            path = folder / f"part-{self._number:06d}.arrow"
            frame.write_ipc(path, compression="lz4")
            self._parts.setdefault(place, []).append(path)


def _by_table(frame: pl.DataFrame) -> dict[Place, pl.DataFrame]:
    parts = frame.partition_by("casino", "table", maintain_order=True, as_dict=True)
    return {(str(casino), str(table)): part for (casino, table), part in parts.items()}
