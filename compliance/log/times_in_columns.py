"""Reads a whole column of moments: when it was in UTC, and how far the clock was from UTC."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt
import polars as pl

from compliance.table_log.columns import Flags, Integers
from compliance.values.codes import FIRST_DAY
from compliance.values.moments import microseconds

Marks = npt.NDArray[np.uint8]
_DIGITS: Final = (0, 1, 2, 3, 5, 6, 8, 9, 11, 12, 14, 15, 17, 18)
_BETWEEN: Final = ((4, "-"), (7, "-"), (13, ":"), (16, ":"))
_SHORTEST: Final = len("2024-03-09T20:15:00Z")
_LONGEST: Final = len("2024-03-09T20:15:00.000000-05:00")
_EARLIEST: Final = microseconds(datetime(1, 1, 2, tzinfo=UTC))
_LATEST: Final = microseconds(datetime(9999, 12, 31, tzinfo=UTC))
_HELD: Final = {"us": (_EARLIEST, _LATEST), "ms": (_EARLIEST // 1000, _LATEST // 1000)}
"""The ends of the calendar in two units; all that can be written in nanoseconds lies inside it."""
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
    lengths = column.str.len_bytes()
    different = lengths.unique().drop_nulls().to_list()
    if len(different) == 1 and not column.null_count():
        return _of_one_length(column, different[0])
    ts = np.zeros(len(column), dtype=np.int64)
    offset = np.zeros(len(column), dtype=np.int16)
    good = np.zeros(len(column), dtype=np.bool_)
    for length in different:
        rows = (lengths == length).fill_null(False).to_numpy()
        part = _of_one_length(column.filter(pl.Series(rows)), length)
        ts[rows], offset[rows] = part.ts.fill_null(0), part.offset.fill_null(0)
        good[rows] = part.ts.is_not_null()
    return _held(ts, offset, good)


def _of_one_length(column: pl.Series, length: int) -> Moments:
    """Texts of equal length are a rectangle of bytes: every digit has its column."""
    size = len(column)
    if not _SHORTEST <= length <= _LONGEST:
        nothing = np.zeros(size, dtype=np.bool_)
        return _held(np.zeros(size, dtype=np.int64), np.zeros(size, dtype=np.int16), nothing)
    whole = column.str.join("")[0].encode()
    marks = np.frombuffer(whole, dtype=np.uint8).reshape(size, length).T
    in_utc = marks[-1] == ord("Z")
    zone = 1 if in_utc.all() else 6
    fraction = length - 20 - zone
    digits = [*_DIGITS, *range(20, 20 + max(fraction, 0))]
    # A fraction has up to six digits after its point; without them there is no point either.
    good = np.full(size, fraction == -1 or 1 <= fraction <= 6)
    good &= (marks[10] == ord("T")) | (marks[10] == ord(" "))
    for place, mark in _BETWEEN:
        good &= marks[place] == ord(mark)
    if fraction > 0:
        good &= marks[19] == ord(".")
    offset = np.zeros(size, dtype=np.int64)
    if zone == 6:
        digits += [length - 5, length - 4, length - 2, length - 1]
        hours, minutes = _number(marks, length - 5, 2), _number(marks, length - 2, 2)
        sign, colon = marks[length - 6], marks[length - 3]
        good &= ((sign == ord("+")) | (sign == ord("-"))) & (colon == ord(":"))
        good &= (hours < 24) & (minutes < 60)
        offset = np.where(sign == ord("-"), -1, 1) * (hours * 60 + minutes)
    for place in digits:
        # Bytes below the digit 0 wrap around to large numbers.
        good &= marks[place] - np.uint8(48) <= 9
    hour, minute, second = (_number(marks, place, 2) for place in (11, 14, 17))
    good &= (hour < 24) & (minute < 60) & (second < 60)
    one_day = bool((marks[:10] == marks[:10, :1]).all())
    # Most pieces of a log lie within a day.
    days, known = _days(column[:1].str.slice(0, 10) if one_day else column.str.slice(0, 10))
    good &= known
    micros = _number(marks, 20, fraction) * 10 ** (6 - fraction) if 1 <= fraction <= 6 else 0
    seconds = days * 86_400 + hour * 3_600 + minute * 60 + second - offset * 60
    return _held(seconds * 1_000_000 + micros, offset.astype(np.int16), good)


def _number(marks: Marks, place: int, width: int) -> Integers:
    """The number that some columns of digits make."""
    value = np.zeros(marks.shape[1], dtype=np.int64)
    for step in range(width):
        value = value * 10 + (marks[place + step].astype(np.int64) - 48)
    return value


def _days(column: pl.Series) -> tuple[Integers, Flags]:
    """The day of each text, by the few different days that a log has."""
    different = column.unique()
    numbers: list[int | None] = []
    for text in different:
        try:
            numbers.append((date.fromisoformat(text) - FIRST_DAY).days)
        except ValueError:
            numbers.append(None)
    days = column.replace_strict(different, pl.Series(numbers, dtype=pl.Int64), default=None)
    return days.fill_null(0).to_numpy(), days.is_not_null().to_numpy()


def _held(ts: Integers, offset: npt.NDArray[np.int16], good: Flags) -> Moments:
    good = good & (ts >= _EARLIEST) & (ts <= _LATEST)
    if good.all():
        return Moments(pl.Series(ts), pl.Series(offset))
    nothing = pl.Series([None], dtype=pl.Int64).new_from_index(0, len(ts))
    mask = pl.Series(good)
    empty = nothing.cast(pl.Int16)
    return Moments(pl.Series(ts).zip_with(mask, nothing), pl.Series(offset).zip_with(mask, empty))


def moments_of_times(column: pl.Series) -> Moments:
    """Moments of a typed column; a column without a zone tells no moment."""
    dtype = column.dtype
    if not isinstance(dtype, pl.Datetime) or dtype.time_zone is None:
        nothing = pl.Series([None], dtype=pl.Int64).new_from_index(0, len(column))
        return Moments(nothing, nothing.cast(pl.Int16))
    exact = in_microseconds(column)
    offset = (exact.dt.base_utc_offset() + exact.dt.dst_offset()).dt.total_minutes()
    return Moments(instants_of_times(exact), offset.cast(pl.Int16))


def instants_of_times(column: pl.Series) -> pl.Series:
    """Microseconds since 1970 in UTC of a typed column that has a zone."""
    return in_microseconds(column).to_physical()


def in_microseconds(column: pl.Series) -> pl.Series:
    """The times of a typed column; one that no calendar has is empty, for nothing can count it."""
    unit = column.dtype.time_unit  # type: ignore[attr-defined]
    if unit in _HELD:
        held = column.to_physical().is_between(*_HELD[unit])
        if not held.all():
            nothing = pl.Series([None], dtype=column.dtype).new_from_index(0, len(column))
            column = column.zip_with(held.fill_null(False), nothing)
    return column.dt.cast_time_unit("us")
