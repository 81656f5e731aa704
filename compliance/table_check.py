"""Checks one table's events against a rulebook: the unit of work that all ways of running share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import msgspec
import polars as pl

from compliance.columnar.plan import Plan
from compliance.columnar.rules import apply_rule
from compliance.columnar.scene import Table
from compliance.options import ElectedOptions
from compliance.reference.scene import circumstances
from compliance.table_frame import FrameEvents, table_log
from event_schemas import Event, Schema
from reports.model import Check
from reports.verdicts import Verdict
from rules_dsl import core

_ELECTIONS = ("option_elected", "table_opened")


@dataclass(frozen=True)
class RuleCount:
    """What one table's log shows about one rule."""

    rule: str
    counts: Mapping[Verdict, int]
    checks: tuple[Check, ...]


@dataclass
class Job:
    """What is applied to every table: rules, vocabulary and choices."""

    rulebook: core.Rulebook
    schema: Schema
    options: Mapping[str, object]
    """What holds before anything is elected in the log."""
    choices: Sequence[core.Choice] = ()

    def __getstate__(self) -> dict[str, object]:
        # What is worked out from the rules knows them by identity, which does not travel.
        kept = ("rulebook", "schema", "options", "choices")
        return {name: self.__dict__[name] for name in kept if name in self.__dict__}

    @cached_property
    def plan(self) -> Plan:
        return Plan()

    @cached_property
    def of_tables(self) -> tuple[core.Rule, ...]:
        """The rules, each with the editions that look at one table at a time."""
        return self._across(("table",))

    @cached_property
    def across_tables(self) -> tuple[core.Rule, ...]:
        """The rules with the editions that look at several tables together."""
        return self._across(("pit", "casino"))

    def _across(self, places: tuple[str, ...]) -> tuple[core.Rule, ...]:
        parts = []
        for rule in self.rulebook.rules:
            editions = tuple(e for e in rule.editions if e.slice.across in places)
            if editions:
                parts.append(msgspec.structs.replace(rule, editions=editions))
        return tuple(parts)

    @cached_property
    def crossing_types(self) -> tuple[str, ...]:
        """The events that rules across tables need from every table."""
        found = {t for rule in self.across_tables for e in rule.editions for t in e.slice.relevant}
        if not found:
            return ()
        for interval in self.rulebook.intervals.values():
            found |= {*interval.opens.types, *interval.closes.types}
        return tuple(sorted(found | set(_ELECTIONS)))


def check_table(
    job: Job,
    frame: pl.DataFrame,
    options: Mapping[str, object] | None = None,
    elected: Sequence[Event] = (),
) -> list[RuleCount]:
    """Every rule that looks at one table, on that table's events in order.

    `options` and `elected` are what a table-options file says of this table.
    """
    return _apply(job, job.of_tables, frame, job.options if options is None else options, elected)


def check_together(job: Job, frame: pl.DataFrame) -> list[RuleCount]:
    """Every rule across tables, on the events of a casino's tables in order of time."""
    return [result for across in ("casino", "pit") for result in _across(job, frame, across)]


def _across(job: Job, frame: pl.DataFrame, across: str) -> list[RuleCount]:
    rules = tuple(
        msgspec.structs.replace(rule, editions=editions)
        for rule in job.across_tables
        if (editions := tuple(e for e in rule.editions if e.slice.across == across))
    )
    if not rules or not len(frame):
        return []
    results = []
    keys = ["casino"]
    if across == "pit":
        # Where the pit is not recorded, nothing says that two tables share one.
        pit = pl.col("pit:text") if "pit:text" in frame.columns else pl.lit(None, pl.String)
        frame = frame.with_columns(pl.coalesce(pit, pl.format("table {}", "table")).alias("shared"))
        keys = ["casino", "shared"]
    for part in frame.partition_by(keys, maintain_order=True):
        results += _apply(job, rules, part.drop("shared", strict=False), job.options)
    return results


def _apply(
    job: Job,
    rules: Sequence[core.Rule],
    frame: pl.DataFrame,
    options: Mapping[str, object],
    elected: Sequence[Event] = (),
) -> list[RuleCount]:
    if not len(frame):
        return []
    log = table_log(job.schema, frame)
    elections = [*elected, *_elections(job.schema, frame)]
    history = ElectedOptions(job.schema, elections, options)
    surroundings = circumstances(job.rulebook, job.schema, history, job.choices)
    table = Table(log, surroundings, job.plan)
    results = []
    for rule in rules:
        result = apply_rule(rule, table)
        if any(result.counts.values()):
            results.append(RuleCount(rule.name, result.counts, result.checks))
    return results


def _elections(schema: Schema, frame: pl.DataFrame) -> list[Event]:
    places = [place for place, name in enumerate(schema.events) if name in _ELECTIONS]
    return list(FrameEvents(schema, frame.filter(pl.col("type").is_in(places))))


def order(frame: pl.DataFrame) -> pl.DataFrame:
    """A casino's events in the order in which rules across tables see them."""
    return frame.sort("ts", "table", "seq", maintain_order=True)
