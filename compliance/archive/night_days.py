"""To which gaming day each event belongs, and each line that could not be read."""

from __future__ import annotations

from datetime import date, timedelta

import numpy as np
import polars as pl

from compliance.log.problems import SetAside
from compliance.values.gaming_day import GamingClock
from compliance.values.moments import microseconds, moment


def days_of_events(ts: pl.Series, clock: GamingClock) -> pl.Series:
    """The gaming day of each moment; days on which the clock is changed have 23 or 25 hours."""
    times = ts.to_numpy()
    days: list[date] = []
    starts: list[int] = []
    hours = np.unique(times // 3_600_000_000).tolist()
    # Days between which nothing happened, as where one clock was years off, are passed over.
    near = {
        clock.day_of(moment(hour * 3_600_000_000, 0)) + timedelta(days=more)
        for hour in hours
        for more in (0, 1)
    }
    for day in sorted(near):
        days.append(day)
        starts.append(microseconds(clock.start(day)))
    places = np.searchsorted(np.array(starts), times, side="right") - 1
    return pl.Series(days, dtype=pl.Date).gather(places)


def days_of_line(
    item: SetAside, casino: str, table: str, frame: pl.DataFrame, days: pl.Series
) -> set[date]:
    """The days to which a line may belong, if it may be a record of a table: those of the records
    before and after it, by its number and by its place in the file."""
    known = item.known
    if known.casino not in (None, casino) or known.table not in (None, table):
        return set()
    found: set[date] = set()
    if known.seq is not None and known.table is not None:
        found |= _around(frame["seq"], days, known.seq)
    here = frame["file"] == item.file
    if here.any():
        lines, own = frame["line"].filter(here), days.filter(here)
        order = lines.arg_sort()
        found |= _around(lines.gather(order), own.gather(order), item.line)
    return found


def _around(numbers: pl.Series, days: pl.Series, number: int) -> set[date]:
    at = int(np.searchsorted(numbers.to_numpy(), number))
    return {days[place] for place in (at - 1, at) if 0 <= place < len(days)}
