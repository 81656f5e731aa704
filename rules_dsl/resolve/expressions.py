"""Resolves values and conditions: what each part means and whether the kinds fit together.

Each form of expression has its own small function; this module brings them together and holds
those that join or count conditions.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from event_schemas import DURATION, FLAG, NUMBER, Kind
from rules_dsl import core, syntax
from rules_dsl.resolve import calls, comparisons, totals, words
from rules_dsl.resolve.kinds import described, same
from rules_dsl.resolve.names import ANY, BROKEN, NONE, Desk, Typed, Use, View
from rules_dsl.resolve.phrases import PhraseResolver
from rules_dsl.syntax import Span

MAX_DEPTH = 120
"""How far expressions may stand inside one another, definitions written out."""


@dataclass
class ExpressionResolver:
    """Turns expressions into core form, one view at a time."""

    desk: Desk
    expanding: list[Use] = field(default_factory=list)
    expansions: int = 0
    memo: dict[object, tuple[Typed, int]] = field(default_factory=dict)
    depth: int = 0

    def __post_init__(self) -> None:
        self.phrases = PhraseResolver(self.desk, self)

    def condition(self, expr: syntax.Expr, view: View) -> core.Expr:
        """Something that holds or does not hold."""
        typed = self.value(expr, view, FLAG)
        if typed.kind not in (FLAG, ANY):
            self.report(
                "not-a-condition",
                f"`{self.text(expr, view)}` is {described(typed.kind)}, not a condition.",
                expr.span,
                view,
                "compare it with something, such as `... is ...`",
            )
        return typed.core

    def value(self, expr: syntax.Expr, view: View, expect: Kind | None = None) -> Typed:
        """Anything that has a value; `expect` is the kind that would fit, for words and numbers."""
        self.depth += 1
        try:
            if self.depth > MAX_DEPTH:
                return calls.too_complex(self, expr, view)
            return _RESOLVERS[type(expr)](self, expr, view, expect)
        finally:
            self.depth -= 1

    def duration(self, expr: syntax.Expr, view: View) -> core.Expr:
        """A length of time."""
        typed = self.value(expr, view, DURATION)
        if not same(typed.kind, DURATION):
            comparisons.mismatch(self, expr, typed.kind, DURATION, view)
        return typed.core

    # ---- reporting

    def report(
        self, code: str, message: str, span: Span, view: View, suggestion: str = ""
    ) -> Typed:
        """Say what is wrong; the result stands in for the wrong part, and causes no more words."""
        self.desk.report(code, message, view.file, span, suggestion)
        return BROKEN

    def text(self, expr: syntax.Node, view: View) -> str:
        """What is written, short enough for a sentence."""
        return self.desk.quoted(view.file, expr.span)

    def place(self, expr: syntax.Node, view: View) -> core.Place:
        return self.desk.place(view.file, expr.span)

    # ---- conditions

    def _both(self, expr: syntax.Both, view: View, expect: Kind | None) -> Typed:
        parts = self._joined(expr.parts, view)
        return Typed(core.And(parts, place=self.place(expr, view)), FLAG)

    def _either(self, expr: syntax.Either, view: View, expect: Kind | None) -> Typed:
        parts = self._joined(expr.parts, view)
        return Typed(core.Or(parts, place=self.place(expr, view)), FLAG)

    def _joined(self, parts: tuple[syntax.Expr, ...], view: View) -> tuple[core.Expr, ...]:
        """The parts of an `and` or `or`; values that lack their comparison are one mistake."""
        found = []
        left: syntax.Comparison | None = None
        forgotten: list[syntax.Expr] = []
        for part in parts:
            if left is not None and comparisons.is_forgotten(self, left, part, view):
                forgotten.append(part)
                continue
            comparisons.report_forgotten(self, left, forgotten, view)
            forgotten = []
            left = part if isinstance(part, syntax.Comparison) and not part.bracketed else None
            found.append(self.condition(part, view))
        comparisons.report_forgotten(self, left, forgotten, view)
        return tuple(found)

    def _not(self, expr: syntax.Not, view: View, expect: Kind | None) -> Typed:
        part = self.condition(expr.part, view)
        return Typed(core.Not(part, place=self.place(expr, view)), FLAG)

    def _if(self, expr: syntax.If, view: View, expect: Kind | None) -> Typed:
        condition = self.condition(expr.condition, view)
        place = self.place(expr, view)
        if expr.otherwise is None:
            then = self.condition(expr.then, view)
            negated = core.Not(condition, place=condition.place)
            return Typed(core.Or((negated, then), place=place), FLAG)
        first = self.value(expr.then, view, expect)
        second = self.value(expr.otherwise, view, expect or first.kind)
        if not same(first.kind, second.kind):
            return comparisons.mismatch(
                self, expr.otherwise, second.kind, first.kind, view, expr.then
            )
        kind = second.kind if first.kind in (NONE, ANY) else first.kind
        return Typed(core.If(condition, first.core, second.core, place=place), kind)

    def _quantified(self, expr: syntax.Quantified, view: View, expect: Kind | None) -> Typed:
        found = self.phrases.events(expr.phrase, view)
        number = None
        if expr.number is not None:
            number = self.value(expr.number, view, NUMBER)
            if not same(number.kind, NUMBER):
                comparisons.mismatch(self, expr.number, number.kind, NUMBER, view)
        condition = None
        if expr.has is not None:
            self.phrases.demand_brackets(expr.has, "has", view)
            inside = found.inside if found is not None else self.phrases.unseen_inside(view)
            condition = self.condition(expr.has, inside)
        if found is None:
            return BROKEN
        if found.value is not None:
            head = expr.phrase.head
            return self.report(
                "not-a-value",
                f"`{expr.quantity}` speaks of events, not of the field `{head.field}`.",
                self.desk.spot(view.file, head.span, head.field or "", after="."),
                view,
                f"leave out `.{head.field}`",
            )
        place = self.place(expr, view)
        if condition is not None:
            if expr.quantity == "every":
                return Typed(core.Every(found.events, condition, place=place), FLAG)
            if found.events.per is not None:
                # The latest of each key is chosen first, and only then asked for the condition.
                none_has = core.Every(found.events, core.Not(condition), place=place)
                return Typed(core.Not(none_has, place=place), FLAG)
            events = self.phrases.narrowed(found.events, condition)
            return Typed(core.HowMany("at least", _number(1), events, place=place), FLAG)
        if expr.quantity == "no":
            return Typed(core.HowMany("at most", _number(0), found.events, place=place), FLAG)
        if expr.quantity == "some" or number is None:
            return Typed(core.HowMany("at least", _number(1), found.events, place=place), FLAG)
        bound: Any = expr.quantity
        count: core.Expr = number.core
        if expr.quantity in ("more than", "fewer than"):
            sign: Any = "+" if expr.quantity == "more than" else "-"
            bound = "at least" if expr.quantity == "more than" else "at most"
            count = core.Arithmetic(sign, count, _number(1))
        return Typed(core.HowMany(bound, count, found.events, place=place), FLAG)

    def _phrase(self, expr: syntax.Phrase, view: View, expect: Kind | None) -> Typed:
        """A phrase by itself, as a condition: there is such an event."""
        found = self.phrases.events(expr, view)
        if found is None:
            return BROKEN
        if found.value is not None:
            head = self.text(expr.head, view)
            return self.report(
                "not-a-value",
                f"There may be several of these events, and it is not said whose "
                f"`{expr.head.field}` is meant.",
                expr.head.span,
                view,
                f"write `first {head}`, `last {head}`, `sum of {head}` or the like",
            )
        place = self.place(expr, view)
        return Typed(core.HowMany("at least", _number(1), found.events, place=place), FLAG)


def _number(value: int) -> core.Const:
    return core.Const("number", str(value))


_Resolve = Callable[[ExpressionResolver, Any, View, Kind | None], Typed]
_RESOLVERS: dict[type[syntax.Expr], _Resolve] = {
    syntax.Literal: words.literal,
    syntax.Name: words.name,
    syntax.Option: words.option,
    syntax.ReadingOf: words.reading,
    syntax.Call: calls.call,
    syntax.Of: calls.of,
    syntax.Pick: totals.pick,
    syntax.NextSeat: totals.next_seat,
    syntax.Goes: totals.goes,
    syntax.Arithmetic: comparisons.arithmetic,
    syntax.Rounding: comparisons.rounding,
    syntax.Comparison: comparisons.comparison,
    syntax.Between: comparisons.between,
    syntax.OneOf: comparisons.one_of,
    syntax.Recorded: comparisons.recorded,
    syntax.About: comparisons.about,
    syntax.Both: ExpressionResolver._both,
    syntax.Either: ExpressionResolver._either,
    syntax.Not: ExpressionResolver._not,
    syntax.If: ExpressionResolver._if,
    syntax.Quantified: ExpressionResolver._quantified,
    syntax.Phrase: ExpressionResolver._phrase,
}
