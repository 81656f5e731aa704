"""What phrases mean: which events they speak of, how many there are, and what they add up to."""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import timedelta
from itertools import pairwise
from typing import Any, Protocol

from compliance.judgement.circumstances import Absent
from compliance.reference.answers import (
    Answer,
    Bounds,
    Seen,
    Truth,
    all_hold,
    as_truth,
    conjunction,
    disjunction,
    first_absent,
    negation,
    united,
    why_absent,
)
from compliance.reference.numbers import bounds, divided_by, total
from compliance.reference.runs import Environment
from compliance.reference.scene import Scene, weight
from compliance.reference.windows import look
from event_schemas import LostRecord
from rules_dsl import core
from rules_dsl.functions import OF_CARDS, Unsuitable

_FULL_CIRCLE = 1_000_000  # more seats than any table has
_Key = tuple[object, ...]


class Evaluator(Protocol):
    """What phrases ask about single events of a scene."""

    scene: Scene

    def evaluate(self, expr: core.Expr, env: Environment) -> Answer:
        """The value of an expression, with each event variable at its position."""

    def matches(self, pattern: core.Pattern, position: int, env: Environment) -> Answer:
        """Whether the event at a position is one that a pattern means."""


@dataclass(frozen=True)
class _Matches:
    """The events of a phrase: those that surely match and those that may.

    `unsure` is what the log leaves in doubt (`doubted` says how many events that may be), `pending`
    what the rest of the log will tell, and `more` says that further events may come. `doubtful`
    says that a length of time is not known.
    """

    sure: tuple[int, ...]
    unsure: tuple[int, ...]
    doubted: int
    pending: tuple[int, ...]
    more: bool
    doubtful: Absent | None
    bounds: frozenset[Seen]

    @property
    def open(self) -> bool:
        return self.more or bool(self.pending)

    @property
    def all(self) -> list[int]:
        """Every event that matches or may match, in order."""
        return sorted([*self.sure, *self.unsure, *self.pending])


def _find(evaluator: Evaluator, events: core.Events, env: Environment) -> _Matches:
    """The events of a phrase, each with how sure it is that it belongs."""
    view = look(
        evaluator.scene, events.window, env[events.at], env, evaluator.matches, evaluator.evaluate
    )
    found = {
        position: all_hold(inside, evaluator.matches(events.pattern, position, env).value)
        for position, inside in view.belongs.items()
    }
    if events.per is not None:
        found = _one_per_key(evaluator, events, found, view.open)
    unsure = tuple(position for position, truth in found.items() if truth is Absent.MISSING)
    return _Matches(
        tuple(position for position, truth in found.items() if truth is True),
        unsure,
        sum(weight(evaluator.scene.events[position]) for position in unsure),
        tuple(position for position, truth in found.items() if truth is Absent.OPEN),
        view.open,
        view.doubtful,
        view.bounds,
    )


def _one_per_key(
    evaluator: Evaluator, events: core.Events, found: dict[int, Truth], more: bool
) -> dict[int, Truth]:
    """Of each key only the latest (or earliest) event. One that may be it, and one that does
    not say its key, leave those behind it in doubt."""
    kept: dict[int, Truth] = {}
    settled: set[_Key] = set()
    doubts: list[tuple[_Key, Truth]] = []
    for position in sorted(found, reverse=events.per == "latest"):
        truth = found[position]
        event = evaluator.scene.events[position]
        key = tuple(event.get(name) for name in events.per_fields)
        if truth is False or key in settled:
            continue
        if truth is True and None not in key:
            settled.add(key)
        else:
            truth = truth if truth is Absent.OPEN else Absent.MISSING
        clouds = [doubt for other, doubt in doubts if _may_agree(key, other)]
        if isinstance(truth, Absent):
            doubts.append((key, truth))
        # While more may come, none is surely the latest.
        replaced = Absent.OPEN if more and events.per == "latest" else True
        kept[position] = all_hold(truth, replaced, *clouds)
    return dict(sorted(kept.items()))


def how_many(evaluator: Evaluator, expr: core.HowMany, env: Environment) -> Answer:
    number = evaluator.evaluate(expr.number, env)
    absent = why_absent(number.value)
    if absent is not None:
        return Answer(as_truth(absent), number.witnesses)
    found = _find(evaluator, expr.events, env)
    wanted = number.value
    past = expr.events.window.reach == "past"
    nearest = tuple(reversed(found.sure)) if past else found.sure
    unclear = tuple(reversed(found.unsure)) if past else found.unsure
    parts = []
    if expr.bound in ("at least", "exactly"):
        enough = nearest[: max(0, math.ceil(wanted))]
        parts.append(_at_least(wanted, found, enough, unclear))
    if expr.bound in ("at most", "exactly"):
        too_many = nearest[: max(0, math.floor(wanted) + 1)]
        parts.append(negation(_at_least(math.floor(wanted) + 1, found, too_many, unclear)))
    answer = conjunction(parts)
    return Answer(answer.value, answer.witnesses | number.witnesses)


def _at_least(
    wanted: Any, found: _Matches, witnesses: tuple[int, ...], unclear: tuple[int, ...]
) -> Answer:
    seen = frozenset(Seen(position, "found") for position in witnesses) | found.bounds
    if found.doubtful:
        return Answer(found.doubtful, seen)
    if len(found.sure) >= wanted:
        return Answer(True, seen)
    if found.open:
        return Answer(Absent.OPEN, seen)
    if len(found.sure) + found.doubted >= wanted:
        lacking = math.ceil(wanted) - len(found.sure)
        doubts = frozenset(Seen(position, "unclear") for position in unclear[:lacking])
        return Answer(Absent.MISSING, seen | doubts)
    return Answer(False, seen)


def every(evaluator: Evaluator, expr: core.Every, env: Environment) -> Answer:
    found = _find(evaluator, expr.events, env)
    var = expr.events.pattern.var
    answers = []
    for position in found.sure:
        answer = evaluator.evaluate(expr.condition, {**env, var: position})
        answers.append(Answer(answer.value, answer.witnesses | {Seen(position, "found")}))
    for position in found.unsure:
        unclear = Answer(Absent.MISSING, frozenset({Seen(position, "unclear")}))
        if isinstance(evaluator.scene.events[position], LostRecord):
            answers.append(unclear)
        else:
            answer = evaluator.evaluate(expr.condition, {**env, var: position})
            answers.append(disjunction([unclear, answer]))
    if found.open:
        answers.append(Answer(Absent.OPEN))
    if found.doubtful:
        return Answer(found.doubtful, united(answers) | found.bounds)
    result = conjunction(answers)
    return Answer(result.value, result.witnesses | found.bounds)


def aggregate(evaluator: Evaluator, expr: core.Aggregate, env: Environment) -> Answer:
    found = _find(evaluator, expr.events, env)
    if expr.function in ("first", "last"):
        return _end_value(evaluator, expr, found, env)
    absent = _no_total(found)
    seen = _counted(found)
    if absent is not None:
        return Answer(absent, seen)
    if expr.function == "count":
        return Answer(_between(len(found.sure), found.doubted), seen)
    if expr.function == "sum":
        return _sum(evaluator, expr, found, env)
    values = _values(evaluator, expr, found.sure, env)
    known = [value.value for value in values if why_absent(value.value) is None]
    lacking = len(values) - len(known)
    if lacking:
        seen |= united(values)
    if expr.function == "distinct":
        # What is not told may be one value more or one that is there already.
        return Answer(_between(len(set(known)), found.doubted + lacking), seen)
    if found.unsure or lacking:
        return Answer(Absent.MISSING, seen)
    return Answer(_combine(expr, known), seen)


def _between(low: int, doubted: int) -> Any:
    """A number of which so much is sure and so much in doubt."""
    return Bounds(low, low + doubted) if doubted else low


def _sum(evaluator: Evaluator, expr: core.Aggregate, found: _Matches, env: Environment) -> Answer:
    """A total. What may belong to it, and what is not told, leaves it between two limits.

    Of money that is not told only one thing is taken for granted: it is not negative.
    """
    zero: Any = timedelta() if expr.kind == "duration" else 0
    least = zero if _is_amount(expr.value) else None
    seen = _counted(found)
    values = _values(evaluator, expr, found.sure, env)
    lacking = first_absent(values) is not None
    if lacking:
        seen |= united(values)
    shares: dict[int, tuple[Any, Any]] = {}
    for position, answer in zip(found.sure, values, strict=True):
        absent = why_absent(answer.value) is not None
        shares[position] = (least, None) if absent else (answer.value, answer.value)
    for position in found.unsure:
        shares[position] = (least, None)
        if not isinstance(evaluator.scene.events[position], LostRecord):
            value = _values(evaluator, expr, (position,), env)[0].value
            if why_absent(value) is None:
                shares[position] = (min(zero, value), max(zero, value))
    low = _total_of_limits([shares[position][0] for position in found.all], expr.kind)
    high = _total_of_limits([shares[position][1] for position in found.all], expr.kind)
    return Answer(bounds(low, high) if lacking or found.unsure else low, seen)


def _is_amount(value: core.Expr | None) -> bool:
    """Whether a value is an amount of money as events record it."""
    return isinstance(value, core.Field) and value.kind == "money"


def _total_of_limits(parts: list[Any], kind: str) -> Any:
    """The limits of parts added up; there is none where a part has none."""
    return None if None in parts else total(parts, kind)


def _values(
    evaluator: Evaluator,
    expr: core.Aggregate | core.InOrder | core.NextSeat,
    positions: tuple[int, ...],
    env: Environment,
) -> list[Answer]:
    if expr.value is None:  # a count, which asks no event for a value
        return []
    var = expr.events.pattern.var
    return [evaluator.evaluate(expr.value, {**env, var: position}) for position in positions]


def _end_value(
    evaluator: Evaluator, expr: core.Aggregate, found: _Matches, env: Environment
) -> Answer:
    """The value of the first or last event; one that may belong there leaves it in doubt."""
    first = expr.function == "first"
    if found.doubtful:
        return Answer(found.doubtful, found.bounds)
    if found.more and not (first and found.sure):
        return Answer(Absent.OPEN, found.bounds)
    if not found.all:
        return Answer(Absent.NOTHING, found.bounds)
    position = found.all[0 if first else -1]
    if position in found.pending:
        return Answer(Absent.OPEN, found.bounds | {Seen(position, "unclear")})
    if position in found.unsure:
        return Answer(Absent.MISSING, found.bounds | {Seen(position, "unclear")})
    value = _values(evaluator, expr, (position,), env)[0]
    return Answer(value.value, value.witnesses | found.bounds | {Seen(position, "found")})


def in_order(evaluator: Evaluator, expr: core.InOrder, env: Environment) -> Answer:
    found = _find(evaluator, expr.events, env)
    seen = _counted(found)
    if found.doubtful:
        return Answer(found.doubtful, seen)
    values = dict(zip(found.sure, _values(evaluator, expr, found.sure, env), strict=True))
    seats = [value.value for value in values.values() if not isinstance(value.value, Absent)]
    if expr.start is not None:
        start = evaluator.evaluate(expr.start, env)
        if isinstance(start.value, Absent):
            return Answer(as_truth(start.value), seen)
        origin = start.value
    else:
        # Without a start one counts from the first event, whose seat must be known for that.
        first = values.get(found.all[0]) if found.all else None
        origin = None if first is None or isinstance(first.value, Absent) else first.value
    if origin is not None:
        steps = [_steps(origin, seat, expr.direction) for seat in seats]
        # What stands between two seats in the wrong order cannot put them right.
        if any(after <= before for before, after in pairwise(steps)):
            return Answer(False, seen)
    if found.open:
        return Answer(Absent.OPEN, seen)
    if found.unsure or len(seats) < len(found.sure):
        return Answer(Absent.MISSING, seen | united(values.values()))
    return Answer(True, seen)


def next_seat(evaluator: Evaluator, expr: core.NextSeat, env: Environment) -> Answer:
    found = _find(evaluator, expr.events, env)
    seen = _counted(found)
    absent = _no_total(found)
    if absent is None and found.unsure:
        absent = Absent.MISSING
    if absent is not None:
        return Answer(absent, seen)
    start = evaluator.evaluate(expr.start, env)
    values = _values(evaluator, expr, found.sure, env)
    lacking = first_absent([start, *values])
    if lacking is not None:
        return Answer(lacking, seen | start.witnesses | united(values))
    if not values:
        return Answer(Absent.NOTHING, seen)

    def distance(seat: int) -> int:
        # The seat itself comes last: once round the whole table.
        return _steps(start.value, seat, expr.direction) or _FULL_CIRCLE * 2

    return Answer(min((v.value for v in values), key=distance), seen | start.witnesses)


def _may_agree(key: _Key, other: _Key) -> bool:
    """Whether two keys are the same as far as the log records them."""
    return all(a == b or None in (a, b) for a, b in zip(key, other, strict=True))


def _no_total(found: _Matches) -> Absent | None:
    """Why nothing can be told of a count or sum over these events, if nothing can."""
    if found.open or found.doubtful is Absent.OPEN:
        return Absent.OPEN
    return found.doubtful


def _counted(found: _Matches) -> frozenset[Seen]:
    doubts = frozenset(Seen(position, "unclear") for position in found.unsure)
    return frozenset(Seen(position, "counted") for position in found.sure) | doubts | found.bounds


def _combine(expr: core.Aggregate, values: list[Any]) -> Any:
    if expr.function in ("smallest", "largest"):
        if not values:
            return Absent.NOTHING
        choose = min if expr.function == "smallest" else max
        return choose(values, key=expr.order.index) if expr.order else choose(values)
    if expr.function == "average":
        return divided_by(total(values, expr.kind), len(values))
    if expr.function == "median":
        return _median(sorted(values))
    try:
        return OF_CARDS[expr.function].work(values)
    except Unsuitable:
        return Absent.MISSING


def _median(values: list[Any]) -> Any:
    """The value in the middle; of two in the middle, half their sum."""
    middle = values[(len(values) - 1) // 2 : len(values) // 2 + 1]
    return divided_by(total(middle, "number"), len(middle))


def _steps(origin: int, seat: int, direction: str) -> int:
    """How far round the table a seat is from another, going one way."""
    distance = seat - origin if direction == "clockwise" else origin - seat
    return distance if distance >= 0 else distance + _FULL_CIRCLE
