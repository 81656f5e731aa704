"""Which types can stand between the two neighbours of a lost record? Those that the table's own log
shows beside them, or too seldom to tell.

Two types that a table records hundreds of times, and never the one right after the other, do not
stand so at a hole either, if the table kept its habits (docs/logs.md, "What a lost record can have
been").
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from compliance.integrity.table_events import TableEvents
from compliance.table_log.columns import Flags, Integers

ENOUGH: Final = 200
"""So often a type must have a known neighbour before its neighbours count as a habit."""
_FEW: Final = 3
"""More records than this in a row may be of nearly any type: nothing is asked of them."""


class UsualNeighbours:
    """Which type of a table's records may follow which."""

    def __init__(self, events: TableEvents, gaps: Integers, fresh_from: int = 0) -> None:
        """`gaps` are the places before which records are lost; before `fresh_from` not all records
        of the table are there."""
        self._events = events
        self._fresh_from = fresh_from
        self._places = Counter(gaps.tolist())
        self._may_follow = self._found(gaps)
        self._known: dict[tuple[int, int, int], frozenset[str]] = {}

    def _found(self, gaps: Integers) -> npt.NDArray[np.bool_]:
        types = self._events.types.astype(np.int64)
        size = len(self._events.type_names) + 1
        whole = np.ones(max(len(types) - 1, 0), dtype=np.bool_)
        whole[gaps[(gaps > 0) & (gaps < len(types))] - 1] = False
        whole[: self._fresh_from] = False
        pairs = types[:-1][whole] * size + types[1:][whole]
        often = np.bincount(pairs, minlength=size * size).reshape(size, size)
        known = (often.sum(axis=1) >= ENOUGH)[:, None] & (often.sum(axis=0) >= ENOUGH)[None, :]
        may_follow: npt.NDArray[np.bool_] = (often > 0) | ~known
        return may_follow

    def unusual(self, before: int, times: int) -> frozenset[str]:
        """The types that none of the records lost at a place can have been by habit."""
        inside = self._fresh_from < before < len(self._events)
        if not inside or times > _FEW or self._places[before] > 1:
            return frozenset()
        first, last = self._events.types[before - 1 : before + 1].tolist()
        if (first, last, times) not in self._known:
            self._known[first, last, times] = self._unusual_between(first, last, times)
        return self._known[first, last, times]

    def _unusual_between(self, first: int, last: int, times: int) -> frozenset[str]:
        after_it = self._steps(first, times, self._may_follow)
        before_it = self._steps(last, times, self._may_follow.T)
        possible = np.zeros(len(self._may_follow), dtype=np.bool_)
        for many in range(1, times + 1):
            # Perhaps fewer are lost: a line that was set aside may be that of another table.
            for step in range(many):
                possible |= after_it[step] & before_it[many - 1 - step]
        names = self._events.type_names
        return frozenset(names[number] for number in np.flatnonzero(~possible[: len(names)]))

    @staticmethod
    def _steps(start: int, times: int, follow: npt.NDArray[np.bool_]) -> Sequence[Flags]:
        """What may stand one step from a type, two steps, and so on."""
        found: list[Flags] = [follow[start]]
        for _ in range(times - 1):
            found.append(np.any(follow[found[-1]], axis=0))
        return found
