"""Reads one table straight from its row groups into a frame of `compliance.table_log.frame`."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl
import pyarrow as pa  # type: ignore[import-untyped]

from compliance.log.layout import BASE, Layout
from compliance.log.raw_columns import RawColumns, raw_columns
from compliance.log.row_groups import FileGroups, Place, in_order
from compliance.log.times_in_columns import instants_of_times
from compliance.log.typed_columns import CloserLookNeeded, TypedColumns
from compliance.log.zone_offsets import offsets_of
from compliance.table_log.arrow_numbers import numbers_of, polars_series


class DamagedFile(Exception):
    """A file whose end promises other than what it holds."""


def read_table(layout: Layout, place: Place, parts: Sequence[FileGroups]) -> pl.DataFrame:
    """The typed frame of a table, with its texts as lists; `CloserLookNeeded` where in doubt."""
    if not in_order(parts):
        raise CloserLookNeeded("order")
    try:
        with raw_columns(parts) as columns:
            return _frame(layout, columns, place, parts)
    except OSError as problem:
        raise DamagedFile from problem
    except (pa.ArrowException, pl.exceptions.PolarsError, ValueError, OverflowError) as problem:
        raise CloserLookNeeded from problem


def _frame(
    layout: Layout, columns: RawColumns, place: Place, parts: Sequence[FileGroups]
) -> pl.DataFrame:
    base = columns.read(BASE)
    typed = TypedColumns(layout, base["type"])
    seq, ts = polars_series(base["seq"]), polars_series(base["ts"])
    if not seq.is_sorted() or ts.null_count():
        raise CloserLookNeeded("order")
    typed.needed_everywhere("id", polars_series(base["id"]))
    typed.needed_everywhere("seq", seq)
    typed.times(instants_of_times(ts), offsets_of(ts.dt.cast_time_unit("us")))
    for name, text in zip(("casino", "table"), place, strict=True):
        texts = base[name].dictionary.to_pylist()
        codes = numbers_of(base[name].indices)
        if base[name].null_count or text not in texts or (codes != texts.index(text)).any():
            raise DamagedFile(name)
        typed.listed(name, [text], np.zeros(len(codes), dtype=np.uint8))
    _lines(typed, parts)
    for name, column in columns.one_by_one(name for name in columns.filled if name not in BASE):
        typed.own_field(name, column)
    typed.require(columns.filled)
    return typed.frame()


def _lines(typed: TypedColumns, parts: Sequence[FileGroups]) -> None:
    """Where each event stands."""
    groups = [(part.name, group) for part in parts for group in part.groups]
    lines = [np.arange(group.first_line, group.first_line + group.rows) for _, group in groups]
    names = list(dict.fromkeys(name for name, _ in groups))
    files = np.repeat([names.index(name) for name, _ in groups], [len(line) for line in lines])
    typed.needed_everywhere("line", pl.Series(np.concatenate(lines), dtype=pl.Int64))
    typed.listed("file", names, files)
