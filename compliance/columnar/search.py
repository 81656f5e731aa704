"""Finds the events that a phrase means, for all contexts at once, by sorted search.

Events that surely match and need no second look are found as ranges in one sorted array. Where the
log leaves something in doubt, or a condition ties event and context together in another way than by
equality, the few contexts concerned are looked at pair by pair (still as arrays).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from compliance.columnar.bounds import OUT, Bounds, Edge
from compliance.columnar.candidates import CandidateRows, Candidates, Keyed
from compliance.columnar.contexts import Contexts, Seen, portions, spread_ranges, together
from compliance.columnar.plan import PlannedPattern
from compliance.columnar.vectors import MISSING, OPEN, VALUE, States, Vector, conjunction
from compliance.columns import Flags, Integers
from rules_dsl import core

if TYPE_CHECKING:
    from compliance.columnar.evaluate import Evaluator

MANY_BOUNDS = 20
"""One bound for so many rows of the scene, or more of them, are many."""


@dataclass(frozen=True)
class Rows:
    """For each context a range of rows in one array, in order."""

    pool: Integers
    first: Integers
    end: Integers
    shared: bool = False
    """Whether others look at the same pool, so that what is worked out for it is worth keeping."""

    @property
    def count(self) -> Integers:
        return self.end - self.first

    @classmethod
    def none(cls, size: int) -> Rows:
        """No rows for any context."""
        nothing = np.zeros(size, dtype=np.int64)
        return cls(nothing[:0], nothing, nothing)


@dataclass(frozen=True)
class Found:
    """The rows that surely match, those that the log leaves in doubt, and those that the rest of
    the log will tell. `more` says that further ones may come; `doubt` that a length of time is not
    known. `since` and `before` are rows that bound the windows, surely or perhaps (-1: none)."""

    sure: Rows
    unsure: Rows
    pending: Rows
    more: Flags
    doubt: States
    late: Flags
    """Whether the rest of the log may still change what bounds the window."""
    since: tuple[Integers, ...] = ()
    before: tuple[Integers, ...] = ()

    @classmethod
    def nothing(cls, size: int) -> Found:
        """No rows for any context, and no doubt about that."""
        return cls.of(Rows.none(size), size)

    @classmethod
    def of(cls, sure: Rows, size: int) -> Found:
        """Rows that surely match, and no doubt about that."""
        none, no = Rows.none(size), np.zeros(size, dtype=np.bool_)
        return cls(sure, none, none, no, np.zeros(size, dtype=np.uint8), no)

    @property
    def size(self) -> int:
        return len(self.sure.first)

    @property
    def plain(self) -> bool:
        """Whether nothing at all is in doubt or still to come, as in most windows of most logs."""
        return not (
            len(self.unsure.pool) or len(self.pending.pool) or self.more.any() or self.doubt.any()
        )

    @property
    def doubtful(self) -> Flags:
        """Whether a length of time that bounds the window is not known."""
        doubtful: Flags = self.doubt != VALUE
        return doubtful

    @property
    def open(self) -> Flags:
        still: Flags = self.more | (self.pending.count > 0)
        return still

    @property
    def unsettled(self) -> Flags:
        """Whether the rest of the log may still change which events these are, or their bounds."""
        unsettled: Flags = self.open | self.late | (self.doubt == OPEN)
        return unsettled


class Search:
    """Looks for patterns in one scene."""

    def __init__(self, evaluator: Evaluator) -> None:
        self.evaluator = evaluator
        self.scene = evaluator.scene
        self._candidates = CandidateRows(evaluator)

    def candidates(self, split: PlannedPattern) -> Candidates:
        """All rows that fulfil what concerns the event alone."""
        return self._candidates.everywhere(split)

    def possible(self, split: PlannedPattern) -> Candidates:
        """All rows that the event's own fields do not rule out."""
        return self._candidates.by_fields(split)

    # ---- nearest match, for `since` and `before`

    def nearest(self, pattern: core.Pattern, contexts: Contexts, at: int, backwards: bool) -> Edge:
        """The nearest rows before (or after) event `at` that match, surely or perhaps."""
        anchor = contexts.rows[at]
        start, end, _ = self.evaluator.span(contexts, at)
        low = start if backwards else anchor + 1
        high = anchor if backwards else end
        window = Bounds(low, high)
        found = self.find(self.evaluator.pattern(pattern), contexts, window)
        none = -1 if backwards else len(self.scene)
        return Edge(
            _end_row(found.sure, backwards, none),
            _end_row(found.unsure, backwards, none),
            _end_row(found.pending, backwards, none),
            backwards,
        )

    # ---- all matches in a window

    def find(self, split: PlannedPattern, contexts: Contexts, window: Bounds) -> Found:
        """The matches in a window, for every context."""
        if split.joins and not self._candidates.can_key(split):
            split = split.without_joins()
        candidates = self._candidates.within(split, window)
        keyed = self._candidates.keyed(split, candidates)
        outer = [
            self.evaluator.vector(j.other, contexts).spread(contexts.size) for j in split.joins
        ]
        size = contexts.size
        first, end, known = self._ranges(keyed, outer, window, size)
        slow = ~known
        doubts = keyed.doubtful_rows
        if split.rest or window.moments is not None:
            slow = np.ones(size, dtype=np.bool_)
        elif len(doubts):
            clouded = doubts.searchsorted(window.high) > doubts.searchsorted(window.low)
            slow = slow | clouded
        for doubt in window.doubts:
            slow = slow | doubt.unclear
        found = Found.of(Rows(keyed.rows, first, end, shared=True), size)
        if not slow.any():
            return found
        pairs = _Pairs(split, contexts, window, candidates, keyed.doubtful_rows, slow.nonzero()[0])
        return self._with_pairs(found, pairs, known)

    def _ranges(
        self, keyed: Keyed, outer: list[Vector], window: Bounds, size: int
    ) -> tuple[Integers, Integers, Flags]:
        """Where each context's rows begin and end among the sure ones, if its key is known."""
        if not outer:
            first, end = self._ranks(keyed.packed, window.low, window.high)
            return first, np.maximum(first, end), np.ones(size, dtype=np.bool_)
        codes, known = self._codes(keyed, outer, size)
        width = self._candidates.width
        first = keyed.packed.searchsorted(codes * width + window.low)
        end = keyed.packed.searchsorted(codes * width + np.maximum(window.high, window.low))
        first = np.where(codes < 0, 0, first)
        end = np.where(codes < 0, 0, end)
        return first, np.maximum(first, end), known

    def _ranks(self, rows: Integers, *bounds: Integers) -> list[Integers]:
        """How many of some rows lie before each bound.

        Many bounds are looked up in a list of all ranks; to search for a few costs less.
        """
        if MANY_BOUNDS * len(bounds[0]) < len(self.scene):
            return [rows.searchsorted(bound) for bound in bounds]
        marks = np.zeros(len(self.scene) + 1, dtype=np.int32)
        marks[rows + 1] = 1
        ranks = marks.cumsum(dtype=np.int32)
        return [ranks[bound].astype(np.int64) for bound in bounds]

    def _codes(self, keyed: Keyed, outer: list[Vector], size: int) -> tuple[Integers, Flags]:
        """Each context's key as a number (-1: no candidate has it), and whether it is known."""
        codes = np.zeros(size, dtype=np.int64)
        known = np.ones(size, dtype=np.bool_)
        for vector, low, high in zip(outer, keyed.lows, keyed.highs, strict=True):
            known &= vector.state < MISSING
            whole = np.ones(size, dtype=np.bool_)
            if vector.below is not None:
                whole = vector.below == 1
            fits = (vector.above >= low) & (vector.above <= high)
            fits = fits & (vector.state == VALUE) & whole & (codes >= 0)
            codes = np.where(fits, codes * max(1, high - low + 1) + (vector.above - low), -1)
        return codes, known

    def _with_pairs(self, found: Found, look: _Pairs, known: Flags) -> Found:
        """Look at some contexts pair by pair, and put their matches behind the others."""
        chosen, window, every, doubts = look.chosen, look.window, look.candidates.rows, look.doubts
        window_end = np.maximum(window.high, window.low)[chosen]
        # With known keys only the rows of that key need a look, and those in doubt.
        narrow = known[chosen] & (len(look.split.joins) > 0)
        sure_start = np.where(narrow, found.sure.first[chosen], 0)
        sure_end = np.where(narrow, found.sure.end[chosen], 0)
        doubt_start = np.where(narrow, doubts.searchsorted(window.low[chosen]), 0)
        doubt_end = np.where(narrow, doubts.searchsorted(window_end), 0)
        wide_start = np.where(narrow, 0, every.searchsorted(window.low[chosen]))
        wide_end = np.where(narrow, 0, every.searchsorted(window_end))
        lengths = (sure_end - sure_start) + (doubt_end - doubt_start) + (wide_end - wide_start)
        pieces: list[tuple[Integers, Integers, States]] = []
        for begin, stop in portions(lengths):
            part = slice(begin, stop)
            taken, owning = [], []
            for source, starts, ends in (
                (found.sure.pool, sure_start, sure_end),
                (doubts, doubt_start, doubt_end),
                (every, wide_start, wide_end),
            ):
                places, owner = spread_ranges(starts[part], ends[part])
                taken.append(source[places])
                owning.append(owner + begin)
            pieces.append(self._judged(look, np.concatenate(taken), np.concatenate(owning)))
        rows = np.concatenate([piece[0] for piece in pieces])
        owners = np.concatenate([piece[1] for piece in pieces])
        state = np.concatenate([piece[2] for piece in pieces])
        order = np.lexsort((rows, owners))
        rows, owners, state = rows[order], owners[order], state[order]
        return _merged(found, chosen, rows, owners, state)

    def _judged(
        self, look: _Pairs, rows: Integers, owners: Integers
    ) -> tuple[Integers, Integers, States]:
        """Which pairs of row and context match; those that do not are left out."""
        split, window, chosen = look.split, look.window, look.chosen
        if window.moments is not None and len(rows):
            kept = window.moments(self.scene.ts[rows], chosen[owners])
            rows, owners = rows[kept], owners[kept]
        state = look.candidates.state[look.candidates.rows.searchsorted(rows)]
        for doubt in window.doubts:
            state = np.maximum(state, doubt(rows, chosen[owners]))
            kept = state != OUT
            rows, owners, state = rows[kept], owners[kept], state[kept]
        for condition in (*(join.condition for join in split.joins), *split.rest):
            if not len(rows):
                break
            pairs = look.contexts.take(chosen[owners]).with_var(split.var, rows)
            vector = conjunction([self.evaluator.vector(condition, pairs)]).spread(len(rows))
            kept = ~vector.false
            rows, owners = rows[kept], owners[kept]
            state = np.maximum(state[kept], vector.state[kept])
        return rows, owners, state.astype(np.uint8)


@dataclass(frozen=True)
class _Pairs:
    """What is to be looked at pair by pair: the candidates in the windows of chosen contexts."""

    split: PlannedPattern
    contexts: Contexts
    window: Bounds
    candidates: Candidates
    doubts: Integers
    """Candidates of which it is not sure that they match, or what their key is."""
    chosen: Integers


def _end_row(rows: Rows, backwards: bool, none: int) -> Integers:
    """The last (or first) row of each range."""
    if not len(rows.pool):
        return np.full(len(rows.first), none, dtype=np.int64)
    place = np.clip(rows.end - 1 if backwards else rows.first, 0, len(rows.pool) - 1)
    return np.where(rows.count > 0, rows.pool[place], none)


def _merged(
    found: Found, chosen: Integers, rows: Integers, owners: Integers, state: States
) -> Found:
    """The matches found pair by pair, put in the place of those contexts' ranges."""
    parts = []
    for kind, before in ((VALUE, found.sure), (MISSING, found.unsure), (OPEN, found.pending)):
        own = state == kind
        starts, stops = _owned(owners[own], len(chosen))
        first, end = before.first.copy(), before.end.copy()
        first[chosen], end[chosen] = starts + len(before.pool), stops + len(before.pool)
        parts.append(Rows(np.concatenate([before.pool, rows[own]]), first, end))
    return replace(found, sure=parts[0], unsure=parts[1], pending=parts[2])


def _owned(owners: Integers, size: int) -> tuple[Integers, Integers]:
    numbers = np.arange(size)
    return (
        owners.searchsorted(numbers).astype(np.int64),
        owners.searchsorted(numbers, side="right").astype(np.int64),
    )


def bound_witnesses(found: Found, since_part: int, before_part: int) -> Seen:
    """The rows that opened and closed the windows."""
    seen = []
    for bounds, part in ((found.since, since_part), (found.before, before_part)):
        for rows in bounds:
            contexts = np.flatnonzero(rows >= 0)
            parts = np.full(len(contexts), part, dtype=np.int64)
            seen.append(Seen(contexts, rows[contexts], parts))
    return together(seen)
