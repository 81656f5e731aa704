"""How far a zone's clocks were from UTC at many moments, asked once for each quarter of an hour.

To ask for each moment by itself takes longer than to read it from a file, and the tables of a night
ask for the same days. Clocks are put forward
and back at the quarters of an hour, and never twice within one.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import numpy as np
import numpy.typing as npt
import polars as pl

from compliance.log.times_in_columns import moments_of_times

_QUARTER: Final = 15 * 60 * 1_000_000
_OF_A_DAY: Final = 24 * 4


def offsets_of(instants: pl.Series, zone: str | None) -> pl.Series:
    """Minutes east of UTC at each moment, which is in microseconds since 1970."""
    numbers = instants.to_numpy()
    first, last = (int(end) // _QUARTER // _OF_A_DAY for end in (numbers.min(), numbers.max()))
    offsets = None
    if (last - first) * _OF_A_DAY <= len(numbers):
        offsets = _offsets_of_days(zone, first, last)
    if offsets is None:
        return moments_of_times(instants.cast(pl.Datetime("us", zone))).offset
    if (offsets == offsets[0]).all():
        return pl.Series(np.full(len(numbers), offsets[0], dtype=np.int16))
    return pl.Series(offsets[numbers // _QUARTER - first * _OF_A_DAY])


@lru_cache(maxsize=100)
def _offsets_of_days(zone: str | None, first: int, last: int) -> npt.NDArray[np.int16] | None:
    """The same for each quarter of an hour of some days; None where one has no single answer."""
    borders = np.arange(first * _OF_A_DAY, (last + 1) * _OF_A_DAY + 1) * _QUARTER
    # The last moment of each quarter: its end belongs to the next one.
    begin, end = (
        moments_of_times(pl.Series(moments).cast(pl.Datetime("us", zone))).offset.to_numpy()
        for moments in (borders[:-1], borders[1:] - 1)
    )
    return begin if (begin == end).all() else None
