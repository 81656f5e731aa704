"""From which row to which a phrase looks, for each context."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from compliance.columns import Flags, Integers


@dataclass(frozen=True)
class Bounds:
    """Rows from `low` up to but not including `high`, for each context.

    `moments` filters by time where rows alone cannot (a clock that went back).
    """

    low: Integers
    high: Integers
    moments: MomentFilter | None = None


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
