"""A table's events as a log in Parquet, which every reader of logs takes; and where they stood."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from io import BytesIO
from typing import Any, Final

import numpy as np
import polars as pl

from compliance.log.layout import Layout
from compliance.table_log.frame import FIXED
from compliance.values.codes import value_of
from event_schemas import CARDS, Kind, format_value

_ROWS: Final = 1_000_000
_NATIVE: Final = ("number", "money", "seat", "flag", "date", "time")
PLACES: Final = ("file", "line", "offset")
"""What a log does not tell of its events, and the archive keeps beside them."""


def log_bytes(layout: Layout, frame: pl.DataFrame) -> bytes:
    """The events of a table, in their order, as a log."""
    types = pl.Series(list(layout.types), dtype=pl.String)
    columns = {
        "id": frame["id"].cast(pl.String),
        "ts": _moments(frame["ts"]),
        "seq": frame["seq"].cast(pl.Int64),
        "casino": frame["casino"].cast(pl.String),
        "table": frame["table"].cast(pl.String),
        "type": types.gather(frame["type"].cast(pl.Int64)),
    }
    for name, column in _fields(layout, frame):
        before = columns.get(name)
        columns[name] = column if before is None else before.fill_null(column)
    return _written(pl.DataFrame([column.alias(name) for name, column in columns.items()]))


def places_bytes(frame: pl.DataFrame) -> bytes:
    """Where each event stood, and the offset of its time."""
    return _written(
        frame.select(
            pl.col("file").cast(pl.String),
            pl.col("line").cast(pl.Int64),
            pl.col("offset").cast(pl.Int16),
        )
    )


def numbers_bytes(numbers: Any) -> bytes:
    """Sequence numbers of records that were left out on purpose."""
    return _written(pl.DataFrame({"seq": pl.Series(sorted(numbers), dtype=pl.Int64)}))


def frame_of_bytes(content: bytes) -> pl.DataFrame:
    """Places or numbers, read again."""
    return pl.read_parquet(BytesIO(content))


def _written(frame: pl.DataFrame) -> bytes:
    out = BytesIO()
    frame.write_parquet(out, compression="zstd", statistics=True, row_group_size=_ROWS)
    return out.getvalue()


def _moments(column: pl.Series) -> pl.Series:
    return column.cast(pl.Int64).cast(pl.Datetime("us")).dt.replace_time_zone("UTC")


def _fields(layout: Layout, frame: pl.DataFrame) -> Iterator[tuple[str, pl.Series]]:
    """Every field of the events with its column; one that is of several kinds comes for each."""
    for column in frame.columns:
        if column in FIXED or column.endswith(":below"):
            continue
        name, kind_name = column.split(":")
        kinds = layout.kinds[name]
        values = frame[column]
        below = frame[f"{column}:below"] if f"{column}:below" in frame.columns else None
        if len(kinds) == 1 and below is None and kind_name in _NATIVE:
            yield name, _native(kind_name, values)
        else:
            yield name, _texts(kinds[kind_name].kind, values, below)


def _native(kind: str, values: pl.Series) -> pl.Series:
    if kind == "flag":
        return values.cast(pl.Boolean)
    if kind == "date":
        return values.cast(pl.Int32).cast(pl.Date)
    return _moments(values) if kind == "time" else values.cast(pl.Int64)


def _texts(kind: Kind, values: pl.Series, below: pl.Series | None) -> pl.Series:
    """Values as texts that are read as the same values again; each different one once."""
    if kind.name in ("text", "cards"):
        return values.cast(pl.String)
    recorded = values.is_not_null()
    above = values.drop_nulls().to_numpy().astype(np.int64)
    if below is None:
        known, places = np.unique(above, return_inverse=True)
        pairs = [(number, 1) for number in known.tolist()]
    else:
        under = below.fill_null(1).filter(recorded).to_numpy().astype(np.int64)
        known, places = np.unique(np.stack([above, under]), axis=1, return_inverse=True)
        pairs = [(first, second) for first, second in known.T.tolist()]
    texts = pl.Series([_text(kind, *pair) for pair in pairs], dtype=pl.String)
    found = texts.gather(places.reshape(-1))
    if not values.null_count():
        return found
    # Where nothing is recorded, whatever place stands there does not count.
    rows = (recorded.cast(pl.Int64).cum_sum() - 1).clip(0)
    return found.gather(rows).zip_with(recorded, pl.Series([None], dtype=pl.String))


def _text(kind: Kind, above: int, below: int) -> str:
    if kind.enum is not None:
        return kind.enum.values[above]
    assert kind is not CARDS
    value = value_of(kind.name, above, below)
    return value.isoformat() if isinstance(value, date) else format_value(kind, value)
