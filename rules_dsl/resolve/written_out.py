"""How large a rule is once every name that it gives to something is written out."""

from __future__ import annotations

from collections.abc import Iterable

from rules_dsl import core
from rules_dsl.traverse import parts


def size_and_depth(roots: Iterable[core.Core]) -> tuple[int, int]:
    """How many parts there are in all, and how many stand inside one another at most. What stands
    in several places is looked at once and counted in each; nothing here recurses, for it is asked
    of what strangers have written."""
    found: dict[int, tuple[int, int]] = {}
    size = depth = 0
    for root in roots:
        waiting: list[core.Core] = [root]
        while waiting:
            node = waiting[-1]
            inner = list(parts(node)) if id(node) not in found else []
            unknown = [part for part in inner if id(part) not in found]
            waiting += unknown
            if unknown:
                continue
            waiting.pop()
            if id(node) not in found:
                sizes = [found[id(part)] for part in inner]
                found[id(node)] = (
                    1 + sum(each for each, _ in sizes),
                    1 + max((each for _, each in sizes), default=0),
                )
        size += found[id(root)][0]
        depth = max(depth, found[id(root)][1])
    return size, depth
