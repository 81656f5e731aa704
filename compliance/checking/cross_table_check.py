"""Judges what concerns several tables, on the few events of each that rules across tables need."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

import polars as pl

from compliance.findings.table_findings import TableFindings, table_findings
from compliance.log.table_options import TableOptions
from compliance.table_check.casino_group import CasinoGroup
from compliance.table_check.check_table import (
    EarlierNight,
    Job,
    RuleCount,
    check_group,
    check_next_group,
    order,
)
from compliance.table_check.cross_table_events import CrossTableEvents
from compliance.table_check.selection import Selection
from event_schemas import Event


@dataclass(frozen=True)
class CrossTableAnswer:
    """What rules across tables show, and what they leave for the next log."""

    results: tuple[RuleCount, ...]
    """Without the checks: what they tell is `findings`."""
    findings: TableFindings
    left: EarlierNight = field(default_factory=EarlierNight)
    notes: tuple[str, ...] = ()
    where: CasinoGroup = ("", "", "")
    """Of which casino or pit; nothing where it is all of them."""


@dataclass(frozen=True)
class SharedEvents:
    """The events of one casino or pit that rules across tables look at, in the order of the tables
    that they come from."""

    where: CasinoGroup
    parts: tuple[CrossTableEvents, ...]


def shared_events(parts: Iterable[CrossTableEvents]) -> list[SharedEvents]:
    """What the tables share, by casino and by pit."""
    waiting: dict[CasinoGroup, list[CrossTableEvents]] = {}
    for part in parts:
        waiting.setdefault(part.where, []).append(part)
    return [SharedEvents(where, tuple(waiting[where])) for where in sorted(waiting)]


def check_across_tables(
    job: Job, shared: SharedEvents, options: TableOptions, selection: Selection
) -> CrossTableAnswer:
    """What rules across tables show of a casino or a pit."""
    frame = _joined(job, (part.events() for part in shared.parts))
    elected = _elected(job, frame, options)
    results = tuple(check_group(job, shared.where[0], frame, elected, selection))
    findings = table_findings(job, frame, results)
    counts = tuple(replace(result, found=()) for result in results)
    return CrossTableAnswer(counts, findings, where=shared.where)


def check_next_across_tables(
    job: Job, events: Iterable[pl.DataFrame], earlier: EarlierNight, options: TableOptions
) -> CrossTableAnswer:
    """The same for logs that go on from earlier ones, all casinos and pits together."""
    parts = [part for part in events if len(part)]
    if not parts:
        return CrossTableAnswer((), TableFindings(), earlier)
    frame = _joined(job, parts)
    seen = earlier.then(frame)
    checked = check_next_group(job, frame, earlier, _elected(job, seen, options))
    notes = []
    if len(earlier.frame) and _overlap(earlier.frame, frame):
        notes.append(
            "The logs of the tables do not end at the same time: rules across tables did not see "
            "some events of one table while they judged those of another."
        )
    return CrossTableAnswer(
        checked.results, table_findings(job, seen, checked.results), checked.left, tuple(notes)
    )


def _joined(job: Job, parts: Iterable[pl.DataFrame]) -> pl.DataFrame:
    return order(job.schema, pl.concat(parts, how="diagonal_relaxed"))


def _elected(job: Job, frame: pl.DataFrame, options: TableOptions) -> list[Event]:
    """What a table-options file says of the tables whose events are judged."""
    tables = frame.select("casino", "table").unique().sort("casino", "table").rows()
    return [
        event
        for casino, table in tables
        for event in options.all_elections(job.schema, casino, table)
    ]


def _overlap(earlier: pl.DataFrame, frame: pl.DataFrame) -> bool:
    """Whether some casino's events lie before others that were judged already."""
    ends = earlier.group_by("casino").agg(end=pl.col("ts").max())
    begins = frame.group_by("casino").agg(begin=pl.col("ts").min())
    return len(begins.join(ends, on="casino").filter(pl.col("begin") < pl.col("end"))) > 0
