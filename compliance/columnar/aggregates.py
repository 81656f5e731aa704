"""One value from many events, for all contexts at once: counts, sums, hands, order of seats."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from compliance.columnar.contexts import NOBODY, Seen, portions, spread_ranges
from compliance.columnar.search import Found, Rows
from compliance.columnar.vectors import MISSING, NOTHING, OPEN, SURE, VALUE, Vector, flags
from compliance.columns import CARD_LIST, JOKER_CODE, Flags, Integers
from rules_dsl import core
from rules_dsl.functions import OF_CARDS, POKER_CLASS, Unsuitable

if TYPE_CHECKING:
    from compliance.columnar.evaluate import Evaluator

Kept = TypeVar("Kept")

PIPS: Integers = np.array(
    [0 if card.rank is None else card.rank.pips for card in CARD_LIST], dtype=np.int64
)


def combine(evaluator: Evaluator, expr: core.Aggregate, found: Found) -> tuple[Vector, Seen]:
    """The value of each context's events, and the rows that lack the field it needs."""
    if expr.function == "count":
        return Vector(found.sure.count, SURE), NOBODY
    assert isinstance(expr.value, core.Field)
    field = expr.value
    pool = _of_pool(evaluator, found.sure, ("values", field.name), lambda: _values(
        evaluator, field, found.sure.pool))  # fmt: skip
    if pool.sure:
        nothing = np.zeros(found.size, dtype=np.bool_)
        result = _combined(evaluator, expr, found, pool, nothing)
    else:
        lacking_before = prefix((pool.state != VALUE).astype(np.int64))
        incomplete = lacking_before[found.sure.end] > lacking_before[found.sure.first]
        vector = _combined(evaluator, expr, found, pool, incomplete)
        state = np.where(incomplete, MISSING, vector.state).astype(np.uint8)
        result = Vector(vector.above, state, vector.below)
    if not evaluator.witnessing:
        return result, NOBODY
    return result, rows_lacking(evaluator, expr.value, found, pool)


def _values(evaluator: Evaluator, field: core.Field, rows: Integers) -> Vector:
    return evaluator.scene.field(field.name, field.kind, rows).spread(len(rows))


def _of_pool(evaluator: Evaluator, rows: Rows, name: object, work: Callable[[], Kept]) -> Kept:
    """Something worked out for all rows of a pool, kept while others ask for the same pool."""
    if not rows.shared:
        return work()
    memo = evaluator.scene.memo
    key = ("of pool", id(rows.pool), name)
    if key not in memo:
        # The pool is kept too, so that its identity cannot pass to another one.
        memo[key] = (rows.pool, work())
    kept: Kept = memo[key][1]
    return kept


def rows_lacking(evaluator: Evaluator, value: core.Field, found: Found, pool: Vector) -> Seen:
    """The rows that lack the field that is asked for."""
    places, owners = spread_ranges(found.sure.first, found.sure.end)
    without = pool.state[places] == MISSING
    part = evaluator.parts.number(f"lacks {value.name}")
    return Seen(
        owners[without],
        found.sure.pool[places[without]],
        np.full(int(without.sum()), part, dtype=np.int64),
    )


def prefix(values: Integers) -> Integers:
    """Sums of everything before each place, so that a range is one difference."""
    result = np.zeros(len(values) + 1, dtype=np.int64)
    np.cumsum(values, out=result[1:])
    return result


def _combined(
    evaluator: Evaluator, expr: core.Aggregate, found: Found, pool: Vector, incomplete: Flags
) -> Vector:
    if expr.function == "sum":
        if pool.below is not None:
            return _one_by_one(found, pool, incomplete, lambda values: sum(values, Fraction()))
        name = ("total", expr.value)
        total = _of_pool(
            evaluator,
            found.sure,
            name,
            lambda: prefix(np.where(pool.state == VALUE, pool.above, 0)),
        )
        return Vector(total[found.sure.end] - total[found.sure.first], SURE)
    if expr.function in ("smallest", "largest"):
        return _extreme(expr.function == "smallest", found, pool, incomplete)
    if expr.function == "distinct":
        return _distinct(found, pool)
    if expr.function in ("blackjack_total", "hard_total", "is_soft", "baccarat_points"):
        return _points(evaluator, expr, found, pool)
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


@dataclass(frozen=True)
class _Pips:
    """Sums over all cards of a pool before each place: pips, aces and jokers (if any)."""

    pips: Integers
    aces: Integers
    jokers: Integers | None


def _pips(pool: Vector) -> _Pips:
    cards = pool.above if pool.sure else np.where(pool.state == VALUE, pool.above, 0)
    pips, jokers = PIPS[cards], cards == JOKER_CODE
    return _Pips(
        prefix(pips),
        prefix((pips == 1).astype(np.int64)),
        prefix(jokers.astype(np.int64)) if jokers.any() else None,
    )


def _points(evaluator: Evaluator, expr: core.Aggregate, found: Found, pool: Vector) -> Vector:
    rows = found.sure
    sums = _of_pool(evaluator, rows, ("pips", expr.value), lambda: _pips(pool))
    hard = sums.pips[rows.end] - sums.pips[rows.first]
    soft = (sums.aces[rows.end] > sums.aces[rows.first]) & (hard <= 11)
    state = SURE
    if sums.jokers is not None:
        some = sums.jokers[rows.end] > sums.jokers[rows.first]
        state = np.where(some, MISSING, VALUE).astype(np.uint8)
    return points(expr.function, hard, soft, state)


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
    lengths = found.sure.count + found.unsure.count + found.pending.count
    kept = [_nearest(evaluator, events, found, *part) for part in portions(lengths)]
    if not kept:
        return found
    rows, owners, state = (np.concatenate(column) for column in zip(*kept, strict=True))
    return _from_pairs(found, rows, owners, state)


def _nearest(
    evaluator: Evaluator, events: core.Events, found: Found, begin: int, stop: int
) -> tuple[Integers, Integers, Integers]:
    """The same for some contexts: the rows that are or may be meant, with context and state."""
    pieces = []
    for kind, part in ((VALUE, found.sure), (MISSING, found.unsure), (OPEN, found.pending)):
        places, owner = spread_ranges(part.first[begin:stop], part.end[begin:stop])
        state = np.full(len(places), kind, dtype=np.int64)
        pieces.append((part.pool[places], owner + begin, state))
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
    if events.per == "latest":
        # While more may come, none is surely the latest.
        kept[(kept >= 0) & found.more[owners]] = OPEN
    meant = np.flatnonzero(kept >= 0)
    return rows[meant], owners[meant], kept[meant]


def _keep_nearest(chosen: Integers, owners: Integers, keys: list[Integers], kept: Integers) -> None:
    """Where everything is certain: the first of each key in the order of nearness."""
    columns = np.stack([owners[chosen], *(key[chosen] for key in keys)], axis=1)
    if len(columns):
        _, first = np.unique(columns, axis=0, return_index=True)
        kept[chosen[first]] = VALUE


def _keep_in_doubt(mine: Integers, keys: list[Integers], state: Integers, kept: Integers) -> None:
    """One context in which the log leaves something open, event by event as the reference does."""
    settled: set[tuple[int, ...]] = set()
    doubts: list[tuple[tuple[int, ...], int]] = []
    for place in mine:
        key = tuple(int(column[place]) for column in keys)
        if key in settled:
            continue
        own = int(state[place])
        if -1 in key:
            own = max(own, MISSING)
        clouds = [
            doubt
            for other, doubt in doubts
            if all(a == b or -1 in (a, b) for a, b in zip(key, other, strict=True))
        ]
        kept[place] = max(own, *clouds) if clouds else own
        if own == VALUE:
            settled.add(key)
        else:
            doubts.append((key, own))


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
        first = owner.searchsorted(numbers).astype(np.int64)
        end = owner.searchsorted(numbers, side="right").astype(np.int64)
        parts.append(Rows(pool, first, end))
    return replace(found, sure=parts[0], unsure=parts[1], pending=parts[2])
