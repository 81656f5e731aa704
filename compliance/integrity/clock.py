"""Did the table's clock run on evenly? Finds times that go back, and leaps in an open table."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Final

import numpy as np

from compliance.integrity.defects import Defect, DefectKind, DefectText, listed
from compliance.integrity.table_events import TableEvents, last_before
from compliance.table_log.columns import Flags, Integers
from compliance.values.moments import MICROSECOND
from reports.wording import moment

TOLERANCE: Final = timedelta(seconds=2)
"""Devices at one table may differ by so much without any harm."""
LEAP: Final = timedelta(hours=12)
"""No open table is without any event for longer."""


def clock_defects(events: TableEvents) -> Iterator[Defect]:
    """Everything that is wrong with the times of a table."""
    yield from _goes_back(events)
    yield from _leaps(events)


def _goes_back(events: TableEvents) -> Iterator[Defect]:
    """An event that is later in the table's order but earlier by its clock."""
    steps = np.diff(events.ts)
    places = np.flatnonzero(steps < -(TOLERANCE // MICROSECOND)) + 1

    def tell(number: int) -> DefectText:
        place = int(places[number])
        return DefectText(
            place,
            f"The clock goes back by {_span(-int(steps[place - 1]))}: {_timed(events, place - 1)} "
            f"comes before {_timed(events, place)}; the sequence numbers decided the order.",
        )

    yield from listed(events, DefectKind.CLOCK_BACK, [int(place) for place in places], tell)


def _leaps(events: TableEvents) -> Iterator[Defect]:
    """More than half a day between two events of a table that is open and in use."""
    steps = np.diff(events.ts)
    places = np.flatnonzero(steps > LEAP // MICROSECOND) + 1
    if len(places):
        places = places[_in_use(events)[places - 1] & ~events.are("table_opened")[places]]

    def tell(number: int) -> DefectText:
        place = int(places[number])
        return DefectText(
            place,
            f"The clock leaps forward by {_span(int(steps[place - 1]))} in an open table: "
            f"{_timed(events, place - 1)} comes right before {_timed(events, place)}.",
        )

    yield from listed(events, DefectKind.CLOCK_FORWARD, [int(place) for place in places], tell)


def _in_use(events: TableEvents) -> Flags:
    """After which events the table is known to be open, and not said to be idle."""
    here = np.arange(len(events)) + 1
    opened = _latest(events, "table_opened", here)
    played = np.maximum(opened, _latest(events, "round_started", here))
    closed = _latest(events, "table_closed", here)
    idle = _latest(events, "table_idle_started", here)
    found: Flags = (opened > closed) & (played > idle)
    return found


def _latest(events: TableEvents, name: str, here: Integers) -> Integers:
    """The last place of such an event so far (-1: none yet)."""
    marks = np.append(events.places(name), -1)
    # Number -1, no mark before, is the last of the list: the -1 that was put there.
    return marks[last_before(marks[:-1], here)]


def _timed(events: TableEvents, place: int) -> str:
    return f"{events.name(place)} at {moment(events.row(place).ts)}"


def _span(microseconds: int) -> str:
    """A length of time in whole seconds, or exactly where it is shorter than a minute."""
    length = timedelta(microseconds=microseconds)
    seconds = length.total_seconds()
    if seconds < 60:
        return f"{seconds:g} seconds"
    days, rest = divmod(int(seconds), 86_400)
    hours, rest = divmod(rest, 3_600)
    parts = ((days, "d"), (hours, "h"), (rest // 60, "min"), (rest % 60, "s"))
    return " ".join(f"{number} {unit}" for number, unit in parts if number)
