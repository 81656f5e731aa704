"""Applies rules to a table's columns: all triggers at once, and evidence where it is needed."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from operator import itemgetter

import numpy as np

from compliance.checks import FoundCheck
from compliance.columnar.contexts import Contexts
from compliance.columnar.evaluate import Evaluator
from compliance.columnar.first_since import possible_triggers
from compliance.columnar.judge import COMPLIED, EXCUSED, VERDICTS, Judge
from compliance.columnar.scene import Table
from compliance.columnar.segments import Sliced
from compliance.columnar.shown_checks import Shown, shown_checks
from compliance.columnar.skipping import in_force, never_applies, not_here
from compliance.columnar.slices import sliced, with_only
from compliance.columnar.vectors import (
    Vector,
)
from compliance.columns import Integers
from compliance.first_look.tables import SHOWN_EXCUSED, first_look
from reports.model import Check
from reports.verdicts import Verdict
from rules_dsl import core


@dataclass(frozen=True)
class Waiting:
    """A check that the rest of the log may still change: the place of its trigger, and what it
    says by now. Only an open one can change its verdict; others may gain or lose evidence."""

    place: int
    verdict: Verdict


@dataclass(frozen=True)
class RuleResult:
    """How often each verdict was reached, and every check that needs to be shown.

    `pending` are the shown checks that the next log may still change, by their fingerprints. What
    is said of one then takes the place of what is said now, also in the counts; if nothing is said
    of it, the rule turned out not to apply.
    """

    counts: Mapping[Verdict, int]
    found: tuple[FoundCheck, ...] = ()
    pending: Mapping[str, Waiting] = field(default_factory=dict)

    @property
    def checks(self) -> tuple[Check, ...]:
        """The same checks as a report shows them."""
        return tuple(item.written() for item in self.found)


_NOWHERE = RuleResult(dict.fromkeys(Verdict, 0))


def apply_rule(
    rule: core.Rule,
    table: Table,
    *,
    everything: bool = False,
    pending: Collection[str] = (),
) -> RuleResult:
    """One rule on one table's log. Complied checks and most of the excused ones are only counted,
    unless `everything` is asked.

    Of the events before the table's `fresh_from` only the checks with the fingerprints in `pending`
    are judged again: those that an earlier run could not settle.
    """
    editions = [edition for edition in rule.editions if not not_here(table, edition)]
    if not editions:
        return _NOWHERE
    counts = dict(_NOWHERE.counts)
    checks: list[Shown] = []
    for edition in editions:
        for numbers, shown in _edition(rule, edition, table, everything):
            for verdict, number in zip(VERDICTS, numbers, strict=True):
                if number:
                    counts[verdict] += number
            checks += shown
        for item in _reopened(rule, edition, table, pending):
            verdict = item[2].verdict
            counts[verdict] += 1
            if everything or verdict is not Verdict.COMPLIED:
                checks.append(item)
    if not checks:
        return RuleResult(counts)
    checks.sort(key=itemgetter(0, 1))
    waiting = {
        check.written().fingerprint: Waiting(place, check.verdict)
        for place, _, check, unsettled in checks
        if unsettled
    }
    return RuleResult(counts, tuple(item[2] for item in checks), waiting)


def _reopened(
    rule: core.Rule, edition: core.Edition, table: Table, pending: Collection[str]
) -> Iterator[Shown]:
    """The checks that were not settled before, judged with what has come since."""
    if not pending or never_applies(table, edition):
        return
    for part in sliced(table, edition):
        rows = _in_force(table, edition, part, part.triggers)
        rows = rows[part.scene.place(rows) < table.fresh_from]
        if not len(rows):
            continue
        judge = Judge(rule, edition, part, Evaluator(part.scene))
        contexts = Contexts({core.TRIGGER: rows}, len(rows))
        applies = judge.applies(contexts).vector.spread(len(rows))
        contexts = contexts.take(np.flatnonzero(~applies.false))
        if not contexts.size:
            continue
        for item in shown_checks(judge, contexts):
            if item[2].written().fingerprint in pending:
                yield item


def _edition(
    rule: core.Rule, edition: core.Edition, table: Table, everything: bool
) -> Iterator[tuple[Sequence[int], Sequence[Shown]]]:
    """How often each verdict was reached, and what is to be shown, portion by portion."""
    looked = None if everything else first_look(table, rule, edition)
    if looked is not None:
        for item in looked:
            yield item.counts, item.checks
            if len(item.left) if item.left is not None else not never_applies(table, edition):
                yield _judged(rule, edition, table, item.part, item.left)
    elif not never_applies(table, edition):
        for part in sliced(table, edition):
            yield _judged(rule, edition, table, part, None, everything)


def _judged(
    rule: core.Rule,
    edition: core.Edition,
    table: Table,
    part: Sliced,
    left: Integers | None,
    everything: bool = False,
) -> tuple[Sequence[int], list[Shown]]:
    """The same for all triggers, or of those that a first look has left to be judged."""
    if left is not None:
        left = _asked_for(table, edition, part, left)
        if not len(left):
            return [0] * len(VERDICTS), []
        part = with_only(part, left)
    judge = Judge(rule, edition, part, Evaluator(part.scene))
    if left is None:
        contexts, certain = _applicable(table, edition, part, judge)
    else:
        rows = part.triggers
        rows, certain = _left(rows, judge.applies(Contexts({core.TRIGGER: rows}, len(rows))).vector)
        contexts = Contexts({core.TRIGGER: rows}, len(rows))
    if not contexts.size:
        return [0] * len(VERDICTS), []
    verdicts = judge.judged(contexts, None if certain else judge.applies(contexts)).verdicts
    shown = np.arange(contexts.size) if everything else _worth_showing(verdicts)
    numbers = np.bincount(verdicts, minlength=len(VERDICTS)).tolist()
    return numbers, list(shown_checks(judge, contexts.take(shown), certain=certain))


def _applicable(
    table: Table, edition: core.Edition, part: Sliced, judge: Judge
) -> tuple[Contexts, bool]:
    """The triggers to which the edition applies, and whether it surely applies to all of them.

    One condition after the other leaves fewer to look at; editions that begin with the same
    conditions share what was found.
    """
    number, memo = table.plan.number, part.scene.memo
    token: object = ("applies", number(edition.trigger), edition.since, edition.until)
    if token not in memo:
        rows = _asked_for(table, edition, part, part.triggers)
        rows = possible_triggers(judge.evaluator, edition.trigger, rows)
        contexts = Contexts({core.TRIGGER: rows}, len(rows))
        memo[token] = _left(rows, judge.triggered(contexts).vector) if len(rows) else (rows, True)
    rows, certain = memo[token]
    contexts = Contexts({core.TRIGGER: rows}, len(rows), token)
    for condition in table.plan.cheapest_first(edition.only_if):
        if not len(rows):
            break
        token = ("applies", number(condition), contexts.token)
        if token not in memo:
            memo[token] = _left(rows, judge.evaluator.vector(condition, contexts))
        rows, sure = memo[token]
        contexts = Contexts({core.TRIGGER: rows}, len(rows), token)
        certain = certain and sure
    return contexts, certain


def _worth_showing(verdicts: Integers) -> Integers:
    """What a person has to look at, and a few of the excused checks as examples."""
    shown = (verdicts != COMPLIED) & (verdicts != EXCUSED)
    shown[np.flatnonzero(verdicts == EXCUSED)[:SHOWN_EXCUSED]] = True
    places: Integers = shown.nonzero()[0]
    return places


def _left(rows: Integers, condition: Vector) -> tuple[Integers, bool]:
    """The rows at which a condition may hold, and whether it surely holds at all of them."""
    left = rows[~condition.spread(len(rows)).false]
    return left, condition.sure or not condition.state.any()


def _asked_for(table: Table, edition: core.Edition, part: Sliced, rows: Integers) -> Integers:
    """The trigger rows that are new, asked for, and in the time of the edition."""
    rows = _in_force(table, edition, part, rows)
    if table.fresh_from:
        rows = rows[part.scene.place(rows) >= table.fresh_from]
    if table.asked is not None:
        rows = rows[table.asked[part.scene.place(rows)]]
    return rows


def _in_force(table: Table, edition: core.Edition, part: Sliced, rows: Integers) -> Integers:
    """The trigger rows on whose date the edition is in force."""
    since, until = in_force(edition, table.circumstances.rulebook.time_zone)
    first, last = table.moments
    if since <= first and last < until:
        return rows
    ts = part.scene.ts[rows]
    return rows[(ts >= since) & (ts < until)]
