"""Finds the events that a phrase means, for all contexts at once, by sorted search.

Events that surely match and need no second look are found as ranges in one sorted array. Where the
log leaves something in doubt, or a condition ties event and context together in another way than by
equality, the few contexts concerned are looked at pair by pair (still as arrays).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from compliance.columnar.bounds import Bounds
from compliance.columnar.contexts import Contexts, Seen, spread_ranges, together
from compliance.columnar.plan import ITSELF, PlannedPattern
from compliance.columnar.vectors import MISSING, OPEN, VALUE, States, Vector, conjunction
from compliance.columns import Flags, Integers
from rules_dsl import core

if TYPE_CHECKING:
    from compliance.columnar.evaluate import Evaluator

MAX_PAIRS = 4_000_000


@dataclass(frozen=True)
class Candidates:
    """The rows that fulfil a pattern's own conditions, surely or perhaps."""

    rows: Integers
    state: States


@dataclass(frozen=True)
class Keyed:
    """Sure candidates sorted by their join key and row; the others apart.

    `codes` maps a context's key to its number; `packed` is key number and row in one integer.
    """

    rows: Integers
    packed: Integers
    lows: tuple[int, ...]
    highs: tuple[int, ...]
    doubtful_rows: Integers


@dataclass(frozen=True)
class Rows:
    """For each context a range of rows in one array, in order."""

    pool: Integers
    first: Integers
    end: Integers

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
    the log will tell. `more` says that further ones may come; `doubt` that a bound is unclear."""

    sure: Rows
    unsure: Rows
    pending: Rows
    more: Flags
    doubt: States
    since: Integers
    before: Integers

    @property
    def size(self) -> int:
        return len(self.sure.first)

    @property
    def doubtful(self) -> Flags:
        """Whether a bound of the window is in doubt."""
        doubtful: Flags = self.doubt != VALUE
        return doubtful

    @property
    def open(self) -> Flags:
        return self.more | (self.pending.count > 0)


class Search:
    """Looks for patterns in one scene."""

    def __init__(self, evaluator: Evaluator) -> None:
        self.evaluator = evaluator
        self.scene = evaluator.scene

    # ---- candidates

    def candidates(self, split: PlannedPattern) -> Candidates:
        """Rows that fulfil what concerns the event alone; worked out once for all that ask."""
        key = ("candidates", split.own)
        if key not in self.scene.memo:
            self.scene.memo[key] = self._candidates(split)
        found: Candidates = self.scene.memo[key]
        return found

    def _candidates(self, split: PlannedPattern) -> Candidates:
        rows = self.scene.rows_of(split.types)
        state = np.zeros(len(rows), dtype=np.uint8)
        if self.scene.certain is not None:
            state = np.where(self.scene.certain[rows], VALUE, MISSING).astype(np.uint8)
        for condition in split.local:
            if not len(rows):
                break
            vector = self.evaluator.vector(condition, Contexts({ITSELF: rows}, len(rows)))
            vector = conjunction([vector]).spread(len(rows))
            kept = ~vector.false
            rows, state = rows[kept], np.maximum(state[kept], vector.state[kept])
        return Candidates(rows, state.astype(np.uint8))

    def keyed(self, split: PlannedPattern) -> Keyed:
        """The candidates of a pattern sorted by join key."""
        fields = tuple(join.field for join in split.joins)
        key = ("keyed", split.keyed)
        if key not in self.scene.memo:
            self.scene.memo[key] = self._keyed(split, fields)
        found: Keyed = self.scene.memo[key]
        return found

    def _keyed(self, split: PlannedPattern, fields: tuple[core.Field, ...]) -> Keyed:
        candidates = self.candidates(split)
        rows = candidates.rows
        sure = candidates.state == VALUE
        vectors = [self.scene.field(f.name, f.kind, rows).spread(len(rows)) for f in fields]
        for vector in vectors:
            sure = sure & (vector.state == VALUE)
        kept = rows[sure]
        lows, highs = [], []
        code = np.zeros(len(kept), dtype=np.int64)
        for vector in vectors:
            values = vector.above[sure]
            low = int(values.min()) if len(values) else 0
            high = int(values.max()) if len(values) else -1
            code = code * max(1, high - low + 1) + (values - low)
            lows.append(low)
            highs.append(high)
        packed = code * self._width() + kept
        if vectors:
            order = np.argsort(packed, kind="stable")
            kept, packed = kept[order], packed[order]
        return Keyed(kept, packed, tuple(lows), tuple(highs), rows[~sure])

    def _width(self) -> int:
        return len(self.scene) + 1

    def can_key(self, split: PlannedPattern) -> bool:
        """Whether key and row fit into one machine number, and the key values are whole."""
        key = ("can key", split.keyed)
        if key not in self.scene.memo:
            self.scene.memo[key] = self._can_key(split)
        return bool(self.scene.memo[key])

    def _can_key(self, split: PlannedPattern) -> bool:
        size = float(self._width())
        rows = self.candidates(split).rows
        for join in split.joins:
            vector = self.scene.field(join.field.name, join.field.kind, rows)
            if vector.below is not None:
                return False
            known = vector.above[vector.state == VALUE] if len(vector.above) > 1 else vector.above
            if len(known):
                size *= float(known.max()) - float(known.min()) + 1
        return size < 2.0**62

    # ---- nearest match, for `since` and `before`

    def nearest(
        self, pattern: core.Pattern, contexts: Contexts, at: int, backwards: bool
    ) -> tuple[Integers, States]:
        """The nearest row before (or after) event `at` that may match, and how surely."""
        anchor = contexts.rows[at]
        low = self.scene.start_of(anchor) if backwards else anchor + 1
        high = anchor if backwards else self.scene.end_of(anchor)
        window = Bounds(low, high)
        found = self.find(self.evaluator.pattern(pattern), contexts, window)
        none = -1 if backwards else len(self.scene)
        sure = _end_row(found.sure, backwards, none)
        doubt = _end_row(found.unsure, backwards, none)
        late = _end_row(found.pending, backwards, none)
        nearer = np.maximum if backwards else np.minimum
        row = nearer(nearer(sure, doubt), late)
        state = np.where(row == sure, VALUE, np.where(row == doubt, MISSING, OPEN))
        return np.where(row == none, -1, row), state.astype(np.uint8)

    # ---- all matches in a window

    def find(self, split: PlannedPattern, contexts: Contexts, window: Bounds) -> Found:
        """The matches in a window, for every context."""
        if split.joins and not self.can_key(split):
            split = split.without_joins()
        keyed = self.keyed(split)
        outer = [
            self.evaluator.vector(j.other, contexts).spread(contexts.size) for j in split.joins
        ]
        codes, known = self._codes(keyed, outer, contexts.size)
        width = self._width()
        first = np.searchsorted(keyed.packed, codes * width + window.low)
        end = np.searchsorted(keyed.packed, codes * width + np.maximum(window.high, window.low))
        first = np.where(codes < 0, 0, first).astype(np.int64)
        end = np.where(codes < 0, 0, end).astype(np.int64)
        end = np.maximum(first, end)
        doubts = keyed.doubtful_rows
        clouded = np.searchsorted(doubts, window.high) > np.searchsorted(doubts, window.low)
        slow = clouded | ~known
        if split.rest or window.moments is not None:
            slow = np.ones(contexts.size, dtype=np.bool_)
        size = contexts.size
        none = np.full(size, -1, dtype=np.int64)
        found = Found(
            Rows(keyed.rows, first, end),
            Rows.none(size),
            Rows.none(size),
            np.zeros(size, dtype=np.bool_),
            np.zeros(size, dtype=np.uint8),
            none,
            none,
        )
        if not slow.any():
            return found
        return self._with_pairs(found, split, contexts, window, known, slow)

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

    def _with_pairs(
        self,
        found: Found,
        split: PlannedPattern,
        contexts: Contexts,
        window: Bounds,
        known: Flags,
        slow: Flags,
    ) -> Found:
        """Look at some contexts pair by pair, and put their matches behind the others."""
        chosen = np.flatnonzero(slow)
        everything = self.candidates(split)
        low = np.searchsorted(everything.rows, window.low[chosen])
        high = np.searchsorted(everything.rows, np.maximum(window.high, window.low)[chosen])
        # With known keys only the rows of that key need a look, and those in doubt.
        narrow = known[chosen] & (len(split.joins) > 0)
        doubts = self.keyed(split).doubtful_rows
        pieces: list[tuple[Integers, Integers, States]] = []
        sure_start = np.where(narrow, found.sure.first[chosen], 0)
        sure_end = np.where(narrow, found.sure.end[chosen], 0)
        doubt_start = np.where(narrow, np.searchsorted(doubts, window.low[chosen]), 0)
        doubt_end = np.where(
            narrow, np.searchsorted(doubts, np.maximum(window.high, window.low)[chosen]), 0
        )
        wide_start, wide_end = np.where(narrow, 0, low), np.where(narrow, 0, high)
        lengths = (sure_end - sure_start) + (doubt_end - doubt_start) + (wide_end - wide_start)
        for begin, stop in _portions(lengths):
            part = slice(begin, stop)
            taken, owning = [], []
            for source, starts, ends in (
                (found.sure.pool, sure_start, sure_end),
                (doubts, doubt_start, doubt_end),
                (everything.rows, wide_start, wide_end),
            ):
                places, owner = spread_ranges(starts[part], ends[part])
                taken.append(source[places])
                owning.append(owner + begin)
            pieces.append(
                self._judged(
                    split, contexts, chosen, np.concatenate(taken), np.concatenate(owning), window
                )
            )
        rows = np.concatenate([piece[0] for piece in pieces])
        owners = np.concatenate([piece[1] for piece in pieces])
        state = np.concatenate([piece[2] for piece in pieces])
        order = np.lexsort((rows, owners))
        rows, owners, state = rows[order], owners[order], state[order]
        return _merged(found, chosen, rows, owners, state)

    def _judged(
        self,
        split: PlannedPattern,
        contexts: Contexts,
        chosen: Integers,
        rows: Integers,
        owners: Integers,
        window: Bounds,
    ) -> tuple[Integers, Integers, States]:
        """Which pairs of row and context match; those that do not are left out."""
        if window.moments is not None and len(rows):
            kept = window.moments(self.scene.ts[rows], chosen[owners])
            rows, owners = rows[kept], owners[kept]
        everything = self.candidates(split)
        state = everything.state[np.searchsorted(everything.rows, rows)]
        for condition in (*(join.condition for join in split.joins), *split.rest):
            if not len(rows):
                break
            pairs = contexts.take(chosen[owners]).with_var(split.var, rows)
            vector = conjunction([self.evaluator.vector(condition, pairs)]).spread(len(rows))
            kept = ~vector.false
            rows, owners = rows[kept], owners[kept]
            state = np.maximum(state[kept], vector.state[kept])
        return rows, owners, state.astype(np.uint8)


def _end_row(rows: Rows, backwards: bool, none: int) -> Integers:
    """The last (or first) row of each range."""
    if not len(rows.pool):
        return np.full(len(rows.first), none, dtype=np.int64)
    place = np.clip(rows.end - 1 if backwards else rows.first, 0, len(rows.pool) - 1)
    return np.where(rows.count > 0, rows.pool[place], none)


def _portions(lengths: Integers) -> list[tuple[int, int]]:
    """Contexts in portions that together have a bounded number of pairs."""
    if not len(lengths):
        return []
    total = np.cumsum(lengths)
    portions, begin = [], 0
    while begin < len(lengths):
        used = int(total[begin - 1]) if begin else 0
        stop = max(begin + 1, int(np.searchsorted(total, used + MAX_PAIRS, side="right")))
        portions.append((begin, stop))
        begin = stop
    return portions


def _merged(
    found: Found, chosen: Integers, rows: Integers, owners: Integers, state: States
) -> Found:
    """The matches found pair by pair, put in the place of those contexts' ranges."""
    parts = []
    for kind, before in ((VALUE, found.sure), (MISSING, found.unsure), (OPEN, found.pending)):
        own = state == kind
        starts, stops = _ranges(owners[own], len(chosen))
        first, end = before.first.copy(), before.end.copy()
        first[chosen], end[chosen] = starts + len(before.pool), stops + len(before.pool)
        parts.append(Rows(np.concatenate([before.pool, rows[own]]), first, end))
    return replace(found, sure=parts[0], unsure=parts[1], pending=parts[2])


def _ranges(owners: Integers, size: int) -> tuple[Integers, Integers]:
    numbers = np.arange(size)
    return (
        np.searchsorted(owners, numbers).astype(np.int64),
        np.searchsorted(owners, numbers, side="right").astype(np.int64),
    )


def bound_witnesses(found: Found, since_part: int, before_part: int) -> Seen:
    """The rows that opened and closed the windows."""
    seen = []
    for rows, part in ((found.since, since_part), (found.before, before_part)):
        contexts = np.flatnonzero(rows >= 0)
        seen.append(Seen(contexts, rows[contexts], np.full(len(contexts), part, dtype=np.int64)))
    return together(seen)
