"""Judges what concerns several tables, on the few events of each that rules across tables need."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import polars as pl

from compliance.checking.log_answer import LogAnswer
from compliance.findings.table_findings import table_findings
from compliance.table_check.casino_group import CasinoGroup
from compliance.table_check.check_table import (
    EarlierNight,
    check_group,
    check_next_group,
    order,
)
from compliance.table_check.cross_table_events import CrossTableEvents
from compliance.table_check.settings import Settings


def check_across_tables(
    settings: Settings, answer: LogAnswer, earlier: EarlierNight
) -> EarlierNight:
    """Add what concerns several tables to the answer of all; what is left is for the next log."""
    if settings.keeps:
        parts = [table.across_tables for table in answer.tables if len(table.across_tables)]
        return _check_next(settings, answer, parts, earlier) if parts else earlier
    waiting: dict[CasinoGroup, list[CrossTableEvents]] = {}
    for part in (part for table in answer.tables for part in table.shared):
        waiting.setdefault(part.where, []).append(part)
    for where in sorted(waiting):
        across, casino, pit = where
        if across == "pit" and not pit:
            continue
        # Of all casinos and pits only one is in memory at a time.
        frame = _joined(settings, (part.events() for part in waiting.pop(where)))
        in_any_pit = waiting.get(("pit", casino, ""), ()) if "pit:text" in frame.columns else ()
        if across == "pit" and in_any_pit:
            frame = _joined(settings, (frame, *(part.events() for part in in_any_pit)))
        results = check_group(settings, across, frame)
        answer.add(results, table_findings(settings, frame, results))
    return earlier


def _check_next(
    settings: Settings, answer: LogAnswer, parts: Sequence[pl.DataFrame], earlier: EarlierNight
) -> EarlierNight:
    """The same for logs that go on from earlier ones, all casinos and pits together."""
    frame = _joined(settings, parts)
    results, left = check_next_group(settings, frame, earlier)
    answer.add(results, table_findings(settings, earlier.then(frame), results))
    if len(earlier.frame) and _overlap(earlier.frame, frame):
        answer.notes.append(
            "The logs of the tables do not end at the same time: rules across tables did not see "
            "some events of one table while they judged those of another."
        )
    return left


def _joined(settings: Settings, parts: Iterable[pl.DataFrame]) -> pl.DataFrame:
    return order(settings.schema, pl.concat(parts, how="diagonal_relaxed"))


def _overlap(earlier: pl.DataFrame, frame: pl.DataFrame) -> bool:
    """Whether some casino's events lie before others that were judged already."""
    ends = earlier.group_by("casino").agg(end=pl.col("ts").max())
    begins = frame.group_by("casino").agg(begin=pl.col("ts").min())
    return len(begins.join(ends, on="casino").filter(pl.col("begin") < pl.col("end"))) > 0
