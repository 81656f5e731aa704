"""Refuses words that could be said of two events: those of a phrase, or the one after its `since`.

In `card_burned since dealer_arrived where ...` some readers take the condition for one on the
burned card, others for one on the dealer who arrived. The two are different rules, so neither is
guessed. A comma ends what is said of the bound, and brackets keep it together.
"""

from __future__ import annotations

from rules_dsl import syntax
from rules_dsl.parsing.lines import LineProblem
from rules_dsl.syntax import Span

_BOUNDS = ("since", "before")
_FITS_IN_BRACKETS = ("as", "with same", "where")


def is_open_bound(scope: syntax.Scope) -> bool:
    """Whether what follows could still be said of the event after `since` or `before`."""
    return scope.target is not None and not scope.target.bracketed


def unclear_bound(
    head: syntax.Head, bound: syntax.Scope, words: str, start: int
) -> LineProblem | None:
    """What to say when `words` follow an open bound without a comma."""
    if bound.target is None or words in _BOUNDS:  # two bounds are never taken: that is said later
        return None
    outer, inner = _named(head), _named(bound.target.head)
    if words in _FITS_IN_BRACKETS:
        of_inner = f"`{bound.kind} ({inner} {words} ...)`"
        of_outer = f"`{outer} {words} ..., {bound.kind} {inner}`"
    else:
        of_inner = f"`{bound.kind} ({inner} where (...))`"
        of_outer = f"a comma before `{words}`"
    return LineProblem(
        "unclear-bound",
        f"`{words}` could be said of `{inner}` or of `{outer}`.",
        Span(start, start + len(words.split()[0])),
        f"write {of_inner}, or {of_outer}",
    )


def _named(head: syntax.Head) -> str:
    if not head.events:
        return "any event"
    return f"any of ({', '.join(head.events)})" if head.any_of else head.events[0]
