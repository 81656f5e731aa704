"""Which events of a casino's tables are looked at together: those of the casino, or of one pit."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import polars as pl

from compliance.table_log.lost_rows import LOST_COLUMNS

ACROSS: Final = ("casino", "pit")
"""What a rule across tables may be for each of."""
CasinoGroup = tuple[str, str, str]
"""Casino or pit, then the name of the casino, and that of the pit (empty for the whole casino, and
for what may be in any of its pits)."""


def casino_groups(frame: pl.DataFrame, across: str) -> Iterator[tuple[CasinoGroup, pl.DataFrame]]:
    """The events of each casino or pit, in their order."""
    if across == "casino":
        for part in _parts(frame, "casino"):
            yield (across, part["casino"][0], ""), part
        return
    if LOST_COLUMNS[0] in frame.columns:
        yield from _pits_with_lost(frame)
        return
    for pit, part in _pits(frame):
        yield (across, part["casino"][0], pit), part


def _pits_with_lost(frame: pl.DataFrame) -> Iterator[tuple[CasinoGroup, pl.DataFrame]]:
    """A lost record does not say its pit: it is seen in every pit of its table."""
    if pit := _pit_of_one_table(frame):
        yield ("pit", frame["casino"][0], pit), frame
        return
    frame = frame.with_row_index("at")
    lost, pitless = _lost(frame), lost_in_any_pit(frame)
    for pit, own in _pits(frame.filter(pl.col(LOST_COLUMNS[0]).is_null())):
        tables = own.select("casino", "table").unique()
        seen = [lost.join(tables, on=["casino", "table"], how="semi", maintain_order="left")]
        if own.select(_pit(own)).to_series()[0] is not None:
            seen.append(pitless.filter(pl.col("casino") == own["casino"][0]))
        yield ("pit", own["casino"][0], pit), pl.concat([own, *seen]).sort("at").drop("at")


def _pit_of_one_table(frame: pl.DataFrame) -> str | None:
    """The pit where all is of one table and all its records that are there say the same one."""
    if "pit:text" not in frame.columns or frame.select("casino", "table").n_unique() > 1:
        return None
    pits = frame["pit:text"].filter(frame[LOST_COLUMNS[0]].is_null())
    return str(pits[0]) if len(pits) and not pits.null_count() and pits.n_unique() == 1 else None


def lost_in_any_pit(frame: pl.DataFrame) -> pl.DataFrame:
    """The lost records of tables none of whose records says a pit: they may be in any."""
    lost = _lost(frame)
    if not len(lost) or _pit_of_one_table(frame):
        return lost.clear()
    named = frame.filter(_pit(frame).is_not_null()).select("casino", "table").unique()
    return lost.join(named, on=["casino", "table"], how="anti", maintain_order="left")


def _pits(frame: pl.DataFrame) -> Iterator[tuple[str, pl.DataFrame]]:
    """The events of each pit with its name."""
    if "pit:text" in frame.columns and not frame["pit:text"].null_count():
        for part in _parts(frame, "casino", "pit:text"):
            yield part["pit:text"][0], part
        return
    # Where the pit is not recorded, nothing says that two tables share one.
    shared = pl.coalesce(_pit(frame), pl.format("table {}", "table")).alias("shared")
    for part in _parts(frame.with_columns(shared), "casino", "shared"):
        yield part["shared"][0], part.drop("shared")


def _pit(frame: pl.DataFrame) -> pl.Expr:
    return pl.col("pit:text") if "pit:text" in frame.columns else pl.lit(None, pl.String)


def _lost(frame: pl.DataFrame) -> pl.DataFrame:
    column = LOST_COLUMNS[0]
    return frame.filter(pl.col(column).is_not_null()) if column in frame.columns else frame.clear()


def _parts(frame: pl.DataFrame, *names: str) -> list[pl.DataFrame]:
    """The rows that have the same values in some columns, in their order."""
    if len(frame) and all(frame[name].n_unique() == 1 for name in names):
        # As nearly always for the events of one table.
        return [frame]
    return frame.partition_by(*names, maintain_order=True)
