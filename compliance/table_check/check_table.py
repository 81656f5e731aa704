"""Checks one table's events against a rulebook: the unit of work that all ways of running share."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import polars as pl

from compliance.engine.judging import JudgedLog, Judgement, Question
from compliance.engine.shown_checks import VERDICTS, FoundCheck, ShownChecks
from compliance.table_check.casino_group import casino_groups
from compliance.table_check.lost_neighbours import lost_once, neighbours_of_lost
from compliance.table_check.settings import Settings
from compliance.table_log.columns import Integers
from compliance.table_log.elections_in_log import elections_in_log
from compliance.table_log.lost_rows import LOST_COLUMNS, lost_type
from compliance.table_log.table_log import TableLog, table_log
from compliance.values.elected_options import ELECTIONS, ElectedOptions
from event_schemas import Schema
from reports.model import Check
from reports.verdicts import Verdict

_NONE = dict.fromkeys(VERDICTS, 0)
_DEALERS = 40
"""How many changes of dealers are kept: more than the dealers that can still be at a table."""


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
    too_costly_at: str = ""
    """Where the rule took too many steps to be judged: it counts as undetermined once."""

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


NextResults = tuple[list[RuleCount], EarlierNight]
"""What rules show, and what they leave for the next log."""


def check_table(
    settings: Settings, frame: pl.DataFrame, log: TableLog | None = None
) -> list[RuleCount]:
    """Every rule that looks at one table, on that table's events in order. `log` is the frame as
    rules are applied to it, where that was made before."""
    return check_group(settings, "table", frame, log)


def check_next(settings: Settings, frame: pl.DataFrame, earlier: EarlierNight) -> NextResults:
    """The same for a table's log that goes on from an earlier one, with what is to be kept."""
    whole = earlier.then(frame)
    if not len(whole):
        return [], EarlierNight()
    group = _Group(settings, "table", whole)
    results, waiting = group.joined_results(len(earlier.frame), earlier.pending)
    kept = np.union1d(group.rows_for_next_log(waiting), _rows_in_findings(settings.schema, whole))
    return results, EarlierNight(whole[kept], _fingerprints(waiting))


def _rows_in_findings(schema: Schema, frame: pl.DataFrame) -> Integers:
    """What a report says beside a finding of the next log: the dealer, and the round so far."""
    types = frame["type"].to_numpy()

    def rows(*names: str) -> Integers:
        wanted = [number for number, name in enumerate(schema.events) if name in names]
        return np.flatnonzero(np.isin(types, wanted))

    changes = rows("dealer_arrived", "dealer_departed")[-_DEALERS:]
    begun = rows("round_started")
    return np.union1d(changes, np.arange(begun[-1], len(frame))) if len(begun) else changes


def check_group(
    settings: Settings, across: str, frame: pl.DataFrame, log: TableLog | None = None
) -> list[RuleCount]:
    """The rules that are for each table, casino or pit, on the events of one."""
    asked = settings.selection.asked(frame)
    if not len(frame) or (asked is not None and not asked.any()):
        return []
    return _Group(settings, across, frame, log).results(Question(asked=asked), {})


def check_next_group(settings: Settings, frame: pl.DataFrame, earlier: EarlierNight) -> NextResults:
    """The same for logs that go on from earlier ones, with what is to be kept."""
    whole = lost_once(settings.schema, earlier.then(frame)).with_row_index("place")
    results: list[RuleCount] = []
    kept: set[int] = set()
    pending: dict[str, frozenset[str]] = {}
    for across in settings.across_tables if len(whole) else ():
        for where, part in casino_groups(whole, across):
            # A record that is lost may lie at many places, of which only one row is kept: both
            # nights are put in order, so that it stands at all of them again.
            is_old = part["place"] < len(earlier.frame)
            nights = [order(settings.schema, part.filter(mask)) for mask in (is_old, ~is_old)]
            old, part = len(nights[0]), pl.concat(nights)
            places = part["place"].to_numpy()
            here = settings.at_casino(where[1], part)
            group = _Group(here, across, part.drop("place"))
            found, waiting = group.joined_results(old, earlier.pending)
            results += found
            kept |= {int(place) for place in places[group.rows_for_next_log(waiting)]}
            for name, names in _fingerprints(waiting).items():
                pending[name] = pending.get(name, frozenset()) | names
    kept |= neighbours_of_lost(settings.schema, whole, kept)
    left = EarlierNight(whole[sorted(kept)].drop("place"), pending) if kept else EarlierNight()
    return results, left


def order(schema: Schema, frame: pl.DataFrame) -> pl.DataFrame:
    """A casino's events in the order in which rules across tables see them.

    A lost record stands right after the last event of its own table before it, and right after
    every event of another table from there to the next one of its own: nobody knows where among
    these it was. Of its own table only those events are here that rules across tables speak of;
    the moments of its neighbours, between which it happened, tell the more exactly where.
    """
    if LOST_COLUMNS[0] not in frame.columns:
        return frame.sort("ts", "table", "seq", maintain_order=True)
    is_lost = pl.col("type") == lost_type(schema)
    rows = frame.filter(~is_lost).sort("ts", "table", "seq", maintain_order=True)
    lost = frame.filter(is_lost).unique(["casino", "table", "seq"]).sort("casino", "table", "seq")
    own: dict[tuple[str, str], list[tuple[int, int]]] = {}
    for place, (casino, table, seq) in enumerate(rows.select("casino", "table", "seq").rows()):
        own.setdefault((casino, table), []).append((seq, place))
    for known in own.values():
        known.sort()
    moments = rows["ts"].to_numpy()
    earliest = np.searchsorted(moments, lost["ts"].to_numpy(), side="left").tolist()
    latest = np.searchsorted(moments, lost["lost_until"].to_numpy(), side="right").tolist()
    after: dict[int, list[int]] = {}
    for number, (casino, table, seq) in enumerate(lost.select("casino", "table", "seq").rows()):
        known = own.get((casino, table), [])
        before = bisect_left(known, (seq, -1))
        later = bisect_left(known, (seq + 1, -1))
        # Before a table's first record and after its last one no neighbour tells a moment.
        begin = max(known[before - 1][1], earliest[number] - 1) if before else -1
        end = min(known[later][1], latest[number]) if later < len(known) else len(rows)
        for place in range(begin, max(end, begin + 1)):
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
        self, settings: Settings, across: str, frame: pl.DataFrame, log: TableLog | None = None
    ) -> None:
        self._settings = settings
        schema, several = settings.schema, across != "table"
        self._log = log or table_log(schema, frame, several=several)
        self._any_lost = self._log.lost is not None and self._log.lost.any_lost
        tables, options = self._log.table_names, settings.options
        casino = tables[0][0]
        given = settings.given_everywhere(casino) if several else settings.given_at(*tables[0])
        elections = options.all_elections if several else options.elections
        elected = [event for table in sorted(tables) for event in elections(schema, *table)]
        ready = self._log.made_ready
        if "elections" not in ready:
            ready["elections"] = elections_in_log(schema, frame)
        history = ElectedOptions(schema, elected, given, ready["elections"])
        surroundings = settings.circumstances(history)
        self._editions = settings.editions(across, tables[0][0])
        self._judged = JudgedLog(settings.bindings, self._log, surroundings, self._editions)
        self._shown = ShownChecks(settings.plan, self._log, surroundings)

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
        counts: dict[str, dict[Verdict, int]] = {}
        by_loss: Counter[str] = Counter()
        # Most rules have nothing to say of a table, for they are about other games.
        places = np.flatnonzero(judgement.counts.any(axis=1))
        too_costly: set[str] = set()
        for place, (*verdicts, lost, costly) in zip(
            places.tolist(), judgement.counts[places].tolist(), strict=True
        ):
            name = self._rule_name(place)
            known = counts.get(name, _NONE)
            pairs = zip(VERDICTS, verdicts, strict=True)
            counts[name] = {verdict: known[verdict] + number for verdict, number in pairs}
            if lost and self._any_lost:
                by_loss[name] += lost
            if costly:
                counts[name][Verdict.UNDETERMINED] += 1
                too_costly.add(name)
        found: dict[str, list[FoundCheck]] = {}
        waiting: dict[str, list[_Waiting]] = {}
        for written in judgement.checks:
            name = self._rule_name(written.edition)
            planned = self._settings.plan.editions[self._editions[written.edition]]
            check = self._shown.check(planned, written)
            if written.again:
                if check.written().fingerprint not in pending.get(name, ()):
                    continue
                counts.setdefault(name, dict(_NONE))[check.verdict] += 1
                undetermined = check.verdict is Verdict.UNDETERMINED
                by_loss[name] += written.lost and undetermined and self._any_lost
                if check.verdict is Verdict.COMPLIED:
                    continue
            found.setdefault(name, []).append(check)
            if written.unsettled:
                item = check.written().fingerprint
                waiting.setdefault(name, []).append(
                    _Waiting(written.edition, written.row, item, check.verdict)
                )
        results = [
            RuleCount(
                name,
                numbers,
                tuple(sorted(found.get(name, ()), key=lambda check: check.row)),
                Counter(item.verdict for item in waiting[name]) if name in waiting else {},
                by_loss.get(name, 0),
                self._where if name in too_costly else "",
            )
            for name, numbers in counts.items()
        ]
        return results, waiting

    @property
    def _where(self) -> str:
        return ", ".join(sorted(table for _, table in self._log.table_names))

    def _rule_name(self, place: int) -> str:
        """The rule of one of the editions that were judged."""
        planned = self._settings.plan.editions[self._editions[place]]
        return self._settings.rulebook.rules[planned.rule].name
