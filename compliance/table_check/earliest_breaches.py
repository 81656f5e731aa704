"""Keeps track of the earliest breaches of every rule, over all tables that one process checks.

Only the first findings of a rule carry a timeline. Which ones they are is known when all tables are
checked; but a breach before which there are enough others already is surely none of them.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Sequence

Moment = tuple[float, str, int]
"""When and at which table a breach was, and its place in the table's order."""


class EarliestBreaches:
    """The moments of the first breaches of each rule so far."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._moments: dict[str, list[Moment]] = {}

    def among_first(self, rule: str, moments: Sequence[Moment]) -> list[bool]:
        """Take in more breaches of a rule, and say of each whether it may be one of the first."""
        known = self._moments.setdefault(rule, [])
        for moment in moments:
            insort(known, moment)
            del known[self._most :]
        # Breaches of one moment are told apart elsewhere.
        return [moment <= known[-1] for moment in moments]
