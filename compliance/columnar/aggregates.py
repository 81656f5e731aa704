"""One value from many events, for all contexts at once: counts, sums, hands, order of seats."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from compliance.columnar.contexts import NOBODY, Seen, spread_ranges
from compliance.columnar.search import Found, Rows
from compliance.columnar.vectors import MISSING, NOTHING, OPEN, VALUE, Vector, flags
from compliance.columns import CARD_LIST, JOKER_CODE, Flags, Integers
from rules_dsl import core
from rules_dsl.functions import OF_CARDS, POKER_CLASS, Unsuitable

if TYPE_CHECKING:
    from compliance.columnar.evaluate import Evaluator

_FULL_CIRCLE = 1_000_000
PIPS: Integers = np.array(
    [0 if card.rank is None else card.rank.pips for card in CARD_LIST], dtype=np.int64
)


def combine(evaluator: Evaluator, expr: core.Aggregate, found: Found) -> tuple[Vector, Seen]:
    """The value of each context's events, and the rows that lack the field it needs."""
    size = found.size
    if expr.function == "count":
        return Vector(found.sure.count, np.zeros(size, dtype=np.uint8)), NOBODY
    assert isinstance(expr.value, core.Field)
    pool = evaluator.scene.field(expr.value.name, expr.value.kind, found.sure.pool)
    pool = pool.spread(len(found.sure.pool))
    lacking_before = _prefix((pool.state != VALUE).astype(np.int64))
    incomplete = lacking_before[found.sure.end] > lacking_before[found.sure.first]
    vector = _combined(expr, found, pool, incomplete)
    state = np.where(incomplete, MISSING, vector.state).astype(np.uint8)
    result = Vector(vector.above, state, vector.below)
    if not evaluator.witnessing:
        return result, NOBODY
    return result, _lacking(evaluator, expr.value, found, pool)


def _lacking(evaluator: Evaluator, value: core.Field, found: Found, pool: Vector) -> Seen:
    places, owners = spread_ranges(found.sure.first, found.sure.end)
    without = pool.state[places] == MISSING
    part = evaluator.parts.number(f"lacks {value.name}")
    return Seen(
        owners[without],
        found.sure.pool[places[without]],
        np.full(int(without.sum()), part, dtype=np.int64),
    )


def _prefix(values: Integers) -> Integers:
    """Sums of everything before each place, so that a range is one difference."""
    result = np.zeros(len(values) + 1, dtype=np.int64)
    np.cumsum(values, out=result[1:])
    return result


def _combined(expr: core.Aggregate, found: Found, pool: Vector, incomplete: Flags) -> Vector:
    known = np.zeros(found.size, dtype=np.uint8)
    if expr.function == "sum":
        if pool.below is not None:
            return _one_by_one(found, pool, incomplete, lambda values: sum(values, Fraction()))
        total = _prefix(np.where(pool.state == VALUE, pool.above, 0))
        return Vector(total[found.sure.end] - total[found.sure.first], known)
    if expr.function in ("smallest", "largest"):
        return _extreme(expr.function == "smallest", found, pool, incomplete)
    if expr.function == "distinct":
        return _distinct(found, pool)
    if expr.function in ("blackjack_total", "hard_total", "is_soft", "baccarat_points"):
        return _points(expr.function, found, pool)
    return _poker(expr.function, found, pool, incomplete)


def _extreme(smallest: bool, found: Found, pool: Vector, incomplete: Flags) -> Vector:
    some = found.sure.count > 0
    state = np.where(some, VALUE, NOTHING).astype(np.uint8)
    if pool.below is not None:
        return _one_by_one(found, pool, incomplete, min if smallest else max)
    places, _ = spread_ranges(found.sure.first, found.sure.end)
    above = np.zeros(found.size, dtype=np.int64)
    if len(places):
        lengths = found.sure.count[some]
        starts = np.cumsum(lengths) - lengths
        work = np.minimum if smallest else np.maximum
        above[some] = work.reduceat(pool.above[places], starts)
    return Vector(above, state)


def _one_by_one(found: Found, pool: Vector, incomplete: Flags, work: Any) -> Vector:
    """Values with something below the line are rare: they are put together in plain Python."""
    size = found.size
    above, below = np.zeros(size, dtype=np.int64), np.ones(size, dtype=np.int64)
    state = np.zeros(size, dtype=np.uint8)
    assert pool.below is not None
    for i in range(size):
        if incomplete[i]:
            continue
        part = slice(int(found.sure.first[i]), int(found.sure.end[i]))
        values = [
            Fraction(int(a), int(b))
            for a, b in zip(pool.above[part], pool.below[part], strict=True)
        ]
        if not values and work in (min, max):
            state[i] = NOTHING
            continue
        total = Fraction(work(values))
        above[i], below[i] = total.numerator, total.denominator
    return Vector(above, state, below)


def _distinct(found: Found, pool: Vector) -> Vector:
    places, owners = spread_ranges(found.sure.first, found.sure.end)
    below = np.ones(len(places), dtype=np.int64) if pool.below is None else pool.below[places]
    values = pool.above[places]
    order = np.lexsort((below, values, owners))
    owners, values, below = owners[order], values[order], below[order]
    new = np.ones(len(owners), dtype=np.bool_)
    new[1:] = (np.diff(owners) != 0) | (np.diff(values) != 0) | (np.diff(below) != 0)
    counts = np.bincount(owners[new], minlength=found.size).astype(np.int64)
    return Vector(counts, np.zeros(len(counts), dtype=np.uint8))


# ---- hands of cards ------------------------------------------------------------------------


def _points(function: str, found: Found, pool: Vector) -> Vector:
    cards = np.where(pool.state == VALUE, pool.above, 0)
    pips = _prefix(PIPS[cards])
    aces = _prefix((PIPS[cards] == 1).astype(np.int64))
    jokers = _prefix((cards == JOKER_CODE).astype(np.int64))
    hard = pips[found.sure.end] - pips[found.sure.first]
    soft = (aces[found.sure.end] > aces[found.sure.first]) & (hard <= 11)
    state = np.where(jokers[found.sure.end] > jokers[found.sure.first], MISSING, VALUE).astype(
        np.uint8
    )
    return points(function, hard, soft, state)


def points(function: str, hard: Integers, soft: Flags, state: Any) -> Vector:
    """Totals of hands from their hard total and whether an ace counts eleven."""
    if function == "hard_total":
        return Vector(hard, state)
    if function == "baccarat_points":
        return Vector(hard % 10, state)
    if function == "is_soft":
        return flags(soft, state)
    return Vector(hard + np.where(soft, 10, 0), state)


@lru_cache(maxsize=200_000)
def hand_code(function: str, cards: tuple[int, ...]) -> int:
    """A poker hand as one number that orders like the hand; -1 when the cards make no hand."""
    try:
        value = OF_CARDS[function].work([CARD_LIST[card] for card in cards])
    except Unsuitable:
        return -1
    if function == "poker_class":
        assert POKER_CLASS.enum is not None
        return POKER_CLASS.enum.values.index(value)
    code = 0
    # Shorter hands compare like tuples: the missing places count less than any card.
    for place in range(8):
        code = code * 64 + (value[place] + 32 if place < len(value) else 0)
    return code


def _poker(function: str, found: Found, pool: Vector, incomplete: Flags) -> Vector:
    size = found.size
    above = np.zeros(size, dtype=np.int64)
    state = np.zeros(size, dtype=np.uint8)
    for i in range(size):
        if incomplete[i]:
            continue
        cards = tuple(sorted(int(c) for c in pool.above[found.sure.first[i] : found.sure.end[i]]))
        code = hand_code(function, cards)
        above[i] = max(code, 0)
        state[i] = MISSING if code < 0 else VALUE
    return Vector(above, state)


# ---- first, last, one of each key ----------------------------------------------------------


def end_rows(found: Found, first: bool) -> tuple[Integers, Integers, Integers]:
    """The first (or last) sure, possible and undecided row; -1 where there is none."""

    def ends(rows: Rows) -> Integers:
        if not len(rows.pool):
            return np.full(found.size, -1, dtype=np.int64)
        place = np.clip(rows.first if first else rows.end - 1, 0, len(rows.pool) - 1)
        return np.where(rows.count > 0, rows.pool[place], -1)

    return ends(found.sure), ends(found.unsure), ends(found.pending)


def one_per_key(evaluator: Evaluator, events: core.Events, found: Found) -> Found:
    """Of each key only the latest (or earliest) event. One that may be it, and one that does not
    say its key, leave those behind it in doubt."""
    pieces = []
    for kind, part in ((VALUE, found.sure), (MISSING, found.unsure), (OPEN, found.pending)):
        places, owner = spread_ranges(part.first, part.end)
        pieces.append((part.pool[places], owner, np.full(len(places), kind, dtype=np.int64)))
    rows, owners, state = (np.concatenate(column) for column in zip(*pieces, strict=True))
    keys = _keys(evaluator, events, rows)
    nearness = -rows if events.per == "latest" else rows
    order = np.lexsort((nearness, owners))
    rows, owners, state = rows[order], owners[order], state[order]
    keys = [key[order] for key in keys]
    plain = state == VALUE
    for key in keys:
        plain &= key >= 0
    easy = np.ones(found.size, dtype=np.bool_)
    easy[owners[~plain]] = False
    kept = np.full(len(rows), -1, dtype=np.int64)
    simple = np.flatnonzero(easy[owners])
    _keep_nearest(simple, owners, keys, kept)
    for context in np.flatnonzero(~easy):
        mine = np.flatnonzero(owners == context)
        _keep_in_doubt(mine, keys, state, kept)
    return _from_pairs(found, rows, owners, kept)


def _keep_nearest(chosen: Integers, owners: Integers, keys: list[Integers], kept: Integers) -> None:
    """Where everything is certain: the first of each key in the order of nearness."""
    columns = np.stack([owners[chosen], *(key[chosen] for key in keys)], axis=1)
    if len(columns):
        _, first = np.unique(columns, axis=0, return_index=True)
        kept[chosen[first]] = VALUE


def _keep_in_doubt(mine: Integers, keys: list[Integers], state: Integers, kept: Integers) -> None:
    """One context in which the log leaves something open, event by event as the reference does."""
    settled: set[tuple[int, ...]] = set()
    doubts: list[tuple[int, ...]] = []
    for place in mine:
        key = tuple(int(column[place]) for column in keys)
        if key in settled:
            continue
        if state[place] != VALUE or -1 in key:
            doubts.append(key)
            kept[place] = OPEN if state[place] == OPEN else MISSING
            continue
        clouded = any(
            all(a == b or -1 in (a, b) for a, b in zip(key, doubt, strict=True)) for doubt in doubts
        )
        kept[place] = MISSING if clouded else VALUE
        settled.add(key)


def _keys(evaluator: Evaluator, events: core.Events, rows: Integers) -> list[Integers]:
    """The key values of rows as numbers; -1 where one is not recorded."""
    columns = []
    schema = evaluator.scene.log.schema
    for name in events.per_fields:
        kind = schema.events[events.pattern.types[0]].fields[name].kind.name
        vector = evaluator.scene.field(name, kind, rows).spread(len(rows))
        values = vector.above
        if vector.below is not None:
            values = values * 1_000_003 + vector.below
        _, place = np.unique(values, return_inverse=True)
        columns.append(np.where(vector.state == VALUE, place, -1))
    return columns


def _from_pairs(found: Found, rows: Integers, owners: Integers, kept: Integers) -> Found:
    numbers = np.arange(found.size)
    parts = []
    for kind in (VALUE, MISSING, OPEN):
        chosen = kept == kind
        order = np.lexsort((rows[chosen], owners[chosen]))
        pool, owner = rows[chosen][order], owners[chosen][order]
        first = np.searchsorted(owner, numbers).astype(np.int64)
        end = np.searchsorted(owner, numbers, side="right").astype(np.int64)
        parts.append(Rows(pool, first, end))
    return replace(found, sure=parts[0], unsure=parts[1], pending=parts[2])


# ---- order round the table -----------------------------------------------------------------


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
    lacking_before = _prefix((pool.state != VALUE).astype(np.int64))
    lacking = np.where(
        lacking_before[found.sure.end] > lacking_before[found.sure.first], MISSING, VALUE
    ).astype(np.uint8)
    if start is not None:
        lacking = np.maximum(lacking, np.where(start.state == NOTHING, MISSING, start.state))
    places, owners = spread_ranges(found.sure.first, found.sure.end)
    seats = pool.above[places]
    origin = np.zeros(size, dtype=np.int64)
    if start is not None:
        origin = start.above.copy()
    elif len(found.sure.pool):
        begin = np.clip(found.sure.first, 0, len(found.sure.pool) - 1)
        origin = pool.above[begin]
    steps = _steps(origin[owners], seats, expr.direction)
    wrong = np.zeros(len(places), dtype=np.bool_)
    wrong[1:] = (np.diff(owners) == 0) & (np.diff(steps) <= 0)
    broken = np.zeros(size, dtype=np.bool_)
    broken[owners[wrong]] = True
    state = np.where(broken, VALUE, np.where(found.open, OPEN, VALUE))
    state = np.where(lacking > VALUE, lacking, state)
    state = np.where(found.unsure.count > 0, MISSING, state)
    state = np.where(found.doubtful, found.doubt, state).astype(np.uint8)
    seen = _lacking(evaluator, expr.value, found, pool) if evaluator.witnessing else NOBODY
    return Vector((~broken).astype(np.int64), state), seen


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
    lacking_before = _prefix((pool.state != VALUE).astype(np.int64))
    lacking = lacking_before[found.sure.end] > lacking_before[found.sure.first]
    state = np.where(lacking, np.maximum(start.state, MISSING), start.state)
    state = np.where((state == VALUE) & ~some, NOTHING, state).astype(np.uint8)
    seen = _lacking(evaluator, expr.value, found, pool) if evaluator.witnessing else NOBODY
    return Vector(np.where(some, best % 4096, 0), state), seen
