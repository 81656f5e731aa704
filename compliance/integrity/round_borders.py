"""Where do the rounds of a table begin and end, and can a lost record have been such a border?

Each round begins once, with its first record, and ends once, with its last; rounds are counted. A
table of which that is not so is not asked (see docs/logs.md, "What a lost record can have been").
"""

from __future__ import annotations

from functools import cached_property
from typing import Final

import numpy as np

from compliance.integrity.rounds import ENDS
from compliance.integrity.table_events import TableEvents
from compliance.table_log.columns import Flags, Integers

START: Final = "round_started"
BORDERS: Final = (START, *ENDS)
_NO_NUMBER: Final = -(2**63)
_A_ROUND: Final = 2
"""A round takes at least so many records: its beginning and its end."""


class RoundBorders:
    """The rounds of a table, and what may begin or end one where records are lost."""

    def __init__(
        self, events: TableEvents, gaps: Integers, times: Integers, fresh_from: int
    ) -> None:
        """`gaps` are the places before which records are lost, `times` tell how many; before
        `fresh_from` not all records of the table are there."""
        self._events = events
        self._gaps = gaps
        self._lost_before = np.append(0, np.cumsum(times))
        self._fresh_from = fresh_from
        self.numbers = self._with_borders(self._said())
        self.known: Flags = self.numbers != _NO_NUMBER
        self.places = np.flatnonzero(self.known)

    def _said(self) -> Integers:
        field = self._events.field("round", "number")
        if field is None:
            return np.full(len(self._events), _NO_NUMBER, dtype=np.int64)
        return field.fill_null(_NO_NUMBER).to_numpy().astype(np.int64)

    def _with_borders(self, numbers: Integers) -> Integers:
        """The numbers of rounds, where a beginning that does not say its own has that of the next
        record that names one, and an end that of the last one: a whole round does not fit between
        them."""
        found, named = numbers.copy(), np.flatnonzero(numbers != _NO_NUMBER)
        for types, step in (((START,), 0), (ENDS, -1)):
            places = self._events.places(*types)
            places = places[numbers[places] == _NO_NUMBER]
            here = np.searchsorted(named, places) + step
            told = (here >= 0) & (here < len(named))
            places, beside = places[told], named[here[told]]
            first, last = np.minimum(places, beside), np.maximum(places, beside)
            near = self._number_lost(first, last) < _A_ROUND
            found[places[near]] = numbers[beside[near]]
        return found

    def around(self, gap: int) -> tuple[int | None, int | None]:
        """The numbers of the rounds that the last record before and the first one after name."""
        here, numbers = self._here[gap], self._numbers_in_order
        return numbers[here - 1] if here else None, numbers[here] if here < len(numbers) else None

    @cached_property
    def _here(self) -> list[int]:
        """For each gap how many records that name their round come before it."""
        found: list[int] = np.searchsorted(self.places, self._gaps, side="left").tolist()
        return found

    @cached_property
    def _numbers_in_order(self) -> list[int]:
        found: list[int] = self.numbers[self.places].tolist()
        return found

    @cached_property
    def _blocks(self) -> Integers:
        """Where another round begins, among the places that name their round."""
        numbers = self.numbers[self.places]
        return np.flatnonzero(np.diff(numbers, prepend=numbers[:1] - 1) != 0)

    @cached_property
    def never_come_again(self) -> bool:
        """Whether no number of a round comes again after another one."""
        numbers = self.numbers[self.places][self._blocks]
        return len(np.unique(numbers)) == len(numbers)

    @cached_property
    def are_clear(self) -> bool:
        """Whether every round has one beginning, which is its first record, and one end, which is
        its last, all with its number; and whether rounds are counted without a leap."""
        starts, ends = self._events.places(START), self._events.places(*ENDS)
        if not self.never_come_again or not len(self.places) or not (len(starts) or len(ends)):
            return False
        if not self.known[starts].all() or not self.known[ends].all():
            return False
        first = self.places[self._blocks]
        last = self.places[np.append(self._blocks[1:], len(self.places)) - 1]
        if not np.isin(starts, first).all() or not np.isin(ends, last).all():
            return False
        steps = np.diff(self.numbers[first])
        leaps = np.flatnonzero(steps != 1)
        if (steps < 1).any():
            return False
        # A number that is left out is that of a lost round, or numbers do not count rounds.
        fresh = leaps[first[leaps + 1] >= self._fresh_from]
        return bool(self._lost_between(last[fresh], first[fresh + 1]).all())

    @cached_property
    def _begun(self) -> frozenset[int]:
        return frozenset(self.numbers[self._events.places(START)].tolist())

    @cached_property
    def _ended(self) -> frozenset[int]:
        return frozenset(self.numbers[self._events.places(*ENDS)].tolist())

    def ruled_out(self, gap: int, together: int) -> set[str]:
        """Whether the lost records can have begun or ended a round: is there one for them?"""
        before, after = self.around(gap)
        if before is not None and before == after:
            return set(BORDERS)
        start = end = True
        if before is not None and after is not None:
            if after == before + 1:
                start, end = after not in self._begun, before not in self._ended
        elif before is not None:
            end = before not in self._ended or together > 1
        elif after is not None:
            end = after > 1
            start = after not in self._begun or (end and together > 1)
        return (set() if start else {START}) | (set() if end else set(ENDS))

    def missing(self, gap: int) -> list[frozenset[str]]:
        """What must have been lost between two rounds: the end that the one has not, and the
        beginning that the other has not."""
        here = self._here[gap]
        before, after = self.around(gap)
        if before is None or after != before + 1 or not self._are_kept:
            return []
        if self.places[here - 1] < self._fresh_from:
            return []
        end = [frozenset(ENDS)] if before not in self._ended else []
        return [*end, frozenset((START,))] if after not in self._begun else end

    @cached_property
    def _are_kept(self) -> bool:
        """Whether the log has a beginning and an end of each round, but for what may be lost."""
        first = self.places[self._blocks]
        last = self.places[np.append(self._blocks[1:], len(self.places)) - 1]
        numbers = self.numbers[first]
        # Before the first round and after the last one nobody knows what the log leaves out.
        between = (last[:-1] >= self._fresh_from) & ~self._lost_between(last[:-1], first[1:])
        begun = np.isin(numbers[1:], list(self._begun))[between]
        ended = np.isin(numbers[:-1], list(self._ended))[between]
        return len(begun) > 0 and bool(begun.all() and ended.all())

    def _lost_between(self, first: Integers, last: Integers) -> Flags:
        """Whether anything is lost after a first record and before a last one, for each pair."""
        return self._number_lost(first, last) > 0

    def _number_lost(self, first: Integers, last: Integers) -> Integers:
        """How many records are lost after a first record and before or at a last one."""
        until, since = (np.searchsorted(self._gaps, at, side="right") for at in (last, first))
        number: Integers = self._lost_before[until] - self._lost_before[since]
        return number
