"""Checks one table's events against a rulebook: the unit of work that all ways of running share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import msgspec
import numpy as np
import polars as pl

from compliance.engine.bindings import PlanBindings
from compliance.engine.judging import JudgedLog, Judgement, Question
from compliance.engine.shown_checks import VERDICTS, FoundCheck, ShownChecks
from compliance.judgement.circumstances import Circumstances, circumstances
from compliance.plan.plan import Plan
from compliance.plan.remembered_plan import plan_of
from compliance.table_check.casino_group import ACROSS, casino_groups
from compliance.table_check.selection import Selection
from compliance.table_log.columns import Integers, TableLog
from compliance.table_log.elections_in_log import ElectionsInLog
from compliance.table_log.frame import table_log
from compliance.table_log.lost_rows import LOST_COLUMNS, lost_type
from compliance.values.elected_options import ELECTIONS, ElectedOptions
from event_schemas import Event, Schema
from reports.model import Check
from reports.verdicts import Verdict
from rules_dsl import core

_EVERYTHING = Selection()
_DEALERS = 40
"""How many changes of dealers are kept: more than the dealers that can still be at a table."""
EditionName = tuple[str, str | None]
"""A rule and the first day of one of its editions."""


@dataclass(frozen=True)
class RuleCount:
    """What one table's log shows about one rule."""

    rule: str
    counts: Mapping[Verdict, int]
    found: tuple[FoundCheck, ...] = ()
    """Every breach, and of the checks that were excused or not decided the first ones."""
    unsettled: Mapping[Verdict, int] = field(default_factory=dict)
    """Of all these, the checks that the next log may still change."""
    undecided_by_loss: int = 0
    """Of the undetermined ones, those that a lost record left in doubt."""

    @cached_property
    def breaches(self) -> tuple[tuple[FoundCheck, Check], ...]:
        """The breaches, each also as a report shows it."""
        broken = (item for item in self.found if item.verdict is Verdict.VIOLATED)
        return tuple((item, item.written()) for item in broken)


@dataclass(frozen=True)
class EarlierNight:
    """What rules still need of a log that was checked before."""

    frame: pl.DataFrame = field(default_factory=pl.DataFrame)
    """The events that they can look back at, in order."""
    pending: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """By rule: the fingerprints of the checks that what comes next can still change."""

    def then(self, frame: pl.DataFrame) -> pl.DataFrame:
        """These events with those of the next log after them."""
        return pl.concat([self.frame, frame], how="diagonal_relaxed") if len(self.frame) else frame


@dataclass(frozen=True)
class TableResult:
    """What rules show, and what they leave for the next log (nothing unless that was asked)."""

    results: tuple[RuleCount, ...]
    left: EarlierNight = field(default_factory=EarlierNight)


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
    given_plan: Plan | None = None
    """The plan of the rulebook, where it was made before."""

    def __getstate__(self) -> dict[str, object]:
        kept = ("rulebook", "schema", "options", "choices", "not_evaluable")
        state = {name: self.__dict__[name] for name in kept if name in self.__dict__}
        # Workers judge by the rules alone: examples and clauses are two thirds of a rulebook.
        bare = tuple(msgspec.structs.replace(rule, examples=()) for rule in self.rulebook.rules)
        state["rulebook"] = msgspec.structs.replace(self.rulebook, rules=bare, clauses=())
        # The plan travels, so that it is made once.
        state["given_plan"] = self.plan
        return state

    @cached_property
    def plan(self) -> Plan:
        """The rules as the engine reads them."""
        return self.given_plan or plan_of(self.rulebook, self.schema)

    @cached_property
    def bindings(self) -> PlanBindings:
        """The plan with the choices that hold everywhere."""
        return PlanBindings(self.plan, self._everywhere)

    def editions(self, across: str, casino: str) -> tuple[int, ...]:
        """The editions that look at a table, a pit or a casino, as far as a casino's source
        records what they need."""
        left_out = self.not_evaluable.get(casino, self.not_evaluable.get(None, frozenset()))
        key = across, left_out
        if key not in self._editions:
            self._editions[key] = tuple(self._evaluable(across, left_out))
        return self._editions[key]

    @cached_property
    def _editions(self) -> dict[object, tuple[int, ...]]:
        return {}

    def _evaluable(self, across: str, left_out: Collection[EditionName]) -> Iterator[int]:
        for number, planned in enumerate(self.plan.editions):
            rule = self.rulebook.rules[planned.rule]
            name = rule.name, rule.editions[planned.edition].since
            if planned.across == across and name not in left_out:
                yield number

    @cached_property
    def across_tables(self) -> tuple[str, ...]:
        """Which of pit and casino any rule looks across."""
        used = {edition.across for edition in self.plan.editions}
        return tuple(across for across in ACROSS if across in used)

    def circumstances(self, options: ElectedOptions) -> Circumstances:
        """What holds at a table that has elected some options."""
        return replace(self._everywhere, options=options)

    @cached_property
    def _everywhere(self) -> Circumstances:
        nothing = ElectedOptions(self.schema)
        return circumstances(self.rulebook, self.schema, nothing, self.choices)


def check_table(
    job: Job,
    frame: pl.DataFrame,
    options: Mapping[str, object] | None = None,
    elected: Sequence[Event] = (),
    selection: Selection = _EVERYTHING,
    log: TableLog | None = None,
) -> list[RuleCount]:
    """Every rule that looks at one table, on that table's events in order.

    `options` and `elected` are what a table-options file says of this table; `log` is the frame as
    rules are applied to it, where that was made before.
    """
    given = job.options if options is None else options
    asked = selection.asked(frame)
    if not len(frame) or (asked is not None and not asked.any()):
        return []
    group = _Group(job, "table", frame, given, elected, log)
    return group.results(Question(asked=asked), {})


def check_next(
    job: Job,
    frame: pl.DataFrame,
    earlier: EarlierNight,
    options: Mapping[str, object],
    elected: Sequence[Event] = (),
) -> TableResult:
    """The same for a table's log that goes on from an earlier one, with what is to be kept."""
    whole = earlier.then(frame)
    if not len(whole):
        return TableResult((), EarlierNight())
    group = _Group(job, "table", whole, options, elected)
    results, waiting = group.joined_results(len(earlier.frame), earlier.pending)
    kept = np.union1d(group.rows_for_next_log(waiting), _told_with_findings(job.schema, whole))
    return TableResult(tuple(results), EarlierNight(whole[kept], _fingerprints(waiting)))


def _told_with_findings(schema: Schema, frame: pl.DataFrame) -> Integers:
    """What a report says beside a finding of the next log: the dealer, and the round so far."""
    types = frame["type"].to_numpy()

    def places(*names: str) -> Integers:
        wanted = [number for number, name in enumerate(schema.events) if name in names]
        return np.flatnonzero(np.isin(types, wanted))

    changes = places("dealer_arrived", "dealer_departed")[-_DEALERS:]
    begun = places("round_started")
    return np.union1d(changes, np.arange(begun[-1], len(frame))) if len(begun) else changes


def check_group(
    job: Job,
    across: str,
    frame: pl.DataFrame,
    elected: Sequence[Event] = (),
    selection: Selection = _EVERYTHING,
) -> list[RuleCount]:
    """The rules across tables that are for each casino, or for each pit, on the events of one.

    `elected` is what a table-options file says of all these tables.
    """
    asked = selection.asked(frame)
    if not len(frame) or (asked is not None and not asked.any()):
        return []
    return _Group(job, across, frame, job.options, elected).results(Question(asked=asked), {})


def check_next_group(
    job: Job, frame: pl.DataFrame, earlier: EarlierNight, elected: Sequence[Event] = ()
) -> TableResult:
    """The same for logs that go on from earlier ones, with what is to be kept."""
    whole = earlier.then(frame).with_row_index("place")
    results: list[RuleCount] = []
    kept: set[int] = set()
    pending: dict[str, frozenset[str]] = {}
    for across in job.across_tables if len(whole) else ():
        for _, part in casino_groups(whole, across):
            places = part["place"].to_numpy()
            old = int((places < len(earlier.frame)).sum())
            group = _Group(job, across, part.drop("place"), job.options, elected)
            found, waiting = group.joined_results(old, earlier.pending)
            results += found
            kept |= {int(place) for place in places[group.rows_for_next_log(waiting)]}
            for name, names in _fingerprints(waiting).items():
                pending[name] = pending.get(name, frozenset()) | names
    left = EarlierNight(whole[sorted(kept)].drop("place"), pending) if kept else EarlierNight()
    return TableResult(tuple(results), left)


def order(schema: Schema, frame: pl.DataFrame) -> pl.DataFrame:
    """A casino's events in the order in which rules across tables see them.

    A lost record stands right after the last event of its own table before it, and right after
    every event of another table from there to the next one of its own: nobody knows where among
    these it was.
    """
    if LOST_COLUMNS[0] not in frame.columns:
        return frame.sort("ts", "table", "seq", maintain_order=True)
    is_lost = pl.col("type") == lost_type(schema)
    rows = frame.filter(~is_lost).sort("ts", "table", "seq", maintain_order=True)
    lost = frame.filter(is_lost).unique(["casino", "table", "seq"]).sort("casino", "table", "seq")
    own: dict[tuple[str, str], list[tuple[int, int]]] = {}
    for place, (casino, table, seq) in enumerate(rows.select("casino", "table", "seq").rows()):
        own.setdefault((casino, table), []).append((seq, place))
    after: dict[int, list[int]] = {}
    for number, (casino, table, seq) in enumerate(lost.select("casino", "table", "seq").rows()):
        known = own.get((casino, table), [])
        begin = max((item for item in known if item[0] < seq), default=(0, -1))[1]
        end = min((item for item in known if item[0] > seq), default=(0, len(rows)))[1]
        for place in (begin, *range(begin + 1, end)):
            after.setdefault(place, []).append(len(rows) + number)
    places = list(after.get(-1, ()))
    for place in range(len(rows)):
        places += [place, *after.get(place, ())]
    return pl.concat([rows, lost], how="diagonal_relaxed")[places]


# ---- one log, or several together ----------------------------------------------------------


@dataclass(frozen=True)
class _Waiting:
    """A check that the rest of the log may still change."""

    edition: int
    """The place of its edition among those that were judged."""
    row: int
    fingerprint: str
    verdict: Verdict


_ByRule = Mapping[str, Sequence[_Waiting]]


def _fingerprints(waiting: _ByRule) -> dict[str, frozenset[str]]:
    return {name: frozenset(item.fingerprint for item in items) for name, items in waiting.items()}


class _Group:
    """A table's log, or the events of several tables in the order of time, and its judges."""

    def __init__(
        self,
        job: Job,
        across: str,
        frame: pl.DataFrame,
        options: Mapping[str, object],
        elected: Sequence[Event],
        log: TableLog | None = None,
    ) -> None:
        self._job = job
        self._log = log or table_log(job.schema, frame, several=across != "table")
        self._any_lost = self._log.lost is not None and self._log.lost.any_lost
        ready = self._log.made_ready
        if "elections" not in ready:
            ready["elections"] = ElectionsInLog(job.schema, frame)
        history = ElectedOptions(job.schema, elected, options, ready["elections"].of)
        surroundings = job.circumstances(history)
        self._editions = job.editions(across, self._log.table_names[0][0])
        self._judged = JudgedLog(job.bindings, self._log, surroundings, self._editions)
        self._shown = ShownChecks(job.plan, self._log, surroundings)

    def results(self, question: Question, pending: Mapping[str, frozenset[str]]) -> list[RuleCount]:
        """What the log shows about each rule that it shows anything about."""
        return self._results(self._judged.judge(question), pending)[0]

    def joined_results(
        self, fresh_from: int, pending: Mapping[str, frozenset[str]]
    ) -> tuple[list[RuleCount], _ByRule]:
        """The same for a log that goes on from an earlier one and may be gone on from, with the
        checks that are not settled. Of the events before `fresh_from` only the checks in `pending`
        are judged again."""
        again = np.zeros(len(self._log), dtype=np.bool_)
        again[:fresh_from] = bool(pending)
        question = Question(fresh_from, again, None, all_undecided=True)
        return self._results(self._judged.judge(question), pending)

    def rows_for_next_log(self, waiting: _ByRule) -> Integers:
        """The rows that the next log needs."""
        rows: dict[int, list[int]] = {}
        for item in (item for items in waiting.values() for item in items):
            rows.setdefault(item.edition, []).append(item.row)
        kept = self._judged.rows_for_next_log(rows)
        log = self._log
        places = [log.type_names.index(name) for name in ELECTIONS if name in log.type_names]
        always = np.flatnonzero(np.isin(log.types, places))
        # The latest moment tells which limits of time have passed.
        latest = np.array([int(log.ts.argmax())]) if len(log) else np.zeros(0, dtype=np.int64)
        hidden = np.array(log.lost_elections(), dtype=np.int64)
        return np.unique(np.concatenate([kept, always, latest, hidden]))

    def _results(
        self, judgement: Judgement, pending: Mapping[str, frozenset[str]]
    ) -> tuple[list[RuleCount], _ByRule]:
        names = self._rule_names
        counts: dict[str, Counter[Verdict]] = {}
        by_loss: Counter[str] = Counter()
        for name, numbers in zip(names, judgement.counts.tolist(), strict=True):
            *verdicts, lost = numbers
            if any(verdicts):
                known = counts.setdefault(name, Counter())
                known.update(dict(zip(VERDICTS, verdicts, strict=True)))
                by_loss[name] += lost if self._any_lost else 0
        found: dict[str, list[tuple[int, FoundCheck]]] = {}
        waiting: dict[str, list[_Waiting]] = {}
        for written in judgement.checks:
            name = names[written.edition]
            planned = self._job.plan.editions[self._editions[written.edition]]
            check = self._shown.check(planned, written)
            if written.again:
                if check.written().fingerprint not in pending.get(name, ()):
                    continue
                counts.setdefault(name, Counter())[check.verdict] += 1
                undetermined = check.verdict is Verdict.UNDETERMINED
                by_loss[name] += written.lost and undetermined and self._any_lost
                if check.verdict is Verdict.COMPLIED:
                    continue
            found.setdefault(name, []).append((written.row, check))
            if written.unsettled:
                item = check.written().fingerprint
                waiting.setdefault(name, []).append(
                    _Waiting(written.edition, written.row, item, check.verdict)
                )
        results = [
            RuleCount(
                name,
                numbers,
                tuple(check for _, check in sorted(found.get(name, ()), key=lambda item: item[0])),
                Counter(item.verdict for item in waiting.get(name, ())),
                by_loss[name],
            )
            for name, numbers in counts.items()
        ]
        return results, waiting

    @cached_property
    def _rule_names(self) -> list[str]:
        plan, rules = self._job.plan, self._job.rulebook.rules
        return [rules[plan.editions[number].rule].name for number in self._editions]
