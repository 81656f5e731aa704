"""Makes up syntax trees for the whole language, as reading a rule file could have built them."""

from __future__ import annotations

import re
from typing import Any, get_args

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from rules_dsl import syntax as s
from rules_dsl.formatting.brackets import is_bare
from rules_dsl.formatting.clauses import CITATION
from rules_dsl.parsing.parser import grammar

# Words of the language are no names, except those that fields bear in the built-in events.
_WORDS = set(re.findall(r"[a-z]+", " ".join(re.findall(r"(?m)^[A-Z_.0-9]+: (.*)", grammar()))))
_UNITS = {"second", "seconds", "minute", "minutes", "hour", "hours", "day", "days"}

events = st.one_of(
    st.sampled_from(["card_dealt", "wager_placed", "seat", "amount"]),
    st.from_regex(r"[a-z][a-z0-9_]{0,9}", fullmatch=True).filter(lambda name: name not in _WORDS),
)
names = events | st.sampled_from(["to", "kind", "table", "by"])
rule_names = st.from_regex(r"[a-z0-9][a-z0-9_]{0,5}(-[a-z0-9_]{1,4}){0,3}", fullmatch=True)
_characters = st.characters(exclude_categories=["C", "Zl", "Zp"], exclude_characters='"')
texts = st.one_of(
    st.text(_characters, max_size=12),
    st.lists(
        st.sampled_from(
            ["a", "dealer", "{seat + 1}", "--", "|", "\t", "burned", "  ", "é", "it's"]
        ),
        min_size=1,
        max_size=45,
    ).map(" ".join),
)
some_text = texts.filter(bool)
dates = st.dates().map(str)
citations = st.one_of(
    st.from_regex(CITATION, fullmatch=True).map(lambda t: " ".join(t.split())), texts
)


def _tuples(items: SearchStrategy[Any], low: int = 1, high: int = 3) -> SearchStrategy[Any]:
    return st.lists(items, min_size=low, max_size=high).map(tuple)


def _words(alias: Any) -> SearchStrategy[Any]:
    return st.sampled_from(get_args(alias))


def _maybe(items: SearchStrategy[Any]) -> SearchStrategy[Any]:
    return st.none() | items


# ---- expressions ---------------------------------------------------------------------------

_NUMBERS = r"[0-9]{1,3}"
_LITERALS: dict[str, SearchStrategy[str]] = {
    "number": st.from_regex(rf"{_NUMBERS}(\.[0-9]{{1,2}})?", fullmatch=True),
    "money": st.from_regex(
        rf"\$({_NUMBERS}|[0-9]{{1,3}},[0-9]{{3}})(\.[0-9]{{2}})?", fullmatch=True
    ),
    "percent": st.from_regex(rf"{_NUMBERS}(\.[0-9])?%", fullmatch=True),
    "odds": st.from_regex(rf"{_NUMBERS} to {_NUMBERS}", fullmatch=True),
    "duration": st.from_regex(rf"{_NUMBERS} (seconds?|minutes?|hours?|days?)", fullmatch=True),
    "date": dates,
    "card": st.from_regex(r"(10|[2-9AJQKT])[SHDC]|JOKER", fullmatch=True),
    "text": texts,
    "none": st.just("none"),
    "flag": st.sampled_from(["yes", "no"]),
    "word": names,
}


def _literal(kind: str) -> SearchStrategy[s.Literal]:
    return st.builds(s.Literal, st.just(kind), _LITERALS[kind])


literals = st.one_of([_literal(kind) for kind in _LITERALS if kind != "word"])
values = literals | _literal("word")
lengths = _literal("duration") | st.builds(s.Name, names)
heads = st.one_of(
    st.builds(s.Head, events.map(lambda name: (name,)), _maybe(names)),
    st.builds(s.Head, _tuples(events, 0), _maybe(names), st.just(True)),
)
pers = st.builds(s.Per, st.sampled_from(["latest", "earliest"]), _tuples(names))


_lengths = st.sampled_from(["at least", "more than", "less than"])


def _scopes(phrases: SearchStrategy[s.Phrase]) -> SearchStrategy[s.Scope]:
    which = _words(s.Which)
    plain = st.sampled_from(["earlier", "later", "so far"])
    to_the_trigger = st.sampled_from(["up to the trigger", "before the trigger"])
    return st.one_of(
        st.builds(s.Scope, plain),
        st.builds(s.Scope, to_the_trigger),
        st.builds(s.Scope, st.just("not yet followed by"), target=phrases),
        st.builds(s.Scope, plain | st.just("in"), names, which),
        st.builds(s.Scope, st.just("since"), target=phrases, backwards=st.just(True)),
        st.builds(s.Scope, st.just("before"), target=phrases),
        st.builds(s.Scope, st.just("within"), length=lengths, backwards=st.booleans()),
        st.builds(s.Scope, _lengths, length=lengths, backwards=st.booleans()),
        st.builds(
            s.Scope, st.just("between"), length=lengths, farthest=lengths, backwards=st.booleans()
        ),
    )


def _phrases(exprs: SearchStrategy[s.Expr], deep: bool = True) -> SearchStrategy[s.Phrase]:
    """Where only events can stand, a phrase may be a bare name."""
    inner = _phrases(exprs, deep=False) if deep else st.builds(s.Phrase, heads)
    return st.builds(
        s.Phrase,
        heads,
        _maybe(names),
        _tuples(names, 0, 2),
        _maybe(exprs),
        _maybe(pers),
        _tuples(_scopes(inner), 0, 2),
    )


def _more_than_a_name(phrase: s.Phrase) -> s.Phrase:
    """Elsewhere, a bare name is read as the name of anything."""
    if not is_bare(phrase):
        return phrase
    return s.Phrase(s.Head(phrase.head.events, phrase.head.field, True))


def _quantified(
    exprs: SearchStrategy[s.Expr], phrases: SearchStrategy[s.Phrase]
) -> SearchStrategy[s.Quantified]:
    counted = st.sampled_from(["exactly", "at least", "at most", "more than", "fewer than"])
    return st.one_of(
        st.builds(s.Quantified, st.just("no"), phrases),
        st.builds(s.Quantified, st.just("some"), phrases, has=_maybe(exprs)),
        st.builds(s.Quantified, st.just("every"), phrases, has=exprs),
        st.builds(s.Quantified, counted, phrases, _literal("number") | exprs),
    )


def _larger(exprs: SearchStrategy[s.Expr]) -> SearchStrategy[s.Expr]:
    phrases = _phrases(exprs)
    directions = st.sampled_from(["clockwise", "counterclockwise"])
    functions = names | st.sampled_from(["count", "sum", "one"])
    return st.one_of(
        phrases.map(_more_than_a_name),
        _quantified(exprs, phrases),
        st.builds(s.Pick, st.sampled_from(["first", "last", "next", "previous"]), phrases),
        st.builds(s.Of, functions, exprs, st.booleans()),
        st.builds(s.Call, names, _tuples(exprs)),
        st.builds(s.NextSeat, directions, exprs, phrases),
        st.builds(s.Arithmetic, _words(s.ArithmeticSign), exprs, exprs),
        st.builds(s.Rounding, exprs, st.sampled_from(["up", "down", "nearest"]), exprs),
        st.builds(s.Comparison, _words(s.ComparisonSign), exprs, exprs),
        st.builds(s.Between, exprs, exprs, exprs, st.booleans()),
        st.builds(s.OneOf, exprs, _tuples(exprs), st.booleans()),
        st.builds(s.Recorded, exprs, st.booleans()),
        st.builds(s.About, exprs, exprs, exprs),
        st.builds(s.Goes, exprs, directions, _maybe(exprs)),
        st.builds(s.Both, _tuples(exprs, 2)),
        st.builds(s.Either, _tuples(exprs, 2)),
        st.builds(s.Not, exprs),
        st.builds(s.If, exprs, exprs, _maybe(exprs)),
    )


_small: SearchStrategy[s.Expr] = st.one_of(
    literals,
    st.builds(s.Name, names, _maybe(names)),
    st.builds(s.Option, names),
    st.builds(s.ReadingOf, names),
)
expressions = st.recursive(_small, _larger, max_leaves=12)
phrases = _phrases(expressions)

# ---- clauses -------------------------------------------------------------------------------

givens = st.one_of(
    st.builds(s.Given, st.sampled_from(["option", "setting"]), names, values),
    st.builds(s.Given, st.just("reading"), names, _literal("word")),
)
# A blank and two hyphens begin a comment, even inside the quotation marks of an example line.
_field_texts = texts.filter(lambda text: not re.search(r"[ \t\r]--", text))
event_lines = st.builds(
    s.EventLine,
    st.from_regex(r"([01][0-9]|2[0-3])(:[0-5][0-9]){2}(\.[0-9]{1,3})?", fullmatch=True),
    names,
    _tuples(st.builds(s.EventField, names, _field_texts), 0),
    st.booleans(),
    st.booleans(),
)
examples = st.builds(
    s.Example,
    st.sampled_from(["complies", "violates", "excused"]),
    texts,
    _maybe(dates),
    _tuples(givens, 0, 2),
    _tuples(event_lines, 0),
)
_clauses: SearchStrategy[s.Clause] = st.one_of(
    st.builds(s.Title, texts),
    st.builds(s.Cite, _tuples(citations)),
    st.builds(s.InForce, dates, _maybe(dates)),
    st.builds(s.NotInForce, dates, dates, texts),
    st.builds(s.EditionStart, dates, _maybe(dates), texts),
    st.builds(s.Severity, names),
    st.builds(s.KindOf, names),
    st.builds(s.ForEach, _tuples(st.builds(s.Key, names, st.booleans()))),
    st.builds(s.When, phrases, st.booleans()),
    st.builds(s.WhenEnds, names),
    st.builds(s.Let, names, expressions),
    st.builds(s.OnlyIf, expressions),
    st.builds(s.Require, expressions),
    st.builds(s.Forbid, expressions),
    st.builds(s.Except, citations, expressions),
    st.builds(s.ButNot, citations, expressions),
    st.builds(s.Say, texts),
    st.builds(s.Remedy, texts),
    st.builds(s.Note, texts),
    examples,
    examples,
)


def _readable(clauses: tuple[s.Clause, ...]) -> tuple[s.Clause, ...]:
    """Without titles that would be read as the end of the text before them."""
    kept: list[s.Clause] = []
    for clause in clauses:
        if not (isinstance(clause, s.Title) and kept and _ends_with_text(kept[-1])):
            kept.append(clause)
    return tuple(kept)


def _ends_with_text(clause: s.Clause) -> bool:
    if isinstance(clause, s.Example):
        return not (clause.date or clause.given or clause.lines)
    return isinstance(clause, s.Title | s.Say | s.Remedy | s.Note | s.NotInForce)


clauses = (_tuples(_clauses, 3, 8) | _tuples(_clauses, 0, 2)).map(_readable)

# ---- declarations --------------------------------------------------------------------------

cells = st.builds(
    s.Cell,
    st.one_of(
        st.sampled_from(["D", "none", "0..5", "3 to 2", "30 minutes", "$1,000", "$5", "-"]),
        st.from_regex(r"[A-Za-z0-9.%+*]{1,5}", fullmatch=True),
    ).filter(lambda text: text not in {"to", *_UNITS}),
)
rows = st.builds(s.TableRow, _tuples(cells, 1, 2), _tuples(cells, 0, 4))
readings = st.builds(s.Reading, names, texts, st.booleans())
choices = st.one_of(
    st.builds(s.Choice, st.just("setting"), names, values),
    st.builds(s.Choice, st.just("reading"), names, _literal("word")),
)
declarations: SearchStrategy[s.Declaration] = st.one_of(
    st.builds(s.Rulebook, texts, _maybe(texts)),
    st.builds(s.Chapter, texts, dates, texts),
    st.builds(s.Section, texts, _tuples(expressions, 0, 2), _tuples(givens, 0, 2)),
    st.builds(s.Use, texts),
    st.builds(s.Interval, names, phrases, phrases),
    st.builds(s.EventGroup, names, _tuples(names), _maybe(expressions)),
    st.builds(s.Define, names, _tuples(names, 0), expressions),
    st.builds(s.Table, names, texts, rows, _tuples(rows, 0, 4)),
    st.builds(s.Setting, names, values, texts),
    st.builds(s.Interpretation, names, texts, _tuples(citations, 0), _tuples(readings)),
    st.builds(s.Profile, names, texts, _tuples(choices, 0)),
    st.builds(s.Template, rule_names, _tuples(names, 0), clauses),
    *[st.builds(s.Rule, rule_names, clauses)] * 4,
    st.builds(
        s.Rule,
        rule_names,
        clauses,
        rule_names,
        _tuples(st.builds(s.Argument, names, expressions), 0),
    ),
)
files = st.builds(s.File, _tuples(declarations, 0, 4))
