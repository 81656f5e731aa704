"""Checks a whole log, table by table, over as many processes as wanted.

Every table is one piece of work; only the events that rules across tables need are brought together
at the end. The result does not depend on the number of processes or on who finishes first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import closing
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from typing import Final
from zoneinfo import ZoneInfo

import numpy as np
import polars as pl

from compliance.checking.cross_table_check import (
    CrossTableAnswer,
    SharedEvents,
    check_across_tables,
    check_next_across_tables,
    shared_events,
)
from compliance.checking.evaluable_rules import Manifests
from compliance.checking.nights import KeptTable, Nights
from compliance.findings.breach_context import TIMELINES
from compliance.findings.table_findings import (
    SHOWN_UNDECIDED,
    LogFindings,
    PackedFinding,
    TableFindings,
    packed_findings,
    table_findings,
)
from compliance.integrity import Damage, Defect, Loss, defect_findings, examine, examine_next, seam
from compliance.log.grouped_log import UnreadTable
from compliance.log.manifest import Manifest, inferred_manifest
from compliance.log.problems import LogProblem
from compliance.log.table_options import TableOptions
from compliance.log.tables import TableFrame
from compliance.log.typed_columns import CloserLookNeeded
from compliance.processes.worker_pool import give_back_memory, worker_pool
from compliance.table_check.check_table import EarlierNight, Job, RuleCount, check_next, check_table
from compliance.table_check.cross_table_events import (
    CrossTableEvents,
    cross_table_events,
    rows_for_other_tables,
)
from compliance.table_check.earliest_breaches import EarliestBreaches
from compliance.table_check.selection import Selection
from compliance.table_log.coded_texts import recoded, uncoded
from compliance.table_log.frame import FrameEvents, table_log
from compliance.table_log.lost_rows import with_unrecorded_rows, without_unrecorded_rows
from compliance.values.elected_options import ELECTIONS
from compliance.values.moments import moment
from event_schemas import Event
from reports.model import Finding
from reports.verdicts import Verdict

Progress = Callable[[int], None]
"""Told how many more events have been checked."""


@dataclass(frozen=True)
class TableAnswer:
    """What one table's log shows, rule by rule."""

    casino: str
    table: str
    events: int
    span: tuple[datetime, datetime] | None
    """The first and last moment that was judged."""
    days: frozenset[date]
    counts: tuple[RuleCount, ...]
    """Without the checks: what they tell is `findings`."""
    findings: TableFindings
    elections: tuple[Event, ...]
    shared: tuple[CrossTableEvents, ...]
    """What rules across tables need, for each casino and pit."""
    across_tables: pl.DataFrame
    """The same in one, where a next log goes on from this one."""
    occurs: Manifest
    """The event types and fields that occur, where no manifest says what is recorded."""
    defects: Mapping[str, Sequence[PackedFinding]] = field(default_factory=dict)
    """What is wrong with the evidence, by the name of the defect."""
    kept: KeptTable | None = None
    """What the next log needs, where that was asked for."""
    overlaps: bool = False
    """By its clock the log begins before the one before it ended."""
    loss: Loss = field(default_factory=Loss)
    """How many records are lost."""


@dataclass(frozen=True)
class Piece:
    """One table's log, and what is kept of the one before it."""

    table: TableFrame | UnreadTable
    kept: KeptTable | None = None


@dataclass(frozen=True)
class Refusal:
    """Why a table was not checked."""

    casino: str
    table: str
    problem: LogProblem


@dataclass
class LogAnswer:
    """What the whole log shows, rule by rule."""

    counts: dict[str, Counter[Verdict]] = field(default_factory=dict)
    unsettled: dict[str, Counter[Verdict]] = field(default_factory=dict)
    """Of the checks that are counted, those that the next log may still change."""
    found: LogFindings = field(default_factory=LogFindings)
    undecided: dict[str, dict[Verdict, list[str]]] = field(default_factory=dict)
    """By rule and verdict: where the first checks stand that were excused or not decided."""
    undecided_by_loss: int = 0
    """How many checks could not be decided because a record is lost."""
    elections: list[Event] = field(default_factory=list)
    days: set[date] = field(default_factory=set)
    tables: list[TableAnswer] = field(default_factory=list)
    defects: LogFindings = field(default_factory=LogFindings)
    notes: list[str] = field(default_factory=list)
    problems: list[LogProblem] = field(default_factory=list)
    """Why tables could not be checked at all."""
    nights: Nights = field(default_factory=Nights)
    """What the next log needs, where that was asked for."""

    def add(self, counts: Iterable[RuleCount], said: TableFindings) -> None:
        """Take in what a table shows, or several together."""
        for result in counts:
            self.counts.setdefault(result.rule, Counter()).update(result.counts)
            self.unsettled.setdefault(result.rule, Counter()).update(result.unsettled)
        self.found.add(said.findings)
        self.undecided_by_loss += said.undecided_by_loss
        for rule, by_verdict in said.undecided.items():
            for verdict, places in by_verdict.items():
                named = self.undecided.setdefault(rule, {}).setdefault(verdict, [])
                named += places[: SHOWN_UNDECIDED - len(named)]


@dataclass(frozen=True)
class Work:
    """What every process needs to know to check a table."""

    job: Job
    options: TableOptions = field(default_factory=TableOptions)
    manifests: Manifests = field(default_factory=Manifests)
    selection: Selection = field(default_factory=Selection)
    keeping: bool = False
    """Whether to keep what the next log needs."""


Close = Callable[[Sequence[UnreadTable]], Iterable[TableFrame]]
"""Reads tables in a way that sets aside what is no event."""


def check_frames(
    frames: Iterable[TableFrame | UnreadTable],
    work: Work,
    *,
    earlier: Nights | None = None,
    workers: int = 1,
    progress: Progress | None = None,
    read_closely: Close | None = None,
) -> LogAnswer:
    """Check every table of a log, and then what concerns several tables.

    Tables that were not read yet are read where they are checked, but for those of which something
    is in doubt: they come last, and `read_closely` reads them here.
    """
    before = earlier or Nights()
    answers: list[TableAnswer] = []
    refused: list[Refusal] = []
    doubtful: list[UnreadTable] = []

    groups: list[CrossTableAnswer] = []

    def pieces() -> Iterator[Iterable[Piece | SharedEvents]]:
        yield _pieces(frames, before)
        if doubtful and read_closely is not None:
            yield _pieces(read_closely(doubtful), before)
        answers.sort(key=lambda answer: (answer.casino, answer.table))
        # The last round, so that what concerns several tables is shared among processes, too.
        yield shared_events(part for answer in answers for part in answer.shared)

    with closing(_outcomes(pieces(), work, workers)) as found:
        for outcome in found:
            if isinstance(outcome, Refusal):
                refused.append(outcome)
            elif isinstance(outcome, UnreadTable):
                doubtful.append(outcome)
            elif isinstance(outcome, CrossTableAnswer):
                groups.append(outcome)
            else:
                answers.append(outcome)
                if progress is not None:
                    progress(outcome.events)
    refused.sort(key=lambda refusal: (refusal.casino, refusal.table))
    whole = LogAnswer(tables=answers, problems=[refusal.problem for refusal in refused])
    for answer in answers:
        whole.add(answer.counts, answer.findings)
        whole.days |= answer.days
        whole.elections += answer.elections
        whole.defects.add(answer.defects)
    overlapping = [answer.table for answer in answers if answer.overlaps]
    if overlapping:
        whole.notes.append(
            f"By the clock, the log of {', '.join(overlapping)} begins before the one that was "
            "checked before ended: lengths of time over the seam may count otherwise than in one "
            "log."
        )
    across_tables = before.across_tables
    if work.keeping:
        events = (answer.across_tables for answer in answers)
        groups = [check_next_across_tables(work.job, events, across_tables, work.options)]
    for group in sorted(groups, key=lambda group: group.where):
        whole.add(group.results, group.findings)
        whole.notes += group.notes
        across_tables = group.left
    kept = {(item.casino, item.table): item.kept for item in answers if item.kept is not None}
    whole.nights = Nights({**before.tables, **kept}, across_tables)
    return whole


def _pieces(frames: Iterable[TableFrame | UnreadTable], before: Nights) -> Iterator[Piece]:
    """Every table with what is kept of it."""
    for frame in frames:
        yield Piece(frame, before.tables.get((frame.casino, frame.table)))


def _outcomes(
    rounds: Iterable[Iterable[Piece | SharedEvents]], work: Work, workers: int
) -> Generator[Outcome, None, None]:
    """What comes of every piece; a round begins when all is known of the one before it."""
    if workers <= 1:
        earliest = EarliestBreaches(TIMELINES)
        for pieces in rounds:
            for piece in pieces:
                yield _outcome(work, piece, earliest)
        return
    with worker_pool(workers, _remember, work) as pool:
        for pieces in rounds:
            waiting: set[Future[Outcome]] = set()
            for piece in pieces:
                waiting.add(pool.submit(_in_worker, piece))
                # No more tables in memory than processes can work on, and one in reserve.
                while len(waiting) > workers:
                    done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
                    yield from (future.result() for future in done)
            yield from (future.result() for future in waiting)


Outcome = TableAnswer | Refusal | UnreadTable | CrossTableAnswer
"""A table that is still unread is in doubt."""
_MANY_EVENTS: Final = 200_000
"""More than a table has in a night: what so many needed is worth more to the machine than to the
worker, which would have to ask for it again."""
_known: list[tuple[Work, EarliestBreaches]] = []


def _remember(work: Work) -> None:
    """Called once in each worker: the rules travel once, not with every table."""
    _known[:] = [(work, EarliestBreaches(TIMELINES))]


def _in_worker(piece: Piece | SharedEvents) -> Outcome:
    outcome = _outcome(_known[0][0], piece, _known[0][1])
    if isinstance(outcome, TableAnswer) and outcome.events > _MANY_EVENTS:
        give_back_memory()
    return outcome


def _outcome(work: Work, piece: Piece | SharedEvents, earliest: EarliestBreaches) -> Outcome:
    """Check one table, if it can be read and was not checked before, or what several share."""
    if isinstance(piece, SharedEvents):
        return check_across_tables(work.job, piece, work.options, work.selection)
    table, kept = piece.table, piece.kept
    if isinstance(table, UnreadTable):
        unread = table
        try:
            table = unread.read(work.job.schema)
        except CloserLookNeeded:
            return unread
    if kept is not None:
        problem = kept.already_checked(table.casino, table.table, table.frame)
        if problem is not None:
            return Refusal(table.casino, table.table, problem)
    return _answer(work, table, kept, earliest)


def _answer(
    work: Work, table: TableFrame, before: KeptTable | None, earliest: EarliestBreaches
) -> TableAnswer:
    """Check one table."""
    job = work.job
    as_read = uncoded(table.frame) if work.keeping else table.small()
    left_out = table.numbers_left_out
    events, span = len(as_read), _span(as_read, work.selection)
    days = _days(_judged(as_read, work.selection), ZoneInfo(job.rulebook.time_zone))
    given = {**job.options, **work.options.given(table.casino, table.table)}
    elected = work.options.elections(job.schema, table.casino, table.table)
    manifest = work.manifests.of(table.casino)
    recorded = None if manifest is None else frozenset(manifest.fields)
    damage = Damage(table.lost_lines, recorded)
    if before is None:
        examined = examine(job.schema, as_read, given, elected, left_out, damage)
    else:
        examined = examine_next(job.schema, before.seam, as_read, given, elected, left_out, damage)
    asked = work.selection.asks(table.table)
    defects = _defects(examined.defects, table) if asked else {}
    loss = examined.loss
    frame = seen = examined.frame
    occurs = table.occurs if frame is as_read else None
    del examined
    in_part = frozenset() if manifest is None else manifest.partly
    kept = None
    results: tuple[RuleCount, ...] = ()
    across: tuple[CrossTableEvents, ...] = ()
    if work.keeping:
        earlier = before.earlier if before else EarlierNight()
        seen = without_unrecorded_rows(earlier.then(frame))
        told = with_unrecorded_rows(job.schema, frame, in_part)
        checked = check_next(job, told, earlier, given, elected)
        results = checked.results
        left = seam(job.schema, as_read, frame, before.seam if before else None)
        kept = KeptTable(checked.left, left)
    else:
        if frame is not as_read:
            # A log of many nights is large: what was read goes before the rules need room.
            del as_read
            frame = seen = pl.DataFrame([recoded(column) for column in frame.iter_columns()])
        log = table_log(job.schema, frame)
        if asked:
            told = with_unrecorded_rows(job.schema, frame, in_part)
            known = log if told is frame else None
            results = tuple(check_table(job, told, given, elected, work.selection, known))
        across = tuple(cross_table_events(job, log, frame))
    return TableAnswer(
        table.casino,
        table.table,
        events,
        span,
        frozenset(days),
        tuple(replace(result, found=()) for result in results),
        table_findings(job, seen, results, len(seen) - len(frame), earliest),
        tuple(_elections(job, seen)) if asked else (),
        across,
        rows_for_other_tables(job, frame) if work.keeping else pl.DataFrame(),
        Manifest({}) if manifest else occurs or inferred_manifest(job.schema, [frame]),
        defects,
        kept,
        before is not None and len(frame) > 0 and _ends(before.seam.recent)[1] > _ends(frame)[0],
        loss,
    )


def _defects(defects: Iterable[Defect], table: TableFrame) -> dict[str, tuple[PackedFinding, ...]]:
    by_name: dict[str, list[Finding]] = {}
    for found in defect_findings(defects, table.casino, table.table):
        by_name.setdefault(found.rule, []).append(found)
    return {name: packed_findings(found) for name, found in by_name.items()}


def _ends(frame: pl.DataFrame) -> tuple[int, int]:
    """The first and the last moment of some events, in microseconds."""
    first, last = frame.select(first=pl.col("ts").min(), last=pl.col("ts").max()).row(0)
    return int(first), int(last)


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
    ts, offset = frame["ts"].to_numpy(), frame["offset"]
    first, last = int(ts.argmin()), int(ts.argmax())
    return moment(int(ts[first]), offset[first]), moment(int(ts[last]), offset[last])


def _days(frame: pl.DataFrame, zone: ZoneInfo) -> list[date]:
    """The calendar days of the log in the casino's zone."""
    every = frame["ts"].to_numpy() // 3_600_000_000
    hours = sorted({*every[:1].tolist(), *every[1:][np.diff(every) != 0].tolist()})
    return [moment(hour * 3_600_000_000, 0).astimezone(zone).date() for hour in hours]


def _elections(job: Job, frame: pl.DataFrame) -> list[Event]:
    types = [place for place, name in enumerate(job.schema.events) if name in ELECTIONS]
    records = FrameEvents(job.schema, frame)
    places = np.flatnonzero(np.isin(frame["type"].to_numpy(), types)).tolist()
    return [records[place] for place in places]
