"""The nodes of a plan as Python sees them, and which rules ask each of them."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from compliance.plan.nodes import NODE_KINDS, WORDS, NodeKind
from compliance.plan.plan import Plan


@dataclass(frozen=True)
class Node:
    """One node: where it stands, its kind, its parts by name, and the list at its end."""

    at: int
    kind: NodeKind
    parts: Mapping[str, int]
    items: tuple[int, ...]

    def __getitem__(self, part: str) -> int:
        return self.parts[part]

    def word(self, part: str, words: str | None = None) -> str:
        """The word of the rule language that a part stands for."""
        return str(WORDS[words or part][self.parts[part]])


class Graph:
    """All nodes of a plan."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self._code = array("q", plan.code)

    def node(self, at: int) -> Node:
        """The node that stands at a place."""
        kind = NODE_KINDS[self._code[at]]
        end = at + 1 + len(kind.parts)
        parts = dict(zip(kind.parts, self._code[at + 1 : end], strict=True))
        size = self._code[end] if kind.items else 0
        return Node(at, kind, parts, tuple(self._code[end + 1 : end + 1 + size]))

    def below(self, at: int) -> set[int]:
        """A node and all that it is made of, intervals too."""
        found: set[int] = set()
        left = [at]
        while left:
            place = left.pop()
            if place not in found:
                found.add(place)
                left += self._next(self.node(place))
        return found

    def _next(self, node: Node) -> Iterator[int]:
        for name in node.kind.nodes:
            if node[name] >= 0:
                yield node[name]
        if node.kind.items == "nodes":
            yield from node.items
        elif node.kind.name == "edge":
            yield from node.items[1::2]
        for name in ("interval", "ends"):
            if node.parts.get(name, -1) >= 0:
                yield self.plan.intervals[node[name]]

    @cached_property
    def asked_by(self) -> Mapping[int, frozenset[int]]:
        """For each node the numbers of the rules that ask it."""
        found: dict[int, set[int]] = {}
        for edition in self.plan.editions:
            for place in self.below(edition.at):
                found.setdefault(place, set()).add(edition.rule)
        return {place: frozenset(rules) for place, rules in found.items()}
