"""What a log shows: table by table, as each process answers, and then all of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime

import polars as pl

from compliance.checking.nights import KeptTable, Nights
from compliance.findings.table_findings import (
    SHOWN_UNDECIDED,
    LogFindings,
    PackedFinding,
    TableFindings,
)
from compliance.integrity import Loss
from compliance.log.manifest import Manifest, all_of
from compliance.log.problems import LogProblem
from compliance.table_check.check_table import RuleCount
from compliance.table_check.cross_table_events import CrossTableEvents
from event_schemas import Event
from reports.model import Scope
from reports.verdicts import Verdict


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
    elections: tuple[Event, ...] = ()
    shared: tuple[CrossTableEvents, ...] = ()
    """What rules across tables need, for each casino and pit."""
    across_tables: pl.DataFrame = field(default_factory=pl.DataFrame)
    """The same in one, where a next log goes on from this one."""
    occurs: Manifest = field(default_factory=lambda: Manifest({}))
    """The event types and fields that occur, where no manifest says what is recorded."""
    defects: Mapping[str, Sequence[PackedFinding]] = field(default_factory=dict)
    """What is wrong with the evidence, by the name of the defect."""
    kept: KeptTable | None = None
    """What the next log needs, where that was asked for."""
    overlaps: bool = False
    """By its clock the log begins before the one before it ended."""
    loss: Loss = field(default_factory=Loss)
    """How many records are lost."""
    denied: Mapping[str, str] = field(default_factory=dict)
    """Event types that the manifest does not know of, with the place of the first."""
    begins_again: tuple[str, ...] = ()
    """Files and lines in which its sequence numbers begin again."""


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
    by_loss: Counter[str] = field(default_factory=Counter)
    """The same by rule."""
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
            self.by_loss[result.rule] += result.undecided_by_loss
        self.found.add(said.findings)
        self.undecided_by_loss += said.undecided_by_loss
        for rule, by_verdict in said.undecided.items():
            for verdict, places in by_verdict.items():
                named = self.undecided.setdefault(rule, {}).setdefault(verdict, [])
                named += places[: SHOWN_UNDECIDED - len(named)]

    @property
    def scope(self) -> Scope:
        """What was judged: where, and from when to when."""
        judged = [(table, table.span) for table in self.tables if table.span is not None]
        return Scope(
            casinos=tuple(sorted({table.casino for table, _ in judged})),
            tables=tuple(sorted({table.table for table, _ in judged})),
            first=min((span[0] for _, span in judged), default=None),
            last=max((span[1] for _, span in judged), default=None),
        )

    @property
    def occurs(self) -> dict[str, Manifest]:
        """What occurs in the log of each casino."""
        found: dict[str, list[Manifest]] = {}
        for table in self.tables:
            found.setdefault(table.casino, []).append(table.occurs)
        return {casino: all_of(parts) for casino, parts in found.items()}

    @property
    def times(self) -> list[tuple[str, datetime]]:
        """Moments of each casino's log, as they are written."""
        return [(table.casino, ts) for table in self.tables for ts in table.span or ()]
