"""Of which kind the value of an expression is, as far as a plan has to know it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from rules_dsl import core
from rules_dsl.functions import OF_CARDS, POINTWISE


def kind_of(expr: core.Expr, rulebook: core.Rulebook) -> str:
    """The name of the kind of an expression's value."""
    told = TOLD.get(expr.gives)
    return expr.gives if told is None else told(expr, rulebook)


def _of_then(expr: core.If, rulebook: core.Rulebook) -> str:
    first = kind_of(expr.then, rulebook)
    return kind_of(expr.otherwise, rulebook) if first == "none" else first


def _of_function(expr: core.Apply, rulebook: core.Rulebook) -> str:
    function = POINTWISE.get(expr.function) or OF_CARDS[expr.function]
    return function.gives.name if function.gives else kind_of(expr.arguments[0], rulebook)


def _of_both_sides(expr: core.Arithmetic, rulebook: core.Rulebook) -> str:
    kinds = kind_of(expr.left, rulebook), kind_of(expr.right, rulebook)
    if expr.sign == "/":
        return kinds[0] if kinds[0] == "duration" and kinds[1] != "duration" else "number"
    if "time" in kinds:
        return "duration" if kinds == ("time", "time") else "time"
    for kind in ("duration", "money"):
        if kind in kinds:
            return kind
    return kinds[0]


TOLD: Final[dict[str, Callable[[Any, core.Rulebook], str]]] = {
    "own": lambda expr, rulebook: str(expr.kind),
    "of value": lambda expr, rulebook: kind_of(expr.value, rulebook),
    "of then": _of_then,
    "of function": _of_function,
    "of both sides": _of_both_sides,
    "of table": lambda expr, rulebook: rulebook.tables[expr.table].value_kind,
    "of reading": lambda expr, rulebook: f"reading {expr.name}",
}
"""How the kind is told where the description of an expression does not name it."""
