"""What one edition of a rule says of each trigger: does it apply, is it met, is it excused."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from compliance.columnar.contexts import Answer, Contexts, Seen, all_of, opposite, together
from compliance.columnar.evaluate import Evaluator
from compliance.columnar.parts import SINCE
from compliance.columnar.segments import Sliced
from compliance.columnar.vectors import (
    MISSING,
    OPEN,
    SURE,
    VALUE,
    States,
    Vector,
    constant,
    state_array,
)
from compliance.columnar.windows import ends_run
from compliance.columns import Flags, Integers
from reports.verdicts import Verdict
from rules_dsl import core

VERDICTS = (
    Verdict.COMPLIED,
    Verdict.VIOLATED,
    Verdict.EXCUSED,
    Verdict.OPEN,
    Verdict.UNDETERMINED,
)
COMPLIED, VIOLATED, EXCUSED, STILL_OPEN, UNDETERMINED = range(5)


@dataclass(frozen=True)
class Judged:
    """What became of every check, and why."""

    verdicts: Any
    seen: Seen
    """By which rows the verdicts were reached."""
    unmet: tuple[Flags, ...] = ()
    """For each requirement, where it is not met."""
    excuse: Integers | None = None
    """The place of the exception that excuses the check; -1 where none does."""


@dataclass(frozen=True)
class Judge:
    """One edition of a rule on one set of segments."""

    rule: core.Rule
    edition: core.Edition
    part: Sliced
    evaluator: Evaluator

    def applies(self, contexts: Contexts) -> Answer:
        """Whether the rule applies: the trigger, and then what `only if` asks."""
        answer = self.triggered(contexts)
        for condition in self.edition.only_if:
            answer = all_of([answer, self.spread(condition, contexts)])
        return Answer(answer.vector.spread(contexts.size), answer.seen)

    def spread(self, expr: core.Expr, contexts: Contexts) -> Answer:
        """The answer of an expression, written out for every check."""
        answer = self.evaluator.answer(expr, contexts)
        return Answer(answer.vector.spread(contexts.size), answer.seen)

    def _matches(self, pattern: core.Pattern, contexts: Contexts, rows: Integers) -> Answer:
        """Whether the event at a row is one that a pattern means."""
        belongs = self.part.scene.belongs
        state = SURE if belongs is None else belongs[rows]
        answers = [Answer(Vector(np.ones(contexts.size, dtype=np.int64), state))]
        if pattern.where is not None:
            answers.append(self.spread(pattern.where, contexts.with_var(pattern.var, rows)))
        return all_of(answers)

    def triggered(self, contexts: Contexts) -> Answer:
        """Whether the trigger's own words hold."""
        trigger = self.edition.trigger
        rows = contexts.rows[core.TRIGGER]
        answer = self._matches(trigger.pattern, contexts, rows)
        if trigger.ends is not None:
            return all_of([answer, Answer(ends_run(self.evaluator, trigger.ends, rows))])
        if trigger.since is None:
            return answer
        search = self.evaluator.search
        since = search.nearest(trigger.since, contexts, core.TRIGGER, True)
        again = search.nearest(trigger.pattern, contexts, core.TRIGGER, True)
        first = (since.nearest >= 0) & (since.nearest >= again.nearest)
        blocked = ~first & (again.nearest >= 0)
        state = np.where(first, since.state, np.where(blocked, again.state, VALUE)).astype(np.uint8)
        vector = Vector(first.astype(np.int64), state)
        if not self.evaluator.witnessing:
            return all_of([answer, Answer(vector)])
        seen = self._since_seen(trigger, contexts, first, since.nearest)
        return all_of([answer, Answer(vector, seen)])

    def _since_seen(
        self, trigger: core.Trigger, contexts: Contexts, first: Any, since: Integers
    ) -> Seen:
        chosen = first.nonzero()[0]
        return Seen(chosen, since[chosen], np.full(len(chosen), SINCE, dtype=np.int64))

    def judged(self, contexts: Contexts, applies: Answer | None = None) -> Judged:
        """The verdict of every check.

        `applies` is what is known already of whether the edition applies; where it surely does to
        all of them, nothing needs to be said of that.
        """
        size = contexts.size
        certain = applies is None
        each = [self.spread(r.condition, contexts) for r in self.edition.requirements]
        met = all_of(each)
        met = Answer(met.vector.spread(size), met.seen)
        if certain and met.vector.true.all() and not self.evaluator.witnessing:
            return Judged(np.full(size, COMPLIED, dtype=np.int64), met.seen)
        applies = applies or Answer(constant(1).spread(size))
        verdicts = np.full(size, VIOLATED, dtype=np.int64)
        doubt = applies.vector.state != VALUE
        good, still_open = met.vector.true, met.vector.state == OPEN
        unknown = met.vector.state == MISSING
        rest = ~good & ~still_open & ~doubt
        seen = [met.seen.where(~doubt), applies.seen.where(doubt)]
        excuse, states, of_excuses = self._excused(contexts, rest)
        excused = excuse >= 0
        waiting = rest & ~excused & (states == OPEN)
        unclear = rest & ~excused & ~unknown & (states == MISSING)
        seen += [answer.seen.where(waiting | unclear) for answer, _ in of_excuses]
        seen += [answer.seen.where(first) for answer, first in of_excuses]
        verdicts[unclear] = UNDETERMINED
        verdicts[rest & unknown] = UNDETERMINED
        verdicts[waiting] = STILL_OPEN
        verdicts[excused] = EXCUSED
        verdicts[still_open] = STILL_OPEN
        verdicts[good] = COMPLIED
        verdicts[doubt & (applies.vector.state == MISSING)] = UNDETERMINED
        verdicts[doubt & (applies.vector.state == OPEN)] = STILL_OPEN
        unmet = tuple(~answer.vector.true & ~doubt for answer in each)
        return Judged(verdicts, together(seen), unmet, excuse)

    def _excused(
        self, contexts: Contexts, rest: Flags
    ) -> tuple[Integers, States, list[tuple[Answer, Flags]]]:
        """Which exception excuses each of the checks that failed (-1: none), the gravest doubt
        about it, and the answer of each exception with the checks that it was the first to
        excuse."""
        size = contexts.size
        excuse = np.full(size, -1, dtype=np.int64)
        states = state_array(size, VALUE)
        answers: list[tuple[Answer, Flags]] = []
        chosen = rest.nonzero()[0]
        if not len(chosen):
            return excuse, states, answers
        few = contexts if len(chosen) == size else contexts.take(chosen)
        for place, exemption in enumerate(self.edition.exemptions):
            answer = self.excuse(exemption, few)
            vector = answer.vector.spread(len(chosen))
            first = np.zeros(size, dtype=np.bool_)
            first[chosen[vector.true]] = True
            first &= excuse < 0
            states[chosen] = np.maximum(states[chosen], vector.state)
            seen = Seen(chosen[answer.seen.context], answer.seen.row, answer.seen.part)
            answers.append((Answer(answer.vector, seen), first))
            excuse[first] = place
        return excuse, states, answers

    def excuse(self, exemption: core.Exemption, contexts: Contexts) -> Answer:
        """Whether an exception holds and none of its own limits does."""
        return all_of(
            [
                self.spread(exemption.condition, contexts),
                *(opposite(self.excuse(limit, contexts)) for limit in exemption.but_not),
            ]
        )
