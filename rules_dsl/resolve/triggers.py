"""Resolves when a rule is applied, and the values that it names at that moment with `let`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from event_schemas.limits import MOST_LETS
from rules_dsl import core, syntax
from rules_dsl.resolve.editions import EditionClauses
from rules_dsl.resolve.expressions import ExpressionResolver
from rules_dsl.resolve.names import Alias, Desk, Macro, View

HOLE = re.compile(r"\{([^{}]*)\}")


def trigger(
    expressions: ExpressionResolver, edition: EditionClauses, names: dict[str, Macro], file: int
) -> tuple[core.Trigger | None, View]:
    """The event at which the rule is applied, and the view from there.

    Where the event is not known, nothing is said about its fields, but the rest is checked.
    """
    triggers = edition.all_of(syntax.When, syntax.WhenEnds)
    clause, home = triggers[-1] if triggers else (None, file)
    outside = View(-1, (), core.TRIGGER, home, dict(names))
    found: core.Trigger | None = None
    view = outside.entering((), None)
    if isinstance(clause, syntax.When):
        found, view = _when(expressions, clause, outside)
    elif isinstance(clause, syntax.WhenEnds):
        found, view = _when_ends(expressions, clause, outside)
    return found, view.binding("trigger", Alias(core.TRIGGER, view.types))


def _when(
    expressions: ExpressionResolver, clause: syntax.When, outside: View
) -> tuple[core.Trigger | None, View]:
    phrase = clause.phrase
    sound = _only_an_event(expressions.desk, clause, outside.file)
    # What cannot follow `when` has been reported; the rest is read without it.
    plain = syntax.Phrase(phrase.head, phrase.alias, (), phrase.where, span=phrase.span)
    pattern, view = expressions.phrases.pattern_or_unseen(plain, outside)
    if pattern is None or not sound:
        return None, view
    since = None
    target = phrase.scopes[0].target if clause.first else None
    if target is not None:
        inner = expressions.phrases.pattern(target, view, anchor=view)
        if inner is None:
            return None, view
        since = inner[0]
    return core.Trigger(pattern, since, place=pattern.place), view


def _only_an_event(desk: Desk, clause: syntax.When, file: int) -> bool:
    """`when` names one event that happens now; where else to look belongs into a condition."""
    phrase = clause.phrase
    if phrase.head.field is not None:
        desk.report(
            "scope-in-trigger",
            f"`when` names an event, not the field `{phrase.head.field}`.",
            file,
            desk.spot(file, phrase.head.span, phrase.head.field, after="."),
            f"leave out `.{phrase.head.field}`",
        )
        return False
    if phrase.same or phrase.per is not None:
        word = "with same" if phrase.same else f"{phrase.per.which} per" if phrase.per else ""
        desk.report(
            "scope-in-trigger",
            f"`{word}` cannot follow `when`, because there is no other event to compare with.",
            file,
            desk.spot(file, phrase.span, word),
            "put the condition into `only if`",
        )
        return False
    if clause.first:
        if len(phrase.scopes) == 1 and phrase.scopes[0].kind == "since":
            return True
        desk.report(
            "missing-scope",
            "`when first` needs `since` and another event.",
            file,
            phrase.scopes[0].span if phrase.scopes else phrase.head.span,
            "write it like `when first card_dealt since dealer_arrived`",
        )
        return False
    if phrase.scopes:
        scope = phrase.scopes[0]
        hint = "put this condition into `only if`"
        if scope.kind == "since":
            hint = f"write `when first {desk.quoted(file, phrase.span)}`, or use `only if`"
        desk.report(
            "scope-in-trigger",
            f"`{desk.quoted(file, scope.span)}` cannot follow `when`: the event happens now.",
            file,
            scope.span,
            hint,
        )
        return False
    return True


def _when_ends(
    expressions: ExpressionResolver, clause: syntax.WhenEnds, outside: View
) -> tuple[core.Trigger | None, View]:
    phrases, desk = expressions.phrases, expressions.desk
    unseen = outside.entering((), None)
    if not phrases.check_interval(clause.interval, clause, outside):
        return None, unseen
    name = phrases.real_name(clause.interval, outside)
    declared = desk.symbols.intervals[name]
    elsewhere = replace(outside, file=declared.file, names={})
    found = phrases.pattern(declared.node.closes, elsewhere)
    if found is None:
        return None, unseen
    pattern, view = found
    view = replace(view, file=outside.file, names=outside.names)
    place = desk.place(outside.file, clause.span)
    return core.Trigger(pattern, None, name, place=place), view


# ---- let -----------------------------------------------------------------------------------


def lets(
    expressions: ExpressionResolver,
    edition: EditionClauses,
    everything: Sequence[syntax.Clause],
    view: View,
) -> View:
    """The view with the names that the rule gives to values. `everything` is the whole rule."""
    desk = expressions.desk
    for number, (clause, home) in enumerate(edition.all_of(syntax.Let)):
        span = desk.spot(home, clause.span, clause.name, after="let")
        if number == MOST_LETS:
            message = f"More than {MOST_LETS} values of this rule have names."
            desk.report("too-complex", message, home, span, "split it into several rules")
            break
        taken = _taken(desk, clause.name, view)
        if taken:
            desk.report(
                "name-taken",
                f"`{clause.name}` is already the name of {taken}.",
                home,
                span,
                "choose another name",
            )
        value = expressions.value(clause.value, replace(view, file=home))
        view = view.binding(clause.name, value)
        rest = [c for c in everything if not isinstance(c, syntax.Let) or c.name != clause.name]
        if not any(_mentions(c, clause.name) for c in rest):
            desk.report(
                "unused-definition",
                f"`{clause.name}` is never used in this rule.",
                home,
                span,
                "remove it",
            )
    return view


def _taken(desk: Desk, name: str, view: View) -> str:
    if name in desk.field_names:
        return "a field"
    if name in desk.schema.events or name in desk.symbols.groups:
        return "an event"
    if name in desk.symbols.definitions:
        return "a definition"
    if name in desk.symbols.settings:
        return "a setting"
    return "something else in this rule" if name in view.names else ""


def _mentions(node: Any, name: str) -> bool:
    """Whether a clause uses a name, in a condition or in the braces of a message."""
    if isinstance(node, tuple):
        return any(_mentions(part, name) for part in node)
    if isinstance(node, syntax.Say):
        return any(re.search(rf"\b{name}\b", hole) for hole in HOLE.findall(node.text))
    if isinstance(node, syntax.Let):
        return _mentions(node.value, name)
    if isinstance(node, syntax.Name):
        return name in (node.name, node.owner)
    if isinstance(node, syntax.Node):
        return any(
            _mentions(getattr(node, field), name)
            for field in node.__struct_fields__
            if field not in syntax.OUTSIDE_EQUALITY
        )
    return False
