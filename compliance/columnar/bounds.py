"""From which row to which a phrase looks, for each context."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from compliance.columnar.vectors import MISSING, OPEN, VALUE, States
from compliance.columns import Flags, Integers

OUT = OPEN + 1
"""The state of a row that is surely not in a window: graver than any doubt."""


@dataclass(frozen=True)
class Bounds:
    """Rows from `low` up to but not including `high`, for each context.

    `moments` filters by time where rows alone cannot (a clock that went back). `doubts` say how
    surely a row lies between the two, where the log leaves that in doubt.
    """

    low: Integers
    high: Integers
    moments: MomentFilter | None = None
    doubts: tuple[Doubt, ...] = ()


class Doubt(Protocol):
    """Says how surely rows lie in the windows of the contexts that are `unclear`."""

    @property
    def unclear(self) -> Flags:
        """The contexts for which something is in doubt."""

    @property
    def late(self) -> Flags:
        """The contexts for which the rest of the log may settle it."""

    def __call__(self, rows: Integers, contexts: Integers) -> States:
        """The state of each row, each for its own context."""


@dataclass(frozen=True)
class Edge:
    """The nearest rows before (or after) each context that may end its window.

    Whatever lies beyond them is in doubt, up to the row that surely ends it.
    """

    sure: Integers
    missing: Integers
    open: Integers
    backwards: bool

    @property
    def nearest(self) -> Integers:
        """The nearest row that ends the window, surely or perhaps."""
        nearer = np.maximum if self.backwards else np.minimum
        return nearer(nearer(self.sure, self.missing), self.open)

    @property
    def state(self) -> States:
        """How surely the nearest row ends the window."""
        row = self.nearest
        state = np.where(row == self.sure, VALUE, np.where(row == self.missing, MISSING, OPEN))
        return state.astype(np.uint8)

    @property
    def unclear(self) -> Flags:
        doubtful: Flags = self.nearest != self.sure
        return doubtful

    @property
    def late(self) -> Flags:
        beyond: Flags = self.open > self.sure if self.backwards else self.open < self.sure
        return beyond

    def __call__(self, rows: Integers, contexts: Integers) -> States:
        missing, late = self.missing[contexts], self.open[contexts]
        if self.backwards:
            doubtful, pending = rows <= missing, rows <= late
        else:
            doubtful, pending = rows >= missing, rows >= late
        return np.where(pending, OPEN, np.where(doubtful, MISSING, VALUE)).astype(np.uint8)


class MomentFilter:
    """Keeps rows whose distance in time from their context fits."""

    def __init__(
        self, anchors: Integers, within: Integers | None, at_least: Integers | None
    ) -> None:
        self.anchors = anchors
        self.within = within
        self.at_least = at_least

    def __call__(self, ts: Integers, context: Integers) -> Flags:
        away = np.abs(ts - self.anchors[context])
        kept = np.ones(len(ts), dtype=np.bool_)
        if self.within is not None:
            kept &= away <= self.within[context]
        if self.at_least is not None:
            kept &= away >= self.at_least[context]
        return kept
