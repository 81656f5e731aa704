"""Of which kind the value of an expression is, as far as a plan has to know it."""

from __future__ import annotations

from rules_dsl import core
from rules_dsl.functions import OF_CARDS, POINTWISE


def kind_of(expr: core.Expr, rulebook: core.Rulebook) -> str:
    """The name of the kind of an expression's value."""
    if isinstance(expr, core.Const | core.Field | core.OptionValue | core.SettingValue):
        return expr.kind
    if isinstance(expr, core.Aggregate):
        return expr.kind
    if isinstance(expr, core.ReadingValue):
        return f"reading {expr.name}"
    if isinstance(expr, core.Lookup):
        return rulebook.tables[expr.table].value_kind
    if isinstance(expr, core.If):
        first = kind_of(expr.then, rulebook)
        return kind_of(expr.otherwise, rulebook) if first == "none" else first
    if isinstance(expr, core.Rounding):
        return kind_of(expr.value, rulebook)
    if isinstance(expr, core.NextSeat):
        return "seat"
    if isinstance(expr, core.Apply):
        function = POINTWISE.get(expr.function) or OF_CARDS[expr.function]
        return function.gives.name if function.gives else kind_of(expr.arguments[0], rulebook)
    if isinstance(expr, core.Arithmetic):
        return _kind_of_arithmetic(expr, rulebook)
    return "flag"


def _kind_of_arithmetic(expr: core.Arithmetic, rulebook: core.Rulebook) -> str:
    kinds = kind_of(expr.left, rulebook), kind_of(expr.right, rulebook)
    if expr.sign == "/":
        return kinds[0] if kinds[0] == "duration" and kinds[1] != "duration" else "number"
    if "time" in kinds:
        return "duration" if kinds == ("time", "time") else "time"
    for kind in ("duration", "money"):
        if kind in kinds:
            return kind
    return kinds[0]
