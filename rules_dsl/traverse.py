"""Goes through a rule part by part, and knows at each point which events are being talked about."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, get_args, get_type_hints

from rules_dsl import core

Types = Mapping[int, tuple[str, ...]]
"""The event types that each event variable in scope can be of."""
NO_EVENTS: frozenset[int] = frozenset()


def parts(node: core.Core) -> Iterator[core.Core]:
    """The parts directly inside a part."""
    return (part for _, part in named_parts(node))


def named_parts(node: core.Core) -> Iterator[tuple[str, core.Core]]:
    """The parts directly inside a part, each with the name of the field that it stands in."""
    for name in node.__struct_fields__:
        value = getattr(node, name)
        for part in value if isinstance(value, tuple) else (value,):
            if isinstance(part, core.Core):
                yield name, part


@cache
def asked_of_each(kind: type[core.Core]) -> frozenset[str]:
    """The fields of a kind of part that speak of each of the events that it finds."""
    hints = get_type_hints(kind, include_extras=True)
    return frozenset(name for name, hint in hints.items() if _is_of_each(hint))


def _is_of_each(hint: Any) -> bool:
    marks = getattr(hint, "__metadata__", ())
    return core.OF_EACH in marks or any(map(_is_of_each, get_args(hint)))


def introduced(node: core.Core) -> core.Pattern | None:
    """The pattern of the event that a part introduces to what stands inside it."""
    if isinstance(node, core.Pattern):
        return node
    if isinstance(node, core.Edition):
        return node.trigger.pattern
    return node.events.pattern if asked_of_each(type(node)) else None  # type: ignore[attr-defined]


def spoken_of(node: core.Core) -> frozenset[int]:
    """The event that a part itself names: whose field it is, from which one it looks."""
    if isinstance(node, core.Field):
        return frozenset({node.var})
    if isinstance(node, core.OptionValue | core.Events):
        return frozenset({node.at})
    if isinstance(node, core.Window) and node.after is not None:
        return frozenset({node.after})
    return NO_EVENTS


def free_events(node: core.Core) -> frozenset[int]:
    """The events that a part speaks of without having introduced them itself."""
    own = introduced(node)
    inside = {"where"} if isinstance(node, core.Pattern) else asked_of_each(type(node))
    found = spoken_of(node)
    for name, part in named_parts(node):
        free = free_events(part)
        found |= free - {own.var} if own is not None and name in inside else free
    return found


def scope_inside(node: core.Core, types: Types) -> Types:
    """The event variables that are known inside a part, given those known around it."""
    own = introduced(node)
    return types if own is None else {**types, own.var: own.types}


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
