"""What an expression looks for in a log: by this lost records may change what it answers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from rules_dsl import core

Sought = tuple[core.Pattern | core.OptionValue, frozenset[int]]
"""A pattern or an option, with the variables that are bound inside the expression around it."""


def sought_in(part: Any, intervals: Mapping[str, core.Interval]) -> Iterator[Sought]:
    """Every pattern and every option in a part of a rule, those of the intervals that it names
    too."""
    return _sought(part, intervals, frozenset(), frozenset())


def _sought(
    part: Any, intervals: Mapping[str, core.Interval], inside: frozenset[int], met: frozenset[str]
) -> Iterator[Sought]:
    if isinstance(part, tuple):
        for item in part:
            yield from _sought(item, intervals, inside, met)
    if not isinstance(part, core.Core):
        return
    if isinstance(part, core.Interval):
        met |= {part.name}
    bound = _bound_by(part)
    if isinstance(part, core.Pattern | core.OptionValue):
        yield part, inside
    for name in part.__struct_fields__:
        yield from _sought(getattr(part, name), intervals, inside | bound, met)
    if isinstance(part, core.Window) and part.interval is not None and part.interval not in met:
        yield from _sought(intervals[part.interval], intervals, inside, met)


def _bound_by(part: core.Core) -> frozenset[int]:
    """The variables that a part binds for what stands in it."""
    if isinstance(part, core.Pattern):
        return frozenset({part.var})
    if isinstance(part, core.Every | core.Aggregate | core.InOrder | core.NextSeat):
        return frozenset({part.events.pattern.var})
    return frozenset()
