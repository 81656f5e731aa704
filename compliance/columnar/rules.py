"""Applies rules to a table's columns: all triggers at once, and evidence where it is needed."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from datetime import time as clock
from typing import Any
from zoneinfo import ZoneInfo

import numpy as np

from compliance.checks import build_check
from compliance.columnar.codes import value_of
from compliance.columnar.contexts import Answer, Contexts, Seen, all_of, opposite, together
from compliance.columnar.evaluate import Evaluator
from compliance.columnar.parts import SINCE, Parts
from compliance.columnar.scene import Scene, Table
from compliance.columnar.skipping import never_applies
from compliance.columnar.slices import Sliced, sliced
from compliance.columnar.vectors import MISSING, OPEN, VALUE, Vector, state_array
from compliance.columnar.windows import ends_run
from compliance.columns import Integers
from compliance.evidence import value_text
from compliance.moments import EPOCH, microseconds
from reports.model import Check
from reports.verdicts import Verdict
from rules_dsl import core

_VERDICTS = (
    Verdict.COMPLIED,
    Verdict.VIOLATED,
    Verdict.EXCUSED,
    Verdict.OPEN,
    Verdict.UNDETERMINED,
)
COMPLIED, VIOLATED, EXCUSED, STILL_OPEN, UNDETERMINED = range(5)


@dataclass(frozen=True)
class RuleResult:
    """How often each verdict was reached, and every check that needs to be shown."""

    counts: Mapping[Verdict, int]
    checks: tuple[Check, ...] = field(default=())


def apply_rule(
    rule: core.Rule,
    table: Table,
    *,
    everything: bool = False,
    pending: Collection[str] = (),
) -> RuleResult:
    """One rule on one table's log. Complied checks are only counted, unless `everything` is asked.

    Of the events before the table's `fresh_from` only the checks with the fingerprints in `pending`
    are judged again: those that an earlier run had to leave open.
    """
    counts = dict.fromkeys(Verdict, 0)
    checks: list[tuple[int, int, Check]] = []
    for edition in rule.editions:
        for verdicts, shown in _edition(rule, edition, table, everything):
            for number, verdict in enumerate(_VERDICTS):
                counts[verdict] += int((verdicts == number).sum())
            checks += shown
        for item in _reopened(rule, edition, table, pending):
            counts[item[2].verdict] += 1
            if everything or item[2].verdict is not Verdict.COMPLIED:
                checks.append(item)
    checks.sort(key=lambda item: item[:2])
    return RuleResult(counts, tuple(check for _, _, check in checks))


def _reopened(
    rule: core.Rule, edition: core.Edition, table: Table, pending: Collection[str]
) -> Iterator[tuple[int, int, Check]]:
    """The checks that were open before, judged with what has come since."""
    if not pending or never_applies(table, edition):
        return
    part = sliced(table, edition)
    rows = _in_force(table, edition, part)
    rows = rows[part.scene.place(rows) < table.fresh_from]
    if not len(rows):
        return
    judge = _Judge(rule, edition, part, Evaluator(part.scene))
    contexts = Contexts({core.TRIGGER: rows}, len(rows))
    applies = judge.applies(contexts).vector.spread(len(rows))
    contexts = contexts.take(np.flatnonzero(~applies.false))
    if not contexts.size:
        return
    verdicts, _ = judge.verdicts(contexts)
    for item in judge.evidence(contexts, verdicts):
        if item[2].fingerprint in pending:
            yield item


def _edition(
    rule: core.Rule, edition: core.Edition, table: Table, everything: bool
) -> Iterator[tuple[Any, list[tuple[int, int, Check]]]]:
    if never_applies(table, edition):
        return
    part = sliced(table, edition)
    judge = _Judge(rule, edition, part, Evaluator(part.scene))
    contexts = _applicable(table, edition, part, judge)
    if not contexts.size:
        return
    verdicts, _ = judge.verdicts(contexts)
    shown = np.arange(contexts.size) if everything else np.flatnonzero(verdicts != COMPLIED)
    yield verdicts, list(judge.evidence(contexts.take(shown), verdicts[shown]))


def _applicable(table: Table, edition: core.Edition, part: Sliced, judge: _Judge) -> Contexts:
    """The triggers to which the edition applies; editions with equal conditions share them."""
    number = table.plan.number
    token = (
        "applies",
        number(edition.trigger),
        number(edition.only_if),
        edition.since,
        edition.until,
    )
    memo = part.scene.memo
    if token not in memo:
        rows = _in_force(table, edition, part)
        if table.fresh_from:
            rows = rows[part.scene.place(rows) >= table.fresh_from]
        if len(rows):
            applies = judge.applies(Contexts({core.TRIGGER: rows}, len(rows)))
            rows = rows[~applies.vector.spread(len(rows)).false]
        memo[token] = rows
    rows = memo[token]
    return Contexts({core.TRIGGER: rows}, len(rows), token)


def _in_force(table: Table, edition: core.Edition, part: Sliced) -> Integers:
    """The trigger rows on whose date the edition is in force."""
    zone = ZoneInfo(table.circumstances.rulebook.time_zone)
    rows = part.triggers
    ts = part.scene.ts[rows] if len(rows) else rows
    kept = np.ones(len(rows), dtype=np.bool_)
    if edition.since is not None:
        kept &= ts >= _midnight(edition.since, zone)
    if edition.until is not None:
        kept &= ts < _midnight(edition.until, zone)
    return rows[kept]


def _midnight(day: str, zone: ZoneInfo) -> int:
    return microseconds(datetime.combine(date.fromisoformat(day), clock(), zone))


@dataclass(frozen=True)
class _Judge:
    """One edition of a rule on one set of segments."""

    rule: core.Rule
    edition: core.Edition
    part: Sliced
    evaluator: Evaluator

    def applies(self, contexts: Contexts) -> Answer:
        """Whether the rule applies: the trigger, and then what `only if` asks."""
        answer = self._triggered(contexts)
        for condition in self.edition.only_if:
            answer = all_of([answer, self._spread(condition, contexts)])
        return answer

    def _spread(self, expr: core.Expr, contexts: Contexts) -> Answer:
        answer = self.evaluator.answer(expr, contexts)
        return Answer(answer.vector.spread(contexts.size), answer.seen)

    def _matches(self, pattern: core.Pattern, contexts: Contexts, rows: Integers) -> Answer:
        """Whether the event at a row is one that a pattern means."""
        certain = self.part.scene.certain
        state = state_array(contexts.size, VALUE)
        if certain is not None:
            state = np.where(certain[rows], VALUE, MISSING).astype(np.uint8)
        answers = [Answer(Vector(np.ones(contexts.size, dtype=np.int64), state))]
        if pattern.where is not None:
            answers.append(self._spread(pattern.where, contexts.with_var(pattern.var, rows)))
        return all_of(answers)

    def _triggered(self, contexts: Contexts) -> Answer:
        trigger = self.edition.trigger
        rows = contexts.rows[core.TRIGGER]
        answer = self._matches(trigger.pattern, contexts, rows)
        if trigger.ends is not None:
            ends, certain = ends_run(self.evaluator, trigger.ends, rows)
            state = np.where(ends & ~certain, MISSING, VALUE).astype(np.uint8)
            return all_of([answer, Answer(Vector(ends.astype(np.int64), state))])
        if trigger.since is None:
            return answer
        search = self.evaluator.search
        since, since_state = search.nearest(trigger.since, contexts, core.TRIGGER, True)
        again, again_state = search.nearest(trigger.pattern, contexts, core.TRIGGER, True)
        first = (since >= 0) & (since >= again)
        blocked = ~first & (again >= 0)
        state = np.where(first, since_state, np.where(blocked, again_state, VALUE)).astype(np.uint8)
        vector = Vector(first.astype(np.int64), state)
        if not self.evaluator.witnessing:
            return all_of([answer, Answer(vector)])
        return all_of([answer, Answer(vector, self._since_seen(trigger, contexts, first, since))])

    def _since_seen(
        self, trigger: core.Trigger, contexts: Contexts, first: Any, since: Integers
    ) -> Seen:
        chosen = np.flatnonzero(first)
        return Seen(chosen, since[chosen], np.full(len(chosen), SINCE, dtype=np.int64))

    def verdicts(self, contexts: Contexts) -> tuple[Any, Seen]:
        """The verdict of every check, and by which rows it was reached."""
        size = contexts.size
        applies = self.applies(contexts)
        met = all_of([self._spread(r.condition, contexts) for r in self.edition.requirements])
        verdicts = np.full(size, VIOLATED, dtype=np.int64)
        doubt = applies.vector.state != VALUE
        good, still_open = met.vector.true, met.vector.state == OPEN
        unknown = met.vector.state == MISSING
        rest = ~good & ~still_open & ~doubt
        excused = np.zeros(size, dtype=np.bool_)
        seen = [met.seen.where(~doubt), applies.seen.where(doubt)]
        states = np.zeros(size, dtype=np.uint8)
        excuses: list[Answer] = []
        if rest.any():
            for exemption in self.edition.exemptions:
                answer = self._excuse(exemption, contexts)
                seen.append(answer.seen.where(rest & ~excused & answer.vector.true))
                excused = excused | (rest & answer.vector.true)
                states = np.maximum(states, answer.vector.state)
                excuses.append(answer)
        waiting = rest & ~excused & (states == OPEN)
        unclear = rest & ~excused & ~unknown & (states == MISSING)
        seen += [answer.seen.where(waiting | unclear) for answer in excuses]
        verdicts[unclear] = UNDETERMINED
        verdicts[rest & unknown] = UNDETERMINED
        verdicts[waiting] = STILL_OPEN
        verdicts[excused] = EXCUSED
        verdicts[still_open] = STILL_OPEN
        verdicts[good] = COMPLIED
        verdicts[doubt & (applies.vector.state == MISSING)] = UNDETERMINED
        verdicts[doubt & (applies.vector.state == OPEN)] = STILL_OPEN
        return verdicts, together(seen)

    def _excuse(self, exemption: core.Exemption, contexts: Contexts) -> Answer:
        return all_of(
            [
                self._spread(exemption.condition, contexts),
                *(opposite(self._excuse(limit, contexts)) for limit in exemption.but_not),
            ]
        )

    # ---- evidence

    def evidence(self, contexts: Contexts, verdicts: Any) -> Iterator[tuple[int, int, Check]]:
        """The checks to be shown, with witnesses, message and what was not met."""
        if not contexts.size:
            return
        parts = Parts()
        scene = self.part.scene
        witnessing = Evaluator(scene, witnessing=True, parts=parts)
        judge = _Judge(self.rule, self.edition, self.part, witnessing)
        _, seen = judge.verdicts(contexts)
        order = np.argsort(seen.context, kind="stable")
        borders = np.searchsorted(seen.context[order], np.arange(contexts.size + 1))
        unmet = self._unmet(contexts, verdicts)
        authority = self._authorities(contexts)
        messages = self._messages(contexts)
        rows = contexts.rows[core.TRIGGER]
        places = scene.place(rows)
        for i in range(contexts.size):
            mine = order[borders[i] : borders[i + 1]]
            witnesses = {
                (int(scene.place(seen.row[k : k + 1])[0]), parts.names[int(seen.part[k])])
                for k in mine
            }
            verdict = _VERDICTS[int(verdicts[i])]
            segment = int(scene.segment[rows[i]])
            number = int(self.part.owner[segment])
            check = build_check(
                self.rule,
                self.edition,
                verdict,
                scene.log.event,
                int(places[i]),
                self.part.keys[number],
                witnesses,
                scene.log.schema,
                excused_by=authority[i] if verdict is Verdict.EXCUSED else None,
                message="" if verdict is Verdict.COMPLIED else messages[i],
                unmet=unmet[i],
            )
            yield int(places[i]), number, check

    def _unmet(self, contexts: Contexts, verdicts: Any) -> list[tuple[str, ...]]:
        doubt = ~self.applies(contexts).vector.spread(contexts.size).true
        columns = [
            (requirement.text, self._spread(requirement.condition, contexts).vector.true)
            for requirement in self.edition.requirements
        ]
        return [
            () if doubt[i] else tuple(text for text, met in columns if not met[i])
            for i in range(contexts.size)
        ]

    def _authorities(self, contexts: Contexts) -> list[str]:
        names = [""] * contexts.size
        for exemption in reversed(self.edition.exemptions):
            holds = self._excuse(exemption, contexts).vector.true
            for i in np.flatnonzero(holds):
                names[int(i)] = exemption.authority
        return names

    def _messages(self, contexts: Contexts) -> list[str]:
        columns: list[Sequence[str]] = []
        scene = self.part.scene
        for part in self.edition.message:
            if part.value is None:
                columns.append([part.text] * contexts.size)
                continue
            vector = self.evaluator.vector(part.value, contexts).spread(contexts.size)
            columns.append(
                [self._shown(scene, part, vector, i, contexts) for i in range(contexts.size)]
            )
        return ["".join(words) for words in zip(*columns, strict=True)] or [""] * contexts.size

    def _shown(
        self, scene: Scene, part: core.MessagePart, vector: Vector, i: int, contexts: Contexts
    ) -> str:
        if vector.state[i] != VALUE:
            return f"an unrecorded {part.text}"
        below = 1 if vector.below is None else int(vector.below[i])
        if part.kind == "time":
            moment = EPOCH + timedelta(microseconds=int(vector.above[i]))
            zone = ZoneInfo(scene.table.circumstances.rulebook.time_zone)
            return value_text("time", moment.astimezone(zone))
        if part.kind == "date":
            return (date(1970, 1, 1) + timedelta(days=int(vector.above[i]))).isoformat()
        rulebook = scene.table.circumstances.rulebook
        return value_text(
            part.kind, value_of(scene.log, rulebook, part.kind, int(vector.above[i]), below)
        )
