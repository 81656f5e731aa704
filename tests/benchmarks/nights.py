"""Invented nights to measure on: mostly lawful, with a few breaches of each of the eight rules."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from functools import partial
from pathlib import Path
from typing import Final

import numpy as np
import polars as pl

from compliance.log.tables import TableFrame, tables
from compliance.simulate.floor import SHARE, Floor, plan_floor, simulate_floor
from compliance.simulate.writing import join_parts
from compliance.table_log.coded_texts import coded
from event_schemas import builtin_schema
from event_schemas.registry import SHARED_FIELDS

SEED: Final = 3
DAY: Final = date(2010, 3, 6)
NIGHTS_APART: Final = timedelta(days=2)
"""A night of 30 hours is over when the next one begins."""

ONE_IN_A_HUNDRED: Final = 0.01

AT_ANY_TABLE: Final = (
    "late-insurance",
    "dealer-stands-on-16",
    "dealer-hits-17",
    "wrong-third-card",
    "player-draws-on-six",
    "first-cards-out-of-order",
    "box-passed-over",
    "recut-by-dealer",
    "recut-too-late",
)
BETWEEN_ROUNDS: Final = ("skip-burn-of-new-dealer", "vigorish-forgotten")
AT_CHANGES: Final = ("change-without-sign", "change-untold", "change-without-notice")

GAMES: Final = ("blackjack", "minibaccarat", "baccarat")
SELDOM: Final = 0.008
"""So that of ten thousand events about one violates one of the eight rules.

On a long night some tables are set up in lawful ways that these simple rules do not know, such as
insurance that may be taken late: there it is two or three.
"""
RARE: Final = ((BETWEEN_ROUNDS, 0.15), (AT_CHANGES, 1.0))
"""Occasions for these are rare, so each has two tables of its own, at which they happen often."""


def simulate_night(folder: Path, *, tables: int, hours: float) -> Path:
    """One log of all tables, mostly of blackjack; four of the tables are for what is rare."""
    plan = partial(plan_floor, day=DAY, seed=SEED, hours=hours)
    floors = [plan(tables=tables - 2 * len(RARE), games=GAMES, breaches=AT_ANY_TABLE, rate=SELDOM)]
    for number, (breaches, rate) in enumerate(RARE, start=1):
        rare = plan(tables=2, games=GAMES[:2], breaches=breaches, rate=rate)
        floors.append(_renamed(rare, f"R{number}-"))
    parts = [
        file
        for number, floor in enumerate(floors)
        for file in simulate_floor(floor, folder / f"floor-{number}", "parquet").files
    ]
    night = folder / "night.parquet"
    join_parts(parts, night, "parquet")
    return night


def text_log(folder: Path, form: str, *, tables: int) -> Path:
    """A lawful night in one file of texts."""
    floor = plan_floor(tables=tables, games=tuple(SHARE), day=DAY, seed=SEED, hours=12)
    return simulate_floor(floor, folder / f"night.{form}", form).files[0]


def third_of(night: Path) -> Path:
    """Every third table of a night: small enough to be in memory in three forms at once."""
    parts = sorted(night.parent.glob("floor-*/*.parquet"), key=lambda path: path.name)
    third = night.with_name("third.parquet")
    join_parts(parts[::3], third, "parquet")
    return third


def _renamed(floor: Floor, prefix: str) -> Floor:
    """The same floor with other names for its tables and pits."""
    plans = [
        replace(
            plan,
            place=replace(plan.place, table=prefix + plan.place.table, pit=prefix + plan.place.pit),
        )
        for plan in floor.tables
    ]
    return replace(floor, tables=tuple(plans))


def following_night(night: Path, number: int) -> Path:
    """The same night some days later: later times, sequence numbers that go on, other ids."""
    log = pl.scan_parquet(night)
    last = log.group_by("table").agg(last_seq=pl.col("seq").max())
    path = night.with_name(f"night-{number}.parquet")
    log.join(last, on="table", maintain_order="left").with_columns(
        *(pl.col(name) + number * NIGHTS_APART for name in ("ts", "effective_at")),
        pl.col("seq") + number * pl.col("last_seq"),
        pl.format("N{}-{}", pl.lit(number), "id").alias("id"),
    ).drop("last_seq").sink_parquet(path.with_suffix(".whole"), compression="zstd")
    _in_groups(path.with_suffix(".whole"), path)
    path.with_suffix(".whole").unlink()
    return path


def _in_groups(whole: Path, path: Path) -> None:
    """The same log with a row group for each table, as a table's own system would write it."""
    import pyarrow.parquet as pq  # type: ignore[import-untyped]

    log = pl.scan_parquet(whole)
    with pq.ParquetWriter(path, pq.read_schema(whole), compression="zstd") as writer:
        for table in log.select("table").unique(maintain_order=True).collect().to_series():
            rows = log.filter(pl.col("table") == table).collect().to_arrow()
            writer.write_table(rows.cast(writer.schema))


def damaged(night: Path, path: Path) -> Path:
    """The same night with one line in a hundred lost, its number left over, and of all fields that
    an event may lack one in a hundred."""
    log = pl.read_parquet(night)
    chance = np.random.default_rng(SEED)
    events = builtin_schema().events.values()

    def missing(name: str) -> pl.Expr:
        may_lack = [
            event.name
            for event in events
            if name in event.fields and not event.fields[name].required
        ]
        struck = pl.Series(chance.random(len(log)) < ONE_IN_A_HUNDRED)
        return pl.when(~(pl.col("type").is_in(may_lack) & struck)).then(name).alias(name)

    own = [name for name in log.columns if name not in SHARED_FIELDS]
    kept = pl.Series(chance.random(len(log)) >= ONE_IN_A_HUNDRED)
    whole = path.with_suffix(".whole")
    log.with_columns(missing(name) for name in own).filter(kept).write_parquet(whole)
    _in_groups(whole, path)
    whole.unlink()
    return path


def frames_of(night: Path) -> list[TableFrame]:
    """The log as the engine takes it: read, validated, brought to its tables, texts as lists."""
    log = tables([night], builtin_schema())
    assert not log.problems
    assert log.quarantine.total == 0
    return [replace(table, held=coded(table.frame), in_lists=True) for table in log]
