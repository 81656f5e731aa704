"""What an expression looks for in a log: by this lost records may change what it answers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rules_dsl import core
from rules_dsl.traverse import introduced, parts

Sought = tuple[core.Pattern | core.OptionValue, frozenset[int]]
"""A pattern or an option, with the variables that are bound inside the expression around it."""


def sought_in(part: core.Core, intervals: Mapping[str, core.Interval]) -> Iterator[Sought]:
    """Every pattern and every option in a part of a rule, those of the intervals that it names
    too."""
    return _sought(part, intervals, frozenset(), frozenset())


def _sought(
    part: core.Core,
    intervals: Mapping[str, core.Interval],
    inside: frozenset[int],
    met: frozenset[str],
) -> Iterator[Sought]:
    if isinstance(part, core.Interval):
        met |= {part.name}
    own = introduced(part)
    bound = frozenset[int]() if own is None else frozenset({own.var})
    if isinstance(part, core.Pattern | core.OptionValue):
        yield part, inside
    for inner in parts(part):
        yield from _sought(inner, intervals, inside | bound, met)
    if isinstance(part, core.Window) and part.interval is not None and part.interval not in met:
        yield from _sought(intervals[part.interval], intervals, inside, met)
