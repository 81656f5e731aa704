"""Turns what the parser recognised into the syntax tree, one small method for each phrase."""

from __future__ import annotations

from typing import Any

import msgspec
from lark import Token, Transformer

from rules_dsl import syntax as s
from rules_dsl.lines import read_event_line, read_table_row
from rules_dsl.syntax import Span

Children = list[Any]

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


class _Tail(msgspec.Struct, frozen=True):
    """One addition to a phrase, before the phrase is put together."""

    name: str
    value: Any
    span: Span


def span_of(children: Children) -> Span:
    """From the first to the last character of what was recognised."""
    return Span(_start(children[0]), _end(children[-1]))


def _start(child: Any) -> int:
    return child.start_pos if isinstance(child, Token) else child.span.start


def _end(child: Any) -> int:
    return child.end_pos if isinstance(child, Token) else child.span.end


def _is(child: Any, kind: str) -> bool:
    return isinstance(child, Token) and child.type == kind


def _words(token: Token) -> str:
    return " ".join(token.split())


def _text(children: Children) -> str:
    """Consecutive quoted texts are one text, so that long ones can be broken over lines."""
    return " ".join(child[1:-1] for child in children if _is(child, "STRING"))


def _names(children: Children) -> tuple[str, ...]:
    return tuple(str(child) for child in children if _is(child, "NAME"))


def _nodes(children: Children, kind: type) -> tuple[Any, ...]:
    return tuple(child for child in children if isinstance(child, kind))


class Builder(Transformer[Token, Any]):
    """Called by the parser for each phrase as soon as it is complete."""

    def __init__(self) -> None:
        super().__init__(visit_tokens=False)

    # ---- declarations

    def file(self, c: Children) -> s.File:
        return s.File(tuple(c), span=span_of(c) if c else s.NOWHERE)

    def rulebook_decl(self, c: Children) -> s.Rulebook:
        zone = c[3][1:-1] if len(c) > 2 else None
        return s.Rulebook(c[1][1:-1], zone, span=span_of(c))

    def section_decl(self, c: Children) -> s.Section:
        return s.Section(c[1][1:-1], _nodes(c, s.Expr), _nodes(c, s.Given), span=span_of(c))

    def applies_when(self, c: Children) -> s.Expr:
        condition: s.Expr = c[1]
        return condition

    def use_decl(self, c: Children) -> s.Use:
        return s.Use(c[1][1:-1], span=span_of(c))

    def interval_decl(self, c: Children) -> s.Interval:
        return s.Interval(str(c[1]), c[3], c[5], span=span_of(c))

    def events_decl(self, c: Children) -> s.EventGroup:
        where = c[5] if len(c) > 4 else None
        return s.EventGroup(str(c[1]), c[3].events, where, span=span_of(c))

    def event_names(self, c: Children) -> s.Head:
        return s.Head(_names(c), span=span_of(c))

    def define_decl(self, c: Children) -> s.Define:
        params = c[2].events if isinstance(c[2], s.Head) else ()
        return s.Define(str(c[1]), params, c[-1], span=span_of(c))

    def params(self, c: Children) -> s.Head:
        return s.Head(_names(c), span=span_of(c))

    def table_decl(self, c: Children) -> s.Table:
        rows = [read_table_row(str(t), t.start_pos or 0) for t in c if _is(t, "TABLE_ROW")]
        return s.Table(str(c[1]), _text(c), rows[0], tuple(rows[1:]), span=span_of(c))

    def setting_decl(self, c: Children) -> s.Setting:
        return s.Setting(str(c[1]), c[3], _text(c[4:]), span=span_of(c))

    def interpretation_decl(self, c: Children) -> s.Interpretation:
        cites = _nodes(c, s.Cite)
        return s.Interpretation(
            str(c[1]),
            _text(c),
            cites[0].citations if cites else (),
            _nodes(c, s.Reading),
            span=span_of(c),
        )

    def reading(self, c: Children) -> s.Reading:
        return s.Reading(str(c[1]), _text(c), _is(c[-1], "DEFAULT"), span=span_of(c))

    def profile_decl(self, c: Children) -> s.Profile:
        return s.Profile(str(c[1]), _text(c), _nodes(c, s.Choice), span=span_of(c))

    def choose_reading(self, c: Children) -> s.Choice:
        return s.Choice("reading", str(c[2]), self.literal_word(c[4:]), span=span_of(c))

    def choose_setting(self, c: Children) -> s.Choice:
        return s.Choice("setting", str(c[2]), c[4], span=span_of(c))

    def template_decl(self, c: Children) -> s.Template:
        params = c[2].events if len(c) > 2 and isinstance(c[2], s.Head) else ()
        return s.Template(str(c[1]), params, _nodes(c, s.Clause), span=span_of(c))

    def rule_decl(self, c: Children) -> s.Rule:
        template, arguments = None, ()
        if len(c) > 2 and isinstance(c[2], _Tail):
            template, arguments = c[2].name, c[2].value
        return s.Rule(str(c[1]), _nodes(c, s.Clause), template, arguments, span=span_of(c))

    def uses_template(self, c: Children) -> _Tail:
        return _Tail(str(c[1]), _nodes(c, s.Argument), span_of(c))

    def argument(self, c: Children) -> s.Argument:
        return s.Argument(str(c[0]), c[2], span=span_of(c))

    # ---- clauses

    def title(self, c: Children) -> s.Title:
        return s.Title(_text(c), span=span_of(c))

    def cite(self, c: Children) -> s.Cite:
        return s.Cite(tuple(t.name for t in _nodes(c, _Tail)), span=span_of(c))

    def citation(self, c: Children) -> _Tail:
        text = c[0][1:-1] if _is(c[0], "STRING") else _words(c[0])
        return _Tail(text, None, span_of(c))

    def in_force(self, c: Children) -> s.InForce:
        return s.InForce(str(c[2]), str(c[4]) if len(c) > 3 else None, span=span_of(c))

    def not_in_force(self, c: Children) -> s.NotInForce:
        return s.NotInForce(str(c[2]), str(c[4]), _text(c), span=span_of(c))

    def edition(self, c: Children) -> s.EditionStart:
        dates = [str(t) for t in c if _is(t, "DATE")]
        until = dates[1] if len(dates) > 1 else None
        return s.EditionStart(dates[0], until, _text(c), span=span_of(c))

    def severity(self, c: Children) -> s.Severity:
        return s.Severity(str(c[1]), span=span_of(c))

    def kind(self, c: Children) -> s.KindOf:
        return s.KindOf(str(c[1]), span=span_of(c))

    def for_each(self, c: Children) -> s.ForEach:
        return s.ForEach(_nodes(c, s.Key), span=span_of(c))

    def key(self, c: Children) -> s.Key:
        return s.Key(str(c[-1]), len(c) > 1, span=span_of(c))

    def when(self, c: Children) -> s.When:
        return s.When(_as_phrase(c[1]), span=span_of(c))

    def when_first(self, c: Children) -> s.When:
        return s.When(_as_phrase(c[2]), first=True, span=span_of(c))

    def when_ends(self, c: Children) -> s.WhenEnds:
        return s.WhenEnds(str(c[1]), span=span_of(c))

    def let(self, c: Children) -> s.Let:
        return s.Let(str(c[1]), c[3], span=span_of(c))

    def only_if(self, c: Children) -> s.OnlyIf:
        return s.OnlyIf(c[1], span=span_of(c))

    def require(self, c: Children) -> s.Require:
        return s.Require(c[1], span=span_of(c))

    def forbid(self, c: Children) -> s.Forbid:
        return s.Forbid(c[1], span=span_of(c))

    def exception(self, c: Children) -> s.Except:
        return s.Except(c[2].name, c[4], span=span_of(c))

    def counter_exception(self, c: Children) -> s.ButNot:
        return s.ButNot(c[2].name, c[4], span=span_of(c))

    def say(self, c: Children) -> s.Say:
        return s.Say(_text(c), span=span_of(c))

    def remedy(self, c: Children) -> s.Remedy:
        return s.Remedy(_text(c), span=span_of(c))

    def note(self, c: Children) -> s.Note:
        return s.Note(_text(c), span=span_of(c))

    def example(self, c: Children) -> s.Example:
        dates = [t.name for t in _nodes(c, _Tail)]
        return s.Example(
            str(c[1]),
            _text(c),
            dates[-1] if dates else None,
            _nodes(c, s.Given),
            _nodes(c, s.EventLine),
            span=span_of(c),
        )

    def on_date(self, c: Children) -> _Tail:
        return _Tail(str(c[1]), None, span_of(c))

    def given_option(self, c: Children) -> s.Given:
        return s.Given("option", str(c[2]), c[4], span=span_of(c))

    def given_reading(self, c: Children) -> s.Given:
        return s.Given("reading", str(c[2]), self.literal_word(c[4:]), span=span_of(c))

    def given_setting(self, c: Children) -> s.Given:
        return s.Given("setting", str(c[2]), c[4], span=span_of(c))

    def event_line(self, c: Children) -> s.EventLine:
        return read_event_line(str(c[0]), c[0].start_pos)

    # ---- conditions

    def if_else(self, c: Children) -> s.If:
        return s.If(c[1], c[3], c[5], span=span_of(c))

    def if_then(self, c: Children) -> s.If:
        return s.If(c[1], c[3], span=span_of(c))

    def either(self, c: Children) -> s.Either:
        return s.Either(_nodes(c, s.Expr), span=span_of(c))

    def both(self, c: Children) -> s.Both:
        return s.Both(_nodes(c, s.Expr), span=span_of(c))

    def negation(self, c: Children) -> s.Not:
        return s.Not(c[1], span=span_of(c))

    def no(self, c: Children) -> s.Quantified:
        return s.Quantified("no", _as_phrase(c[1]), span=span_of(c))

    def some(self, c: Children) -> s.Quantified:
        has = c[2].value if len(c) > 2 else None
        return s.Quantified("some", _as_phrase(c[1]), has=has, span=span_of(c))

    def every(self, c: Children) -> s.Quantified:
        return s.Quantified("every", _as_phrase(c[1]), has=c[2].value, span=span_of(c))

    def has(self, c: Children) -> _Tail:
        return _Tail("has", c[1], span_of(c))

    def quantity(self, c: Children) -> s.Quantified:
        words: Any = _words(c[0])
        return s.Quantified(words, _as_phrase(c[2]), c[1], span=span_of(c))

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
        return s.OneOf(c[0], _nodes(c[1:], s.Expr), span=span_of(c))

    def not_one_of(self, c: Children) -> s.OneOf:
        return s.OneOf(c[0], _nodes(c[1:], s.Expr), negated=True, span=span_of(c))

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
        way: Any = "nearest" if _is(c[2], "TO") else str(c[2])
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
        return s.Call(str(c[0]), _nodes(c[1:], s.Expr), span=span_of(c))

    def of(self, c: Children) -> s.Of:
        return s.Of(str(c[0]), c[-1], _is(c[2], "DISTINCT"), span=span_of(c))

    def pick(self, c: Children) -> s.Pick:
        which: Any = str(c[0])
        return s.Pick(which, _as_phrase(c[1]), span=span_of(c))

    def option(self, c: Children) -> s.Option:
        return s.Option(str(c[1]), span=span_of(c))

    def reading_value(self, c: Children) -> s.ReadingOf:
        return s.ReadingOf(str(c[1]), span=span_of(c))

    def next_seat(self, c: Children) -> s.NextSeat:
        direction: Any = str(c[1])
        return s.NextSeat(direction, c[3], _as_phrase(c[5]), span=span_of(c))

    def bare_name(self, c: Children) -> s.Name:
        return s.Name(str(c[0]), span=span_of(c))

    # ---- phrases

    def phrase(self, c: Children) -> s.Expr:
        head: s.Head = c[0]
        if len(c) == 1 and not head.any_of:
            return _as_name(head)
        parts: dict[str, Any] = {"scopes": ()}
        for tail in c[1:]:
            if isinstance(tail, s.Scope):
                parts["scopes"] += (tail,)
            elif isinstance(tail, Token):
                continue
            elif tail.name == "where" and "where" in parts:
                parts["where"] = s.Both((parts["where"], tail.value), span=tail.span)
            else:
                parts[tail.name] = tail.value
        return s.Phrase(head, **parts, span=span_of(c))

    def head(self, c: Children) -> s.Head:
        if _is(c[0], "ANY_OF"):
            names = _names(c)
            field = names[-1] if _is(c[-2], "DOT") else None
            return s.Head(names[: len(names) - (field is not None)], field, True, span=span_of(c))
        return s.Head((str(c[0]),), str(c[2]) if len(c) > 1 else None, span=span_of(c))

    def alias(self, c: Children) -> _Tail:
        return _Tail("alias", str(c[1]), span_of(c))

    def where(self, c: Children) -> _Tail:
        return _Tail("where", c[1], span_of(c[:2]))

    def same(self, c: Children) -> _Tail:
        return _Tail("same", _names(c), span_of(c))

    def latest_per(self, c: Children) -> _Tail:
        return _Tail("per", s.Per("latest", _names(c), span=span_of(c)), span_of(c))

    def earliest_per(self, c: Children) -> _Tail:
        return _Tail("per", s.Per("earliest", _names(c), span=span_of(c)), span_of(c))

    def tail(self, c: Children) -> Any:
        return c[0]

    def in_the(self, c: Children) -> _Tail:
        which = str(c[1]) if len(c) > 2 else "this"
        return _Tail(which, str(c[-1]), span_of(c))

    def _in_interval(self, kind: Any, c: Children) -> s.Scope:
        inside = c[-1] if isinstance(c[-1], _Tail) else None
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

    def within(self, c: Children) -> s.Scope:
        return s.Scope("within", length=c[1], backwards=_is(c[-1], "EARLIER"), span=span_of(c))

    def at_least_away(self, c: Children) -> s.Scope:
        return s.Scope("at least", length=c[1], backwards=_is(c[-1], "EARLIER"), span=span_of(c))

    def target(self, c: Children) -> s.Phrase:
        if _is(c[0], "LPAR"):
            return _as_phrase(c[1])
        names = _names(c)
        any_of = _is(c[0], "ANY_OF")
        return s.Phrase(s.Head(names, None, any_of, span=span_of(c)), span=span_of(c))

    # ---- literals

    def _literal(self, kind: Any, c: Children) -> s.Literal:
        return s.Literal(kind, _words(c[0]), span=span_of(c))

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


def _as_name(head: s.Head) -> s.Name:
    if head.field is None:
        return s.Name(head.events[0], span=head.span)
    return s.Name(head.field, head.events[0], span=head.span)


def _as_phrase(expr: s.Expr) -> s.Phrase:
    """A bare name where events are expected is a phrase with nothing added."""
    if isinstance(expr, s.Phrase):
        return expr
    assert isinstance(expr, s.Name)
    if expr.owner is None:
        return s.Phrase(s.Head((expr.name,), span=expr.span), span=expr.span)
    return s.Phrase(s.Head((expr.owner,), expr.name, span=expr.span), span=expr.span)
