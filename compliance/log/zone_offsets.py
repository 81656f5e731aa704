"""How far a zone's clocks were from UTC at many moments, asked once for each quarter of an hour.

To ask for each moment by itself takes longer than to read it from a file. Clocks are put forward
and back at the quarters of an hour, and never twice within one.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import polars as pl

from compliance.log.times_in_columns import moments_of_times

_QUARTER: Final = 15 * 60 * 1_000_000


def offsets_of(moments: pl.Series) -> pl.Series:
    """Minutes east of UTC at each moment, which is in microseconds and has a zone."""
    instants = moments.to_physical().to_numpy()
    first, last = int(instants.min()) // _QUARTER, int(instants.max()) // _QUARTER
    if last - first > len(instants):
        return moments_of_times(moments).offset
    borders = pl.Series(np.arange(first, last + 2) * _QUARTER).cast(moments.dtype)
    # The last moment of each quarter: its end belongs to the next one.
    begin = moments_of_times(borders[:-1]).offset.to_numpy()
    end = moments_of_times((borders[1:].to_physical() - 1).cast(moments.dtype)).offset.to_numpy()
    if (begin != end).any():
        return moments_of_times(moments).offset
    if (begin == begin[0]).all():
        return pl.Series(np.full(len(instants), begin[0], dtype=np.int16))
    return pl.Series(begin[instants // _QUARTER - first])
