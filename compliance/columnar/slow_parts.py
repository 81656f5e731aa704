"""Finds in a rule what the fast engine cannot do by sorted searches and sums over columns alone."""

from __future__ import annotations

from collections.abc import Iterator

from compliance.columnar import slow_places as places
from compliance.columnar.intervals_used import intervals_of
from compliance.columnar.plan import Plan
from compliance.columnar.slow_places import SLOW_PLACES, SlowPlace
from rules_dsl import core
from rules_dsl.functions import OF_CARDS
from rules_dsl.traverse import all_parts

_POKER = ("poker_rank", "low_poker_rank", "poker_class")
_BROKEN = ("odds", "percent", "number")
"""Kinds of values that may have something below the line."""


def slow_in(edition: core.Edition, rulebook: core.Rulebook, plan: Plan) -> tuple[SlowPlace, ...]:
    """The places of the engine that an edition may lead to, in the order of the list."""
    found = {places.EVIDENCE, *_of_slice(edition, rulebook)}
    for part in _all_parts(edition, rulebook):
        found.update(_of_part(part, edition, rulebook, plan))
    return tuple(place for place in SLOW_PLACES if place in found)


def slow_in_phrase(
    events: core.Events, edition: core.Edition, rulebook: core.Rulebook, plan: Plan
) -> tuple[SlowPlace, ...]:
    """The same for the search of one phrase: its pattern and its window."""
    found: set[SlowPlace] = set()
    for part in (events, events.pattern, events.window, events.window.since, events.window.before):
        if part is not None:
            found.update(_of_part(part, edition, rulebook, plan))
    return tuple(place for place in SLOW_PLACES if place in found)


def _all_parts(edition: core.Edition, rulebook: core.Rulebook) -> Iterator[core.Core]:
    """Everything that is evaluated: the rule, its sentence, and the ends of its intervals."""
    yield from all_parts(edition)
    for message in edition.message:
        if message.value is not None:
            yield from all_parts(message.value)
    for name in intervals_of(edition):
        yield from all_parts(rulebook.intervals[name])


def _of_slice(edition: core.Edition, rulebook: core.Rulebook) -> Iterator[SlowPlace]:
    if edition.slice.keys:
        yield places.KEY_VALUES
    if edition.slice.across != "table" and intervals_of(edition):
        yield places.SEVERAL_TABLES
    if any(_runs_in_doubt(edition, rulebook, name) for name in intervals_of(edition)):
        yield places.UNCLEAR_RUNS


def _runs_in_doubt(edition: core.Edition, rulebook: core.Rulebook, name: str) -> bool:
    """Whether a missing field can hide where a run begins, or to which slice its ends belong."""
    interval = rulebook.intervals[name]
    conditional = interval.opens.where is not None or interval.closes.where is not None
    return conditional or bool(edition.slice.keys)


def _of_part(
    part: core.Core, edition: core.Edition, rulebook: core.Rulebook, plan: Plan
) -> Iterator[SlowPlace]:
    if isinstance(part, core.Pattern):
        yield from _of_pattern(part, edition, rulebook, plan)
    elif isinstance(part, core.Window):
        yield from _of_window(part)
    elif isinstance(part, core.Events):
        if part.per is not None:
            yield from (places.EACH_EVENT, places.UNCLEAR_LATEST)
    elif isinstance(part, core.Every | core.InOrder | core.NextSeat):
        yield places.EACH_EVENT
    elif isinstance(part, core.Aggregate):
        yield from of_aggregate(part)
    elif isinstance(part, core.OptionValue):
        yield places.ELECTIONS
    elif isinstance(part, core.Field):
        if part.name == "id":
            yield places.IDS
    elif isinstance(part, core.Apply) and part.function in ("date", "hour"):
        yield places.CALENDAR
    elif isinstance(part, core.Apply) and (part.function in OF_CARDS or part.function == "size"):
        yield places.CARD_LISTS
        if part.function in _POKER:
            yield places.POKER
    if _calculates(part, rulebook):
        yield places.HUGE_NUMBERS


def of_aggregate(part: core.Aggregate) -> Iterator[SlowPlace]:
    """What putting one value together from many events may lead to."""
    if part.function in _POKER:
        yield places.POKER
    if part.function in ("smallest", "largest", "distinct"):
        yield places.EACH_EVENT
    if part.function in ("sum", "smallest", "largest") and part.kind in _BROKEN:
        yield places.FRACTIONS


def _of_pattern(
    pattern: core.Pattern, edition: core.Edition, rulebook: core.Rulebook, plan: Plan
) -> Iterator[SlowPlace]:
    planned = plan.pattern(pattern)
    if planned.rest:
        yield places.PAIRS
    slice_ = edition.slice
    cut_in_doubt = slice_.interval is not None and _runs_in_doubt(
        edition, rulebook, slice_.interval
    )
    if planned.local or planned.costly or planned.joins or slice_.keys or cut_in_doubt:
        yield places.UNCLEAR_PAIRS
    if planned.joins:
        yield places.WIDE_KEYS


def _of_window(window: core.Window) -> Iterator[SlowPlace]:
    if window.reach != "past":
        yield places.KEEPING
    if window.within is not None or window.at_least is not None:
        yield places.TIMES_AROUND if window.reach == "whole" else places.CLOCK_BACK


def _calculates(part: core.Core, rulebook: core.Rulebook) -> bool:
    """Whether fractions are multiplied or compared crosswise here."""
    if isinstance(part, core.Arithmetic | core.Rounding | core.About):
        return True
    if isinstance(part, core.Compare):
        return _broken(part.left, rulebook) or _broken(part.right, rulebook)
    if isinstance(part, core.If):
        return _broken(part.then, rulebook) or _broken(part.otherwise, rulebook)
    if isinstance(part, core.Apply) and part.function in ("larger", "smaller"):
        return any(_broken(argument, rulebook) for argument in part.arguments)
    if isinstance(part, core.Lookup):
        return any(_broken(key, rulebook) for key in part.keys)
    return False


def _broken(expr: core.Expr, rulebook: core.Rulebook) -> bool:
    """Whether a value may have something below the line."""
    if isinstance(expr, core.Const):
        return expr.kind in ("odds", "percent") or (expr.kind == "number" and "." in expr.text)
    if isinstance(expr, core.Field | core.OptionValue | core.SettingValue):
        return expr.kind in _BROKEN
    if isinstance(expr, core.Aggregate):
        return expr.function in ("sum", "smallest", "largest", "first", "last") and (
            expr.kind in _BROKEN
        )
    if isinstance(expr, core.Lookup):
        return rulebook.tables[expr.table].value_kind in _BROKEN
    if isinstance(expr, core.If):
        return _broken(expr.then, rulebook) or _broken(expr.otherwise, rulebook)
    if isinstance(expr, core.Apply):
        return any(_broken(argument, rulebook) for argument in expr.arguments)
    return isinstance(expr, core.Arithmetic | core.Rounding)
