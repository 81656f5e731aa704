"""Applies rules to a table's columns: all triggers at once, and evidence where it is needed."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from compliance.columnar.contexts import Contexts
from compliance.columnar.evaluate import Evaluator
from compliance.columnar.first_since import possible_triggers
from compliance.columnar.judge import COMPLIED, EXCUSED, VERDICTS, Judge
from compliance.columnar.scene import Table
from compliance.columnar.segments import Sliced
from compliance.columnar.shown_checks import Shown, shown_checks
from compliance.columnar.skipping import in_force, never_applies
from compliance.columnar.slices import sliced
from compliance.columnar.vectors import (
    Vector,
)
from compliance.columns import Integers
from reports.model import Check
from reports.verdicts import Verdict
from rules_dsl import core

SHOWN_EXCUSED = 3
"""How many excused checks of an edition are shown with their evidence; all are counted."""


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
    checks: tuple[Check, ...] = field(default=())
    pending: Mapping[str, Waiting] = field(default_factory=dict)


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
    counts = dict.fromkeys(Verdict, 0)
    checks: list[Shown] = []
    for edition in rule.editions:
        for verdicts, shown in _edition(rule, edition, table, everything):
            for number, verdict in enumerate(VERDICTS):
                counts[verdict] += int((verdicts == number).sum())
            checks += shown
        for item in _reopened(rule, edition, table, pending):
            counts[item[2].verdict] += 1
            if everything or item[2].verdict is not Verdict.COMPLIED:
                checks.append(item)
    checks.sort(key=lambda item: item[:2])
    waiting = {
        check.fingerprint: Waiting(place, check.verdict)
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
        rows = _in_force(table, edition, part)
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
            if item[2].fingerprint in pending:
                yield item


def _edition(
    rule: core.Rule, edition: core.Edition, table: Table, everything: bool
) -> Iterator[tuple[Any, list[Shown]]]:
    if never_applies(table, edition):
        return
    for part in sliced(table, edition):
        judge = Judge(rule, edition, part, Evaluator(part.scene))
        contexts, certain = _applicable(table, edition, part, judge)
        if not contexts.size:
            continue
        verdicts = judge.judged(contexts, None if certain else judge.applies(contexts)).verdicts
        shown = np.arange(contexts.size) if everything else _worth_showing(verdicts)
        yield verdicts, list(shown_checks(judge, contexts.take(shown)))


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
        rows = _in_force(table, edition, part)
        if table.fresh_from:
            rows = rows[part.scene.place(rows) >= table.fresh_from]
        if table.asked is not None:
            rows = rows[table.asked[part.scene.place(rows)]]
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
    return left, condition.sure


def _in_force(table: Table, edition: core.Edition, part: Sliced) -> Integers:
    """The trigger rows on whose date the edition is in force."""
    since, until = in_force(edition, table.circumstances.rulebook.time_zone)
    first, last = table.moments
    rows = part.triggers
    if since <= first and last < until:
        return rows
    ts = part.scene.ts[rows]
    return rows[(ts >= since) & (ts < until)]
