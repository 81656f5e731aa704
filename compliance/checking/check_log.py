"""The main job: read a log, apply a rulebook to every table, and put the result together.

result = check_log(["night/"], Settings(rulebook, schema, workers=2))
result.run, result.problems
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from compliance.archive.archived_log import ArchivedLog
from compliance.archive.archived_table import UnusableNight
from compliance.checking.assemble_result import assemble
from compliance.checking.check_tables import UNSEEN, CheckProgress, Close, check_frames
from compliance.checking.log_answer import LogAnswer
from compliance.checking.nights import Nights
from compliance.log.grouped_log import GroupedLog, grouped_log
from compliance.log.problems import LogProblem
from compliance.log.row_group_table import DamagedFile
from compliance.log.sources import find_sources
from compliance.log.tables import LogFiles, LogTables, ReadLog, read_files
from compliance.table_check.selection import Selection
from compliance.table_check.settings import Settings
from reports.model import Run

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
    settings: Settings,
    earlier: Nights | None = None,
    progress: CheckProgress = UNSEEN,
) -> LogResult:
    """Check a log of any size.

    With `earlier` the log goes on from one that was checked before (an empty one begins a row of
    logs), and the result tells what the next log needs.
    """
    settings = replace(settings, keeps=earlier is not None)

    def check(log: LogTables | GroupedLog, read_closely: Close | None = None) -> LogAnswer:
        progress.checking(log.events)
        workers = _worth_sharing(log.events) if settings.workers is None else settings.workers
        return check_frames(log, settings, earlier, workers, progress, read_closely)

    with tempfile.TemporaryDirectory(prefix="compliance-") as folder:
        files = LogFiles(
            find_sources(paths, settings.form, strict=settings.strict),
            settings.schema,
            settings.mapping,
            settings.quarantine,
            Path(folder),
            settings.limits,
            progress.read,
        )
        log, answer = _grouped(files, check) or _sorted_out(files, check)
    if answer is None:
        return LogResult(None, log.problems)
    problems = (*answer.problems, *_unknown_tables(settings.selection, answer))
    if problems:
        return LogResult(None, problems)
    run = assemble(settings, answer, log, earlier.notes if earlier is not None else ())
    return LogResult(run, (), None if earlier is None else answer.nights)


def check_archived(
    log: ArchivedLog, settings: Settings, progress: CheckProgress = UNSEEN
) -> LogResult:
    """Check nights of an archive: what is known of them is what was known of their files."""
    settings = replace(settings, in_part_of_casino=log.in_part, suits_put_in=log.suits_unknown)
    with closing(log):
        try:
            progress.checking(log.events)
            workers = _worth_sharing(log.events) if settings.workers is None else settings.workers
            answer = check_frames(log, settings, None, workers, progress)
            read = log.as_read()
        except UnusableNight as unusable:
            return LogResult(None, (unusable.problem,))
    if answer.problems:
        return LogResult(None, tuple(answer.problems))
    return LogResult(assemble(settings, answer, read), ())


def _grouped(files: LogFiles, check: Callable[..., LogAnswer]) -> tuple[ReadLog, LogAnswer] | None:
    """The answer where the tables stand apart in the files, and are read when their turn comes;
    None where the log has to be sorted out."""
    log = grouped_log(files)
    if log is None:
        return None
    with closing(log):
        try:
            answer = check(log, log.read_closely)
            return log.as_read(), answer
        except DamagedFile:
            # In what way, and at which record, only the other way of reading can tell.
            return None


def _sorted_out(
    files: LogFiles, check: Callable[..., LogAnswer]
) -> tuple[ReadLog, LogAnswer | None]:
    """The answer where all files are read first; none where that cannot be done."""
    log = read_files(files)
    return log.as_read(), None if log.problems else check(log)


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
