"""What each expression of the core language means, one small function for each."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from fractions import Fraction
from typing import Any

from compliance.judgement.circumstances import Absent, constant, known_number
from compliance.reference import phrases
from compliance.reference.answers import (
    Answer,
    Bounds,
    Seen,
    as_truth,
    conjunction,
    disjunction,
    first_absent,
    negation,
    united,
    why_absent,
)
from compliance.reference.lost_evidence import may_be_one, may_change
from compliance.reference.numbers import (
    compared,
    divided,
    is_about,
    minus,
    plus,
    rounded,
    times,
)
from compliance.reference.runs import Environment
from compliance.reference.scene import Scene, absolute
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
        belongs = Answer(self.scene.belongs[position])
        if may_be_one(self.scene.events[position], pattern):
            return conjunction([belongs, Answer(Absent.MISSING)])
        if self.scene.events[position].type not in pattern.types:
            return Answer(False)
        if pattern.where is None:
            return belongs
        return conjunction([belongs, self.evaluate(pattern.where, {**env, pattern.var: position})])

    def event(self, var: int, env: Environment) -> Event:
        return self.scene.events[env[var]]

    # ---- single values

    def _const(self, expr: core.Const, env: Environment) -> Answer:
        return Answer(constant(expr))

    def _field(self, expr: core.Field, env: Environment) -> Answer:
        event = self.event(expr.var, env)
        value = event.get(expr.name)
        if value is None:
            return Answer(Absent.MISSING, frozenset({Seen(env[expr.var], f"lacks {expr.name}")}))
        if isinstance(value, datetime):
            # On the clock of the record, whatever offset the moment is written with.
            value = value.astimezone(absolute(event.ts).tzinfo)
        return Answer(value)

    def _option(self, expr: core.OptionValue, env: Environment) -> Answer:
        event = self.event(expr.at, env)
        options = self.scene.circumstances.options
        lost = options.doubt(expr.name, event)
        if lost is not None:
            places = [place for place, other in enumerate(self.scene.events) if other.id == lost.id]
            return Answer(Absent.MISSING, frozenset(Seen(place, "unclear") for place in places))
        value = options.value(expr.name, event)
        return Answer(Absent.MISSING if value is None else known_number(value))

    def _reading(self, expr: core.ReadingValue, env: Environment) -> Answer:
        return Answer(self.scene.circumstances.readings[expr.name])

    def _setting(self, expr: core.SettingValue, env: Environment) -> Answer:
        return Answer(self.scene.circumstances.settings[expr.name])

    def _arithmetic(self, expr: core.Arithmetic, env: Environment) -> Answer:
        answers = [self.evaluate(expr.left, env), self.evaluate(expr.right, env)]
        left, right = answers[0].value, answers[1].value
        absent = first_absent(answers)
        limited = Bounds in (type(left), type(right)) and expr.sign in ("+", "-")
        if absent is not None and (not limited or Absent in (type(left), type(right))):
            return Answer(absent, united(answers))
        return Answer(_CALCULATIONS[expr.sign](left, right), united(answers))

    def _rounding(self, expr: core.Rounding, env: Environment) -> Answer:
        answers = [self.evaluate(expr.value, env), self.evaluate(expr.unit, env)]
        absent = first_absent(answers)
        if absent is not None:
            return Answer(absent, united(answers))
        return Answer(rounded(answers[0].value, expr.way, answers[1].value), united(answers))

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
            if any(why_absent(answer.value) is absent for answer in answers):
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
        values = [why_absent(branch.value) or branch.value for branch in branches]
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
        if Absent.NOTHING in (left, right):
            # Nothing equals only nothing, and is neither more nor less than something.
            same = left is right
            return Answer({"=": same, "!=": not same}.get(expr.sign, Absent.MISSING), seen)
        if expr.order and expr.sign not in ("=", "!="):
            left, right = expr.order.index(left), expr.order.index(right)
        return Answer(compared(left, expr.sign, right), seen)

    def _recorded(self, expr: core.Recorded, env: Environment) -> Answer:
        answer = self.evaluate(expr.value, env)
        absent = why_absent(answer.value)
        if absent is Absent.OPEN:
            return answer
        if absent is Absent.MISSING and may_change(self.scene, [expr.value], env):
            # Perhaps it would be known if nothing were lost.
            return Answer(Absent.MISSING, answer.witnesses)
        told = absent is None if expr.known else absent is Absent.MISSING
        return Answer(told, answer.witnesses)

    def _about(self, expr: core.About, env: Environment) -> Answer:
        answers = [self.evaluate(e, env) for e in (expr.value, expr.target, expr.tolerance)]
        absent = first_absent(answers)
        if absent is not None:
            return Answer(as_truth(absent), united(answers))
        value, target, tolerance = (answer.value for answer in answers)
        return Answer(is_about(value, target, tolerance, expr.relative), united(answers))

    def _and(self, expr: core.And, env: Environment) -> Answer:
        return conjunction([self.evaluate(part, env) for part in expr.parts])

    def _or(self, expr: core.Or, env: Environment) -> Answer:
        return disjunction([self.evaluate(part, env) for part in expr.parts])

    def _not(self, expr: core.Not, env: Environment) -> Answer:
        return negation(self.evaluate(expr.part, env))


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

_CALCULATIONS: dict[str, Callable[[Any, Any], Any]] = {
    "+": plus,
    "-": minus,
    "*": times,
    "/": divided,
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
