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
    SURE,
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
from compliance.columns import Flags, Integers
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
        self.unsettled: Flags | None = None
        """Where it is noted which checks looked at something that may still change."""
        self._given: dict[tuple[int, int], tuple[core.Expr, Contexts, Answer]] = {}
        """With `witnessing`: the answers so far at the triggers themselves, by expression and
        contexts. A rule asks for the dealer's total more than once."""

    @property
    def search(self) -> Search:
        """Looks for events. Made anew each time: two that hold each other stay in memory."""
        return Search(self)

    @property
    def rulebook(self) -> core.Rulebook:
        return self.scene.table.circumstances.rulebook

    @property
    def plan(self) -> Plan:
        return self.scene.table.plan

    def pattern(self, pattern: core.Pattern) -> PlannedPattern:
        """A pattern taken apart."""
        return self.plan.pattern(pattern)

    def span(self, contexts: Contexts, at: int) -> tuple[Integers, Integers, Flags]:
        """Where the segments of an event's rows begin and end, and whether they are complete."""
        if at not in contexts.spans:
            scene = self.scene
            segment = scene.segment[contexts.rows[at]]
            found = scene.starts[segment], scene.ends[segment], scene.complete[segment]
            contexts.spans[at] = found
        return contexts.spans[at]

    def vector(self, expr: core.Expr, contexts: Contexts) -> Vector:
        """Only the values of an expression."""
        if self.witnessing:
            quiet = Evaluator(self.scene)
            return quiet.answer(expr, contexts).vector
        return self.answer(expr, contexts).vector

    def answer(self, expr: core.Expr, contexts: Contexts) -> Answer:
        """The values of an expression, with witnesses when these are wanted."""
        # With a further event in hand contexts are many, and nobody asks for the same ones again.
        if not self.witnessing or len(contexts.rows) > 1:
            return _MEANINGS[type(expr)](self, expr, contexts)
        key = (id(expr), id(contexts))
        if key not in self._given:
            answer = _MEANINGS[type(expr)](self, expr, contexts)
            # Both are kept too, so that their identity cannot pass to others.
            self._given[key] = (expr, contexts, answer)
        return self._given[key][2]

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
            return Answer(self._all(self.plan.cheapest_first(expr.parts), contexts))
        return all_of([self.whole(part, contexts) for part in expr.parts])

    def _or(self, expr: core.Or, contexts: Contexts) -> Answer:
        if not self.witnessing:
            return Answer(self._any(self.plan.cheapest_first(expr.parts), contexts))
        return any_of([self.whole(part, contexts) for part in expr.parts])

    def _all(self, parts: tuple[core.Expr, ...], contexts: Contexts) -> Vector:
        """All hold; where one fails already, the others are not asked."""
        return self._settled(parts, contexts, conjunction, lambda vector: vector.false)

    def _any(self, parts: tuple[core.Expr, ...], contexts: Contexts) -> Vector:
        """One holds; where one does already, the others are not asked."""
        return self._settled(parts, contexts, disjunction, lambda vector: vector.true)

    def _settled(
        self,
        parts: tuple[core.Expr, ...],
        contexts: Contexts,
        joined: Callable[[list[Vector]], Vector],
        decides: Callable[[Vector], Flags],
    ) -> Vector:
        first = self.vector(parts[0], contexts)
        if len(parts) == 1:
            return joined([first])
        left = np.flatnonzero(np.broadcast_to(~decides(as_truth(first)), contexts.size))
        # To pick out contexts costs something too: it pays when most of them are settled.
        if 2 * len(left) > contexts.size or not contexts.size:
            rest = self._settled(parts[1:], contexts, joined, decides)
            return joined([first, rest])
        token = None
        if contexts.token is not None:
            token = ("left by", self.plan.number(parts[0]), joined is conjunction, contexts.token)
        result = joined([first]).spread(contexts.size)
        above, state = result.above.copy(), result.state.copy()
        if len(left):
            few = contexts.take(left, token)
            rest = self._settled(parts[1:], few, joined, decides)
            both = joined([Vector(above[left], state[left]), rest]).spread(len(left))
            above[left], state[left] = both.above, both.state
        return Vector(above, SURE if not state.any() else state)

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
            found = self._find(events, contexts)
            if self.unsettled is not None and contexts.root is not None:
                self.unsettled[contexts.root[found.unsettled]] = True
            return found
        key = ("find", self.plan.number(events), contexts.token)
        if key not in self.scene.memo:
            self.scene.memo[key] = self._find(events, contexts)
        known: Found = self.scene.memo[key]
        return known

    def _find(self, events: core.Events, contexts: Contexts) -> Found:
        if not self.witnessing and self.unsettled is None and self.finds_nothing(events):
            return Found.nothing(contexts.size)
        window = look(self, events.window, contexts, events.at)
        found = replace(
            self.search.find(self.pattern(events.pattern), contexts, window.bounds),
            more=window.open,
            doubt=window.doubt,
            late=window.late,
            since=window.since,
            before=window.before,
        )
        return found if events.per is None else aggregates.one_per_key(self, events, found)

    def is_absent(self, pattern: core.Pattern) -> bool:
        """Whether no event of the scene can be one that a pattern means."""
        return not len(self.search.possible(self.pattern(pattern)).rows)

    def finds_nothing(self, events: core.Events) -> bool:
        """Whether a phrase surely finds nothing from anywhere: it looks back, and nothing is there.

        What lies ahead may still come, and a length of time that is not known leaves a doubt.
        """
        window = events.window
        plain = window.before is None and window.within is None and window.at_least is None
        return window.reach == "past" and plain and self.is_absent(events.pattern)


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
