"""Reads Parquet: typed columns, some rows at a time. The line of a row is its number."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
import polars as pl

from compliance.log.bytes_in import Opened
from compliance.log.file_state import state_of
from compliance.log.layout import Layout
from compliance.log.problems import UnreadableFile
from compliance.log.raw import RawChunk
from compliance.log.readers.csv_header import check_names
from compliance.log.readers.parquet_times import readable_times
from compliance.log.readers.parquet_types import plain_schema
from compliance.log.sources import Source
from compliance.table_log.columns import Integers

_PIECE: Final = 1 << 20


def read_parquet(
    stream: Opened, source: Source, layout: Layout | None, rows: int
) -> Iterator[RawChunk]:
    """The records of a file. One that is packed or piped in is first laid down beside."""
    path, groups = source.path, source.row_groups
    if path is not None and stream.start[:4] == b"PAR1" and _is_plain(path):
        state = state_of(path)
        for chunk, share in _read(path, layout, rows, groups):
            stream.reached = int(state[1] * share)
            yield chunk
        if state_of(path) != state:
            # Its pages are read by their places, beside the bytes of which the hash is taken.
            raise UnreadableFile("The file was changed or replaced while it was read.")
        return
    with tempfile.TemporaryDirectory() as folder:
        unpacked = Path(folder, "log.parquet")
        with unpacked.open("wb") as file:
            while block := stream.read(_PIECE):
                file.write(block)
        for chunk, _ in _read(unpacked, layout, rows, groups):
            yield chunk


def _is_plain(path: Path) -> bool:
    if not path.is_file():
        return False
    with path.open("rb") as file:
        return file.read(4) == b"PAR1"


def _read(
    path: Path, layout: Layout | None, rows: int, groups: Sequence[int] | None
) -> Iterator[tuple[RawChunk, float]]:
    """The records, and which share of the file they bring the reader to."""
    try:
        import pyarrow as pa  # type: ignore[import-untyped]
        import pyarrow.parquet as pq  # type: ignore[import-untyped]
    except ImportError:
        raise UnreadableFile("Reading Parquet files needs the package pyarrow.") from None
    done = 0
    try:
        with pq.ParquetFile(path, pre_buffer=False) as file:
            names = list(file.schema_arrow.names)
            if len(set(names)) < len(names):
                raise UnreadableFile("Two columns have the same name.")
            if layout is not None:
                check_names(names, layout)
            schema = plain_schema(file.schema_arrow)
            lines = _Lines(file.metadata, groups)
            for batch in file.iter_batches(batch_size=rows, row_groups=groups):
                # Nobody else looks whether what is said to be text is text.
                batch.validate(full=True)
                frame = _frame(pa.Table.from_batches([batch]).cast(schema))
                numbers = lines.of(done, len(frame))
                done += len(frame)
                yield RawChunk(frame, numbers), lines.share(done)
    except UnicodeDecodeError:
        raise UnreadableFile(
            "The name of a column of the Parquet file is not UTF-8 text."
        ) from None
    except (pa.ArrowException, OSError) as problem:
        where = f" after {done:,} records" if done else ""
        raise UnreadableFile(
            f"The Parquet file is damaged or cut off{where}, and cannot be read."
        ) from problem


class _Lines:
    """The line of each record in some row groups, or in all of them. It is told for those that were
    read: a file may say of itself that it has more records than any memory could count."""

    def __init__(self, footer: Any, groups: Sequence[int] | None) -> None:
        rows = [footer.row_group(number).num_rows for number in range(footer.num_row_groups)]
        chosen = range(len(rows)) if groups is None else groups
        first = np.cumsum([1, *rows])
        self._first = np.array([first[number] for number in chosen], dtype=np.int64)
        self._before = np.cumsum([0, *(rows[number] for number in chosen)], dtype=np.int64)

    def of(self, done: int, size: int) -> Integers:
        """The lines of so many records after those that are done."""
        places = np.arange(done, done + size, dtype=np.int64)
        group = np.searchsorted(self._before, places, side="right") - 1
        lines: Integers = self._first[group] + places - self._before[group]
        return lines

    def share(self, done: int) -> float:
        """Which share of all records is done."""
        return done / max(1, int(self._before[-1]))


def _frame(table: Any) -> pl.DataFrame:
    frame = pl.from_arrow(table)
    assert isinstance(frame, pl.DataFrame)
    return readable_times(frame)
