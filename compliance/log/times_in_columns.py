"""Reads a whole column of moments: when it was in UTC, and how far the clock was from UTC."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final, NamedTuple

import polars as pl

from compliance.moments import microseconds

_SHAPE: Final = (
    r"^\d{4}-\d\d-\d\d[T ](?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,6})?"
    r"(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$"
)
_EARLIEST: Final = microseconds(datetime(1, 1, 2, tzinfo=UTC))
_LATEST: Final = microseconds(datetime(9999, 12, 31, tzinfo=UTC))
FIRST_YEAR: Final = 1900
LAST_YEAR: Final = 2199
EARLIEST_EVENT: Final = microseconds(datetime(FIRST_YEAR, 1, 1, tzinfo=UTC))
LATEST_EVENT: Final = microseconds(datetime(LAST_YEAR + 1, 1, 1, tzinfo=UTC)) - 1


class Moments(NamedTuple):
    """Microseconds since 1970 in UTC, and minutes east of UTC; empty where it cannot be read."""

    ts: pl.Series
    offset: pl.Series


def can_be_held(instant: int) -> bool:
    """Whether a moment lies in the years that a calendar has."""
    return _EARLIEST <= instant <= _LATEST


def moments_of_texts(column: pl.Series) -> Moments:
    """Read moments in the common form of ISO 8601; other forms are left for a closer look."""
    text = pl.col("text")
    moment = pl.col("moment")
    frame = pl.DataFrame({"text": column})
    if column.str.slice(10, 1).eq(" ").any():
        frame = frame.with_columns(text.str.replace(" ", "T", literal=True))
    tail = pl.col("tail")
    frame = (
        frame.lazy()
        .select(
            pl.when(text.str.contains(_SHAPE)).then(text).alias("text"),
        )
        .select(
            text.str.slice(0, 19)
            .str.to_datetime("%Y-%m-%dT%H:%M:%S", time_unit="us", strict=False)
            .cast(pl.Int64)
            .alias("moment"),
            text.str.slice(19).alias("tail"),
        )
        .with_columns(
            pl.when(tail.str.ends_with("Z"))
            .then(pl.lit("+00:00"))
            .otherwise(tail.str.tail(6))
            .alias("zone"),
            tail.str.strip_suffix("Z").str.extract(r"^\.(\d+)").alias("fraction")
            if column.str.contains(".", literal=True).any()
            else pl.lit(None, pl.String).alias("fraction"),
        )
        .with_columns(
            pl.col("fraction").str.pad_end(6, "0").cast(pl.Int64).fill_null(0).alias("fraction"),
        )
        .collect()
    )
    offset = _offsets(frame["zone"])
    instant = frame.select(moment + pl.col("fraction")).to_series() - offset.cast(pl.Int64) * (
        60_000_000
    )
    return _sane(instant, offset)


def moments_of_times(column: pl.Series) -> Moments:
    """Moments of a typed column; a column without a zone tells no moment."""
    dtype = column.dtype
    if not isinstance(dtype, pl.Datetime) or dtype.time_zone is None:
        nothing = pl.Series([None], dtype=pl.Int64).new_from_index(0, len(column))
        return Moments(nothing, nothing.cast(pl.Int16))
    exact = column.dt.cast_time_unit("us")
    offset = (exact.dt.base_utc_offset() + exact.dt.dst_offset()).dt.total_minutes()
    return _sane(exact.dt.convert_time_zone("UTC").cast(pl.Int64), offset.cast(pl.Int16))


def _offsets(zone: pl.Series) -> pl.Series:
    different = zone.drop_nulls().unique()
    minutes = [
        (-1 if text[0] == "-" else 1) * (int(text[1:3]) * 60 + int(text[4:6])) for text in different
    ]
    if not minutes:
        return pl.Series([None], dtype=pl.Int16).new_from_index(0, len(zone))
    return zone.replace_strict(different, pl.Series(minutes, dtype=pl.Int16), default=None)


def _sane(instant: pl.Series, offset: pl.Series) -> Moments:
    held = instant.is_between(_EARLIEST, _LATEST)
    if not held.all():
        nothing = pl.Series([None], dtype=pl.Int64).new_from_index(0, len(instant))
        instant = instant.zip_with(held.fill_null(False), nothing)
    return Moments(instant, offset)
