"""Resolves where a phrase looks: earlier, later, since another event, in the round."""

from __future__ import annotations

import re
from typing import Any

from event_schemas import PLAIN_KINDS, parse_value
from rules_dsl import core, syntax
from rules_dsl.resolve.names import View
from rules_dsl.resolve.pending import NOT_YET
from rules_dsl.resolve.resolver import Phrases

_TO_THE_TRIGGER = ("up to the trigger", "before the trigger")
_PAST = {"earlier", "so far", "since", *_TO_THE_TRIGGER}
_FUTURE = {"later", "before"}


def window(
    phrases: Phrases, phrase: syntax.Phrase, view: View, default: str | None
) -> core.Window | None:
    """The window of a phrase. `default` is the reach when the phrase has no scope of its own."""
    desk = phrases.desk
    scopes = [scope for scope in phrase.scopes if scope.kind != NOT_YET]
    if not scopes and default is None:
        if phrase.where is not None and loose_temporal(phrase.where) is not None:
            # The scope was swallowed by `where`, and that has been said.
            return None
        desk.report(
            "missing-scope",
            f"It is not said when `{desk.quoted(view.file, phrase.head.span)}` is looked for.",
            view.file,
            phrase.head.span,
            _several_events(phrases, phrase, view)
            or "add `earlier`, `later`, `so far`, `since ...`, `before ...`, `in the round` "
            "or the like",
        )
        return None
    parts: dict[str, Any] = {}
    for scope in scopes:
        for name, value in _scope(phrases, scope, view).items():
            if name in parts:
                desk.report(
                    "mixed-scopes",
                    f"`{desk.quoted(view.file, scope.span)}` says again where to look.",
                    view.file,
                    scope.span,
                    "leave one of the two out",
                )
            parts[name] = value
    if not _one_direction(phrases, phrase, view):
        return None
    reaches = [_reach(scope) for scope in scopes if _reach(scope) is not None]
    reach: Any = reaches[0] if reaches else (default or "whole")
    if "after" in parts and not _alone(phrases, scopes, view):
        return None
    return core.Window(reach, **parts, place=desk.place(view.file, phrase.span))


def _alone(phrases: Phrases, scopes: list[syntax.Scope], view: View) -> bool:
    """`up to the trigger` is said inside another phrase, and says all about where to look."""
    desk = phrases.desk
    scope = next(item for item in scopes if item.kind in _TO_THE_TRIGGER)
    if view.var == core.TRIGGER:
        instead = "so far" if scope.kind == "up to the trigger" else "earlier"
        desk.report(
            "mixed-scopes",
            f"`{scope.kind}` is said inside another phrase; here the trigger is the event in hand.",
            view.file,
            scope.span,
            f"write `{instead}`",
        )
        return False
    for other in scopes:
        if other is not scope:
            desk.report(
                "mixed-scopes",
                f"`{scope.kind}` says already where to look.",
                view.file,
                other.span,
                "leave this out, or say it after `where`",
            )
            return False
    return True


def _several_events(phrases: Phrases, phrase: syntax.Phrase, view: View) -> str:
    """`no card_burned or card_dealt earlier`: both events were meant."""
    text = phrases.desk.sources[view.file].text
    beside = re.compile(r"\s+or\s+([a-z][a-z0-9_]*)").match(text, phrase.head.span.end)
    if beside is None or phrase.head.field or not phrases.is_events(beside[1], view):
        return ""
    names = ", ".join((*phrase.head.events, beside[1]))
    return f"write `any of ({names})` if either is meant, or say when each is looked for"


def _one_direction(phrases: Phrases, phrase: syntax.Phrase, view: View) -> bool:
    desk = phrases.desk
    first: syntax.Scope | None = None
    for scope in phrase.scopes:
        if _reach(scope) is None:
            continue
        if first is None:
            first = scope
        elif _reach(scope) != _reach(first):
            ahead = _reach(scope) == "future"
            desk.report(
                "mixed-scopes",
                f"`{desk.quoted(view.file, first.span)}` looks {'back' if ahead else 'ahead'}, "
                f"but `{desk.quoted(view.file, scope.span)}` looks {'ahead' if ahead else 'back'}.",
                view.file,
                scope.span,
                "use only one direction, or two conditions joined by `and`",
            )
            return False
    return True


def _scope(phrases: Phrases, scope: syntax.Scope, view: View) -> dict[str, Any]:
    desk = phrases.desk
    parts: dict[str, Any] = {}
    if scope.interval is not None and phrases.check_interval(scope.interval, scope, view):
        parts["interval"] = phrases.real_name(scope.interval, view)
        parts["which"] = scope.which
    if scope.kind in ("so far", "up to the trigger"):
        parts["inclusive"] = True
    if scope.kind in _TO_THE_TRIGGER:
        parts["after"] = view.var
    if scope.target is not None:
        target = scope.target
        found = phrases.pattern(target, view, anchor=view)
        extra = target.scopes[0] if target.scopes else target.per
        if extra is not None or target.head.field is not None:
            name = target.head.field or ""
            field = desk.spot(view.file, target.head.span, name, after=".")
            desk.report(
                "not-a-value",
                f"After `{scope.kind}` stands an event, with a `where` at most.",
                view.file,
                extra.span if extra is not None else field,
                f"leave out `.{name}`"
                if extra is None
                else "leave this out, or say it after `where` in brackets",
            )
        if found is not None:
            parts[scope.kind] = found[0]
            _warn_of_the_future(phrases, scope, found[0], view)
    if scope.length is not None:
        near = scope.kind in ("within", "less than")
        parts["within" if near else "at_least"] = phrases.expressions.duration(scope.length, view)
        if scope.kind in ("less than", "more than"):
            parts[scope.kind.replace(" ", "_")] = True
    if scope.farthest is not None:
        parts["within"] = phrases.expressions.duration(scope.farthest, view)
        _lengths_in_order(phrases, scope, parts["at_least"], parts["within"], view)
    return parts


def _lengths_in_order(
    phrases: Phrases, scope: syntax.Scope, near: core.Expr, far: core.Expr, view: View
) -> None:
    """`between 10 and 3 seconds earlier` finds nothing, and never will."""
    if not (isinstance(near, core.Const) and isinstance(far, core.Const)):
        return
    if near.kind != "duration" or far.kind != "duration":  # what is wrong with them has been said
        return
    lengths: list[Any] = [parse_value(PLAIN_KINDS["duration"], part.text) for part in (near, far)]
    if lengths[0] > lengths[1]:
        side = "earlier" if scope.backwards else "later"
        phrases.desk.report(
            "never-true",
            f"Nothing is at least {near.text} and at most {far.text} {side}.",
            view.file,
            scope.span,
            f"write `between {far.text} and {near.text} {side}`",
        )


def _warn_of_the_future(
    phrases: Phrases, scope: syntax.Scope, target: core.Pattern, view: View
) -> None:
    """`card_burned before card_dealt`, at a `card_dealt`: people mean what came earlier."""
    if scope.target is None:
        return
    desk = phrases.desk
    written = desk.text(view.file, scope.span)
    plain = target.where is None and written == f"before {' '.join(scope.target.head.events)}"
    if scope.kind != "before" or not plain or view.var != core.TRIGGER:
        return
    if target.types == view.types:
        name = target.types[0]
        desk.report(
            "looks-ahead",
            f"`{written}` looks ahead, from this `{name}` to the next one.",
            view.file,
            scope.span,
            f"write `earlier` for the past, or `before the next {name}` if this is meant",
        )


def _reach(scope: syntax.Scope) -> str | None:
    if scope.kind in _PAST or scope.which == "previous":
        return "past"
    if scope.kind in _FUTURE or scope.which == "next":
        return "future"
    if scope.length is not None:
        return "past" if scope.backwards else "future"
    return None


def loose_temporal(expr: syntax.Expr) -> syntax.Expr | None:
    """The first part that speaks of other events and stands in no brackets."""
    if expr.bracketed:
        return None
    if syntax.looks_for_events(expr):
        return expr
    for name in expr.__struct_fields__:
        value = getattr(expr, name)
        for part in value if isinstance(value, tuple) else (value,):
            if isinstance(part, syntax.Expr):
                loose = loose_temporal(part)
                if loose is not None:
                    return loose
    return None
