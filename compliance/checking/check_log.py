"""The main job: read a log, apply a rulebook to every table, and put the result together.

result = check_log(["night/"], rulebook, schema, workers=2)
result.run.exit_code, result.problems
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Final

from compliance.checking.assemble_result import Evidence, assemble
from compliance.checking.check_tables import Close, LogAnswer, Progress, Work, check_frames
from compliance.checking.evaluable_rules import Manifests, Sources
from compliance.checking.nights import Nights
from compliance.integrity import records_lost
from compliance.judgement.circumstances import circumstances
from compliance.log.grouped_log import GroupedLog, grouped_log
from compliance.log.manifest import Manifest, all_of
from compliance.log.mapping import Mapping as LogMapping
from compliance.log.problems import LogProblem
from compliance.log.reading import ReadingProgress
from compliance.log.row_group_table import DamagedFile
from compliance.log.sources import find_sources
from compliance.log.table_options import TableOptions
from compliance.log.tables import Limits, LogFiles, LogTables, ReadLog, read_files
from compliance.table_check.check_table import Job
from compliance.table_check.selection import Selection
from compliance.values.elected_options import ElectedOptions
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
    work = Work(job, options or TableOptions(), said, chosen, earlier is not None)
    checked = _Checking(work, earlier, workers, started, progress)
    with tempfile.TemporaryDirectory(prefix="compliance-") as folder:
        held = limits or Limits()
        sources = find_sources(paths, form)
        files = LogFiles(sources, schema, mapping, quarantine, Path(folder), held, reading)
        log, answer = checked.grouped(files) or checked.sorted_out(files)
    if answer is None:
        return LogResult(None, log.problems)
    problems = (*answer.problems, *_unknown_tables(chosen, answer))
    if problems:
        return LogResult(None, problems)
    evidence = Sources(said, _occurs(answer))
    result = assemble(
        circumstances(rulebook, schema, ElectedOptions(schema, answer.elections, given), choices),
        _evidence(answer, evidence, log.quarantine.total),
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
            *evidence.notes(rulebook.time_zone, _times(answer)),
        ),
    )
    return LogResult(result, (), None if earlier is None else answer.nights)


def _worth_sharing(events: int) -> int:
    """Over how many processes a log of some events is best shared."""
    return os.cpu_count() or 1 if events >= SHARED_FROM else 1


@dataclass(frozen=True)
class _Checking:
    """Checks a log, in whatever form its files are."""

    work: Work
    earlier: Nights | None
    workers: int | None
    started: Progress | None
    progress: Progress | None

    def grouped(self, files: LogFiles) -> tuple[ReadLog, LogAnswer] | None:
        """The answer where the tables stand apart in the files, and are read when their turn comes;
        None where the log has to be sorted out."""
        log = grouped_log(files)
        if log is None:
            return None
        with closing(log):
            try:
                answer = self._answer(log, log.read_closely)
                return log.as_read(), answer
            except DamagedFile:
                # In what way, and at which record, only the other way of reading can tell.
                return None

    def sorted_out(self, files: LogFiles) -> tuple[ReadLog, LogAnswer | None]:
        """The answer where all files are read first; none where that cannot be done."""
        log = read_files(files)
        return log.as_read(), None if log.problems else self._answer(log)

    def _answer(self, log: LogTables | GroupedLog, read_closely: Close | None = None) -> LogAnswer:
        if self.started is not None:
            self.started(log.events)
        return check_frames(
            log,
            self.work,
            earlier=self.earlier,
            workers=_worth_sharing(log.events) if self.workers is None else self.workers,
            progress=self.progress,
            read_closely=read_closely,
        )


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
