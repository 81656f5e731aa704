"""Reads a Parquet log in both ways: table by table, and all of it sorted out."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

import polars as pl
import pyarrow.parquet as pq  # type: ignore[import-untyped]
from polars.testing import assert_frame_equal

from compliance.log.grouped_log import UnreadTable, grouped_log
from compliance.log.row_group_table import DamagedFile
from compliance.log.sources import find_sources
from compliance.log.tables import LogFiles, ReadLog, read_files
from compliance.log.typed_columns import CloserLookNeeded
from compliance.simulate.floor import plan_floor, play_and_write
from compliance.table_log.coded_texts import uncoded
from tests.compliance.checked_logs import SCHEMA

STRAIGHT, CLOSELY, SORTED_OUT = "straight", "closely", "sorted out"


@cache
def night() -> tuple[Any, ...]:
    """The logs of three tables, in order of their names."""
    games = ("blackjack", "baccarat")
    floor = plan_floor(tables=3, games=games, day=date(2010, 3, 6), seed=5, rounds=8)
    with tempfile.TemporaryDirectory() as folder:
        parts = [
            play_and_write(plan, parts=Path(folder), form="parquet", breaches=(), rate=0.0)[0]
            for plan in floor.tables
        ]
        return tuple(pq.read_table(part) for part in sorted(parts))


def log(path: Path, *tables: Any, **options: Any) -> Path:
    """A file with a row group for each table."""
    with pq.ParquetWriter(path, tables[0].schema, **options) as writer:
        for table in tables:
            writer.write_table(table)
    return path


def spoiled(path: Path, spoil: Callable[[Any], Any]) -> Path:
    """The night in one file, with the same done to all tables."""
    return log(path, *map(spoil, night()))


@dataclass
class Read:
    """What was read, in which way, and what a report says of it."""

    tables: dict[tuple[str, str], pl.DataFrame]
    log: ReadLog
    aside: bytes
    ways: dict[tuple[str, str], str]

    @property
    def way(self) -> str:
        """The slowest way in which any table was read."""
        return max(self.ways.values(), key=(STRAIGHT, CLOSELY, SORTED_OUT).index)


def files_of(folder: Path, paths: Sequence[Path]) -> LogFiles:
    return LogFiles(find_sources(paths), SCHEMA, None, folder / "aside.jsonl", folder / "spill")


def _aside(files: LogFiles) -> bytes:
    assert files.quarantine is not None
    return files.quarantine.read_bytes() if files.quarantine.exists() else b""


def sorted_out(folder: Path, *paths: Path) -> Read:
    """The log as it is read in general."""
    files = files_of(folder, paths)
    found = read_files(files)
    tables = {(table.casino, table.table): table.small() for table in found}
    return Read(tables, found.as_read(), _aside(files), dict.fromkeys(tables, SORTED_OUT))


def read_by_itself(folder: Path, *paths: Path) -> Read:
    """The log as a check reads it: each table by itself, where that is possible."""
    files = files_of(folder, paths)
    found = grouped_log(files)
    if found is None:
        return sorted_out(folder, *paths)
    tables: dict[tuple[str, str], pl.DataFrame] = {}
    doubtful: list[UnreadTable] = []
    with closing(found):
        for table in found:
            try:
                tables[table.casino, table.table] = table.read(SCHEMA).small()
            except CloserLookNeeded:
                doubtful.append(table)
            except DamagedFile:
                return sorted_out(folder, *paths)
        ways = dict.fromkeys(tables, STRAIGHT)
        if doubtful:
            try:
                closely = list(found.read_closely(doubtful))
            except DamagedFile:
                return sorted_out(folder, *paths)
            tables |= {(frame.casino, frame.table): frame.small() for frame in closely}
        ways |= {(table.casino, table.table): CLOSELY for table in doubtful}
        return Read(tables, found.as_read(), _aside(files), ways)


def same(folder: Path, *paths: Path) -> Read:
    """What both ways of reading have to agree on."""
    for name in ("one", "other"):
        (folder / name).mkdir()
    general, by_itself = (
        sorted_out(folder / "one", *paths),
        read_by_itself(folder / "other", *paths),
    )
    assert by_itself.tables.keys() == general.tables.keys()
    for place, frame in general.tables.items():
        other = by_itself.tables[place]
        assert_frame_equal(uncoded(other), uncoded(frame))
        assert [_is_listed(column) for column in other] == [_is_listed(column) for column in frame]
    assert by_itself.aside == general.aside
    one, other_log = general.log, by_itself.log
    assert (other_log.inputs, other_log.notes) == (one.inputs, one.notes)
    assert other_log.problems == one.problems
    assert other_log.quarantine.reasons == one.quarantine.reasons
    assert other_log.quarantine.total == one.quarantine.total
    return by_itself


def _is_listed(column: pl.Series) -> bool:
    return isinstance(column.dtype, pl.Enum)
