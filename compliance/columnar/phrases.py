"""What phrases mean, for all contexts at once: how many events there are, what they add up to."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from compliance.columnar import aggregates, seats
from compliance.columnar.contexts import (
    NOBODY,
    Answer,
    Contexts,
    Seen,
    all_of,
    opposite,
    spread_ranges,
    together,
)
from compliance.columnar.parts import BEFORE, COUNTED, FOUND, SINCE, UNCLEAR
from compliance.columnar.search import Found, Rows, bound_witnesses
from compliance.columnar.vectors import MISSING, NOTHING, OPEN, VALUE, Vector, as_truth, flags
from compliance.columns import Integers
from rules_dsl import core

if TYPE_CHECKING:
    from compliance.columnar.evaluate import Evaluator


def _seen(context: Integers, row: Integers, part: int) -> Seen:
    return Seen(context, row, np.full(len(context), part, dtype=np.int64))


def _bounds(evaluator: Evaluator, found: Found) -> Seen:
    return bound_witnesses(found, SINCE, BEFORE) if evaluator.witnessing else NOBODY


def _rows(evaluator: Evaluator, rows: Rows, part: int) -> Seen:
    if not evaluator.witnessing or not len(rows.pool):
        return NOBODY
    places, owners = spread_ranges(rows.first, rows.end)
    return _seen(owners, rows.pool[places], part)


def _unclear(evaluator: Evaluator, found: Found) -> Seen:
    return _rows(evaluator, found.unsure, UNCLEAR)


def how_many(evaluator: Evaluator, expr: core.HowMany, contexts: Contexts) -> Answer:
    number = evaluator.answer(expr.number, contexts)
    found = evaluator.find(expr.events, contexts)
    past = expr.events.window.reach == "past"
    wanted = number.vector
    below = np.ones(1, dtype=np.int64) if wanted.below is None else wanted.below
    parts = []
    if expr.bound in ("at least", "exactly"):
        parts.append(_at_least(evaluator, -(-wanted.above // below), found, past))
    if expr.bound in ("at most", "exactly"):
        parts.append(opposite(_at_least(evaluator, wanted.above // below + 1, found, past)))
    answer = all_of(parts) if len(parts) > 1 else parts[0]
    if wanted.sure or not wanted.state.any():
        return Answer(answer.vector, together([answer.seen, number.seen]))
    wanted = wanted.spread(contexts.size)
    unknown = wanted.state != VALUE
    state = np.where(unknown, as_truth(wanted).state, answer.vector.state).astype(np.uint8)
    return Answer(
        Vector(answer.vector.above, state),
        together([answer.seen.where(~unknown), number.seen]),
    )


def _at_least(evaluator: Evaluator, wanted: Integers, found: Found, past: bool) -> Answer:
    enough = found.sure.count >= wanted
    if found.plain:
        if not evaluator.witnessing:
            return Answer(flags(enough))
        nearest = _rows(evaluator, _nearest(found.sure, wanted, past), FOUND)
        return Answer(flags(enough), together([nearest, _bounds(evaluator, found)]))
    perhaps = found.sure.count + found.unsure.count >= wanted
    state = np.where(perhaps, MISSING, VALUE)
    state = np.where(found.open, OPEN, state)
    state = np.where(enough, VALUE, state)
    state = np.where(found.doubtful, found.doubt, state).astype(np.uint8)
    vector = Vector(enough.astype(np.int64), state)
    if not evaluator.witnessing:
        return Answer(vector)
    few = np.maximum(wanted, 0)
    judged = ~found.doubtful & ~enough & ~found.open & perhaps
    doubts = _rows(evaluator, _nearest(found.unsure, few - found.sure.count, past), UNCLEAR)
    return Answer(
        vector,
        together(
            [
                _rows(evaluator, _nearest(found.sure, few, past), FOUND),
                doubts.where(judged),
                _bounds(evaluator, found),
            ]
        ),
    )


def _nearest(rows: Rows, number: Integers, past: bool) -> Rows:
    """Of each context's rows the few that are nearest to it."""
    few = np.maximum(number, 0)
    if past:
        return Rows(rows.pool, np.maximum(rows.first, rows.end - few), rows.end)
    return Rows(rows.pool, rows.first, np.minimum(rows.end, rows.first + few))


def every(evaluator: Evaluator, expr: core.Every, contexts: Contexts) -> Answer:
    found = evaluator.find(expr.events, contexts)
    var = expr.events.pattern.var
    sure_places, sure_owners = spread_ranges(found.sure.first, found.sure.end)
    doubt_places, doubt_owners = spread_ranges(found.unsure.first, found.unsure.end)
    rows = np.concatenate([found.sure.pool[sure_places], found.unsure.pool[doubt_places]])
    owners = np.concatenate([sure_owners, doubt_owners])
    unsure = np.arange(len(rows)) >= len(sure_places)
    pairs = contexts.take(owners).with_var(var, rows)
    answer = evaluator.whole(expr.condition, pairs)
    vector = as_truth(answer.vector)
    # An event that may not belong can leave the whole in doubt, but not break it.
    state = np.where(unsure & vector.false, MISSING, vector.state)
    fails = (state == VALUE) & (vector.above == 0)
    broken = np.zeros(contexts.size, dtype=np.bool_)
    broken[owners[fails]] = True
    worst = np.where(found.open, OPEN, VALUE)
    np.maximum.at(worst, owners, np.where(fails, VALUE, state))
    worst = np.where(broken, VALUE, worst)
    worst = np.where(found.doubtful, found.doubt, worst).astype(np.uint8)
    result = Vector((~broken).astype(np.int64), worst)
    if not evaluator.witnessing:
        return Answer(result)
    of_pairs = together(
        [
            answer.seen,
            _seen(np.flatnonzero(~unsure), rows[~unsure], FOUND),
            _seen(unsure.nonzero()[0], rows[unsure], UNCLEAR),
        ]
    )
    # Where an unclear event fulfils the condition anyway, only that is worth showing.
    settled = unsure & vector.true
    drop = settled[of_pairs.context] & (of_pairs.part == UNCLEAR)
    kept = ~drop & (
        ~broken[owners[of_pairs.context]]
        | fails[of_pairs.context]
        | found.doubtful[owners[of_pairs.context]]
    )
    shown = Seen(owners[of_pairs.context[kept]], of_pairs.row[kept], of_pairs.part[kept])
    return Answer(result, together([shown, _bounds(evaluator, found)]))


def aggregate(evaluator: Evaluator, expr: core.Aggregate, contexts: Contexts) -> Answer:
    found = evaluator.find(expr.events, contexts)
    if expr.function in ("first", "last"):
        return _end_value(evaluator, expr, found, contexts)
    vector, lacking = aggregates.combine(evaluator, expr, found)
    if found.plain:
        return Answer(vector, together([_counted(evaluator, found), lacking]))
    state = np.where(found.doubtful | (found.unsure.count > 0), MISSING, VALUE)
    state = np.where(found.open | (found.doubt == OPEN), OPEN, state)
    total = np.where(state == VALUE, vector.state, state).astype(np.uint8)
    result = Vector(vector.above, total, vector.below)
    if not evaluator.witnessing:
        return Answer(result)
    missing = lacking.where(state == VALUE)
    return Answer(result, together([_counted(evaluator, found), missing]))


def _counted(evaluator: Evaluator, found: Found) -> Seen:
    return together(
        [
            _rows(evaluator, found.sure, COUNTED),
            _unclear(evaluator, found),
            _bounds(evaluator, found),
        ]
    )


def _end_value(
    evaluator: Evaluator, expr: core.Aggregate, found: Found, contexts: Contexts
) -> Answer:
    """The value of the first or last event; one that may belong there leaves it in doubt."""
    assert isinstance(expr.value, core.Field)
    first = expr.function == "first"
    sure = found.sure.count > 0
    row, doubt, late = aggregates.end_rows(found, first)
    value = evaluator.scene.field(expr.value.name, expr.value.kind, np.clip(row, 0, None))
    value = value.spread(contexts.size)
    # Of the three kinds of row the nearest one to that end decides.
    far = len(evaluator.scene)
    places = np.stack([np.where(r >= 0, r, far) if first else r for r in (row, doubt, late)])
    nearest = places.argmin(axis=0) if first else places.argmax(axis=0)
    some = (row >= 0) | (doubt >= 0) | (late >= 0)
    state = np.where(some, np.choose(nearest, [value.state, MISSING, OPEN]), NOTHING)
    still_open = found.more & ~sure if first else found.more
    state = np.where(still_open, OPEN, state)
    state = np.where(found.doubtful, found.doubt, state).astype(np.uint8)
    result = Vector(value.above, state, value.below)
    if not evaluator.witnessing:
        return Answer(result)
    judged = ~found.doubtful & ~still_open & some
    part = evaluator.parts.number(f"lacks {expr.value.name}")
    shown = np.flatnonzero(judged & (nearest == 0))
    lacks = np.flatnonzero(judged & (nearest == 0) & (value.state == MISSING))
    unclear = np.flatnonzero(judged & (nearest > 0))
    rows = np.where(nearest == 1, doubt, late)
    return Answer(
        result,
        together(
            [
                _seen(shown, row[shown], FOUND),
                _seen(lacks, row[lacks], part),
                _seen(unclear, rows[unclear], UNCLEAR),
                _bounds(evaluator, found),
            ]
        ),
    )


def in_order(evaluator: Evaluator, expr: core.InOrder, contexts: Contexts) -> Answer:
    found = evaluator.find(expr.events, contexts)
    start = None if expr.start is None else evaluator.answer(expr.start, contexts)
    vector, lacking = seats.in_order(
        evaluator, expr, found, None if start is None else start.vector.spread(contexts.size)
    )
    if not evaluator.witnessing:
        return Answer(vector)
    return Answer(vector, together([_counted(evaluator, found), lacking]))


def next_seat(evaluator: Evaluator, expr: core.NextSeat, contexts: Contexts) -> Answer:
    found = evaluator.find(expr.events, contexts)
    start = evaluator.answer(expr.start, contexts)
    vector, lacking = seats.next_seat(evaluator, expr, found, start.vector.spread(contexts.size))
    state = np.where(found.doubtful | (found.unsure.count > 0), MISSING, VALUE)
    state = np.where(found.open | (found.doubt == OPEN), OPEN, state)
    total = np.where(state == VALUE, vector.state, state).astype(np.uint8)
    result = Vector(vector.above, total)
    if not evaluator.witnessing:
        return Answer(result)
    judged = state == VALUE
    # Where nobody sits, it does not matter from which seat one starts to count.
    alone = judged & (vector.state == NOTHING) & (start.vector.spread(contexts.size).state == VALUE)
    return Answer(
        result,
        together(
            [
                _counted(evaluator, found),
                start.seen.where(judged & ~alone),
                lacking.where(judged),
            ]
        ),
    )
