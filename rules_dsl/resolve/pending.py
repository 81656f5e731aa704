"""Resolves what is still pending: `wager_placed not yet followed by (wager_paid with same seat)`.

It is written out as a condition on each of the events, with a phrase that the language has already:
no such event between it and the event that the phrase is seen from.
"""

from __future__ import annotations

import msgspec

from rules_dsl import core, syntax
from rules_dsl.resolve.names import View
from rules_dsl.resolve.resolver import Phrases

NOT_YET = "not yet followed by"


def still_pending(
    phrases: Phrases,
    scope: syntax.Scope,
    pattern: core.Pattern,
    found: core.Window,
    inside: View,
    view: View,
) -> core.Pattern:
    """Of the events of a pattern those that no other one has followed, up to the event in hand."""
    desk = phrases.desk
    if found.reach != "past" or found.which != "this":
        desk.report(
            "mixed-scopes",
            "`not yet` looks back from this event, but the phrase does not.",
            view.file,
            scope.span,
            "add `earlier`, `so far` or `since ...`",
        )
        return pattern
    answer = phrases.pattern(scope.target, inside, anchor=inside) if scope.target else None
    if answer is None:
        return pattern
    place = desk.place(view.file, scope.span)
    # Seen from where the phrase is seen from, so that what has not happened yet is not asked.
    between = core.Window("past", inclusive=found.inclusive, after=pattern.var, place=place)
    at = view.var if found.after is None else core.TRIGGER
    events = core.Events(at, answer[0], between, place=place)
    none = core.HowMany("at most", core.Const("number", "0"), events, place=place)
    both = none if pattern.where is None else core.And((pattern.where, none))
    return msgspec.structs.replace(pattern, where=both)
