"""The intervals that a rule speaks of, and the events that begin and end their runs."""

from __future__ import annotations

from collections.abc import Iterable

from rules_dsl import core
from rules_dsl.traverse import all_parts


def intervals_of(edition: core.Edition) -> tuple[str, ...]:
    """The intervals that an edition itself names, its message included."""
    named = {edition.slice.interval, edition.trigger.ends} | _named(all_parts(edition))
    for message in edition.message:
        if message.value is not None:
            named |= _named(all_parts(message.value))
    return tuple(sorted(name for name in named if name is not None))


def run_types(rulebook: core.Rulebook, edition: core.Edition) -> frozenset[str]:
    """The event types that tell where the runs begin and end, also of intervals within them."""
    types: set[str] = set()
    known: set[str] = set()
    waiting = set(intervals_of(edition))
    while waiting:
        name = waiting.pop()
        known.add(name)
        for part in all_parts(rulebook.intervals[name]):
            if isinstance(part, core.Pattern):
                types |= set(part.types)
            elif isinstance(part, core.Window) and part.interval not in (None, *known):
                waiting.add(str(part.interval))
    return frozenset(types)


def _named(parts: Iterable[core.Core]) -> set[str | None]:
    return {part.interval for part in parts if isinstance(part, core.Window)}
