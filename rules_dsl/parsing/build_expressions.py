"""Builds the conditions and values of the syntax tree, one small method for each phrase."""

from __future__ import annotations

from typing import Any

import msgspec
from lark import Token, Transformer

from rules_dsl import syntax as s
from rules_dsl.parsing.bounds import is_open_bound, unclear_bound
from rules_dsl.parsing.lines import LineProblem
from rules_dsl.parsing.recognised import (
    Children,
    Tail,
    is_token,
    names_in,
    nodes_in,
    span_of,
    words_of,
)

_SIGNS: dict[str, s.ComparisonSign] = {
    "IS": "=",
    "EQUALS": "=",
    "NOT_EQUALS": "!=",
    "NOT": "!=",
    "LESS": "<",
    "LESS_THAN": "<",
    "AT_MOST_SIGN": "<=",
    "AT_MOST": "<=",
    "GREATER": ">",
    "MORE_THAN": ">",
    "AT_LEAST_SIGN": ">=",
    "AT_LEAST": ">=",
}


class ExpressionBuilder(Transformer[Token, Any]):
    """Called by the parser for each phrase as soon as it is complete."""

    def __init__(self) -> None:
        super().__init__(visit_tokens=False)

    # ---- conditions

    def if_else(self, c: Children) -> s.If:
        return s.If(c[1], c[3], c[5], span=span_of(c))

    def if_then(self, c: Children) -> s.If:
        return s.If(c[1], c[3], span=span_of(c))

    def either(self, c: Children) -> s.Either:
        return s.Either(nodes_in(c, s.Expr), span=span_of(c))

    def both(self, c: Children) -> s.Both:
        return s.Both(nodes_in(c, s.Expr), span=span_of(c))

    def negation(self, c: Children) -> s.Not:
        return s.Not(c[1], span=span_of(c))

    def no(self, c: Children) -> s.Quantified:
        return s.Quantified("no", as_phrase(c[1]), span=span_of(c))

    def some(self, c: Children) -> s.Quantified:
        has = c[2].value if len(c) > 2 else None
        return s.Quantified("some", as_phrase(c[1]), has=has, span=span_of(c))

    def every(self, c: Children) -> s.Quantified:
        return s.Quantified("every", as_phrase(c[1]), has=c[2].value, span=span_of(c))

    def has(self, c: Children) -> Tail:
        return Tail("has", c[1], span_of(c))

    def quantity(self, c: Children) -> s.Quantified:
        words: Any = words_of(c[0])
        return s.Quantified(words, as_phrase(c[2]), c[1], span=span_of(c))

    def compare(self, c: Children) -> s.Comparison:
        return s.Comparison(_SIGNS[c[1].type], c[0], c[2], span=span_of(c))

    def compare_words(self, c: Children) -> s.Comparison:
        return s.Comparison(_SIGNS[c[2].type], c[0], c[3], span=span_of(c))

    def or_more(self, c: Children) -> s.Comparison:
        return s.Comparison(">=", c[0], c[2], span=span_of(c))

    def or_less(self, c: Children) -> s.Comparison:
        return s.Comparison("<=", c[0], c[2], span=span_of(c))

    def between(self, c: Children) -> s.Between:
        return s.Between(c[0], c[3], c[5], span=span_of(c))

    def not_between(self, c: Children) -> s.Between:
        return s.Between(c[0], c[4], c[6], negated=True, span=span_of(c))

    def one_of(self, c: Children) -> s.OneOf:
        return s.OneOf(c[0], nodes_in(c[1:], s.Expr), span=span_of(c))

    def not_one_of(self, c: Children) -> s.OneOf:
        return s.OneOf(c[0], nodes_in(c[1:], s.Expr), negated=True, span=span_of(c))

    def known(self, c: Children) -> s.Recorded:
        return s.Recorded(c[0], True, span=span_of(c))

    def missing(self, c: Children) -> s.Recorded:
        return s.Recorded(c[0], False, span=span_of(c))

    def about(self, c: Children) -> s.About:
        return s.About(c[0], c[3], c[5], span=span_of(c))

    def goes(self, c: Children) -> s.Goes:
        direction: Any = str(c[2])
        return s.Goes(c[0], direction, c[4] if len(c) > 3 else None, span=span_of(c))

    # ---- values

    def rounding(self, c: Children) -> s.Rounding:
        way: Any = "nearest" if is_token(c[2], "TO") else str(c[2])
        return s.Rounding(c[0], way, c[-1], span=span_of(c))

    def add(self, c: Children) -> s.Arithmetic:
        return s.Arithmetic("+", c[0], c[2], span=span_of(c))

    def subtract(self, c: Children) -> s.Arithmetic:
        return s.Arithmetic("-", c[0], c[2], span=span_of(c))

    def multiply(self, c: Children) -> s.Arithmetic:
        return s.Arithmetic("*", c[0], c[2], span=span_of(c))

    def divide(self, c: Children) -> s.Arithmetic:
        return s.Arithmetic("/", c[0], c[2], span=span_of(c))

    def group(self, c: Children) -> s.Expr:
        inner: s.Expr = c[1]
        return msgspec.structs.replace(inner, bracketed=True)

    def call(self, c: Children) -> s.Call:
        return s.Call(str(c[0]), nodes_in(c[1:], s.Expr), span=span_of(c))

    def of(self, c: Children) -> s.Of:
        return s.Of(str(c[0]), c[-1], is_token(c[2], "DISTINCT"), span=span_of(c))

    def pick(self, c: Children) -> s.Pick:
        which: Any = str(c[0])
        return s.Pick(which, as_phrase(c[1]), span=span_of(c))

    def option(self, c: Children) -> s.Option:
        return s.Option(str(c[1]), span=span_of(c))

    def reading_value(self, c: Children) -> s.ReadingOf:
        return s.ReadingOf(str(c[1]), span=span_of(c))

    def next_seat(self, c: Children) -> s.NextSeat:
        direction: Any = str(c[1])
        return s.NextSeat(direction, c[3], as_phrase(c[5]), span=span_of(c))

    def bare_name(self, c: Children) -> s.Name:
        return s.Name(str(c[0]), span=span_of(c))

    # ---- phrases

    def phrase(self, c: Children) -> s.Expr:
        head: s.Head = c[0]
        if len(c) == 1 and not head.any_of:
            return _as_name(head)
        scopes: list[s.Scope] = []
        wheres: list[s.Expr] = []
        same: list[str] = []
        once: dict[str, Any] = {}
        bound: s.Scope | None = None
        for tail in c[1:]:
            unclear = bound and unclear_bound(head, bound, _first_words(tail), tail.span.start)
            if unclear:
                raise unclear
            bound = tail if isinstance(tail, s.Scope) and is_open_bound(tail) else None
            if isinstance(tail, s.Scope):
                scopes.append(tail)
            elif tail.name == "closed":
                scopes.append(tail.value)
            elif tail.name == "where":
                wheres.append(tail.value)
            elif tail.name == "same":
                same += tail.value
            elif tail.name in once:
                raise _said_twice(tail)
            else:
                once[tail.name] = tail.value
        return s.Phrase(
            head,
            once.get("alias"),
            tuple(same),
            _all_of(wheres),
            once.get("per"),
            tuple(scopes),
            span=span_of(c),
        )

    def head(self, c: Children) -> s.Head:
        if is_token(c[0], "ANY_EVENT"):
            field = str(c[2]) if len(c) > 1 else None
            return s.Head((), field, True, span=span_of(c))
        if is_token(c[0], "ANY_OF"):
            names = names_in(c)
            field = names[-1] if is_token(c[-2], "DOT") else None
            return s.Head(names[: len(names) - (field is not None)], field, True, span=span_of(c))
        return s.Head((str(c[0]),), str(c[2]) if len(c) > 1 else None, span=span_of(c))

    def alias(self, c: Children) -> Tail:
        return Tail("alias", str(c[1]), span_of(c))

    def where(self, c: Children) -> Tail:
        return Tail("where", c[1], span_of(c[:2]))

    def same(self, c: Children) -> Tail:
        return Tail("same", names_in(c), span_of(c))

    def latest_per(self, c: Children) -> Tail:
        return Tail("per", s.Per("latest", names_in(c), span=span_of(c)), span_of(c))

    def earliest_per(self, c: Children) -> Tail:
        return Tail("per", s.Per("earliest", names_in(c), span=span_of(c)), span_of(c))

    def tail(self, c: Children) -> Tail:
        """A scope with a comma after it: what follows is said of the phrase."""
        return Tail("closed", c[0], c[0].span)

    def in_the(self, c: Children) -> Tail:
        which = str(c[1]) if len(c) > 2 else "this"
        return Tail(which, str(c[-1]), span_of(c))

    def _in_interval(self, kind: Any, c: Children) -> s.Scope:
        inside = c[-1] if isinstance(c[-1], Tail) else None
        if inside is None:
            return s.Scope(kind, span=span_of(c))
        which: Any = inside.name
        return s.Scope(kind, inside.value, which, span=span_of(c))

    def earlier(self, c: Children) -> s.Scope:
        return self._in_interval("earlier", c)

    def later(self, c: Children) -> s.Scope:
        return self._in_interval("later", c)

    def so_far(self, c: Children) -> s.Scope:
        return self._in_interval("so far", c)

    def whole(self, c: Children) -> s.Scope:
        return self._in_interval("in", c)

    def since(self, c: Children) -> s.Scope:
        return s.Scope("since", target=c[1], backwards=True, span=span_of(c))

    def before(self, c: Children) -> s.Scope:
        return s.Scope("before", target=c[1], span=span_of(c))

    def not_yet_followed_by(self, c: Children) -> s.Scope:
        return s.Scope("not yet followed by", target=c[1], span=span_of(c))

    def to_the_trigger(self, c: Children) -> s.Scope:
        kind: Any = words_of(c[0])
        return s.Scope(kind, span=span_of(c))

    def within(self, c: Children) -> s.Scope:
        return s.Scope("within", length=c[1], backwards=is_token(c[-1], "EARLIER"), span=span_of(c))

    def away(self, c: Children) -> s.Scope:
        kind: Any = words_of(c[0])
        return s.Scope(kind, length=c[1], backwards=is_token(c[-1], "EARLIER"), span=span_of(c))

    def between_away(self, c: Children) -> s.Scope:
        """`between 3 and 10 seconds earlier`: the unit is that of the second length."""
        near, far = c[1], c[3]
        if is_token(near, "NUMBER"):
            if not isinstance(far, s.Literal):
                raise _without_unit(near)
            near = s.Literal("duration", f"{near} {far.text.split()[-1]}", span=span_of([near]))
        return s.Scope(
            "between",
            length=near,
            backwards=is_token(c[-1], "EARLIER"),
            farthest=far,
            span=span_of(c),
        )

    def target(self, c: Children) -> s.Phrase:
        if is_token(c[0], "LPAR"):
            return msgspec.structs.replace(as_phrase(c[1]), bracketed=True)
        names = names_in(c)
        any_of = not is_token(c[0], "NAME")
        return s.Phrase(s.Head(names, None, any_of, span=span_of(c)), span=span_of(c))

    # ---- literals

    def _literal(self, kind: Any, c: Children) -> s.Literal:
        return s.Literal(kind, words_of(c[0]), span=span_of(c))

    def literal_number(self, c: Children) -> s.Literal:
        return self._literal("number", c)

    def literal_money(self, c: Children) -> s.Literal:
        return self._literal("money", c)

    def literal_percent(self, c: Children) -> s.Literal:
        return self._literal("percent", c)

    def literal_odds(self, c: Children) -> s.Literal:
        return self._literal("odds", c)

    def literal_duration(self, c: Children) -> s.Literal:
        return self._literal("duration", c)

    def literal_date(self, c: Children) -> s.Literal:
        return self._literal("date", c)

    def literal_card(self, c: Children) -> s.Literal:
        return self._literal("card", c)

    def literal_text(self, c: Children) -> s.Literal:
        return s.Literal("text", c[0][1:-1], span=span_of(c))

    def literal_none(self, c: Children) -> s.Literal:
        return self._literal("none", c)

    def literal_yes(self, c: Children) -> s.Literal:
        return self._literal("flag", c)

    def literal_no(self, c: Children) -> s.Literal:
        return self._literal("flag", c)

    def literal_word(self, c: Children) -> s.Literal:
        return self._literal("word", c)


def _all_of(wheres: list[s.Expr]) -> s.Expr | None:
    if len(wheres) < 2:
        return wheres[0] if wheres else None
    return s.Both(tuple(wheres), span=span_of(wheres))


def _first_words(tail: s.Scope | Tail) -> str:
    """The words that an addition to a phrase begins with."""
    if isinstance(tail, s.Scope):
        return "in the" if tail.kind == "in" else tail.kind
    if tail.name == "closed":
        return _first_words(tail.value)
    if isinstance(tail.value, s.Per):
        return f"{tail.value.which} per"
    return {"alias": "as", "same": "with same"}.get(tail.name, tail.name)


def _said_twice(tail: Tail) -> LineProblem:
    """Keeping only one of two would drop a part of the rule without a word."""
    word = "as" if tail.name == "alias" else "per"
    return LineProblem(
        "syntax",
        f"`{word}` is said twice about the same events.",
        tail.span,
        "keep one of the two",
    )


def _without_unit(number: Token) -> LineProblem:
    return LineProblem(
        "syntax",
        f"`{number}` needs a unit of time.",
        span_of([number]),
        f"write `{number} minutes` or `{number} seconds`",
    )


def _as_name(head: s.Head) -> s.Name:
    if head.field is None:
        return s.Name(head.events[0], span=head.span)
    return s.Name(head.field, head.events[0], span=head.span)


def as_phrase(expr: s.Expr) -> s.Phrase:
    """A bare name where events are expected is a phrase with nothing added."""
    if isinstance(expr, s.Phrase):
        return expr
    if not isinstance(expr, s.Name):  # the grammar lets nothing else through
        raise TypeError(f"{type(expr).__name__} where events are expected")
    if expr.owner is None:
        return s.Phrase(s.Head((expr.name,), span=expr.span), span=expr.span)
    return s.Phrase(s.Head((expr.owner,), expr.name, span=expr.span), span=expr.span)
