"""Checks a whole log, table by table, over as many processes as wanted.

Every table is one piece of work; only the events that rules across tables need are brought together
at the end. The result does not depend on the number of processes or on who finishes first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import closing
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from zoneinfo import ZoneInfo

import polars as pl

from compliance.around import Around, around_breaches
from compliance.crossing import crossing_events
from compliance.integrity import defect_findings, examine, examine_next, seam
from compliance.log.manifest import Manifest, inferred_manifest
from compliance.log.problems import LogProblem
from compliance.log.table_options import TableOptions
from compliance.log.tables import TableFrame
from compliance.nights import KeptTable, Nights
from compliance.options import ELECTIONS
from compliance.recorded import Manifests
from compliance.selection import Selection
from compliance.table_check import (
    Checked,
    Earlier,
    Job,
    RuleCount,
    check_next,
    check_next_together,
    check_table,
    check_together,
    order,
)
from compliance.table_frame import FrameEvents, moment
from compliance.worker_pool import worker_pool
from event_schemas import Event
from reports.model import Check, Finding
from reports.verdicts import Verdict

Place = tuple[str, str, str]
"""Where an event stands: casino, table and its id there."""
Progress = Callable[[int], None]
"""Told how many more events have been checked."""


@dataclass(frozen=True)
class TableAnswer:
    """What one table's log shows: counts and checks by rule, and the events that triggered them."""

    casino: str
    table: str
    events: int
    span: tuple[datetime, datetime] | None
    """The first and last moment that was judged."""
    days: frozenset[date]
    results: tuple[RuleCount, ...]
    triggers: Mapping[Place, Event]
    """By table and id."""
    elections: tuple[Event, ...]
    crossing: pl.DataFrame
    occurs: Manifest
    """The event types and fields that occur, where no manifest says what is recorded."""
    defects: tuple[Finding, ...] = ()
    kept: KeptTable | None = None
    """What the next log needs, where that was asked for."""
    overlaps: bool = False
    """By its clock the log begins before the one before it ended."""
    around: Mapping[str, Around] = field(default_factory=dict)
    """By fingerprint: what the log tells around each breach."""


@dataclass(frozen=True)
class Piece:
    """One table's log, and what is kept of the one before it."""

    table: TableFrame
    kept: KeptTable | None = None


@dataclass
class LogAnswer:
    """What the whole log shows, rule by rule."""

    counts: dict[str, Counter[Verdict]] = field(default_factory=dict)
    unsettled: dict[str, Counter[Verdict]] = field(default_factory=dict)
    """Of the checks that are counted, those that the next log may still change."""
    checks: dict[str, list[Check]] = field(default_factory=dict)
    triggers: dict[Place, Event] = field(default_factory=dict)
    elections: list[Event] = field(default_factory=list)
    days: set[date] = field(default_factory=set)
    tables: list[TableAnswer] = field(default_factory=list)
    defects: list[Finding] = field(default_factory=list)
    around: dict[str, Around] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    problems: list[LogProblem] = field(default_factory=list)
    """Why tables could not be checked at all."""
    nights: Nights = field(default_factory=Nights)
    """What the next log needs, where that was asked for."""

    def add(self, results: Iterable[RuleCount]) -> None:
        for result in results:
            self.counts.setdefault(result.rule, Counter()).update(result.counts)
            self.unsettled.setdefault(result.rule, Counter()).update(result.unsettled)
            self.checks.setdefault(result.rule, []).extend(result.checks)


@dataclass(frozen=True)
class Work:
    """What every process needs to know to check a table."""

    job: Job
    options: TableOptions = field(default_factory=TableOptions)
    manifests: Manifests = field(default_factory=Manifests)
    selection: Selection = field(default_factory=Selection)
    keeping: bool = False
    """Whether to keep what the next log needs."""


def check_frames(
    frames: Iterable[TableFrame],
    work: Work,
    *,
    earlier: Nights | None = None,
    workers: int = 1,
    progress: Progress | None = None,
) -> LogAnswer:
    """Check every table of a log, and then what concerns several tables."""
    before = earlier or Nights()
    problems: list[LogProblem] = []
    answers: list[TableAnswer] = []
    with closing(_answers(_pieces(frames, before, problems), work, workers)) as found:
        for answer in found:
            answers.append(answer)
            if progress is not None:
                progress(answer.events)
    answers.sort(key=lambda answer: (answer.casino, answer.table))
    whole = LogAnswer(tables=answers, problems=problems)
    for answer in answers:
        whole.add(answer.results)
        whole.days |= answer.days
        whole.elections += answer.elections
        whole.defects += answer.defects
        whole.around |= answer.around
        whole.triggers |= answer.triggers
    overlapping = [answer.table for answer in answers if answer.overlaps]
    if overlapping:
        whole.notes.append(
            f"By the clock, the log of {', '.join(overlapping)} begins before the one that was "
            "checked before ended: lengths of time over the seam may count otherwise than in one "
            "log."
        )
    crossing = _add_crossing(whole, answers, work, before.crossing)
    kept = {(item.casino, item.table): item.kept for item in answers if item.kept is not None}
    whole.nights = Nights({**before.tables, **kept}, crossing)
    return whole


def _pieces(
    frames: Iterable[TableFrame], before: Nights, problems: list[LogProblem]
) -> Iterator[Piece]:
    """Every table with what is kept of it; one that was checked before is a problem."""
    for frame in frames:
        problem = before.already_checked(frame)
        if problem is not None:
            problems.append(problem)
        elif not problems:
            yield Piece(frame, before.tables.get((frame.casino, frame.table)))


def _add_crossing(
    whole: LogAnswer, answers: list[TableAnswer], work: Work, earlier: Earlier
) -> Earlier:
    """Judge what concerns several tables; what it leaves for the next log."""
    parts = [answer.crossing for answer in answers if len(answer.crossing)]
    if not parts:
        return earlier
    frame = order(pl.concat(parts, how="diagonal_relaxed"))
    seen = earlier.then(frame)
    elected = [
        event
        for casino, table in seen.select("casino", "table").unique().sort("casino", "table").rows()
        for event in work.options.all_elections(work.job.schema, casino, table)
    ]
    if work.keeping:
        checked = check_next_together(work.job, frame, earlier, elected)
        if len(earlier.frame) and _overlap(earlier.frame, frame):
            whole.notes.append(
                "The logs of the tables do not end at the same time: rules across tables did not "
                "see some events of one table while they judged those of another."
            )
    else:
        checked = Checked(tuple(check_together(work.job, frame, elected, work.selection)))
    whole.add(checked.results)
    whole.around |= around_breaches(work.job, seen, checked.results)
    whole.triggers |= _triggers(work.job, seen, checked.results)
    return checked.left


def _overlap(earlier: pl.DataFrame, frame: pl.DataFrame) -> bool:
    """Whether some casino's events lie before others that were judged already."""
    ends = earlier.group_by("casino").agg(end=pl.col("ts").max())
    begins = frame.group_by("casino").agg(begin=pl.col("ts").min())
    return len(begins.join(ends, on="casino").filter(pl.col("begin") < pl.col("end"))) > 0


def _answers(
    pieces: Iterable[Piece], work: Work, workers: int
) -> Generator[TableAnswer, None, None]:
    if workers <= 1:
        for piece in pieces:
            yield _answer(work, piece)
        return
    with worker_pool(workers, _remember, work) as pool:
        waiting: set[Future[TableAnswer]] = set()
        for piece in pieces:
            waiting.add(pool.submit(_in_worker, piece))
            # No more tables in memory than processes can work on, and one in reserve.
            while len(waiting) > workers:
                done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
                yield from (future.result() for future in done)
        yield from (future.result() for future in waiting)


_known: list[Work] = []


def _remember(work: Work) -> None:
    """Called once in each worker: the rules travel once, not with every table."""
    _known[:] = [work]


def _in_worker(piece: Piece) -> TableAnswer:
    return _answer(_known[0], piece)


def _answer(work: Work, piece: Piece) -> TableAnswer:
    """Check one table."""
    job, table, before = work.job, piece.table, piece.kept
    as_read, left_out = table.frame, table.numbers_left_out
    given = {**job.options, **work.options.given(table.casino, table.table)}
    elected = work.options.elections(job.schema, table.casino, table.table)
    if before is None:
        examined = examine(job.schema, as_read, given, elected, left_out)
    else:
        examined = examine_next(job.schema, before.seam, as_read, given, elected, left_out)
    frame = seen = examined.frame
    asked = work.selection.asks(table.table)
    kept = None
    results: tuple[RuleCount, ...] = ()
    if work.keeping:
        earlier = before.earlier if before else Earlier()
        seen = earlier.then(frame)
        checked = check_next(job, frame, earlier, given, elected)
        results = checked.results
        left = seam(job.schema, as_read, frame, before.seam if before else None)
        kept = KeptTable(checked.left, left)
    elif asked:
        results = tuple(check_table(job, frame, given, elected, work.selection))
    said = work.manifests.of(table.casino) is not None
    return TableAnswer(
        table.casino,
        table.table,
        len(as_read),
        _span(as_read, work.selection),
        frozenset(_days(_judged(as_read, work.selection), ZoneInfo(job.rulebook.time_zone))),
        results,
        _triggers(job, seen, results),
        tuple(_elections(job, seen)) if asked else (),
        crossing_events(job, frame),
        Manifest({}) if said else inferred_manifest(job.schema, [frame]),
        tuple(defect_findings(examined.defects, table.casino, table.table)) if asked else (),
        kept,
        before is not None and len(frame) > 0 and _ends(before.seam.recent)[1] > _ends(frame)[0],
        _around(job, seen, results, len(seen) - len(frame)),
    )


def _ends(frame: pl.DataFrame) -> tuple[int, int]:
    """The first and the last moment of some events, in microseconds."""
    first, last = frame.select(first=pl.col("ts").min(), last=pl.col("ts").max()).row(0)
    return int(first), int(last)


def _around(
    job: Job, seen: pl.DataFrame, results: tuple[RuleCount, ...], fresh_from: int
) -> dict[str, Around]:
    """What surrounds the breaches; of what lies in an earlier log too little is kept to count."""
    found = around_breaches(job, seen, results)
    if not fresh_from:
        return found
    old = set(seen["id"][:fresh_from].to_list())
    for check in (check for result in results for check in result.checks):
        if check.fingerprint in found and check.trigger.event_id in old:
            around = found[check.fingerprint]
            found[check.fingerprint] = replace(around, exposure=None, timeline=None)
    return found


def _judged(frame: pl.DataFrame, selection: Selection) -> pl.DataFrame:
    """The events that were asked for."""
    asked = selection.asked(frame)
    return frame if asked is None else frame.filter(pl.Series(asked))


def _span(as_read: pl.DataFrame, selection: Selection) -> tuple[datetime, datetime] | None:
    """The first and last moment that was judged, if any."""
    # The scope is what was read: corrections may leave a table without any event to check.
    frame = _judged(as_read, selection)
    if not len(frame):
        return None
    ends = frame.select(first=pl.col("ts").arg_min(), last=pl.col("ts").arg_max()).row(0)
    first, last = (frame.row(place, named=True) for place in ends)
    return moment(first["ts"], first["offset"]), moment(last["ts"], last["offset"])


def _days(frame: pl.DataFrame, zone: ZoneInfo) -> list[date]:
    """The calendar days of the log in the casino's zone."""
    hours = frame.select((pl.col("ts") // 3_600_000_000).unique()).to_series().to_list()
    return [moment(hour * 3_600_000_000, 0).astimezone(zone).date() for hour in hours]


def _triggers(job: Job, frame: pl.DataFrame, results: Iterable[RuleCount]) -> dict[Place, Event]:
    wanted = {
        check.trigger.event_id
        for result in results
        for check in result.checks
        if check.verdict is Verdict.VIOLATED
    }
    if not wanted:
        return {}
    found = FrameEvents(job.schema, frame.filter(pl.col("id").is_in(list(wanted))))
    return {(event.casino, event.table, event.id): event for event in found}


def _elections(job: Job, frame: pl.DataFrame) -> list[Event]:
    places = [place for place, name in enumerate(job.schema.events) if name in ELECTIONS]
    return list(FrameEvents(job.schema, frame.filter(pl.col("type").is_in(places))))
