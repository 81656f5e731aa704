"""Checks a whole log, table by table, over as many processes as wanted.

Every table is one piece of work; only the events that rules across tables need are brought together
at the end. The result does not depend on the number of processes or on who finishes first.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import Final
from zoneinfo import ZoneInfo

import numpy as np
import polars as pl

from compliance.checking.cross_table_check import (
    CrossTableAnswer,
    SharedEvents,
    check_next_across_tables,
    check_shared,
    shared_events,
)
from compliance.checking.log_answer import LogAnswer, TableAnswer
from compliance.checking.nights import KeptTable, Nights
from compliance.findings.breach_context import TIMELINES
from compliance.findings.table_findings import (
    PackedFinding,
    packed_findings,
    table_findings,
)
from compliance.integrity import (
    Damage,
    Defect,
    defect_findings,
    examine,
    examine_next,
    nights_in_order,
    seam,
)
from compliance.log.always_told import with_constants
from compliance.log.grouped_log import UnreadTable
from compliance.log.manifest import Manifest, denied_events, inferred_manifest
from compliance.log.problems import LogProblem
from compliance.log.tables import TableFrame
from compliance.log.typed_columns import CloserLookNeeded
from compliance.processes.worker_pool import give_back_memory, worker_pool
from compliance.table_check.check_table import EarlierNight, RuleCount, check_next, check_table
from compliance.table_check.cross_table_events import (
    CrossTableEvents,
    cross_table_events,
    rows_for_other_tables,
)
from compliance.table_check.earliest_breaches import EarliestBreaches
from compliance.table_check.selection import Selection
from compliance.table_check.settings import Settings
from compliance.table_log.coded_texts import recoded, uncoded
from compliance.table_log.frame import FrameEvents
from compliance.table_log.lost_rows import with_unrecorded_rows, without_unrecorded_rows
from compliance.table_log.table_log import table_log
from compliance.values.elected_options import ELECTIONS
from compliance.values.moments import moment
from event_schemas import Event
from reports.model import Finding


class CheckProgress:
    """Is told how far a check has come: how much was read, and then how much was checked."""

    def read(self, done: int, total: int | None, events: int) -> None:
        """So many bytes of the files, and events, were read."""

    def checking(self, total: int) -> None:
        """All is read; so many events are to be checked."""

    def checked(self, more: int) -> None:
        """So many more events are checked."""


UNSEEN: Final = CheckProgress()
"""Nobody looks."""


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


Close = Callable[[Sequence[UnreadTable]], Iterable[TableFrame]]
"""Reads tables in a way that sets aside what is no event."""


def check_frames(
    frames: Iterable[TableFrame | UnreadTable],
    settings: Settings,
    earlier: Nights | None = None,
    workers: int = 1,
    progress: CheckProgress = UNSEEN,
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
        yield shared_events(answers)

    with closing(_outcomes(pieces(), settings, workers)) as found:
        for outcome in found:
            if isinstance(outcome, Refusal):
                refused.append(outcome)
            elif isinstance(outcome, UnreadTable):
                doubtful.append(outcome)
            elif isinstance(outcome, CrossTableAnswer):
                groups.append(outcome)
            else:
                answers.append(outcome)
                progress.checked(outcome.events)
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
    whole.notes += [*_nights_told(answers), *_denials(answers)]
    left = check_next_across_tables(settings, whole, before.across_tables)
    for group in sorted(groups, key=lambda group: group.where):
        whole.add(group.results, group.findings)
    kept = {(item.casino, item.table): item.kept for item in answers if item.kept is not None}
    whole.nights = Nights({**before.tables, **kept}, left)
    return whole


def _nights_told(answers: Sequence[TableAnswer]) -> Iterator[str]:
    """Where sequence numbers begin again."""
    again = [answer for answer in answers if answer.begins_again]
    if again:
        names = ", ".join(dict.fromkeys(answer.table for answer in again))
        yield (
            f"The sequence numbers of {names} begin again (first at {again[0].begins_again[0]}): "
            "the nights were put one after the other by their times, and counted on."
        )


def _denials(answers: Sequence[TableAnswer]) -> Iterator[str]:
    """Where logs have what their manifest does not know of."""
    places: dict[str, str] = {}
    for answer in answers:
        for name, place in answer.denied.items():
            places.setdefault(name, place)
    for name, place in sorted(places.items()):
        yield (
            f"By its manifest the source does not record {name}, or it never happens; but {place} "
            "has one. Correct the manifest: verdicts rest on it."
        )


def _pieces(frames: Iterable[TableFrame | UnreadTable], before: Nights) -> Iterator[Piece]:
    """Every table with what is kept of it."""
    for frame in frames:
        yield Piece(frame, before.tables.get((frame.casino, frame.table)))


def _outcomes(
    rounds: Iterable[Iterable[Piece | SharedEvents]], settings: Settings, workers: int
) -> Generator[Outcome, None, None]:
    """What comes of every piece; a round begins when all is known of the one before it."""
    if workers <= 1:
        earliest = EarliestBreaches(TIMELINES)
        for pieces in rounds:
            for piece in pieces:
                yield _outcome(settings, piece, earliest)
        return
    with worker_pool(workers, _remember, settings) as pool:
        for pieces in rounds:
            yield from pool.answers(_in_worker, pieces)


Outcome = TableAnswer | Refusal | UnreadTable | CrossTableAnswer
"""A table that is still unread is in doubt."""
_MANY_EVENTS: Final = 200_000
"""More than a table has in a night: what so many needed is worth more to the machine than to the
worker, which would have to ask for it again."""
_known: list[tuple[Settings, EarliestBreaches]] = []


def _remember(settings: Settings) -> None:
    """Called once in each worker: the rules travel once, not with every table."""
    _known[:] = [(settings, EarliestBreaches(TIMELINES))]


def _in_worker(piece: Piece | SharedEvents) -> Outcome:
    outcome = _outcome(_known[0][0], piece, _known[0][1])
    if isinstance(outcome, TableAnswer) and outcome.events > _MANY_EVENTS:
        give_back_memory()
    return outcome


def _outcome(
    settings: Settings, piece: Piece | SharedEvents, earliest: EarliestBreaches
) -> Outcome:
    """Check one table, if it can be read and was not checked before, or what several share."""
    if isinstance(piece, SharedEvents):
        return check_shared(settings, piece)
    table, kept = piece.table, piece.kept
    if isinstance(table, UnreadTable):
        unread = table
        try:
            table = unread.read(settings.schema)
        except CloserLookNeeded:
            return unread
    return _answer(settings, table, kept, earliest)


def _answer(
    settings: Settings, table: TableFrame, before: KeptTable | None, earliest: EarliestBreaches
) -> TableAnswer | Refusal:
    """Check one table, if it was not checked before."""
    manifest = settings.manifests.of(table.casino)
    as_read = with_constants(settings.schema, table.small(), manifest)
    recent, names = (None, None) if before is None else (before.seam.recent, before.seam.names)
    nights = nights_in_order(
        settings.schema, as_read, recent, table.numbers_left_out, table.lost_lines, names
    )
    if nights is not None:
        as_read = nights.frame
        table = replace(table, numbers_left_out=nights.left_out, lost_lines=nights.lost_lines)
    if settings.keeps:
        as_read = uncoded(as_read)
    problem = before.already_checked(table.casino, table.table, as_read) if before else None
    if problem is not None:
        return Refusal(table.casino, table.table, problem)
    left_out = table.numbers_left_out
    events, span = len(as_read), _span(as_read, settings.selection)
    days = _days(_judged(as_read, settings.selection), ZoneInfo(settings.rulebook.time_zone))
    schema, where = settings.schema, (table.casino, table.table)
    given = settings.given_at(*where)
    elected = settings.options.elections(schema, *where)
    recorded = None if manifest is None else frozenset(manifest.fields)
    damage = Damage(table.lost_lines, recorded)
    if before is None:
        examined = examine(schema, as_read, given, elected, left_out, damage)
    else:
        examined = examine_next(
            settings.schema, before.seam, as_read, given, elected, left_out, damage
        )
    asked = settings.selection.asks(table.table)
    told = (*(nights.defects if nights else ()), *examined.defects)
    defects = _defects(told, table) if asked else {}
    loss = examined.loss
    frame = seen = examined.frame
    occurs = table.occurs if frame is as_read else None
    del examined
    kept = None
    results: Sequence[RuleCount] = ()
    across: tuple[CrossTableEvents, ...] = ()
    if settings.keeps:
        earlier = before.earlier if before else EarlierNight()
        seen = without_unrecorded_rows(earlier.then(frame))
        here = settings.at_casino(table.casino, seen)
        judged = with_unrecorded_rows(schema, frame, here.in_part(table.casino))
        results, rest = check_next(here, judged, earlier)
        left = seam(schema, as_read, frame, before.seam if before else None)
        kept = KeptTable(rest, left)
    else:
        if frame is not as_read:
            # A log of many nights is large: what was read goes before the rules need room.
            del as_read
            frame = seen = pl.DataFrame([recoded(column) for column in frame.iter_columns()])
        log = table_log(schema, frame)
        here = settings.at_casino(table.casino, frame)
        if asked:
            judged = with_unrecorded_rows(schema, frame, here.in_part(table.casino))
            results = check_table(here, judged, log if judged is frame else None)
        shared = cross_table_events(settings, log, frame)
        across = tuple(CrossTableEvents.packed(*each) for each in shared)
    return TableAnswer(
        table.casino,
        table.table,
        events,
        span,
        frozenset(days),
        tuple(replace(result, found=()) for result in results),
        table_findings(here, seen, results, len(seen) - len(frame), earliest),
        tuple(_elections(settings, seen)) if asked else (),
        across,
        rows_for_other_tables(settings, frame) if settings.keeps else pl.DataFrame(),
        Manifest({}) if manifest else occurs or inferred_manifest(schema, [frame]),
        defects,
        kept,
        before is not None and len(frame) > 0 and _ends(before.seam.recent)[1] > _ends(frame)[0],
        loss,
        denied_events(schema, seen, manifest) if manifest else {},
        nights.begins if nights else (),
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


def _elections(settings: Settings, frame: pl.DataFrame) -> list[Event]:
    types = [place for place, name in enumerate(settings.schema.events) if name in ELECTIONS]
    records = FrameEvents(settings.schema, frame)
    places = np.flatnonzero(np.isin(frame["type"].to_numpy(), types)).tolist()
    return [records[place] for place in places]
