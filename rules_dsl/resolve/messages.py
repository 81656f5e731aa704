"""Resolves the sentences of a rule: values in braces in `otherwise say`, plain words elsewhere."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from rules_dsl import core, syntax
from rules_dsl.parsing.parser import parse_expression
from rules_dsl.resolve.editions import EditionClauses
from rules_dsl.resolve.expressions import ExpressionResolver
from rules_dsl.resolve.names import Desk, Macro, Typed, View
from rules_dsl.resolve.templates import filled
from rules_dsl.resolve.triggers import HOLE
from rules_dsl.source import Source
from rules_dsl.syntax import Span


def message(
    expressions: ExpressionResolver, edition: EditionClauses, view: View, names: dict[str, Macro]
) -> tuple[core.MessagePart, ...]:
    """The sentence of a finding: fixed words, and values worked out at the trigger."""
    found = edition.last_of(syntax.Say)
    if found is None:
        return ()
    clause, home = found
    desk = expressions.desk
    text = filled(desk, clause.text, names)
    parts: list[core.MessagePart] = []
    at = 0
    for hole in HOLE.finditer(text):
        parts.append(core.MessagePart(text[at : hole.start()]))
        typed = _hole(expressions, hole[1], clause, replace(view, file=home))
        if typed is not None:
            parts.append(core.MessagePart(hole[1], typed.core, typed.kind.name))
        at = hole.end()
    parts.append(core.MessagePart(text[at:]))
    if any("{" in part.text or "}" in part.text for part in parts if part.value is None):
        desk.report(
            "bad-message",
            "A brace in this message has no partner.",
            home,
            _lonely_brace(desk.sources[home], clause.span),
            "write fields as `{seat}`",
        )
    return tuple(part for part in parts if part.text or part.value is not None)


def _lonely_brace(source: Source, span: Span) -> Span:
    opened: int | None = None
    for at in range(span.start, span.end):
        character = source.text[at]
        if character == "{":
            if opened is not None:
                break
            opened = at
        elif character == "}":
            if opened is None:
                return Span(at, at + 1)
            opened = None
    return span if opened is None else Span(opened, opened + 1)


def _hole(
    expressions: ExpressionResolver, text: str, clause: syntax.Say, view: View
) -> Typed | None:
    desk = expressions.desk
    source = desk.sources[view.file]
    found = source.text.find("{" + text + "}", clause.span.start, clause.span.end)
    # A value that is broken over two lines of text stands nowhere in one piece.
    span = clause.span if found < 0 else Span(found + 1, found + 1 + len(text))
    if not text.strip():
        desk.report(
            "bad-message",
            "Nothing stands between these braces.",
            view.file,
            Span(span.start - 1, span.end + 1),
            "name a field, like `{seat}`",
        )
        return None
    own = Source(source.name, text)
    parsed = (
        parse_expression(own, Span(0, len(text))) if found < 0 else parse_expression(source, span)
    )
    if not isinstance(parsed, syntax.Expr):
        desk.report(
            "bad-message",
            f"`{{{text}}}` in this message is neither a field nor a value that can be worked out.",
            view.file,
            span,
            "name a field, like `{seat}`, or a value, like `{count of card_dealt so far}`",
        )
        return None
    return expressions.value(_moved(parsed, span) if found < 0 else parsed, view)


def check_plain_texts(desk: Desk, edition: EditionClauses, names: dict[str, Macro]) -> None:
    """Only `otherwise say` shows values; braces anywhere else would be printed as they stand."""
    for clause, home in edition.all_of(syntax.Title, syntax.Remedy, syntax.Note):
        for hole in HOLE.finditer(filled(desk, clause.text, names)):
            desk.report(
                "bad-message",
                f"`{hole[0]}` is not filled in here, because only `otherwise say` shows values.",
                home,
                desk.spot(home, clause.span, hole[0]),
                "say it in plain words",
            )


def _moved(expr: Any, span: Span) -> Any:
    """The expression with every span set to one place: it came from inside a text."""
    if isinstance(expr, tuple):
        return tuple(_moved(part, span) for part in expr)
    if not isinstance(expr, syntax.Node):
        return expr
    fields = {name: _moved(getattr(expr, name), span) for name in expr.__struct_fields__}
    fields["span"] = span
    return type(expr)(**fields)
