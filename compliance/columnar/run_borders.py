"""The events that tell where the runs of an interval begin and end, near some rows."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from compliance.columnar.contexts import spread_ranges
from compliance.columnar.evaluate import Evaluator
from compliance.columnar.vectors import VALUE
from compliance.columns import Integers


@dataclass(frozen=True)
class Borders:
    """Rows that begin or end a run, surely or perhaps."""

    rows: Integers
    sure: Integers
    """Those that surely begin or end one."""
    openings: Integers
    """Those that surely begin one."""
    unclear: Integers
    """Those of which something is in doubt."""


def borders(evaluator: Evaluator, name: str) -> Borders:
    """All beginnings and ends of an interval's runs, worked out once for all that ask."""
    memo, key = evaluator.scene.memo, ("borders", name)
    if key not in memo:
        memo[key] = _borders(evaluator, name)
    found: Borders = memo[key]
    return found


def _borders(evaluator: Evaluator, name: str) -> Borders:
    interval = evaluator.rulebook.intervals[name]
    opens = evaluator.search.candidates(evaluator.pattern(interval.opens))
    closes = evaluator.search.candidates(evaluator.pattern(interval.closes))
    openings = opens.rows[opens.state == VALUE]
    return Borders(
        _merged(opens.rows, closes.rows),
        _merged(openings, closes.rows[closes.state == VALUE]),
        openings,
        _merged(opens.rows[opens.state != VALUE], closes.rows[closes.state != VALUE]),
    )


def _merged(one: Integers, other: Integers) -> Integers:
    """Two lists in order as one, each row once."""
    rows = np.sort(np.concatenate([one, other]), kind="stable")
    new = np.ones(len(rows), dtype=np.bool_)
    new[1:] = rows[1:] != rows[:-1]
    return rows[new]


def borders_near(evaluator: Evaluator, name: str, which: str, anchors: Integers) -> Integers:
    """The beginnings and ends that decide which run each anchor means."""
    scene = evaluator.scene
    found = borders(evaluator, name)
    start, end = scene.start_of(anchors), scene.end_of(anchors)
    if which == "previous":
        low, high = np.maximum(nth_before(found.openings, anchors, 2), start), anchors + 1
    else:
        low = np.maximum(nth_before(found.sure, anchors, 1), start)
        after = anchors if which == "this" else _next_after(found.openings, anchors)
        high = np.minimum(_next_after(found.sure, after), end - 1) + 1
    places, _ = spread_ranges(found.rows.searchsorted(low), found.rows.searchsorted(high))
    return np.unique(found.rows[places])


def nth_before(rows: Integers, anchors: Integers, nth: int) -> Integers:
    """The nth of some rows before each anchor, counted back; -1 where there are fewer."""
    number = rows.searchsorted(anchors) - nth
    padded = np.append(rows, -1)
    return padded[np.where(number >= 0, number, len(rows))]


def _next_after(rows: Integers, anchors: Integers) -> Integers:
    padded = np.append(rows, np.iinfo(np.int64).max - 1)
    return padded[rows.searchsorted(anchors, side="right")]
