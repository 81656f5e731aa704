"""The main job: read a log, apply a rulebook to every table, and put the result together.

result = check_log(["night/"], rulebook, schema, workers=2)
result.run.exit_code, result.problems
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import polars as pl

from compliance.log.mapping import Mapping as LogMapping
from compliance.log.problems import LogProblem
from compliance.log.table_options import TableOptions
from compliance.log.tables import TableFrame, tables
from compliance.log_check import LogAnswer, Progress, Work, check_frames
from compliance.moments import microseconds
from compliance.options import ElectedOptions
from compliance.reference.scene import circumstances
from compliance.run import Evidence, assemble
from compliance.table_check import Job
from compliance.table_frame import moment
from event_schemas import Schema
from reports.model import Run, Scope
from rules_dsl import core


@dataclass(frozen=True)
class Selection:
    """Which part of a log to check: times (the second one excluded) and tables."""

    since: datetime | None = None
    until: datetime | None = None
    tables: frozenset[str] = frozenset()

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader has to know: what was cut off is not there for rules that look back."""
        if self.since is None and self.until is None:
            return ()
        return (
            "Only a part of the log was checked. Rules that look back or ahead did not see what "
            "was cut off, so verdicts near the cut may be wrong.",
        )

    def of(self, frames: Iterator[TableFrame]) -> Iterator[TableFrame]:
        """The selected events, table by table; a table without any is left out."""
        for item in frames:
            if self.tables and item.table not in self.tables:
                continue
            frame = item.frame
            if self.since is not None:
                frame = frame.filter(pl.col("ts") >= microseconds(self.since))
            if self.until is not None:
                frame = frame.filter(pl.col("ts") < microseconds(self.until))
            if len(frame):
                yield TableFrame(item.casino, item.table, frame)


@dataclass(frozen=True)
class LogResult:
    """The result of a run, or the reasons why there is none."""

    run: Run | None
    problems: tuple[LogProblem, ...]


def check_log(
    paths: Sequence[str | Path],
    rulebook: core.Rulebook,
    schema: Schema,
    *,
    options: TableOptions | None = None,
    given: Mapping[str, object] | None = None,
    mapping: LogMapping | None = None,
    profile: str | None = None,
    selection: Selection | None = None,
    quarantine: Path | None = None,
    workers: int = 1,
    form: str | None = None,
    started: Progress | None = None,
    progress: Progress | None = None,
) -> LogResult:
    """Check a log of any size. `started` is told the number of events once they are read."""
    choices = rulebook.profiles[profile].choices if profile else ()
    job = Job(rulebook, schema, given or {}, choices)
    with tempfile.TemporaryDirectory(prefix="compliance-") as folder:
        log = tables(paths, schema, mapping, quarantine, Path(folder), form=form)
        if log.problems:
            return LogResult(None, log.problems)
        if started is not None:
            started(log.events)
        chosen = selection or Selection()
        frames = chosen.of(iter(log))
        answer = check_frames(
            frames, Work(job, options or TableOptions()), workers=workers, progress=progress
        )
    elected = ElectedOptions(schema, answer.elections, given)
    result = assemble(
        circumstances(rulebook, schema, elected, choices),
        _evidence(answer),
        log.inputs,
        options=given,
        profile=profile,
        quarantined=log.quarantine.total,
        notes=(*chosen.notes, *log.notes, *_set_aside(log.quarantine.reasons)),
    )
    return LogResult(result, ())


def _evidence(answer: LogAnswer) -> Evidence:
    first = min(answer.tables, key=lambda table: table.first, default=None)
    last = max(answer.tables, key=lambda table: table.last, default=None)
    scope = Scope(
        casinos=tuple(sorted({table.casino for table in answer.tables})),
        tables=tuple(sorted({table.table for table in answer.tables})),
        first=moment(first.first, first.offsets[0]) if first else None,
        last=moment(last.last, last.offsets[1]) if last else None,
    )
    return Evidence(
        scope,
        answer.days,
        answer.elections,
        answer.counts,
        answer.checks,
        answer.triggers,
        answer.defects,
    )


def _set_aside(reasons: Mapping[str, int]) -> Iterator[str]:
    """Why lines were set aside, the most frequent reason first."""
    for reason, number in sorted(reasons.items(), key=lambda item: (-item[1], item[0]))[:20]:
        yield f"{number:,} set aside: {reason}"
