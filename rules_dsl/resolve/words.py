"""Resolves single words and written values: fields, definitions, settings, options, `$25`."""

from __future__ import annotations

import re

from event_schemas import (
    CARD,
    PLAIN_KINDS,
    RANK,
    SEAT,
    SUIT,
    TEXT,
    EnumType,
    Kind,
    ValueProblem,
    enum_kind,
    parse_value,
)
from rules_dsl import core, syntax
from rules_dsl.diagnostics import nearest
from rules_dsl.resolve import calls
from rules_dsl.resolve.names import ANY, BROKEN, NONE, Alias, Macro, Typed, View
from rules_dsl.resolve.resolver import Resolver
from rules_dsl.resolve.unknown import (
    hint,
    not_a_word,
    report_unknown_name,
    sentence,
    unknown_option,
)

# ---- written values ------------------------------------------------------------------------


def literal(r: Resolver, expr: syntax.Literal, view: View, expect: Kind | None) -> Typed:
    """A value written out: `21`, `$25`, `3 to 2`, `none`."""
    kind, text = expr.kind, expr.text
    if kind == "none":
        return Typed(core.Const("none", "none", place=r.place(expr, view)), NONE)
    if kind == "number" and expect in (SEAT, RANK):
        return _constant(r, expect, text, expr, view)
    if kind == "text" and expect is not None and expect.enum is not None:
        return _constant(r, expect, text, expr, view)
    if kind == "word":
        return _constant(r, expect or TEXT, text, expr, view)
    return _constant(r, PLAIN_KINDS[kind], text, expr, view)


def _constant(r: Resolver, kind: Kind, text: str, expr: syntax.Expr, view: View) -> Typed:
    if kind.enum is not None:
        if text not in kind.enum.values:
            return _not_in_list(r, text, kind.enum, expr, view)
    else:
        try:
            parse_value(kind, text)
        except ValueProblem as problem:
            message = sentence(problem, text)
            return r.report("bad-value", message, expr.span, view, hint(problem))
    return Typed(core.Const(kind.name, text, place=r.place(expr, view)), kind)


def _not_in_list(r: Resolver, word: str, enum: EnumType, expr: syntax.Expr, view: View) -> Typed:
    message, suggestion = not_a_word(word, enum)
    return r.report("unknown-value", message, expr.span, view, suggestion)


# ---- names ---------------------------------------------------------------------------------


def name(r: Resolver, expr: syntax.Name, view: View, expect: Kind | None) -> Typed:
    """A bare word, or a field of a named event: `seat`, `bet.amount`."""
    if expr.owner is not None:
        return _owned(r, expr, view)
    word = expr.name
    # Where a word of a list is expected, such a word wins over a field of the same name:
    # in `to is player`, `player` is who gets the card, not the patron's number.
    if expect is not None and expect.enum is not None and word in expect.enum.values:
        return Typed(core.Const(expect.name, word, place=r.place(expr, view)), expect)
    found = _known_name(r, expr, view, expect)
    if found is not None:
        return found
    if expect in (RANK, SUIT):
        return _constant(r, expect, word, expr, view)
    if expect == TEXT and word in r.desk.schema.events:
        return r.report(
            "type-mismatch",
            f"`{word}` is an event, and a text is expected here.",
            expr.span,
            view,
            f'the type of an event is written in quotation marks: `"{word}"`',
        )
    if r.phrases.is_events(word, view):
        return r.report(
            "missing-scope",
            f"It is not said when `{word}` is looked for.",
            expr.span,
            view,
            f"write `{word} earlier`, `{word} since ...`, `{word} in the round` or the like",
        )
    if r.desk.symbols.excused(word) or view.unseen or expect == ANY:
        return BROKEN
    if expect is not None and expect.enum is not None:
        return _not_in_list(r, word, expect.enum, expr, view)
    if expect == CARD and (sort := _part_of_card(word)):
        return r.report(
            "type-mismatch",
            f"`{word}` is a {sort}, not a card.",
            expr.span,
            view,
            f"compare the {sort} of the card: `{sort} of ... is {word}`",
        )
    return report_unknown_name(r, expr, view, expect)


def _part_of_card(word: str) -> str:
    for kind in (RANK, SUIT):
        try:
            parse_value(kind, word)
        except ValueProblem:
            continue
        return kind.name
    return ""


def _known_name(r: Resolver, expr: syntax.Name, view: View, expect: Kind | None) -> Typed | None:
    word, symbols = expr.name, r.desk.symbols
    bound = view.names.get(word)
    if isinstance(bound, Typed):
        return bound
    if isinstance(bound, Macro):
        # An argument is read where the parameter stands; the rule's own trigger can be named in it.
        seen = {k: v for k, v in view.names.items() if k == "trigger"}
        inner = View(view.var, view.types, view.fresh, bound.file, seen)
        return r.value(bound.expr, inner, expect)
    if isinstance(bound, Alias):
        return r.report(
            "not-a-value",
            f"`{word}` is an event, not a value.",
            expr.span,
            view,
            f"name one of its fields, like `{word}.{_telling_field(r, bound)}`",
        )
    kind = r.phrases.field_kind(word, view.types)
    if kind is not None:
        return Typed(core.Field(view.var, word, kind.name, place=r.place(expr, view)), kind)
    if word in symbols.definitions:
        return calls.expand(r, word, (), expr, view)
    if word in symbols.settings:
        symbols.used.add(("setting", word))
        kind = PLAIN_KINDS[symbols.settings[word].value.kind]
        return Typed(core.SettingValue(word, kind.name, place=r.place(expr, view)), kind)
    return None


def _telling_field(r: Resolver, alias: Alias) -> str:
    """A field that events of these types are often asked for."""
    fields = r.phrases.fields_of(alias.types)
    return next((name for name in ("amount", "card", "seat", "dealer") if name in fields), "ts")


def _owned(r: Resolver, expr: syntax.Name, view: View) -> Typed:
    owner, word = expr.owner or "", expr.name
    bound = view.names.get(owner)
    if isinstance(bound, Alias):
        kind = r.phrases.field_kind(word, bound.types)
        if kind is None:
            span = r.desk.spot(view.file, expr.span, word, after=".")
            return r.phrases.report_missing_field(word, bound.types, span, view)
        return Typed(core.Field(bound.var, word, kind.name, place=r.place(expr, view)), kind)
    if r.phrases.is_events(owner, view):
        return r.report(
            "missing-scope",
            f"It is not said which `{owner}` is meant.",
            expr.span,
            view,
            f"write `previous {owner}.{word}`, `first {owner}.{word} in the round`, "
            f"`sum of {owner}.{word} since ...` or the like",
        )
    span = r.desk.spot(view.file, expr.span, owner)
    if isinstance(bound, Typed) or owner in r.desk.symbols.definitions:
        return r.report(
            "not-a-value",
            f"`{owner}` is a value and not an event, so it has no fields.",
            span,
            view,
        )
    if owner == "trigger":
        return r.report(
            "not-a-value",
            "`trigger` cannot stand here: it means the event at which a rule is applied.",
            span,
            view,
            "leave out `trigger.`",
        )
    if not r.desk.symbols.excused(owner):
        aliases = [name for name, item in view.names.items() if isinstance(item, Alias)]
        advice = ""
        if re.search(rf"\bas\s+{owner}\b", r.desk.sources[view.file].text):
            advice = f"`{owner}` is known only inside the phrase that names it with `as`"
        r.phrases.report_unknown_event(owner, span, view, aliases, advice)
    return BROKEN


# ---- options and readings ------------------------------------------------------------------


def option(r: Resolver, expr: syntax.Option, view: View, expect: Kind | None) -> Typed:
    """What the licensee elected for the table."""
    found = r.desk.schema.options.get(expr.name)
    if found is None:
        message, suggestion = unknown_option(r.desk, expr.name)
        span = r.desk.spot(view.file, expr.span, expr.name, after="option")
        return r.report("unknown-option", message, span, view, suggestion)
    value = core.OptionValue(expr.name, view.var, found.kind.name, place=r.place(expr, view))
    return Typed(value, found.kind)


def reading(r: Resolver, expr: syntax.ReadingOf, view: View, expect: Kind | None) -> Typed:
    """Which reading of a doubtful passage is applied."""
    symbols = r.desk.symbols
    found = symbols.interpretations.get(expr.name)
    if found is None:
        if symbols.excused(expr.name):
            return BROKEN
        return r.report(
            "unknown-reading",
            f"There is no interpretation `{expr.name}`.",
            r.desk.spot(view.file, expr.span, expr.name, after="reading"),
            view,
            nearest(expr.name, symbols.interpretations)
            or f"declare it: `interpretation {expr.name}`",
        )
    symbols.used.add(("interpretation", expr.name))
    words = tuple(item.name for item in found.readings)
    # The name has a blank in it, so that it can never be mistaken for a kind such as `number`.
    kind = enum_kind(EnumType(f"reading {expr.name}", words, False, found.title))
    return Typed(core.ReadingValue(expr.name, place=r.place(expr, view)), kind)
