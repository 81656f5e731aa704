"""Every finding as a row of a Parquet file, for programs that analyse many runs."""

from __future__ import annotations

from datetime import date, datetime
from io import BytesIO

import polars as pl

from reports.finding_rows import COLUMNS, finding_rows
from reports.model import Run

_KINDS: dict[type, pl.DataType] = {
    str: pl.String(),
    int: pl.Int64(),
    bool: pl.Boolean(),
    date: pl.Date(),
    datetime: pl.Datetime("us", "UTC"),
}


def findings_frame(run: Run) -> pl.DataFrame:
    """All findings with typed columns; `moment` is the time in UTC, `time` the casino's own."""
    schema = {name: _KINDS[kind] for name, kind in COLUMNS.items()}
    return pl.DataFrame(list(finding_rows(run)), schema=schema)


def render_parquet(run: Run) -> bytes:
    """The same as a file."""
    out = BytesIO()
    findings_frame(run).write_parquet(out)
    return out.getvalue()
