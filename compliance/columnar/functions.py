"""Functions of single values, for all contexts at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from compliance.columnar.aggregates import PIPS, hand_code, points
from compliance.columnar.contexts import Contexts
from compliance.columnar.vectors import MISSING, VALUE, States, Vector, ordering
from compliance.columns import CARDS, JOKER_CODE, Integers
from rules_dsl import core
from rules_dsl.functions import OF_CARDS

if TYPE_CHECKING:
    from compliance.columnar.evaluate import Evaluator

_DAY = 86_400_000_000
_HOUR = 3_600_000_000


def apply_function(
    evaluator: Evaluator, expr: core.Apply, arguments: list[Vector], contexts: Contexts
) -> Vector:
    """One function of the rule language on vectors."""
    if expr.function in OF_CARDS or expr.function == "size":
        return _of_lists(evaluator, expr, arguments[0])
    if expr.function in ("larger", "smaller"):
        return _pick(expr.function == "larger", *arguments)
    value = arguments[0]
    if expr.function in ("date", "hour"):
        return _calendar(evaluator, expr, value, contexts)
    jokers = (value.state == VALUE) & (value.above == JOKER_CODE)
    state: States = np.where(jokers, MISSING, value.state).astype(np.uint8)
    cards: Integers = np.where(state == VALUE, value.above, 0)
    if expr.function == "pip_value":
        return Vector(PIPS[cards], state)
    if expr.function == "rank":
        return Vector(cards // 4, state)
    suit = cards % 4
    if expr.function == "suit":
        return Vector(suit, state)
    # Hearts and diamonds are red, the first of the two colours.
    return Vector(np.where((suit == 1) | (suit == 2), 0, 1), state)


def _pick(larger: bool, left: Vector, right: Vector) -> Vector:
    state = np.maximum(left.state, right.state)
    order = ordering(left, right)
    first = order >= 0 if larger else order <= 0
    above = np.where(first, left.above, right.above)
    if left.below is None and right.below is None:
        return Vector(above, state)
    one = np.ones(1, dtype=np.int64)
    a = one if left.below is None else left.below
    b = one if right.below is None else right.below
    return Vector(above, state, np.where(first, a, b))


def _calendar(evaluator: Evaluator, expr: core.Apply, value: Vector, contexts: Contexts) -> Vector:
    """Day or hour of a moment in its own zone, which only the event itself knows."""
    argument = expr.arguments[0]
    offsets = np.zeros(contexts.size, dtype=np.int64)
    if isinstance(argument, core.Field):
        scene = evaluator.scene
        rows = contexts.rows[argument.var]
        for i, place in enumerate(scene.place(rows)):
            moment = scene.log.event(int(place)).get(argument.name)
            offset = getattr(moment, "utcoffset", lambda: None)()
            offsets[i] = 0 if offset is None else int(offset.total_seconds()) * 1_000_000
    local = value.spread(contexts.size).above + offsets
    if expr.function == "date":
        return Vector(local // _DAY, np.broadcast_to(value.state, contexts.size))
    return Vector(local % _DAY // _HOUR, np.broadcast_to(value.state, contexts.size))


def _of_lists(evaluator: Evaluator, expr: core.Apply, value: Vector) -> Vector:
    """Functions of values that hold several cards."""
    hands = evaluator.scene.log.words.hands
    above = np.zeros(len(value), dtype=np.int64)
    state = np.broadcast_to(value.state, len(value)).copy()
    for i, number in enumerate(np.broadcast_to(value.above, len(value))):
        if state[i] != VALUE:
            continue
        codes = tuple(sorted(CARDS[card] for card in hands[int(number)]))
        if expr.function == "size":
            above[i] = len(codes)
        elif expr.function in ("poker_rank", "low_poker_rank", "poker_class"):
            code = hand_code(expr.function, codes)
            above[i], state[i] = max(code, 0), MISSING if code < 0 else VALUE
        elif JOKER_CODE in codes:
            state[i] = MISSING
        else:
            hard = np.array([sum(int(PIPS[c]) for c in codes)])
            soft = np.array([any(PIPS[c] == 1 for c in codes)]) & (hard <= 11)
            above[i] = points(expr.function, hard, soft, np.zeros(1, dtype=np.uint8)).above[0]
    return Vector(above, state)
