"""Runs of an interval that begin and end with any event of some types: nothing is in doubt then."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from compliance.columns import Flags, Integers
from compliance.first_look.library import address, library
from rules_dsl import core

if TYPE_CHECKING:
    from compliance.columnar.scene import Scene


@dataclass(frozen=True)
class Borders:
    """The numbers of the event types that begin and end a run, and where they stand in memory."""

    opening: list[int]
    closing: list[int]
    held: Integers
    at: int


def is_plain(scene: Scene, interval: core.Interval) -> bool:
    """Whether no beginning and no end of a run can be in doubt."""
    return scene.belongs is None and interval.opens.where is None and interval.closes.where is None


def plain_runs(
    scene: Scene, interval: core.Interval
) -> tuple[Integers, Integers, Integers, Flags, Flags] | None:
    """The runs of a plain interval as `windows.Stretches` has them; None where compiled code cannot
    find them: it looks at one segment of one table, and has no room for very many types."""
    compiled = library()
    if compiled is None or scene.table.interleaved or len(scene.ends) != 1:
        return None
    if not is_plain(scene, interval):
        return None
    borders = scene.table.plan.remember(
        "borders", interval, lambda: _borders(interval, scene.log.type_names)
    )
    by_type, types = scene.by_type, borders.opening
    starts = by_type.borders
    room = sum(int(starts[code + 1] - starts[code]) for code in types)
    # Both ends in one piece of memory, and both flags: to ask where an array stands takes time.
    ends, flags = np.empty(2 * room, dtype=np.int64), np.empty(2 * room, dtype=np.bool_)
    ends_at, flags_at = address(ends), address(flags)
    rows_at, _, starts_at = by_type.at
    number = compiled.find_runs(
        rows_at,
        starts_at,
        len(scene),
        borders.at,
        len(types),
        borders.at + len(types) * borders.held.itemsize,
        len(borders.closing),
        bool(scene.complete[0]),
        ends_at,
        ends_at + room * ends.itemsize,
        flags_at,
        flags_at + room,
    )
    if number < 0:
        return None
    first, second = slice(number), slice(room, room + number)
    table = scene.table.plan.zeros(number)
    return table, ends[first], ends[second], flags[first], flags[second]


def _borders(interval: core.Interval, names: tuple[str, ...]) -> Borders:
    opening, closing = _numbers(interval.opens, names), _numbers(interval.closes, names)
    held = np.array([*opening, *closing], dtype=np.int64)
    return Borders(opening, closing, held, held.ctypes.data)


def _numbers(pattern: core.Pattern, names: tuple[str, ...]) -> list[int]:
    return [names.index(name) for name in pattern.types]
