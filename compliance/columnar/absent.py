"""Tells from the events that a log does not have which conditions cannot hold anywhere in it."""

from __future__ import annotations

import math

from compliance.columnar.codes import constant_of
from compliance.columnar.evaluate import Evaluator
from rules_dsl import core

_ANY = (-math.inf, math.inf)


def fails_for_lack_of_events(evaluator: Evaluator, condition: core.Expr) -> bool:
    """Whether a condition is false wherever it is asked, because what it needs is not there."""
    if isinstance(condition, core.And):
        return any(fails_for_lack_of_events(evaluator, part) for part in condition.parts)
    if isinstance(condition, core.Or):
        return all(fails_for_lack_of_events(evaluator, part) for part in condition.parts)
    if isinstance(condition, core.HowMany):
        least, _ = _range(evaluator, condition.number)
        wants_some = condition.bound in ("at least", "exactly") and least > 0
        return wants_some and evaluator.finds_nothing(condition.events)
    if isinstance(condition, core.Compare) and not condition.order:
        return _fails(condition.sign, *_ranges(evaluator, condition))
    return False


def _ranges(
    evaluator: Evaluator, compare: core.Compare
) -> tuple[tuple[float, float], tuple[float, float]]:
    return _range(evaluator, compare.left), _range(evaluator, compare.right)


def _fails(sign: core.Sign, left: tuple[float, float], right: tuple[float, float]) -> bool:
    """Whether no two numbers of these ranges compare so."""
    if sign in (">", ">="):
        return _fails("<" if sign == ">" else "<=", right, left)
    if sign == "<":
        return left[0] >= right[1]
    if sign == "<=":
        return left[0] > right[1]
    if sign == "=":
        return left[0] > right[1] or right[0] > left[1]
    return False


def _range(evaluator: Evaluator, expr: core.Expr) -> tuple[float, float]:
    """Between which numbers a number surely lies, if it is known that it is a number at all."""
    if isinstance(expr, core.Const) and expr.kind == "number":
        value = constant_of(evaluator.scene.log, evaluator.rulebook, expr)
        number = int(value.above[0]) / (1 if value.below is None else int(value.below[0]))
        return number, number
    if isinstance(expr, core.Aggregate) and expr.function == "count" and expr.value is None:
        if evaluator.finds_nothing(expr.events):
            return 0, 0
        # What cannot be counted for certain is in doubt, not false.
        return _ANY
    if isinstance(expr, core.Arithmetic) and expr.sign in "+-":
        left, right = _range(evaluator, expr.left), _range(evaluator, expr.right)
        if expr.sign == "+":
            return left[0] + right[0], left[1] + right[1]
        return left[0] - right[1], left[1] - right[0]
    return _ANY
