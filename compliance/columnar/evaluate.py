"""What each expression means, for all contexts at once: the twin of the reference evaluator."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from compliance.columnar import aggregates, phrases
from compliance.columnar.codes import code_of, constant_of
from compliance.columnar.contexts import (
    Answer,
    Contexts,
    Seen,
    all_of,
    any_of,
    together,
)
from compliance.columnar.functions import apply_function
from compliance.columnar.lookup import lookup
from compliance.columnar.parts import Parts
from compliance.columnar.plan import Plan, PlannedPattern
from compliance.columnar.scene import Scene
from compliance.columnar.search import Found, Search
from compliance.columnar.vectors import (
    MISSING,
    OPEN,
    VALUE,
    Vector,
    arithmetic,
    as_truth,
    choose,
    compare,
    conjunction,
    constant,
    disjunction,
    flags,
    negation,
    rounded,
)
from compliance.columnar.windows import look
from compliance.columns import Integers
from event_schemas import PLAIN_KINDS
from rules_dsl import core


class Evaluator:
    """Evaluates expressions in one scene; with `witnessing`, it also says by which rows."""

    def __init__(
        self, scene: Scene, *, witnessing: bool = False, parts: Parts | None = None
    ) -> None:
        self.scene = scene
        self.witnessing = witnessing
        self.parts = parts or Parts()
        self.search = Search(self)

    @property
    def rulebook(self) -> core.Rulebook:
        return self.scene.table.circumstances.rulebook

    @property
    def plan(self) -> Plan:
        return self.scene.table.plan

    def pattern(self, pattern: core.Pattern) -> PlannedPattern:
        """A pattern taken apart."""
        return self.plan.pattern(pattern)

    def vector(self, expr: core.Expr, contexts: Contexts) -> Vector:
        """Only the values of an expression."""
        if self.witnessing:
            quiet = Evaluator(self.scene)
            return quiet.answer(expr, contexts).vector
        return self.answer(expr, contexts).vector

    def answer(self, expr: core.Expr, contexts: Contexts) -> Answer:
        """The values of an expression, with witnesses when these are wanted."""
        return _MEANINGS[type(expr)](self, expr, contexts)

    def _seen(self, context: Integers, row: Integers, part: int) -> Seen:
        return Seen(context, row, np.full(len(context), part, dtype=np.int64))

    # ---- single values

    def _const(self, expr: core.Const, contexts: Contexts) -> Answer:
        memo = self.scene.table.memo
        key = ("const", expr.kind, expr.text)
        if key not in memo:
            memo[key] = constant_of(self.scene.log, self.rulebook, expr)
        return Answer(memo[key])

    def _field(self, expr: core.Field, contexts: Contexts) -> Answer:
        rows = contexts.rows[expr.var]
        vector = self.scene.field(expr.name, expr.kind, rows)
        if not self.witnessing:
            return Answer(vector)
        lacking = np.flatnonzero(np.broadcast_to(vector.state == MISSING, contexts.size))
        part = self.parts.number(f"lacks {expr.name}")
        return Answer(vector, self._seen(lacking, rows[lacking], part))

    def _option(self, expr: core.OptionValue, contexts: Contexts) -> Answer:
        return Answer(self.scene.option(expr.name, contexts.rows[expr.at]))

    def _reading(self, expr: core.ReadingValue, contexts: Contexts) -> Answer:
        chosen = self.scene.table.circumstances.readings[expr.name]
        words = [reading.name for reading in self.rulebook.interpretations[expr.name].readings]
        return Answer(constant(words.index(chosen)))

    def _setting(self, expr: core.SettingValue, contexts: Contexts) -> Answer:
        value = self.scene.table.circumstances.settings[expr.name]
        return Answer(constant(*code_of(self.scene.log, PLAIN_KINDS[expr.kind], value)))

    def _arithmetic(self, expr: core.Arithmetic, contexts: Contexts) -> Answer:
        left, right = self.answer(expr.left, contexts), self.answer(expr.right, contexts)
        return Answer(
            arithmetic(expr.sign, left.vector, right.vector), together([left.seen, right.seen])
        )

    def _rounding(self, expr: core.Rounding, contexts: Contexts) -> Answer:
        value, unit = self.answer(expr.value, contexts), self.answer(expr.unit, contexts)
        return Answer(
            rounded(value.vector, expr.way, unit.vector), together([value.seen, unit.seen])
        )

    def _apply(self, expr: core.Apply, contexts: Contexts) -> Answer:
        answers = [self.answer(argument, contexts) for argument in expr.arguments]
        vector = apply_function(self, expr, [a.vector for a in answers], contexts)
        return Answer(vector, together(a.seen for a in answers))

    def _if(self, expr: core.If, contexts: Contexts) -> Answer:
        condition = self.answer(expr.condition, contexts)
        then, other = self.answer(expr.then, contexts), self.answer(expr.otherwise, contexts)
        vector = choose(condition.vector, then.vector, other.vector)
        if not self.witnessing:
            return Answer(vector)
        known = as_truth(condition.vector).spread(contexts.size)
        return Answer(
            vector,
            together(
                [condition.seen, then.seen.where(~known.false), other.seen.where(~known.true)]
            ),
        )

    # ---- conditions on values

    def _compare(self, expr: core.Compare, contexts: Contexts) -> Answer:
        left, right = self.answer(expr.left, contexts), self.answer(expr.right, contexts)
        return Answer(
            compare(expr.sign, left.vector, right.vector), together([left.seen, right.seen])
        )

    def _recorded(self, expr: core.Recorded, contexts: Contexts) -> Answer:
        answer = self.answer(expr.value, contexts)
        state = answer.vector.state
        holds = state == VALUE if expr.known else state == MISSING
        kept = np.where(state == OPEN, OPEN, VALUE).astype(np.uint8)
        return Answer(flags(holds, kept), answer.seen)

    def _about(self, expr: core.About, contexts: Contexts) -> Answer:
        answers = [self.answer(e, contexts) for e in (expr.value, expr.target, expr.tolerance)]
        value, target, tolerance = (a.vector for a in answers)
        away = arithmetic("-", value, target)
        away = Vector(np.abs(away.above), away.state, away.below)
        size = Vector(np.abs(target.above), target.state, target.below)
        margin = arithmetic("*", size, tolerance) if expr.relative else tolerance
        return Answer(as_truth(compare("<=", away, margin)), together(a.seen for a in answers))

    def _and(self, expr: core.And, contexts: Contexts) -> Answer:
        if not self.witnessing:
            return Answer(conjunction([self.vector(part, contexts) for part in expr.parts]))
        return all_of([self.whole(part, contexts) for part in expr.parts])

    def _or(self, expr: core.Or, contexts: Contexts) -> Answer:
        if not self.witnessing:
            return Answer(disjunction([self.vector(part, contexts) for part in expr.parts]))
        return any_of([self.whole(part, contexts) for part in expr.parts])

    def _not(self, expr: core.Not, contexts: Contexts) -> Answer:
        answer = self.answer(expr.part, contexts)
        return Answer(negation(answer.vector), answer.seen)

    def whole(self, expr: core.Expr, contexts: Contexts) -> Answer:
        answer = self.answer(expr, contexts)
        return Answer(answer.vector.spread(contexts.size), answer.seen)

    # ---- events

    def find(self, events: core.Events, contexts: Contexts) -> Found:
        """The events of a phrase, for every context; the same question is answered only once."""
        if contexts.token is None:
            return self._find(events, contexts)
        key = ("find", self.plan.number(events), contexts.token)
        if key not in self.scene.memo:
            self.scene.memo[key] = self._find(events, contexts)
        found: Found = self.scene.memo[key]
        return found

    def _find(self, events: core.Events, contexts: Contexts) -> Found:
        window = look(self, events.window, contexts, events.at)
        found = self.search.find(self.pattern(events.pattern), contexts, window.bounds)
        if events.per is not None:
            found = aggregates.one_per_key(self, events, found)
        return replace(
            found,
            more=window.open,
            doubt=window.doubt,
            since=window.since,
            before=window.before,
        )


_MEANINGS: dict[type, Callable[[Evaluator, Any, Contexts], Answer]] = {
    core.Const: Evaluator._const,
    core.Field: Evaluator._field,
    core.OptionValue: Evaluator._option,
    core.ReadingValue: Evaluator._reading,
    core.SettingValue: Evaluator._setting,
    core.Arithmetic: Evaluator._arithmetic,
    core.Rounding: Evaluator._rounding,
    core.Apply: Evaluator._apply,
    core.Lookup: lookup,
    core.If: Evaluator._if,
    core.Compare: Evaluator._compare,
    core.Recorded: Evaluator._recorded,
    core.About: Evaluator._about,
    core.And: Evaluator._and,
    core.Or: Evaluator._or,
    core.Not: Evaluator._not,
    core.HowMany: phrases.how_many,
    core.Every: phrases.every,
    core.Aggregate: phrases.aggregate,
    core.InOrder: phrases.in_order,
    core.NextSeat: phrases.next_seat,
}
