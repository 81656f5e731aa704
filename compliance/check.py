"""The main job: read a log, apply a rulebook to every table, and put the result together.

result = check_log(["night/"], rulebook, schema, workers=2)
result.run.exit_code, result.problems
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Final

from compliance.integrity import records_lost
from compliance.log.manifest import Manifest, all_of
from compliance.log.mapping import Mapping as LogMapping
from compliance.log.problems import LogProblem
from compliance.log.reading import ReadingProgress
from compliance.log.table_options import TableOptions
from compliance.log.tables import Limits, tables
from compliance.log_check import LogAnswer, Progress, Work, check_frames
from compliance.nights import Nights
from compliance.options import ElectedOptions
from compliance.recorded import Manifests, Sources
from compliance.reference.scene import circumstances
from compliance.run import Evidence, assemble
from compliance.selection import Selection
from compliance.table_check import Job
from event_schemas import Schema
from reports.model import Run, Scope
from rules_dsl import core

SHARED_FROM: Final = 100_000
"""How many events are worth a worker: one takes as long to start as to check so many."""


@dataclass(frozen=True)
class LogResult:
    """The result of a run, or the reasons why there is none."""

    run: Run | None
    problems: tuple[LogProblem, ...]
    nights: Nights | None = None
    """What the next log needs, where that was asked for."""


def check_log(
    paths: Sequence[str | Path],
    rulebook: core.Rulebook,
    schema: Schema,
    *,
    options: TableOptions | None = None,
    given: Mapping[str, object] | None = None,
    mapping: LogMapping | None = None,
    profile: str | None = None,
    manifests: Manifests | None = None,
    selection: Selection | None = None,
    earlier: Nights | None = None,
    quarantine: Path | None = None,
    workers: int | None = 1,
    form: str | None = None,
    limits: Limits | None = None,
    reading: ReadingProgress | None = None,
    started: Progress | None = None,
    progress: Progress | None = None,
) -> LogResult:
    """Check a log of any size. `started` is told the number of events once they are read.

    Unless a number of `workers` is given, the work is shared where that is worth its while.

    With `earlier` the log goes on from one that was checked before (an empty one begins a row of
    logs), and the result tells what the next log needs.
    """
    choices = rulebook.profiles[profile].choices if profile else ()
    chosen = selection or Selection()
    said = manifests or Manifests()
    start = circumstances(rulebook, schema, ElectedOptions(schema), choices)
    job = Job(rulebook, schema, given or {}, choices, said.not_evaluable(start))
    with tempfile.TemporaryDirectory(prefix="compliance-") as folder:
        held = limits or Limits()
        log = tables(
            paths,
            schema,
            mapping,
            quarantine,
            Path(folder),
            form=form,
            progress=reading,
            budget=held.budget,
            block_size=held.block_size,
            rows=held.rows,
        )
        if log.problems:
            return LogResult(None, log.problems)
        if started is not None:
            started(log.events)
        work = Work(job, options or TableOptions(), said, chosen, earlier is not None)
        shared = _worth_sharing(log.events) if workers is None else workers
        answer = check_frames(iter(log), work, earlier=earlier, workers=shared, progress=progress)
    problems = (*answer.problems, *_unknown_tables(chosen, answer))
    if problems:
        return LogResult(None, problems)
    sources = Sources(said, _occurs(answer))
    result = assemble(
        circumstances(rulebook, schema, ElectedOptions(schema, answer.elections, given), choices),
        _evidence(answer, sources, log.quarantine.total),
        log.inputs,
        options=given,
        profile=profile,
        quarantined=log.quarantine.total,
        set_aside=_set_aside(log.quarantine.reasons),
        notes=(
            *chosen.notes,
            *(earlier.notes if earlier is not None else ()),
            *answer.notes,
            *log.notes,
            *sources.notes(rulebook.time_zone, _times(answer)),
        ),
    )
    return LogResult(result, (), None if earlier is None else answer.nights)


def _worth_sharing(events: int) -> int:
    """Over how many processes a log of some events is best shared."""
    return os.cpu_count() or 1 if events >= SHARED_FROM else 1


def _unknown_tables(selection: Selection, answer: LogAnswer) -> tuple[LogProblem, ...]:
    known = [table.table for table in answer.tables]
    return tuple(
        LogProblem("the log", f"There is no table {name}; it has {_few(known)}.")
        for name in selection.unknown(known)
    )


def _few(names: Sequence[str]) -> str:
    shown = sorted(set(names))
    return ", ".join(shown[:20]) + (f" and {len(shown) - 20:,} more" if len(shown) > 20 else "")


def _occurs(answer: LogAnswer) -> dict[str, Manifest]:
    """What occurs in the log of each casino."""
    found: dict[str, list[Manifest]] = {}
    for table in answer.tables:
        found.setdefault(table.casino, []).append(table.occurs)
    return {casino: all_of(parts) for casino, parts in found.items()}


def _times(answer: LogAnswer) -> list[tuple[str, datetime]]:
    return [(table.casino, ts) for table in answer.tables for ts in table.span or ()]


def _evidence(answer: LogAnswer, sources: Sources, unreadable: int) -> Evidence:
    judged = [(table, table.span) for table in answer.tables if table.span is not None]
    scope = Scope(
        casinos=tuple(sorted({table.casino for table, _ in judged})),
        tables=tuple(sorted({table.table for table, _ in judged})),
        first=min((span[0] for _, span in judged), default=None),
        last=max((span[1] for _, span in judged), default=None),
    )
    return Evidence(
        scope,
        answer.days,
        answer.elections,
        answer.counts,
        answer.found.findings(),
        answer.undecided,
        answer.defects.findings(),
        sources,
        answer.unsettled,
        records_lost((table.loss for table in answer.tables), unreadable),
        answer.undecided_by_loss,
    )


def _set_aside(reasons: Mapping[str, int]) -> dict[str, int]:
    """Why lines were set aside, the most frequent reason first."""
    return dict(sorted(reasons.items(), key=lambda item: (-item[1], item[0]))[:20])
