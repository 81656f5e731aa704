"""Decides where brackets stand, so that programs and people read a condition the same way."""

from __future__ import annotations

from enum import IntEnum

from rules_dsl import syntax as s
from rules_dsl.parsing.nesting import parts_of


class Binding(IntEnum):
    """How tightly an expression holds together; a looser one in a tighter one needs brackets."""

    ANY = 0
    OR = 1
    AND = 2
    NOT = 3
    COMPARISON = 4
    ROUNDED = 5
    SUM = 6
    PRODUCT = 7
    ATOM = 8
    BRACKETS = 9
    """Nothing is tight enough without brackets."""


_BINDING: dict[type[s.Expr], Binding] = {
    s.If: Binding.ANY,
    s.Either: Binding.OR,
    s.Both: Binding.AND,
    s.Not: Binding.NOT,
    s.Quantified: Binding.NOT,
    s.Comparison: Binding.COMPARISON,
    s.Between: Binding.COMPARISON,
    s.OneOf: Binding.COMPARISON,
    s.Recorded: Binding.COMPARISON,
    s.About: Binding.COMPARISON,
    s.Goes: Binding.COMPARISON,
    s.Rounding: Binding.ROUNDED,
}


def binding_of(expr: s.Expr) -> Binding:
    if isinstance(expr, s.Arithmetic):
        return Binding.SUM if expr.sign in "+-" else Binding.PRODUCT
    return _BINDING.get(type(expr), Binding.ATOM)


def ends_open(expr: s.Expr) -> bool:
    """Whether whatever is written after it would be taken for a part of it."""
    match expr:
        case s.If():
            return True
        case s.Phrase():
            return expr.where is not None and expr.per is None and not expr.scopes
        case s.Quantified():
            return expr.has is not None or ends_open(expr.phrase)
        case s.Pick() | s.NextSeat():
            return ends_open(expr.phrase)
        case _:
            return False


def ends_in_a_list(expr: s.Expr) -> bool:
    """Whether its last words are several conditions, which would seem to go on what is before."""
    match expr:
        case s.Phrase():
            return ends_open(expr) and isinstance(expr.where, s.Both | s.Either)
        case s.Quantified() if expr.has is not None:
            return isinstance(expr.has, s.Both | s.Either)
        case s.Quantified() | s.Pick() | s.NextSeat():
            return ends_in_a_list(expr.phrase)
        case s.Of():
            return ends_in_a_list(expr.argument)
        case s.Comparison():
            return ends_in_a_list(expr.right)
        case s.Not():
            return ends_in_a_list(expr.part)
        case _:
            return False


def ends_in_words(expr: s.Expr) -> bool:
    """Whether it ends with what is said about events: a `where`, a scope and the like."""
    match expr:
        case s.Phrase():
            return not is_bare(expr)
        case s.Pick() | s.NextSeat():
            return ends_in_words(expr.phrase)
        case s.Of():
            return ends_in_words(expr.argument)
        case _:
            return False


def is_bare(phrase: s.Phrase) -> bool:
    """Events of which nothing more is said."""
    return phrase == s.Phrase(phrase.head)


def is_bare_number(expr: s.Expr) -> bool:
    if isinstance(expr, s.Name):
        return expr.owner is None
    return isinstance(expr, s.Literal) and expr.kind == "number"


def looks_like_one_of(expr: s.Expr) -> bool:
    """A function called `one`: without brackets, `is one of` would begin a list of choices."""
    return isinstance(expr, s.Of) and expr.function == "one"


def speaks_of_other_events(expr: s.Node) -> bool:
    return s.looks_for_events(expr) or any(speaks_of_other_events(part) for part in parts_of(expr))
