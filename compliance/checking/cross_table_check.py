"""Judges what concerns several tables, on the few events of each that rules across tables need."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import polars as pl

from compliance.checking.log_answer import LogAnswer, TableAnswer
from compliance.findings.table_findings import TableFindings, table_findings
from compliance.table_check.casino_group import CasinoGroup
from compliance.table_check.check_table import (
    EarlierNight,
    RuleCount,
    check_group,
    check_next_group,
    order,
)
from compliance.table_check.cross_table_events import CrossTableEvents
from compliance.table_check.settings import Settings


@dataclass(frozen=True)
class SharedEvents:
    """The events of one casino or pit that rules across tables look at, in the order of the tables
    that they come from."""

    where: CasinoGroup
    parts: tuple[CrossTableEvents, ...]
    in_any_pit: tuple[CrossTableEvents, ...] = ()
    """Records of the casino that are lost, of which no pit is known."""


class CrossTableAnswer(NamedTuple):
    """What rules across tables show of a casino or a pit."""

    where: CasinoGroup
    results: Sequence[RuleCount]
    """Without the checks: what they tell is `findings`."""
    findings: TableFindings


def shared_events(tables: Iterable[TableAnswer]) -> Iterator[SharedEvents]:
    """What tables share, by casino and by pit."""
    waiting: dict[CasinoGroup, list[CrossTableEvents]] = {}
    for part in (part for table in tables for part in table.shared):
        waiting.setdefault(part.where, []).append(part)
    for where in sorted(waiting):
        across, casino, pit = where
        if across == "casino" or pit:
            in_any_pit = waiting.get(("pit", casino, ""), ()) if across == "pit" else ()
            yield SharedEvents(where, tuple(waiting[where]), tuple(in_any_pit))


def check_shared(settings: Settings, shared: SharedEvents) -> CrossTableAnswer:
    """Judge what concerns the tables of a casino or a pit."""
    frame = _joined(settings, (part.events() for part in shared.parts))
    if shared.in_any_pit and "pit:text" in frame.columns:
        frame = _joined(settings, (frame, *(part.events() for part in shared.in_any_pit)))
    settings = settings.at_casino(shared.where[1], frame)
    results = check_group(settings, shared.where[0], frame)
    findings = table_findings(settings, frame, results)
    return CrossTableAnswer(
        shared.where, [replace(result, found=()) for result in results], findings
    )


def check_next_across_tables(
    settings: Settings, answer: LogAnswer, earlier: EarlierNight
) -> EarlierNight:
    """Where a next log goes on from this one, add what concerns several tables to the answer of
    all; what is left is for that log."""
    parts = [table.across_tables for table in answer.tables if len(table.across_tables)]
    return _check_next(settings, answer, parts, earlier) if settings.keeps and parts else earlier


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
