"""`when first X since Y`, begun from the rarer side: after each Y only the next X can be meant."""

from __future__ import annotations

import numpy as np

from compliance.columnar.evaluate import Evaluator
from compliance.columns import Integers
from rules_dsl import core


def possible_triggers(evaluator: Evaluator, trigger: core.Trigger, rows: Integers) -> Integers:
    """The rows that may be the first since the other event; all of them where that is in doubt."""
    if trigger.since is None:
        return rows
    planned = evaluator.pattern(trigger.pattern), evaluator.pattern(trigger.since)
    if any(pattern.joins or pattern.rest for pattern in planned):
        return rows
    each, since = (evaluator.search.candidates(pattern) for pattern in planned)
    if each.state.any() or since.state.any():
        return rows
    place = each.rows.searchsorted(since.rows, side="right")
    firsts = np.unique(each.rows[place[place < len(each.rows)]])
    return np.intersect1d(rows, firsts, assume_unique=True)
