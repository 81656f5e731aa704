"""Says a rule's conditions in plain English, for readers who never saw the rule language.

Every part of the core form has its wording in `english_values` or `english_conditions`. A short
condition stands on one line; a long one becomes a list, one condition to a line.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import msgspec

from rules_dsl import core
from rules_dsl.explaining.english_conditions import CONDITIONS, as_implication, quantity_said
from rules_dsl.explaining.english_names import Names
from rules_dsl.explaining.english_phrases import Speech, events_said
from rules_dsl.explaining.english_values import VALUES, WHETHER

WIDTH = 110
_INDENT = "  "


@dataclass
class English:
    """Speaks about one edition of a rule."""

    rulebook: core.Rulebook
    names: Names = field(default_factory=Names)
    values: dict[core.Expr, str] = field(default_factory=dict)
    """Long values that have been explained already, under the name that they were given."""

    def explained(self, value: core.Expr, speech: Speech) -> str:
        """A long value written out, and given a name for what follows."""
        text = self.said(value, speech)
        number = len(self.values) + 1
        self.values[value] = f"value {number}"
        return f"Value {number}, in what follows, is {text}."

    def said(self, expr: core.Expr, speech: Speech) -> str:
        """An expression on one line."""
        if self.values and expr in self.values:
            return self.values[expr]
        if type(expr) in VALUES:
            return VALUES[type(expr)](self, expr, speech)
        return CONDITIONS[type(expr)](self, expr, speech, False)

    def value(self, expr: core.Expr, speech: Speech) -> str:
        """An expression inside another one: in brackets if it is made of several."""
        text = self.said(expr, speech)
        if expr in self.values:
            return text
        several = isinstance(expr, core.Apply) and len(expr.arguments) > 1
        if several or isinstance(expr, core.Arithmetic | core.And | core.Or):
            return f"({text})"
        return text

    def holds(self, expr: core.Expr, speech: Speech, *, must: bool = False) -> str:
        """An expression where a condition stands; `must` turns it into a demand."""
        if type(expr) in CONDITIONS:
            return CONDITIONS[type(expr)](self, expr, speech, must)
        text = self.said(expr, speech)
        if text.startswith(WHETHER):
            return f"{'it must be so that ' if must else ''}{text.removeprefix(WHETHER)}"
        return f"{text} {'must be' if must else 'is'} yes"

    # ---- lists

    def lines(self, expr: core.Expr, speech: Speech, *, must: bool = False) -> list[str]:
        """A condition on one line, or on several with deeper ones indented."""
        # Trying whether one line is enough must not use up the first mention of a name.
        trial = English(self.rulebook, Names(set(self.names.given)), self.values)
        if len(trial.holds(expr, speech, must=must)) <= WIDTH:
            return [self.holds(expr, speech, must=must)]
        if isinstance(expr, core.And):
            return [f"all of these {_hold(must)}:", *self._list(expr.parts, speech, must)]
        if isinstance(expr, core.Or):
            return self._either(expr, speech, must)
        if isinstance(expr, core.Not):
            return self._negated(expr.part, speech, must)
        if isinstance(expr, core.If):
            return [
                *_headed("if", self.lines(expr.condition, speech)),
                *_headed("then", self.lines(expr.then, speech, must=must)),
                *_headed("otherwise", self.lines(expr.otherwise, speech, must=must)),
            ]
        if isinstance(expr, core.HowMany) and isinstance(expr.events.pattern.where, core.And):
            return self._long_how_many(expr, expr.events.pattern.where.parts, speech, must)
        if isinstance(expr, core.Every) and isinstance(expr.condition, core.And | core.Or):
            noun = events_said(expr.events, speech, self, expr)
            head = f"for each {noun.name}{noun.rest}, this {_hold(must, 's')}:"
            return [head, *self._list((expr.condition,), noun.inside, must)]
        return [self.holds(expr, speech, must=must)]

    def _list(self, parts: tuple[core.Expr, ...], speech: Speech, must: bool = False) -> list[str]:
        found = []
        for part in parts:
            first, *rest = self.lines(part, speech, must=must)
            found += [f"{_INDENT}- {first}", *(f"{_INDENT}  {line}" for line in rest)]
        return found

    def _either(self, expr: core.Or, speech: Speech, must: bool) -> list[str]:
        implication = as_implication(expr)
        if implication is None:
            return [f"at least one of these {_hold(must, 's')}:", *self._list(expr.parts, speech)]
        condition, then = implication
        return [
            *_headed("if", self.lines(condition, speech)),
            *_headed("then", self.lines(then, speech, must=must)),
        ]

    def _negated(self, part: core.Expr, speech: Speech, must: bool) -> list[str]:
        if isinstance(part, core.Or) and as_implication(part) is None:
            head = f"none of these {'may hold' if must else 'holds'}:"
            return [head, *self._list(part.parts, speech)]
        if isinstance(part, core.And):
            head = f"these {'must' if must else 'do'} not all hold together:"
            return [head, *self._list(part.parts, speech)]
        return [f"this {'must' if must else 'does'} not hold:", *self._list((part,), speech)]

    def _long_how_many(
        self, expr: core.HowMany, where: tuple[core.Expr, ...], speech: Speech, must: bool
    ) -> list[str]:
        """The conditions on the events as a list below them."""
        bare = msgspec.structs.replace(
            expr.events, pattern=msgspec.structs.replace(expr.events.pattern, where=None)
        )
        noun = events_said(bare, speech, self, expr)
        head = f"{quantity_said(self, expr, speech, noun, must)}{noun.rest}"
        return [f"{head}, for which all of these hold:", *self._list(where, noun.inside)]


def _hold(must: bool, ending: str = "") -> str:
    return "must hold" if must else f"hold{ending}"


def _headed(word: str, lines: list[str]) -> list[str]:
    first, *rest = lines
    return [f"{word} {first}", *(f"{_INDENT}{line}" for line in rest)]
