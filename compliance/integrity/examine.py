"""Examines a table's events before they are checked: what is damaged, what could be put right.

Repairs come first and in this order: records that came again are left out, then corrections are
applied. What is then still impossible is reported and left alone: nothing is invented.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import polars as pl

from compliance.integrity import clock, rounds, sequence, shoes
from compliance.integrity.corrections import corrected
from compliance.integrity.defects import Defect
from compliance.integrity.repeats import without_repeats
from compliance.integrity.table_events import TableEvents
from compliance.options import ELECTIONS, ElectedOptions
from compliance.table_frame import FrameEvents
from event_schemas import Event, Schema


@dataclass(frozen=True)
class Examined:
    """The events to check, and what was found in the log that they come from."""

    frame: pl.DataFrame
    defects: tuple[Defect, ...]
    """In the table's order."""


def examine(
    schema: Schema,
    frame: pl.DataFrame,
    options: Mapping[str, object] | None = None,
    elected: Sequence[Event] = (),
    left_out: Sequence[int] = (),
) -> Examined:
    """Examine a table's frame, in order of `seq`. A frame without defects comes back as it is.

    `options` and `elected` are what a table-options file says of the table, as for the check;
    `left_out` are the sequence numbers of records that a mapping left out on purpose.
    """
    if not len(frame):
        return Examined(frame, ())
    as_read = TableEvents(schema, frame)
    found = list(sequence.gaps(as_read, left_out))
    once, repeats = without_repeats(as_read)
    own = once.in_their_own_right()
    found += [*repeats, *sequence.repeated(own), *clock.clock_defects(own)]
    events, corrections = corrected(once)
    found += corrections
    history = ElectedOptions(schema, [*elected, *elections_of(events)], options)
    found += [*shoes.impossible_shoes(events, history), *rounds.round_defects(events)]
    found.sort(key=lambda item: (item.seq, item.kind, item.event_id, item.about))
    return Examined(events.frame, tuple(found))


def elections_of(events: TableEvents) -> Sequence[Event]:
    """The events that elect options."""
    places = events.places(*ELECTIONS)
    return FrameEvents(events.schema, events.frame[places])
