"""What each expression of the core language means, one small function for each."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from fractions import Fraction
from itertools import pairwise
from typing import Any

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
from compliance.reference.scene import Scene, absolute, constant
from compliance.reference.windows import Environment, look
from event_schemas import Event
from rules_dsl import core
from rules_dsl.functions import OF_CARDS, POINTWISE, Unsuitable

_FULL_CIRCLE = 1_000_000  # more seats than any table has
_Key = tuple[object, ...]
Watch = Callable[[core.Core, object], None]


@dataclass(frozen=True)
class _Matches:
    """The events of a phrase: those that surely match and those that may.

    `unsure` is what the log leaves in doubt, `pending` what the rest of the log will tell, and
    `more` says that further events may come.
    """

    sure: tuple[int, ...]
    unsure: tuple[int, ...]
    pending: tuple[int, ...]
    more: bool
    doubtful: Absent | None
    bounds: frozenset[Seen]

    @property
    def open(self) -> bool:
        return self.more or bool(self.pending)


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
        certain = Answer(True if self.scene.certain[position] else Absent.MISSING)
        if pattern.where is None:
            return certain
        return conjunction([certain, self.evaluate(pattern.where, {**env, pattern.var: position})])

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
        if branches[0].value == branches[1].value:
            return Answer(branches[0].value, seen)
        return Answer(truth, seen)

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

    # ---- events

    def _find(self, events: core.Events, env: Environment) -> _Matches:
        """The events of a phrase, each with how sure it is that it belongs."""
        view = look(self.scene, events.window, env[events.at], env, self.matches, self.evaluate)
        sure: list[int] = []
        unsure: list[int] = []
        pending: list[int] = []
        for position in view.positions:
            value = self.matches(events.pattern, position, env).value
            if value is True:
                sure.append(position)
            elif value is Absent.MISSING:
                unsure.append(position)
            elif value is Absent.OPEN:
                pending.append(position)
        if events.per is not None:
            sure, unsure, pending = self._one_per_key(events, sure, unsure, pending)
        return _Matches(
            tuple(sure), tuple(unsure), tuple(pending), view.open, view.doubtful, view.bounds
        )

    def _one_per_key(
        self, events: core.Events, sure: list[int], unsure: list[int], pending: list[int]
    ) -> tuple[list[int], list[int], list[int]]:
        """Of each key only the latest (or earliest) event. One that may be it, and one that does
        not say its key, leave those behind it in doubt."""
        order = sorted([*sure, *unsure, *pending], reverse=events.per == "latest")
        kept: list[int] = []
        settled: set[_Key] = set()
        doubts: list[_Key] = []
        clouded: set[int] = set()
        for position in order:
            event = self.scene.events[position]
            key = tuple(event.get(name) for name in events.per_fields)
            if key in settled:
                continue
            kept.append(position)
            if position not in sure or None in key:
                clouded.add(position)
                doubts.append(key)
                continue
            if any(_may_agree(key, doubt) for doubt in doubts):
                clouded.add(position)
            settled.add(key)
        kept.sort()
        return (
            [position for position in kept if position not in clouded],
            [position for position in kept if position in clouded and position not in pending],
            [position for position in kept if position in pending],
        )

    def _how_many(self, expr: core.HowMany, env: Environment) -> Answer:
        number = self.evaluate(expr.number, env)
        if isinstance(number.value, Absent):
            return Answer(as_truth(number.value), number.witnesses)
        found = self._find(expr.events, env)
        wanted = number.value
        past = expr.events.window.reach == "past"
        nearest = tuple(reversed(found.sure)) if past else found.sure
        parts = []
        if expr.bound in ("at least", "exactly"):
            enough = nearest[: max(0, math.ceil(wanted))]
            parts.append(self._at_least(wanted, found, enough))
        if expr.bound in ("at most", "exactly"):
            too_many = nearest[: max(0, math.floor(wanted) + 1)]
            parts.append(negation(self._at_least(math.floor(wanted) + 1, found, too_many)))
        answer = conjunction(parts)
        return Answer(answer.value, answer.witnesses | number.witnesses)

    def _at_least(self, wanted: Any, found: _Matches, witnesses: tuple[int, ...]) -> Answer:
        seen = frozenset(Seen(position, "found") for position in witnesses) | found.bounds
        if found.doubtful:
            return Answer(found.doubtful, seen)
        if len(found.sure) >= wanted:
            return Answer(True, seen)
        if found.open:
            return Answer(Absent.OPEN, seen)
        if len(found.sure) + len(found.unsure) >= wanted:
            doubts = frozenset(Seen(position, "unclear") for position in found.unsure)
            return Answer(Absent.MISSING, seen | doubts)
        return Answer(False, seen)

    def _every(self, expr: core.Every, env: Environment) -> Answer:
        found = self._find(expr.events, env)
        var = expr.events.pattern.var
        answers = []
        for position in found.sure:
            answer = self.evaluate(expr.condition, {**env, var: position})
            answers.append(Answer(answer.value, answer.witnesses | {Seen(position, "found")}))
        for position in found.unsure:
            answer = self.evaluate(expr.condition, {**env, var: position})
            unclear = Answer(Absent.MISSING, frozenset({Seen(position, "unclear")}))
            answers.append(disjunction([unclear, answer]))
        if found.open:
            answers.append(Answer(Absent.OPEN))
        if found.doubtful:
            return Answer(found.doubtful, united(answers) | found.bounds)
        result = conjunction(answers)
        return Answer(result.value, result.witnesses | found.bounds)

    def _aggregate(self, expr: core.Aggregate, env: Environment) -> Answer:
        found = self._find(expr.events, env)
        if expr.function in ("first", "last"):
            return self._end_value(expr, found, env)
        absent = _no_total(found)
        seen = _counted(found)
        if absent is not None:
            return Answer(absent, seen)
        if expr.function == "count":
            return Answer(len(found.sure), seen)
        values = self._values(expr, found.sure, env)
        lacking = first_absent(values)
        if lacking is not None:
            return Answer(Absent.MISSING, seen | united(values))
        return Answer(_combine(expr, [value.value for value in values]), seen)

    def _values(
        self, expr: core.Aggregate | core.InOrder | core.NextSeat, positions: tuple[int, ...],
        env: Environment,
    ) -> list[Answer]:  # fmt: skip
        if expr.value is None:  # a count, which asks no event for a value
            return []
        var = expr.events.pattern.var
        return [self.evaluate(expr.value, {**env, var: position}) for position in positions]

    def _end_value(self, expr: core.Aggregate, found: _Matches, env: Environment) -> Answer:
        """The value of the first or last event; one that may belong there leaves it in doubt."""
        first = expr.function == "first"
        if found.doubtful:
            return Answer(found.doubtful, found.bounds)
        if found.more and not (first and found.sure):
            return Answer(Absent.OPEN, found.bounds)
        positions = sorted([*found.sure, *found.unsure, *found.pending], reverse=not first)
        if not positions:
            return Answer(Absent.NOTHING, found.bounds)
        position = positions[0]
        if position in found.pending:
            return Answer(Absent.OPEN, found.bounds | {Seen(position, "unclear")})
        if position in found.unsure:
            return Answer(Absent.MISSING, found.bounds | {Seen(position, "unclear")})
        value = self._values(expr, (position,), env)[0]
        return Answer(value.value, value.witnesses | found.bounds | {Seen(position, "found")})

    def _in_order(self, expr: core.InOrder, env: Environment) -> Answer:
        found = self._find(expr.events, env)
        seen = _counted(found)
        if found.doubtful or found.unsure:
            return Answer(found.doubtful or Absent.MISSING, seen)
        values = self._values(expr, found.sure, env)
        start = None if expr.start is None else self.evaluate(expr.start, env)
        lacking = first_absent([*values, *([start] if start else [])])
        if lacking is not None:
            return Answer(as_truth(lacking), seen | united(values))
        seats = [value.value for value in values]
        origin = start.value if start is not None else (seats[0] if seats else 0)
        steps = [_steps(origin, seat, expr.direction) for seat in seats]
        if any(after <= before for before, after in pairwise(steps)):
            return Answer(False, seen)
        return Answer(Absent.OPEN if found.open else True, seen)

    def _next_seat(self, expr: core.NextSeat, env: Environment) -> Answer:
        found = self._find(expr.events, env)
        seen = _counted(found)
        absent = _no_total(found)
        if absent is not None:
            return Answer(absent, seen)
        start = self.evaluate(expr.start, env)
        values = self._values(expr, found.sure, env)
        lacking = first_absent([start, *values])
        if lacking is not None:
            return Answer(lacking, seen | start.witnesses | united(values))
        if not values:
            return Answer(Absent.NOTHING, seen)

        def distance(seat: int) -> int:
            # The seat itself comes last: once round the whole table.
            return _steps(start.value, seat, expr.direction) or _FULL_CIRCLE * 2

        return Answer(min((v.value for v in values), key=distance), seen | start.witnesses)


def _may_agree(key: _Key, other: _Key) -> bool:
    """Whether two keys are the same as far as the log records them."""
    return all(a == b or None in (a, b) for a, b in zip(key, other, strict=True))


def _no_total(found: _Matches) -> Absent | None:
    """Why a count or sum over these events cannot be given, if it cannot."""
    if found.open or found.doubtful is Absent.OPEN:
        return Absent.OPEN
    return Absent.MISSING if found.doubtful or found.unsure else None


def _counted(found: _Matches) -> frozenset[Seen]:
    doubts = frozenset(Seen(position, "unclear") for position in found.unsure)
    return frozenset(Seen(position, "counted") for position in found.sure) | doubts | found.bounds


def _combine(expr: core.Aggregate, values: list[Any]) -> Any:
    if expr.function == "sum":
        return sum(values, timedelta() if expr.kind == "duration" else 0)
    if expr.function == "distinct":
        return len(set(values))
    if expr.function in ("smallest", "largest"):
        if not values:
            return Absent.NOTHING
        choose = min if expr.function == "smallest" else max
        return choose(values, key=expr.order.index) if expr.order else choose(values)
    try:
        return OF_CARDS[expr.function].work(values)
    except Unsuitable:
        return Absent.MISSING


def _steps(origin: int, seat: int, direction: str) -> int:
    """How far round the table a seat is from another, going one way."""
    distance = seat - origin if direction == "clockwise" else origin - seat
    return distance if distance >= 0 else distance + _FULL_CIRCLE


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
    core.HowMany: Evaluator._how_many,
    core.Every: Evaluator._every,
    core.Aggregate: Evaluator._aggregate,
    core.InOrder: Evaluator._in_order,
    core.NextSeat: Evaluator._next_seat,
}
