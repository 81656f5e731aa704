"""Times, days and lengths of time of a Parquet file that no calendar has.

Such a file can hold a moment of the year 300,000, and nothing that counts in days and hours can
take it. A column in which one stands is read as text: what was good in it stays what it was, and of
what was not, its record tells what stood there.
"""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Final

import polars as pl

from compliance.log.problems import UnreadableFile
from compliance.values.moments import microseconds
from event_schemas import format_duration
from event_schemas.limits import LONGEST_DURATION

_WORDS: Final = {"ms": "milliseconds", "us": "microseconds", "ns": "nanoseconds"}
_FIRST, _LAST = datetime(1, 1, 2, tzinfo=UTC), datetime(9999, 12, 31, tzinfo=UTC)
_FIRST_DAY: Final = date(1970, 1, 1).toordinal()
_OF_A_DAY: Final = 86_400 * 10**9


def readable_times(frame: pl.DataFrame) -> pl.DataFrame:
    """The same records, with columns that hold what no calendar has as text."""
    return frame.with_columns([_readable(column) for column in frame if _is_wild(column)])


def _is_wild(column: pl.Series) -> bool:
    if column.dtype.is_nested():
        return _holds_wild(column)
    ends = _ends(column.dtype)
    return ends is not None and not column.to_physical().is_between(*ends).all()


def _holds_wild(column: pl.Series) -> bool:
    """A list or record with such a time in it: there is no field that could tell of it."""
    if isinstance(column.dtype, pl.Struct):
        inner = column.struct.unnest().get_columns()
    elif isinstance(column.dtype, pl.Array):
        inner = [column.arr.explode()]
    else:
        inner = [column.list.explode()]
    if any(_is_wild(part) for part in inner):
        raise UnreadableFile(f'The column "{column.name}" holds a time that no calendar has.')
    return False


def _ends(dtype: pl.DataType) -> tuple[int, int] | None:
    """The least and the most that may stand in a column of a type, as whole numbers."""
    if isinstance(dtype, pl.Date):
        return date(1, 1, 2).toordinal() - _FIRST_DAY, date(9999, 12, 31).toordinal() - _FIRST_DAY
    if isinstance(dtype, pl.Time):
        return 0, _OF_A_DAY - 1
    if isinstance(dtype, pl.Datetime | pl.Duration):
        unit = dtype.time_unit
        most = LONGEST_DURATION * 10**6
        ends = (microseconds(_FIRST), microseconds(_LAST))
        least, most = ends if isinstance(dtype, pl.Datetime) else (-most, most)
        if unit == "ns":
            return max(least * 1_000, -(2**63)), min(most * 1_000, 2**63 - 1)
        return (least, most) if unit == "us" else (least // 1_000, most // 1_000)
    return None


def _readable(column: pl.Series) -> pl.Series:
    numbers, dtype = column.to_physical(), column.dtype
    ends = _ends(dtype)
    assert ends is not None
    held = numbers.is_between(*ends).fill_null(False)
    if isinstance(dtype, pl.Duration) and dtype.time_unit != "ms":
        # As text it is written in milliseconds: what is finer would become another length.
        held &= numbers % {"us": 10**3, "ns": 10**6}[dtype.time_unit] == 0
    nothing = pl.Series([None], dtype=dtype).new_from_index(0, len(column))
    good = column.zip_with(held, nothing)
    if isinstance(dtype, pl.Duration):
        texts = [None if length is None else format_duration(length) for length in good]
        written = pl.Series(texts, dtype=pl.String)
    elif isinstance(dtype, pl.Datetime):
        zone = "" if dtype.time_zone is None else "%:z"
        written = good.dt.cast_time_unit("us").dt.to_string(f"%Y-%m-%dT%H:%M:%S%.6f{zone}")
    else:
        written = good.dt.to_string("iso")
    if isinstance(dtype, pl.Datetime | pl.Duration):
        unit = _WORDS[dtype.time_unit]
    else:
        unit = "days" if isinstance(dtype, pl.Date) else "nanoseconds"
    wild = numbers.cast(pl.String) + f" {unit}"
    return wild.zip_with(~held, written).alias(column.name)
