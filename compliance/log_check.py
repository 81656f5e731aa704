"""Checks a whole log, table by table, over as many processes as wanted.

Every table is one piece of work; only the events that rules across tables need are brought together
at the end. The result does not depend on the number of processes or on who finishes first.
"""

from __future__ import annotations

import multiprocessing
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass, field
from datetime import date
from zoneinfo import ZoneInfo

import polars as pl

from compliance.integrity import defect_findings, examine
from compliance.log.table_options import TableOptions
from compliance.log.tables import TableFrame
from compliance.table_check import Job, RuleCount, check_table, check_together, order
from compliance.table_frame import FrameEvents, moment
from event_schemas import Event
from reports.model import Check, Finding
from reports.verdicts import Verdict

Progress = Callable[[int], None]
"""Told how many more events have been checked."""


@dataclass(frozen=True)
class TableAnswer:
    """What one table's log shows: counts and checks by rule, and the events that triggered them."""

    casino: str
    table: str
    events: int
    first: int
    last: int
    offsets: tuple[int, int]
    days: frozenset[date]
    results: tuple[RuleCount, ...]
    triggers: Mapping[str, Event]
    elections: tuple[Event, ...]
    crossing: pl.DataFrame
    defects: tuple[Finding, ...] = ()


@dataclass
class LogAnswer:
    """What the whole log shows, rule by rule."""

    counts: dict[str, Counter[Verdict]] = field(default_factory=dict)
    checks: dict[str, list[Check]] = field(default_factory=dict)
    triggers: dict[tuple[str, str], Event] = field(default_factory=dict)
    elections: list[Event] = field(default_factory=list)
    days: set[date] = field(default_factory=set)
    tables: list[TableAnswer] = field(default_factory=list)
    defects: list[Finding] = field(default_factory=list)

    def add(self, results: Iterable[RuleCount]) -> None:
        for result in results:
            self.counts.setdefault(result.rule, Counter()).update(result.counts)
            self.checks.setdefault(result.rule, []).extend(result.checks)


@dataclass(frozen=True)
class Work:
    """What every process needs to know to check a table."""

    job: Job
    options: TableOptions = field(default_factory=TableOptions)


def check_frames(
    frames: Iterable[TableFrame], work: Work, *, workers: int = 1, progress: Progress | None = None
) -> LogAnswer:
    """Check every table of a log, and then what concerns several tables."""
    answers: list[TableAnswer] = []
    for answer in _answers(frames, work, workers):
        answers.append(answer)
        if progress is not None:
            progress(answer.events)
    answers.sort(key=lambda answer: (answer.casino, answer.table))
    whole = LogAnswer(tables=answers)
    for answer in answers:
        whole.add(answer.results)
        whole.days |= answer.days
        whole.elections += answer.elections
        whole.defects += answer.defects
        whole.triggers |= {(answer.table, key): event for key, event in answer.triggers.items()}
    _add_crossing(whole, answers, work)
    return whole


def _add_crossing(whole: LogAnswer, answers: list[TableAnswer], work: Work) -> None:
    parts = [answer.crossing for answer in answers if len(answer.crossing)]
    if not parts:
        return
    frame = order(pl.concat(parts, how="diagonal_relaxed"))
    results = check_together(work.job, frame)
    whole.add(results)
    whole.triggers |= {
        (event.table, event.id): event for event in _triggers(work.job, frame, results).values()
    }


def _answers(frames: Iterable[TableFrame], work: Work, workers: int) -> Iterator[TableAnswer]:
    if workers <= 1:
        for frame in frames:
            yield _answer(work, frame)
        return
    # A fresh interpreter for each worker: threads of the columnar libraries do not survive a fork.
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(workers, context, _remember, (work,)) as pool:
        waiting: set[Future[TableAnswer]] = set()
        for frame in frames:
            waiting.add(pool.submit(_in_worker, frame))
            # No more tables in memory than processes can work on, and one in reserve.
            while len(waiting) > workers:
                done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
                yield from (future.result() for future in done)
        yield from (future.result() for future in waiting)


_known: list[Work] = []


def _remember(work: Work) -> None:
    """Called once in each worker: the rules travel once, not with every table."""
    _known[:] = [work]


def _in_worker(frame: TableFrame) -> TableAnswer:
    return _answer(_known[0], frame)


def _answer(work: Work, table: TableFrame) -> TableAnswer:
    """Check one table."""
    job, as_read = work.job, table.frame
    given = {**job.options, **work.options.given(table.casino, table.table)}
    elected = work.options.elections(job.schema, table.casino, table.table)
    examined = examine(job.schema, as_read, given, elected)
    frame = examined.frame
    results = tuple(check_table(job, frame, given, elected))
    crossing = [place for place, name in enumerate(job.schema.events) if name in job.crossing_types]
    zone = ZoneInfo(job.rulebook.time_zone)
    # The scope is what was read: corrections may leave a table without any event to check.
    ends = as_read.select(first=pl.col("ts").arg_min(), last=pl.col("ts").arg_max()).row(0)
    first, last = (as_read.row(place, named=True) for place in ends)
    return TableAnswer(
        table.casino,
        table.table,
        len(as_read),
        first["ts"],
        last["ts"],
        (first["offset"], last["offset"]),
        frozenset(_days(as_read, zone)),
        results,
        _triggers(job, frame, results),
        tuple(_elections(job, frame)),
        frame.filter(pl.col("type").is_in(crossing)),
        tuple(defect_findings(examined.defects, table.casino, table.table)),
    )


def _days(frame: pl.DataFrame, zone: ZoneInfo) -> list[date]:
    """The calendar days of the log in the casino's zone."""
    hours = frame.select((pl.col("ts") // 3_600_000_000).unique()).to_series().to_list()
    return [moment(hour * 3_600_000_000, 0).astimezone(zone).date() for hour in hours]


def _triggers(job: Job, frame: pl.DataFrame, results: Iterable[RuleCount]) -> dict[str, Event]:
    wanted = {
        check.trigger.event_id
        for result in results
        for check in result.checks
        if check.verdict is Verdict.VIOLATED
    }
    if not wanted:
        return {}
    found = FrameEvents(job.schema, frame.filter(pl.col("id").is_in(list(wanted))))
    return {event.id: event for event in found}


def _elections(job: Job, frame: pl.DataFrame) -> list[Event]:
    names = ("option_elected", "table_opened")
    places = [place for place, name in enumerate(job.schema.events) if name in names]
    return list(FrameEvents(job.schema, frame.filter(pl.col("type").is_in(places))))
