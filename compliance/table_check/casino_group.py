"""Which events of a casino's tables are looked at together: those of the casino, or of one pit."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import polars as pl

from compliance.table_log.lost_rows import LOST_COLUMNS

ACROSS: Final = ("casino", "pit")
"""What a rule across tables may be for each of."""
CasinoGroup = tuple[str, str, str]
"""Casino or pit, then the name of the casino, and that of the pit (empty for the whole casino)."""


def casino_groups(frame: pl.DataFrame, across: str) -> Iterator[tuple[CasinoGroup, pl.DataFrame]]:
    """The events of each casino or pit, in their order."""
    if across == "casino":
        for part in _parts(frame, "casino"):
            yield (across, part["casino"][0], ""), part
        return
    # Where the pit is not recorded, nothing says that two tables share one.
    pit = pl.col("pit:text") if "pit:text" in frame.columns else pl.lit(None, pl.String)
    shared = pl.coalesce(pit, pl.format("table {}", "table")).alias("shared")
    # A lost record does not say its pit: it is seen in every pit of its table.
    lost = frame.clear()
    if LOST_COLUMNS[0] in frame.columns:
        is_lost = pl.col(LOST_COLUMNS[0]).is_not_null()
        frame, lost = frame.filter(~is_lost), frame.filter(is_lost)
    for part in _parts(frame.with_columns(shared), "casino", "shared"):
        own = part.drop("shared")
        if len(lost):
            tables = part.select("casino", "table").unique()
            seen = lost.join(tables, on=["casino", "table"], how="semi", maintain_order="left")
            own = pl.concat([own, seen]).sort("ts", "table", "seq", maintain_order=True)
        yield (across, part["casino"][0], part["shared"][0]), own


def _parts(frame: pl.DataFrame, *names: str) -> list[pl.DataFrame]:
    """The rows that have the same values in some columns, in their order."""
    if len(frame) and all(frame[name].n_unique() == 1 for name in names):
        # As nearly always for the events of one table.
        return [frame]
    return frame.partition_by(*names, maintain_order=True)
