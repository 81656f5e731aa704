"""Order round the table, for all contexts at once: who comes next, and did it go one way round."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from compliance.columnar.aggregates import end_rows, prefix, rows_lacking
from compliance.columnar.contexts import NOBODY, Seen, spread_ranges
from compliance.columnar.search import Found
from compliance.columnar.vectors import MISSING, NOTHING, OPEN, VALUE, Vector
from compliance.columns import Integers
from rules_dsl import core

if TYPE_CHECKING:
    from compliance.columnar.evaluate import Evaluator

_FULL_CIRCLE = 1_000_000


def _steps(origin: Integers, seat: Integers, direction: str) -> Integers:
    distance = seat - origin if direction == "clockwise" else origin - seat
    return np.where(distance >= 0, distance, distance + _FULL_CIRCLE)


def in_order(
    evaluator: Evaluator, expr: core.InOrder, found: Found, start: Vector | None
) -> tuple[Vector, Seen]:
    """Whether the seats of the events, in the order of the events, go one way round the table."""
    size = found.size
    assert isinstance(expr.value, core.Field)
    pool = evaluator.scene.field(expr.value.name, expr.value.kind, found.sure.pool)
    pool = pool.spread(len(found.sure.pool))
    places, owners = spread_ranges(found.sure.first, found.sure.end)
    known = pool.state[places] == VALUE
    lacking = np.zeros(size, dtype=np.bool_)
    lacking[owners[~known]] = True
    if start is not None:
        origin, counted = start.above, np.ones(size, dtype=np.bool_)
    else:
        # Without a start one counts from the first event, whose seat must be known for that.
        first, doubt, late = end_rows(found, True)
        far = len(evaluator.scene)
        others = np.minimum(np.where(doubt >= 0, doubt, far), np.where(late >= 0, late, far))
        begin = np.clip(found.sure.first, 0, max(0, len(found.sure.pool) - 1))
        some = (first >= 0) & (first < others)
        origin, counted = np.zeros(size, dtype=np.int64), np.zeros(size, dtype=np.bool_)
        origin[some] = pool.above[begin[some]]
        counted[some] = pool.state[begin[some]] == VALUE
    of, seats = owners[known], pool.above[places[known]]
    steps = _steps(origin[of], seats, expr.direction)
    wrong = np.zeros(len(of), dtype=np.bool_)
    # What stands between two seats in the wrong order cannot put them right.
    wrong[1:] = (np.diff(of) == 0) & (np.diff(steps) <= 0)
    broken = np.zeros(size, dtype=np.bool_)
    broken[of[wrong]] = True
    broken &= counted
    state = np.where((found.unsure.count > 0) | lacking, MISSING, VALUE)
    state = np.where(found.open, OPEN, state)
    state = np.where(broken, VALUE, state)
    if start is not None:
        absent = np.where(start.state == NOTHING, MISSING, start.state)
        state = np.where(absent != VALUE, absent, state)
        broken = broken & (absent == VALUE)
    state = np.where(found.doubtful, found.doubt, state).astype(np.uint8)
    result = Vector((~broken).astype(np.int64), state)
    if not evaluator.witnessing:
        return result, NOBODY
    judged = (state == MISSING) & ~found.doubtful & ~found.open
    if start is not None:
        judged = judged & (start.state == VALUE)
    return result, rows_lacking(evaluator, expr.value, found, pool).where(judged)


def next_seat(
    evaluator: Evaluator, expr: core.NextSeat, found: Found, start: Vector
) -> tuple[Vector, Seen]:
    """The nearest seat in one direction among those of the events."""
    size = found.size
    assert isinstance(expr.value, core.Field)
    pool = evaluator.scene.field(expr.value.name, expr.value.kind, found.sure.pool)
    pool = pool.spread(len(found.sure.pool))
    places, owners = spread_ranges(found.sure.first, found.sure.end)
    seats = pool.above[places]
    distance = _steps(start.above[owners], seats, expr.direction)
    # The seat itself comes last: once round the whole table.
    distance = np.where(distance == 0, 2 * _FULL_CIRCLE, distance)
    best = np.full(size, np.iinfo(np.int64).max, dtype=np.int64)
    np.minimum.at(best, owners, distance * 4096 + seats)
    some = found.sure.count > 0
    lacking_before = prefix((pool.state != VALUE).astype(np.int64))
    lacking = lacking_before[found.sure.end] > lacking_before[found.sure.first]
    state = np.where(lacking, np.maximum(start.state, MISSING), start.state)
    state = np.where((state == VALUE) & ~some, NOTHING, state).astype(np.uint8)
    seen = rows_lacking(evaluator, expr.value, found, pool) if evaluator.witnessing else NOBODY
    return Vector(np.where(some, best % 4096, 0), state), seen
