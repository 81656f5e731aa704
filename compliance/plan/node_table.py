"""The nodes of a plan as they are written: equal ones once, with memos where several ask."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Sequence
from typing import Any

from compliance.plan.nodes import KIND_OF, NODE_KINDS, NONE, NUMBER_OF


class PlanProblem(Exception):
    """A rule says something that has no place in a plan; the text says what."""


class NodeTable:
    """Nodes one after the other, each with its place."""

    def __init__(self) -> None:
        self.code = array("q")
        self._places: dict[tuple[int, ...], int] = {}
        self._memos: dict[int, int] = {}
        """Of nodes whose answers may be kept: where the memo of each stands."""
        self._asked: Counter[int] = Counter()
        """How often each memo is asked for."""

    def _node(
        self, kind: str, /, items: Sequence[int] | None = None, *, asks: bool = True, **parts: int
    ) -> int:
        """Where a node stands; an equal one is not written again. Not `asks`: its items are
        asked elsewhere already."""
        known = KIND_OF[kind]
        assert set(parts) == set(known.parts), (kind, parts)
        numbers = [NUMBER_OF[kind], *(parts[name] for name in known.parts)]
        if known.items:
            assert items is not None
            numbers += [len(items), *items]
        key = tuple(numbers)
        place = self._places.get(key)
        is_new = place is None
        if place is None:
            place = self._places[key] = len(self.code)
            self.code.extend(numbers)
        # Each edition asks its own questions, also where another asks the very same.
        if is_new or kind in ("items", "exemption"):
            for name in known.nodes:
                # What is seen from another event, or of each of many, is asked again and again.
                often = kind == "seen_from" or name == "costly"
                self._note_use(parts[name], 2 if often else 1)
            for item in items or () if known.items == "nodes" and asks else ():
                self._note_use(item)
        return place

    def _note_use(self, place: int, times: int = 1) -> None:
        if place >= 0 and self.code[place] == NUMBER_OF["memo"]:
            self._asked[place] += times

    def _memo(self, node: int) -> int:
        """A node whose answers are kept once several ask for them."""
        if self.code[node] == NUMBER_OF["memo"]:
            return node
        if node not in self._memos:
            # By itself, not among the others: its number is known only at the end.
            self._memos[node] = len(self.code)
            self.code.extend((NUMBER_OF["memo"], node, NONE))
        return self._memos[node]

    def _items(self, nodes: Sequence[int], *, asks: bool = True) -> int:
        return self._node("items", items=nodes, asks=asks)

    @staticmethod
    def _numbered(known: dict[Any, int], item: Any) -> int:
        return known.setdefault(item, len(known))

    def _number_memos(self) -> int:
        """Give a number to every memo that several ask, and pass over the others; says how many
        there are."""
        memos = 0
        for at in self._memos.values():
            if self._asked[at] > 1:
                self.code[at + 2] = memos
                memos += 1
        self._pass_over_idle_memos()
        return memos

    def _pass_over_idle_memos(self) -> None:
        """Let who asks a memo that nobody else asks ask its node itself."""
        memo = NUMBER_OF["memo"]

        def target(place: int) -> int:
            while place >= 0 and self.code[place] == memo and self.code[place + 2] == NONE:
                place = self.code[place + 1]
            return place

        for at in (*self._places.values(), *self._memos.values()):
            kind = NODE_KINDS[self.code[at]]
            for number, name in enumerate(kind.parts, start=1):
                if name in kind.nodes:
                    self.code[at + number] = target(self.code[at + number])
            end = at + 1 + len(kind.parts)
            if kind.items == "nodes":
                for item in range(end + 1, end + 1 + self.code[end]):
                    self.code[item] = target(self.code[item])
            elif kind.name == "edge":
                for item in range(end + 2, end + 1 + self.code[end], 2):
                    self.code[item] = target(self.code[item])
