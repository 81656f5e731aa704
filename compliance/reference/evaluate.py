"""What each expression of the core language means, one small function for each."""

from __future__ import annotations

import math
from collections.abc import Callable
from datetime import datetime, timedelta
from fractions import Fraction
from typing import Any

from compliance.reference import phrases
from compliance.reference.answers import (
    Absent,
    Answer,
    Seen,
    as_truth,
    conjunction,
    disjunction,
    first_absent,
    negation,
    united,
)
from compliance.reference.runs import Environment
from compliance.reference.scene import Scene, absolute, constant
from event_schemas import Event
from rules_dsl import core
from rules_dsl.functions import OF_CARDS, POINTWISE, Unsuitable

Watch = Callable[[core.Core, object], None]


class Evaluator:
    """Evaluates expressions in a scene. `watch` is told what each condition answered."""

    def __init__(self, scene: Scene, watch: Watch | None = None) -> None:
        self.scene = scene
        self.watch = watch

    def evaluate(self, expr: core.Expr, env: Environment) -> Answer:
        """The value of an expression, with each event variable at its position."""
        answer = _MEANINGS[type(expr)](self, expr, env)
        if self.watch is not None:
            self.watch(expr, answer.value)
        return answer

    def matches(self, pattern: core.Pattern, position: int, env: Environment) -> Answer:
        """Whether the event at a position is one that a pattern means."""
        if self.scene.events[position].type not in pattern.types:
            return Answer(False)
        belongs = Answer(self.scene.belongs[position])
        if pattern.where is None:
            return belongs
        return conjunction([belongs, self.evaluate(pattern.where, {**env, pattern.var: position})])

    def event(self, var: int, env: Environment) -> Event:
        return self.scene.events[env[var]]

    # ---- single values

    def _const(self, expr: core.Const, env: Environment) -> Answer:
        return Answer(constant(expr))

    def _field(self, expr: core.Field, env: Environment) -> Answer:
        value = self.event(expr.var, env).get(expr.name)
        if value is None:
            return Answer(Absent.MISSING, frozenset({Seen(env[expr.var], f"lacks {expr.name}")}))
        return Answer(absolute(value) if isinstance(value, datetime) else value)

    def _option(self, expr: core.OptionValue, env: Environment) -> Answer:
        event = self.event(expr.at, env)
        value = self.scene.circumstances.options.value(expr.name, event)
        if value is None:
            return Answer(Absent.MISSING)
        return Answer(value)

    def _reading(self, expr: core.ReadingValue, env: Environment) -> Answer:
        return Answer(self.scene.circumstances.readings[expr.name])

    def _setting(self, expr: core.SettingValue, env: Environment) -> Answer:
        return Answer(self.scene.circumstances.settings[expr.name])

    def _arithmetic(self, expr: core.Arithmetic, env: Environment) -> Answer:
        answers = [self.evaluate(expr.left, env), self.evaluate(expr.right, env)]
        seen = united(answers)
        absent = first_absent(answers)
        if absent is not None:
            return Answer(absent, seen)
        left, right = answers[0].value, answers[1].value
        if expr.sign == "+":
            return Answer(left + right, seen)
        if expr.sign == "-":
            return Answer(left - right, seen)
        if expr.sign == "*":
            return Answer(_times(left, right), seen)
        return Answer(_divided(left, right), seen)

    def _rounding(self, expr: core.Rounding, env: Environment) -> Answer:
        answers = [self.evaluate(expr.value, env), self.evaluate(expr.unit, env)]
        absent = first_absent(answers)
        if absent is not None:
            return Answer(absent, united(answers))
        value, unit = answers[0].value, answers[1].value
        steps = _divided(value, unit)
        if isinstance(steps, Absent):
            return Answer(steps, united(answers))
        whole = {
            "up": math.ceil(steps),
            "down": math.floor(steps),
            "nearest": math.floor(steps + Fraction(1, 2)),
        }[expr.way]
        return Answer(whole * unit, united(answers))

    def _apply(self, expr: core.Apply, env: Environment) -> Answer:
        answers = [self.evaluate(argument, env) for argument in expr.arguments]
        absent = first_absent(answers)
        if absent is not None:
            return Answer(absent, united(answers))
        function = POINTWISE.get(expr.function) or OF_CARDS[expr.function]
        try:
            return Answer(function.work(*(a.value for a in answers)), united(answers))
        except Unsuitable:
            return Answer(Absent.MISSING, united(answers))

    def _lookup(self, expr: core.Lookup, env: Environment) -> Answer:
        table = self.scene.circumstances.rulebook.tables[expr.table]
        answers = [self.evaluate(key, env) for key in expr.keys]
        for absent in (Absent.OPEN, Absent.MISSING):
            if any(answer.value is absent for answer in answers):
                return Answer(absent, united(answers))
        row = _find_key(table.rows, table.row_kind, answers[0].value)
        column = 0
        if table.columns:
            found = _find_key(table.columns, table.column_kind, answers[1].value)
            column = -1 if found is None else found
        if row is None or column < 0:
            return Answer(Absent.NOTHING, united(answers))
        text = table.cells[row][column]
        if text == "none":
            return Answer(Absent.NOTHING, united(answers))
        return Answer(constant(core.Const(table.value_kind, text)), united(answers))

    def _if(self, expr: core.If, env: Environment) -> Answer:
        condition = self.evaluate(expr.condition, env)
        truth = as_truth(condition.value)
        if truth is True or truth is False:
            chosen = self.evaluate(expr.then if truth else expr.otherwise, env)
            return Answer(chosen.value, united([condition, chosen]))
        branches = [self.evaluate(expr.then, env), self.evaluate(expr.otherwise, env)]
        seen = united([condition, *branches])
        values = [branch.value for branch in branches]
        if values[0] == values[1]:
            return Answer(values[0], seen)
        # The rest of the log may still bring both to the same.
        return Answer(Absent.OPEN if Absent.OPEN in values else truth, seen)

    # ---- conditions on values

    def _compare(self, expr: core.Compare, env: Environment) -> Answer:
        answers = [self.evaluate(expr.left, env), self.evaluate(expr.right, env)]
        left, right = answers[0].value, answers[1].value
        seen = united(answers)
        for absent in (Absent.OPEN, Absent.MISSING):
            if left is absent or right is absent:
                return Answer(absent, seen)
        if expr.sign == "=":
            return Answer(left == right, seen)
        if expr.sign == "!=":
            return Answer(left != right, seen)
        if Absent.NOTHING in (left, right):
            # Nothing is neither more nor less than something.
            return Answer(Absent.MISSING, seen)
        if expr.order:
            left, right = expr.order.index(left), expr.order.index(right)
        return Answer(_ORDERINGS[expr.sign](left, right), seen)

    def _recorded(self, expr: core.Recorded, env: Environment) -> Answer:
        answer = self.evaluate(expr.value, env)
        if answer.value is Absent.OPEN:
            return answer
        known = not isinstance(answer.value, Absent)
        missing = answer.value is Absent.MISSING
        return Answer(known if expr.known else missing, answer.witnesses)

    def _about(self, expr: core.About, env: Environment) -> Answer:
        answers = [self.evaluate(e, env) for e in (expr.value, expr.target, expr.tolerance)]
        absent = first_absent(answers)
        if absent is not None:
            return Answer(as_truth(absent), united(answers))
        value, target, tolerance = (answer.value for answer in answers)
        margin = _times(abs(target), tolerance) if expr.relative else tolerance
        return Answer(abs(value - target) <= margin, united(answers))

    def _and(self, expr: core.And, env: Environment) -> Answer:
        return conjunction([self.evaluate(part, env) for part in expr.parts])

    def _or(self, expr: core.Or, env: Environment) -> Answer:
        return disjunction([self.evaluate(part, env) for part in expr.parts])

    def _not(self, expr: core.Not, env: Environment) -> Answer:
        return negation(self.evaluate(expr.part, env))


def _times(left: Any, right: Any) -> Any:
    if isinstance(left, timedelta) or isinstance(right, timedelta):
        length, share = (left, right) if isinstance(left, timedelta) else (right, left)
        return timedelta(microseconds=round(length // timedelta(microseconds=1) * Fraction(share)))
    return left * right


def _divided(left: Any, right: Any) -> Any:
    if not right:
        return Absent.MISSING
    if isinstance(left, timedelta):
        micros = left // timedelta(microseconds=1)
        if isinstance(right, timedelta):
            return Fraction(micros, right // timedelta(microseconds=1))
        return timedelta(microseconds=round(micros / Fraction(right)))
    return Fraction(left) / Fraction(right)


def _find_key(keys: tuple[core.TableKey, ...], kind: str, value: Any) -> int | None:
    for index, key in enumerate(keys):
        if value is Absent.NOTHING or key.low == "none":
            if value is Absent.NOTHING and key.low == "none":
                return index
        elif kind == "number":
            if Fraction(key.low) <= value <= Fraction(key.high):
                return index
        elif key.low == (_FLAG_WORDS[value] if isinstance(value, bool) else str(value)):
            return index
    return None


_FLAG_WORDS = {True: "yes", False: "no"}

_ORDERINGS: dict[str, Callable[[Any, Any], bool]] = {
    "<": lambda left, right: left < right,
    "<=": lambda left, right: left <= right,
    ">": lambda left, right: left > right,
    ">=": lambda left, right: left >= right,
}

_MEANINGS: dict[type, Callable[[Evaluator, Any, Environment], Answer]] = {
    core.Const: Evaluator._const,
    core.Field: Evaluator._field,
    core.OptionValue: Evaluator._option,
    core.ReadingValue: Evaluator._reading,
    core.SettingValue: Evaluator._setting,
    core.Arithmetic: Evaluator._arithmetic,
    core.Rounding: Evaluator._rounding,
    core.Apply: Evaluator._apply,
    core.Lookup: Evaluator._lookup,
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
