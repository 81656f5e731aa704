"""Goes through a rule part by part, and knows at each point which events are being talked about."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rules_dsl import core

Types = Mapping[int, tuple[str, ...]]
"""The event types that each event variable in scope can be of."""


def parts(node: core.Core) -> Iterator[core.Core]:
    """The parts directly inside a part."""
    for name in node.__struct_fields__:
        value = getattr(node, name)
        for part in value if isinstance(value, tuple) else (value,):
            if isinstance(part, core.Core):
                yield part


def scope_inside(node: core.Core, types: Types) -> Types:
    """The event variables that are known inside a part, given those known around it."""
    if isinstance(node, core.Pattern):
        return {**types, node.var: node.types}
    if isinstance(node, core.Every | core.Aggregate | core.InOrder | core.NextSeat):
        return {**types, node.events.pattern.var: node.events.pattern.types}
    if isinstance(node, core.Edition):
        return {**types, core.TRIGGER: node.trigger.pattern.types}
    return types


def walk(node: core.Core, types: Types | None = None) -> Iterator[tuple[core.Core, Types]]:
    """A part and everything inside it, outer parts first, each with the variables in scope."""
    known = types or {}
    yield node, known
    inner = scope_inside(node, known)
    for part in parts(node):
        yield from walk(part, inner)


def all_parts(node: core.Core) -> Iterator[core.Core]:
    """A part and everything inside it, outer parts first."""
    return (part for part, _ in walk(node))
