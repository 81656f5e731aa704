"""The events that a pattern can mean, worked out once for all rules that ask for them.

What an event itself shows (its type and fields) is judged for the whole table. Conditions that look
at other events cost more: they are judged only where some phrase looks, and remembered.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from compliance.columnar.bounds import Bounds
from compliance.columnar.contexts import Contexts
from compliance.columnar.plan import ITSELF, PlannedPattern
from compliance.columnar.vectors import VALUE, States, conjunction
from compliance.columns import Flags, Integers
from rules_dsl import core

if TYPE_CHECKING:
    from compliance.columnar.evaluate import Evaluator


@dataclass(frozen=True)
class Candidates:
    """The rows that fulfil a pattern's own conditions, surely or perhaps."""

    rows: Integers
    state: States
    judged: int = -1
    """How many rows were judged so far; -1 when nothing is left to judge."""


@dataclass(frozen=True)
class Keyed:
    """Sure candidates sorted by their join key and row; the others apart.

    `lows` and `highs` are the least and greatest value of each key field; `packed` is the number of
    the key and the row in one integer.
    """

    rows: Integers
    packed: Integers
    lows: tuple[int, ...]
    highs: tuple[int, ...]
    doubtful_rows: Integers
    judged: int = -1


class _Judged:
    """Rows that may be candidates, and for some of them whether they are."""

    def __init__(self, rows: Integers, state: States) -> None:
        self.rows = rows
        self.state = state.copy()
        self.asked = np.zeros(len(rows), dtype=np.bool_)
        self.fits = np.zeros(len(rows), dtype=np.bool_)

    def candidates(self) -> Candidates:
        fits = self.fits.nonzero()[0]
        done = int(self.asked.sum())
        judged = -1 if done == len(self.rows) else done
        return Candidates(self.rows[fits], self.state[fits], judged)


class CandidateRows:
    """Finds the candidates of patterns in one scene."""

    def __init__(self, evaluator: Evaluator) -> None:
        self._evaluator = evaluator
        self._scene = evaluator.scene

    def everywhere(self, split: PlannedPattern) -> Candidates:
        """All rows that fulfil what concerns the event alone."""
        key = ("candidates", split.own)
        memo = self._scene.memo
        if key not in memo:
            found = self.by_fields(split)
            if split.costly:
                judged = self._judged(split, found)
                self._judge(split, judged, ~judged.asked)
                found = judged.candidates()
            memo[key] = found
        candidates: Candidates = memo[key]
        return candidates

    def within(self, split: PlannedPattern, window: Bounds) -> Candidates:
        """The same, but good only for rows inside some context's window."""
        if not split.costly or ("candidates", split.own) in self._scene.memo:
            return self.everywhere(split)
        rows = self.by_fields(split)
        judged = self._judged(split, rows)
        wanted = _covered(rows.rows, window) & ~judged.asked
        if 2 * int(wanted.sum()) > len(wanted):
            return self.everywhere(split)
        if wanted.any():
            self._judge(split, judged, wanted)
        return judged.candidates()

    def by_fields(self, split: PlannedPattern) -> Candidates:
        """The rows that fulfil the conditions on the event's own fields."""
        key = ("by fields", split.own)
        memo = self._scene.memo
        if key not in memo:
            rows = self._scene.rows_of(split.types)
            belongs = self._scene.belongs
            state = np.zeros(len(rows), dtype=np.uint8) if belongs is None else belongs[rows]
            for condition in split.local:
                if not len(rows):
                    break
                fits, doubt = self._holds(condition, rows)
                rows, state = rows[fits], np.maximum(state[fits], doubt[fits])
            memo[key] = Candidates(rows, state)
        found: Candidates = memo[key]
        return found

    def _judged(self, split: PlannedPattern, found: Candidates) -> _Judged:
        key = ("judged", split.own)
        memo = self._scene.memo
        if key not in memo:
            memo[key] = _Judged(found.rows, found.state)
        judged: _Judged = memo[key]
        return judged

    def _judge(self, split: PlannedPattern, judged: _Judged, wanted: Flags) -> None:
        """Judge the conditions that look at other events, for the rows that are wanted."""
        places = wanted.nonzero()[0]
        judged.asked[places] = True
        for condition in split.costly:
            if not len(places):
                break
            fits, doubt = self._holds(condition, judged.rows[places])
            places, doubt = places[fits], doubt[fits]
            judged.state[places] = np.maximum(judged.state[places], doubt)
        judged.fits[places] = True

    def _holds(self, condition: core.Expr, rows: Integers) -> tuple[Flags, States]:
        """Where a condition on the event itself may hold, and how surely."""
        vector = self._evaluator.vector(condition, Contexts({ITSELF: rows}, len(rows)))
        vector = conjunction([vector]).spread(len(rows))
        return ~vector.false, vector.state

    # ---- by key

    def keyed(self, split: PlannedPattern, found: Candidates) -> Keyed:
        """Candidates sorted by join key."""
        key = ("keyed", split.keyed)
        memo = self._scene.memo
        if key not in memo or memo[key].judged != found.judged:
            memo[key] = self._keyed(split, found)
        keyed: Keyed = memo[key]
        return keyed

    def _keyed(self, split: PlannedPattern, found: Candidates) -> Keyed:
        rows = found.rows
        sure = found.state == VALUE
        fields = [join.field for join in split.joins]
        vectors = [self._scene.field(f.name, f.kind, rows).spread(len(rows)) for f in fields]
        for vector in vectors:
            if not vector.sure:
                sure = sure & (vector.state == VALUE)
        every = bool(sure.all())
        kept = rows if every else rows[sure]
        lows, highs = [], []
        code = np.zeros(len(kept), dtype=np.int64)
        for vector in vectors:
            values = vector.above if every else vector.above[sure]
            low = int(values.min()) if len(values) else 0
            high = int(values.max()) if len(values) else -1
            code = code * max(1, high - low + 1) + (values - low)
            lows.append(low)
            highs.append(high)
        packed = kept
        if vectors:
            packed = code * self.width + kept
            order = _order(code)
            kept, packed = kept[order], packed[order]
        doubtful = rows[:0] if every else rows[~sure]
        return Keyed(kept, packed, tuple(lows), tuple(highs), doubtful, found.judged)

    @property
    def width(self) -> int:
        """What a key's number is multiplied by, so that the row fits beside it."""
        return len(self._scene) + 1

    def can_key(self, split: PlannedPattern) -> bool:
        """Whether key and row fit into one machine number, and the key values are whole."""
        key = ("can key", split.keyed)
        if key not in self._scene.memo:
            self._scene.memo[key] = self._can_key(split)
        return bool(self._scene.memo[key])

    def _can_key(self, split: PlannedPattern) -> bool:
        size = float(self.width)
        rows = self.by_fields(split).rows
        for join in split.joins:
            vector = self._scene.field(join.field.name, join.field.kind, rows).spread(len(rows))
            if vector.below is not None:
                return False
            known = vector.above if vector.sure else vector.above[vector.state == VALUE]
            if len(known):
                size *= float(known.max()) - float(known.min()) + 1
        return size < 2.0**62


def _order(code: Integers) -> Integers:
    """The order by key; rows that come in order stay so. Short numbers are sorted much faster."""
    if len(code) and int(code.max()) < 2**15:
        return np.argsort(code.astype(np.int16), kind="stable")
    return np.argsort(code, kind="stable")


def _covered(rows: Integers, window: Bounds) -> Flags:
    """Which rows lie inside some window."""
    size = len(rows)
    first = rows.searchsorted(window.low)
    end = np.maximum(rows.searchsorted(window.high), first)
    change = np.bincount(first, minlength=size + 1) - np.bincount(end, minlength=size + 1)
    inside: Flags = np.cumsum(change[:size]) > 0
    return inside
