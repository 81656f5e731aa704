"""Checks one table's events against a rulebook: the unit of work that all ways of running share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import msgspec
import numpy as np
import polars as pl

from compliance.checks import FoundCheck
from compliance.columnar.plan import Plan
from compliance.columnar.rows_by_type import rows_by_type
from compliance.columnar.rules import RuleResult, apply_rule
from compliance.columnar.scene import Table
from compliance.columnar.tail import hand_on
from compliance.columns import Integers
from compliance.elected_in_log import ElectedInLog, Known
from compliance.options import ElectedOptions
from compliance.reference.scene import Circumstances, circumstances
from compliance.selection import Selection
from compliance.table_frame import columns_of, table_log
from compliance.together import ACROSS, together
from event_schemas import Event, Schema
from reports.model import Check
from reports.verdicts import Verdict
from rules_dsl import core
from rules_dsl.garbage import no_collection

_EVERYTHING = Selection()
_DEALERS = 40
"""How many changes of dealers are kept: more than the dealers that can still be at a table."""
_REMEMBERED = 12_000_000
"""Rules share what they find out; after so many findings times events it is let go, for memory."""
EditionName = tuple[str, str | None]
"""A rule and the first day of one of its editions."""


@dataclass(frozen=True)
class RuleCount:
    """What one table's log shows about one rule."""

    rule: str
    counts: Mapping[Verdict, int]
    found: tuple[FoundCheck, ...]
    unsettled: Mapping[Verdict, int] = field(default_factory=dict)
    """Of all these, the checks that the next log may still change."""

    @cached_property
    def violated(self) -> tuple[Check, ...]:
        """The breaches as a report shows them."""
        return tuple(item.written() for item in self.found if item.verdict is Verdict.VIOLATED)


@dataclass(frozen=True)
class Earlier:
    """What rules still need of a log that was checked before."""

    frame: pl.DataFrame = field(default_factory=pl.DataFrame)
    """The events that they can look back at, in order."""
    pending: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """By rule: the fingerprints of the checks that what comes next can still change."""

    def then(self, frame: pl.DataFrame) -> pl.DataFrame:
        """These events with those of the next log after them."""
        return pl.concat([self.frame, frame], how="diagonal_relaxed") if len(self.frame) else frame


@dataclass(frozen=True)
class Checked:
    """What rules show, and what they leave for the next log (nothing unless that was asked)."""

    results: tuple[RuleCount, ...]
    left: Earlier = field(default_factory=Earlier)


@dataclass
class Job:
    """What is applied to every table: rules, vocabulary and choices."""

    rulebook: core.Rulebook
    schema: Schema
    options: Mapping[str, object]
    """What holds before anything is elected in the log."""
    choices: Sequence[core.Choice] = ()
    not_evaluable: Mapping[str | None, frozenset[EditionName]] = field(default_factory=dict)
    """By casino (None: any other): the editions that need more than its source records."""

    def __getstate__(self) -> dict[str, object]:
        # What is worked out from the rules knows them by identity, which does not travel.
        kept = ("rulebook", "schema", "options", "choices", "not_evaluable")
        state = {name: self.__dict__[name] for name in kept if name in self.__dict__}
        # Workers judge by the rules alone: examples and clauses are two thirds of a rulebook.
        bare = tuple(msgspec.structs.replace(rule, examples=()) for rule in self.rulebook.rules)
        state["rulebook"] = msgspec.structs.replace(self.rulebook, rules=bare, clauses=())
        return state

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

    def rules_across(self, across: str) -> tuple[core.Rule, ...]:
        """The rules with the editions that look at a whole casino, or at a whole pit."""
        return self._by_reach[across]

    @cached_property
    def _by_reach(self) -> Mapping[str, tuple[core.Rule, ...]]:
        return {across: self._across((across,)) for across in ACROSS}

    def _across(self, places: tuple[str, ...]) -> tuple[core.Rule, ...]:
        parts = []
        for rule in self.rulebook.rules:
            editions = tuple(e for e in rule.editions if e.slice.across in places)
            if editions:
                parts.append(msgspec.structs.replace(rule, editions=editions))
        return tuple(parts)

    def circumstances(self, options: ElectedOptions) -> Circumstances:
        """What holds at a table that has elected some options."""
        return replace(self._everywhere, options=options)

    @cached_property
    def _everywhere(self) -> Circumstances:
        nothing = ElectedOptions(self.schema)
        return circumstances(self.rulebook, self.schema, nothing, self.choices)

    def evaluable(self, rules: Sequence[core.Rule], casino: str) -> Sequence[core.Rule]:
        """The rules with the editions that a casino's log allows to be judged."""
        left_out = self.not_evaluable.get(casino, self.not_evaluable.get(None))
        if not left_out:
            return rules
        key = id(rules), left_out
        if key not in self._evaluable:
            some = [
                msgspec.structs.replace(rule, editions=editions)
                for rule in rules
                if (editions := tuple(e for e in rule.editions if _is_left(rule, e, left_out)))
            ]
            # All rules are kept as well, so that their identity cannot pass to others.
            self._evaluable[key] = (rules, some)
        return self._evaluable[key][1]

    @cached_property
    def _evaluable(self) -> dict[object, tuple[Sequence[core.Rule], Sequence[core.Rule]]]:
        """What was left of some rules, for the casinos whose source records the same."""
        return {}


def _is_left(rule: core.Rule, edition: core.Edition, left_out: frozenset[EditionName]) -> bool:
    return (rule.name, edition.since) not in left_out


def check_table(
    job: Job,
    frame: pl.DataFrame,
    options: Mapping[str, object] | None = None,
    elected: Sequence[Event] = (),
    selection: Selection = _EVERYTHING,
) -> list[RuleCount]:
    """Every rule that looks at one table, on that table's events in order.

    `options` and `elected` are what a table-options file says of this table.
    """
    given = job.options if options is None else options
    return _apply(job, job.of_tables, frame, _Setting(given, elected, selection)).results


def check_next(
    job: Job,
    frame: pl.DataFrame,
    earlier: Earlier,
    options: Mapping[str, object],
    elected: Sequence[Event] = (),
) -> Checked:
    """The same for a table's log that goes on from an earlier one, with what is to be kept."""
    whole = earlier.then(frame)
    setting = _Setting(options, elected, _EVERYTHING, len(earlier.frame), earlier.pending, True)
    answer = _apply(job, job.of_tables, whole, setting)
    kept = np.union1d(answer.kept, _told_with_findings(job.schema, whole))
    return Checked(tuple(answer.results), Earlier(whole[kept], answer.pending))


def _told_with_findings(schema: Schema, frame: pl.DataFrame) -> Integers:
    """What a report says beside a finding of the next log: the dealer, and the round so far."""
    types = frame["type"].to_numpy()

    def places(*names: str) -> Integers:
        wanted = [number for number, name in enumerate(schema.events) if name in names]
        return np.flatnonzero(np.isin(types, wanted))

    changes = places("dealer_arrived", "dealer_departed")[-_DEALERS:]
    begun = places("round_started")
    return np.union1d(changes, np.arange(begun[-1], len(frame))) if len(begun) else changes


def check_together(
    job: Job,
    frame: pl.DataFrame,
    elected: Sequence[Event] = (),
    selection: Selection = _EVERYTHING,
) -> list[RuleCount]:
    """Every rule across tables, on the events of a casino's tables in order of time.

    `elected` is what a table-options file says of all these tables.
    """
    return [
        result
        for across in ACROSS
        if job.rules_across(across) and len(frame)
        for _, part in together(frame, across)
        for result in check_group(job, across, part, elected, selection)
    ]


def check_group(
    job: Job,
    across: str,
    frame: pl.DataFrame,
    elected: Sequence[Event] = (),
    selection: Selection = _EVERYTHING,
) -> list[RuleCount]:
    """The rules across tables that are for each casino, or for each pit, on the events of one."""
    setting = _Setting(job.options, elected, selection, interleaved=True)
    return _apply(job, job.rules_across(across), frame, setting).results


def check_next_together(
    job: Job, frame: pl.DataFrame, earlier: Earlier, elected: Sequence[Event] = ()
) -> Checked:
    """The same for logs that go on from earlier ones, with what is to be kept."""
    whole = earlier.then(frame).with_row_index("place")
    results: list[RuleCount] = []
    kept: set[int] = set()
    pending: dict[str, frozenset[str]] = {}
    for rules, part in _groups(job, whole):
        places = part["place"].to_numpy()
        old = int((places < len(earlier.frame)).sum())
        setting = _Setting(job.options, elected, _EVERYTHING, old, earlier.pending, True, True)
        answer = _apply(job, rules, part.drop("place"), setting)
        results += answer.results
        kept |= {int(place) for place in places[answer.kept]}
        for name, waiting in answer.pending.items():
            pending[name] = pending.get(name, frozenset()) | waiting
    left = Earlier(whole[sorted(kept)].drop("place"), pending) if kept else Earlier()
    return Checked(tuple(results), left)


def _groups(job: Job, frame: pl.DataFrame) -> Iterator[tuple[tuple[core.Rule, ...], pl.DataFrame]]:
    """The rules across a casino's tables with the events of each casino, and so for pits."""
    for across in ACROSS:
        rules = job.rules_across(across)
        if rules and len(frame):
            for _, part in together(frame, across):
                yield rules, part


@dataclass(frozen=True)
class _Setting:
    """In which circumstances rules are applied to a log."""

    options: Mapping[str, object]
    elected: Sequence[Event]
    selection: Selection
    fresh_from: int = 0
    pending: Mapping[str, frozenset[str]] = field(default_factory=dict)
    keeping: bool = False
    interleaved: bool = False
    """Whether the log holds the events of several tables in the order of time."""


@dataclass(frozen=True)
class _Answer:
    results: list[RuleCount] = field(default_factory=list)
    kept: Integers = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    """The places of the events that the next log needs."""
    pending: Mapping[str, frozenset[str]] = field(default_factory=dict)


def _apply(job: Job, rules: Sequence[core.Rule], frame: pl.DataFrame, setting: _Setting) -> _Answer:
    if not len(frame):
        return _Answer()
    # What was worked out is let go before garbage is looked for again: there is little to see then.
    with no_collection():
        return _applied(job, rules, frame, setting)


def _applied(
    job: Job, rules: Sequence[core.Rule], frame: pl.DataFrame, setting: _Setting
) -> _Answer:
    asked = setting.selection.asked(frame)
    if asked is not None and not asked.any():
        return _Answer()
    columns = columns_of(frame)
    log = table_log(job.schema, frame, several=setting.interleaved, columns=columns)
    by_type = rows_by_type(log.types, len(log.type_names))
    in_log = ElectedInLog(job.schema, frame, Known(by_type, columns))
    history = ElectedOptions(job.schema, setting.elected, setting.options, in_log.of)
    table = Table(
        log,
        job.circumstances(history),
        job.plan,
        fresh_from=setting.fresh_from,
        asked=asked,
        interleaved=setting.interleaved,
        goes_on=setting.keeping,
        sorted=by_type,
    )
    evaluable = job.evaluable(rules, log.table_names[0][0])
    results = {}
    most = _REMEMBERED // len(frame)
    for rule in job.plan.beginning(evaluable, table.types_seen):
        result = apply_rule(rule, table, pending=setting.pending.get(rule.name, ()))
        if any(result.counts.values()):
            results[rule.name] = result
        if table.remembered > most:
            table.release()
    if not setting.keeping:
        table.release()
        counts = [RuleCount(name, item.counts, item.found) for name, item in results.items()]
        return _Answer(counts)
    tail = hand_on(table, evaluable, results)
    table.release()
    return _Answer(
        [_with_unsettled(name, item) for name, item in results.items()], tail.places, tail.pending
    )


def _with_unsettled(rule: str, result: RuleResult) -> RuleCount:
    unsettled = Counter(item.verdict for item in result.pending.values())
    return RuleCount(rule, result.counts, result.found, unsettled)


def order(frame: pl.DataFrame) -> pl.DataFrame:
    """A casino's events in the order in which rules across tables see them."""
    return frame.sort("ts", "table", "seq", maintain_order=True)
