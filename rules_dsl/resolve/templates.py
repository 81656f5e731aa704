"""Fills in templates: a rule made from one takes over its clauses, with its own arguments."""

from __future__ import annotations

from collections.abc import Iterator

from rules_dsl import syntax
from rules_dsl.diagnostics import listed, nearest
from rules_dsl.parsing.nesting import parts_of
from rules_dsl.resolve.editions import PlacedClause
from rules_dsl.resolve.names import Declared, Desk, Macro
from rules_dsl.resolve.unknown import unknown_event

Filled = tuple[list[PlacedClause], dict[str, Macro]]


def clauses_of(desk: Desk, rule: syntax.Rule, file: int) -> Filled | None:
    """A rule's clauses, its template's first, and what the template's parameters stand for."""
    own = [PlacedClause(clause, file) for clause in rule.clauses]
    if rule.template is None:
        return own, {}
    declared = desk.symbols.templates.get(rule.template)
    span = desk.spot(file, rule.span, rule.template, after="from")
    if declared is None:
        if not desk.symbols.excused(rule.template):
            desk.report(
                "unknown-template",
                f"There is no template `{rule.template}`.",
                file,
                span,
                nearest(rule.template, desk.symbols.templates),
            )
        return None
    desk.symbols.used.add(("template", rule.template))
    if not _arguments_fit(desk, rule, file, declared, span):
        return None
    names = {item.name: Macro(item.value, file) for item in rule.arguments}
    template = [
        PlacedClause(clause, declared.file, from_template=True) for clause in declared.node.clauses
    ]
    return template + own, names


def _arguments_fit(
    desk: Desk,
    rule: syntax.Rule,
    file: int,
    declared: Declared[syntax.Template],
    span: syntax.Span,
) -> bool:
    parameters = declared.node.parameters
    before = len(desk.diagnostics)
    given: set[str] = set()
    for argument in rule.arguments:
        problem, suggestion = "", ""
        if argument.name not in parameters:
            problem = f"The template `{rule.template}` has no parameter `{argument.name}`."
            suggestion = nearest(argument.name, parameters) or (
                f"it has {listed(parameters, joined_by='and')}"
                if parameters
                else "leave out `with`"
            )
        elif argument.name in given:
            problem = f"`{argument.name}` is given twice."
            suggestion = "keep one of the two"
        given.add(argument.name)
        if problem:
            name = desk.spot(file, argument.span, argument.name)
            desk.report("wrong-arguments", problem, file, name, suggestion)
    missing = [name for name in parameters if name not in given]
    # A misspelt parameter is also a missing one: that is one mistake, not two.
    if missing and len(desk.diagnostics) == before:
        desk.report(
            "wrong-arguments",
            f"The template `{rule.template}` also needs {listed(missing, joined_by='and')}.",
            file,
            span,
            f"write `with {missing[0]} = ...`",
        )
    return len(desk.diagnostics) == before


def check_unused_templates(desk: Desk) -> None:
    """A template that no rule is made from is looked at where it stands: its events must exist."""
    symbols = desk.symbols
    for name, declared in symbols.templates.items():
        if ("template", name) in symbols.used or name in symbols.damaged:
            continue
        phrases = list(_phrases(declared.node))
        known = {
            *declared.node.parameters,
            *(phrase.alias for phrase in phrases if phrase.alias),
            *desk.schema.events,
            *symbols.groups,
            *symbols.definitions,
        }
        for phrase in phrases:
            for event in phrase.head.events:
                if event not in known and not symbols.excused(event):
                    message, suggestion = unknown_event(desk, event)
                    span = desk.spot(declared.file, phrase.head.span, event)
                    desk.report("unknown-event", message, declared.file, span, suggestion)


def _phrases(template: syntax.Template) -> Iterator[syntax.Phrase]:
    waiting: list[syntax.Node] = [template]
    while waiting:
        node = waiting.pop()
        if isinstance(node, syntax.Phrase):
            yield node
        waiting.extend(parts_of(node))


def filled(desk: Desk, text: str, names: dict[str, Macro]) -> str:
    """A text with the template's arguments put in for their names in braces."""
    for name, macro in names.items():
        text = text.replace("{" + name + "}", desk.text(macro.file, macro.expr.span))
    return text
