"""What lost records leave in doubt: which patterns they may match, and which answers they may
change.

A lost record may have been any event of the types that it can have been, or one that matters to
nobody. What is missing because of a field that nobody recorded stays missing in the whole log;
what is missing because of a lost record may be anything there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from compliance.reference.runs import Environment
from compliance.reference.scene import Scene
from event_schemas import Event, LostRecord
from rules_dsl import core


def may_be_one(event: Event, pattern: core.Pattern) -> bool:
    """Whether a lost record can have been an event that a pattern means."""
    return isinstance(event, LostRecord) and not event.may_be.isdisjoint(pattern.types)


def may_change(scene: Scene, expressions: Iterable[core.Expr], env: Environment) -> bool:
    """Whether a lost record could change what some expressions answer.

    It could if it may match anything that is looked for in them, or the beginning or end of an
    interval that they name or that the slice is a run of; or if it leaves an option in doubt.
    """
    intervals = scene.circumstances.rulebook.intervals
    parts = [found for item in expressions for found in _parts(item, intervals, frozenset())]
    patterns = [part for part, _ in parts if isinstance(part, core.Pattern)]
    if patterns and scene.run_of is not None:
        run = intervals[scene.run_of]
        patterns += [
            part
            for part, _ in _parts(run, intervals, frozenset({run.name}))
            if isinstance(part, core.Pattern)
        ]
    if any(may_be_one(event, pattern) for event in scene.events for pattern in patterns):
        return True
    options = scene.circumstances.options
    return any(
        options.doubt(part.name, event) is not None
        for part, inside in parts
        if isinstance(part, core.OptionValue)
        # An interval has events of its own, whatever they are called.
        for event in (
            [scene.events[env[part.at]]] if part.at in env and not inside else scene.events
        )
    )


def _parts(
    part: Any, intervals: dict[str, core.Interval], inside: frozenset[str]
) -> Iterator[tuple[core.Core, frozenset[str]]]:
    """A part of a rule and all that it is made of, with the intervals that it names; and for each
    the intervals that it stands in."""
    if isinstance(part, tuple):
        for item in part:
            yield from _parts(item, intervals, inside)
    if not isinstance(part, core.Core):
        return
    yield part, inside
    for name in part.__struct_fields__:
        yield from _parts(getattr(part, name), intervals, inside)
    if isinstance(part, core.Window) and part.interval is not None and part.interval not in inside:
        yield from _parts(intervals[part.interval], intervals, inside | {part.interval})
