"""Keeps rules shallow enough to be read, by people and by the programs that come after.

A condition inside a condition inside a condition is where mistakes hide. The limits are far above
anything the law says; they are there so that no text, however odd, can bring the checker down.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from event_schemas.limits import DEEPEST_BRACKETS, DEEPEST_RULE
from rules_dsl import syntax
from rules_dsl.syntax import Span

_BRACKET = re.compile(r'"[^"\n]*"|--[^\n]*|[()]')


def bracket_too_deep(text: str, start: int, end: int) -> Span | None:
    """The first bracket that stands inside too many others."""
    depth = 0
    for match in _BRACKET.finditer(text, start, end):
        if match.group() == "(":
            depth += 1
            if depth > DEEPEST_BRACKETS:
                return Span(match.start(), match.end())
        elif match.group() == ")":
            depth = max(0, depth - 1)
    return None


def part_too_deep(root: syntax.Node) -> Span | None:
    """The first part that stands inside too many others, found without climbing down by calls."""
    waiting = [(root, 0)]
    while waiting:
        node, depth = waiting.pop()
        if depth > DEEPEST_RULE:
            return node.span
        # Examples and tables are flat: there is nothing deep to find in them.
        if not isinstance(node, syntax.Example | syntax.Table):
            waiting.extend((part, depth + 1) for part in parts_of(node))
    return None


def parts_of(node: syntax.Node) -> Iterator[syntax.Node]:
    """The parts that a part is directly made of."""
    for name in node.__struct_fields__:
        value = getattr(node, name)
        if isinstance(value, syntax.Node):
            yield value
        elif isinstance(value, tuple):
            for item in value:
                if isinstance(item, syntax.Node):
                    yield item
