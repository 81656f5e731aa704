"""The stretch of log that a rule is applied to: its slice, seen as one ordered list of events."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone

from compliance.judgement.circumstances import Circumstances
from compliance.reference.answers import Truth
from event_schemas import Event, LostRecord


@dataclass(frozen=True)
class Scene:
    """The events of one slice, in order.

    `belongs[i]` is True where an event surely belongs to the slice, MISSING where the log does not
    record the field that would tell, and OPEN where the rest of the log will tell. `complete` says
    that no further event can belong to it. `run_of` is the interval of which it is a run, if it is.
    """

    events: Sequence[Event]
    belongs: Sequence[Truth]
    complete: bool
    known_until: datetime
    circumstances: Circumstances
    run_of: str | None = None


def weight(event: Event) -> int:
    """How many records an event of a scene stands for: several may be lost at one place."""
    return event.times if isinstance(event, LostRecord) else 1


def absolute(moment: datetime) -> datetime:
    """The same moment with its offset from UTC alone.

    Python takes two moments of one named zone by the clock on the wall, which is an hour off in the
    nights in which the clocks are changed.
    """
    return moment.replace(tzinfo=timezone(moment.utcoffset() or timedelta()), fold=0)
