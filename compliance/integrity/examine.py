"""Examines a table's events before they are checked: what is damaged, what could be put right.

Repairs come first and in this order: records that came again are left out, then corrections are
applied. What is then still impossible is reported and left alone: nothing is invented. Where a
record is known to be lost, a row without content stands in for it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import polars as pl

from compliance.integrity import clock, rounds, sequence, shoes
from compliance.integrity.corrections import corrected
from compliance.integrity.defects import Defect
from compliance.integrity.lost_evidence import NO_DAMAGE, NO_LOSS, Damage, Loss, with_lost_records
from compliance.integrity.lost_places import lost_places
from compliance.integrity.repeats import Once, without_repeats
from compliance.integrity.table_events import TableEvents
from compliance.table_log.frame import FrameEvents
from compliance.values.elected_options import ELECTIONS, ElectedOptions
from event_schemas import Event, Schema


@dataclass(frozen=True)
class ExaminedTable:
    """The events to check, with a row for each place where records are lost, and what was found in
    the log that they come from."""

    frame: pl.DataFrame
    defects: tuple[Defect, ...]
    """In the table's order."""
    loss: Loss = NO_LOSS
    """How many records are lost."""


def examine(
    schema: Schema,
    frame: pl.DataFrame,
    options: Mapping[str, object] | None = None,
    elected: Sequence[Event] = (),
    left_out: Sequence[int] = (),
    damage: Damage = NO_DAMAGE,
) -> ExaminedTable:
    """Examine a table's frame, in order of `seq`. A frame without defects comes back as it is.

    `options` and `elected` are what a table-options file says of the table, as for the check;
    `left_out` are the sequence numbers of records that a mapping left out on purpose; `damage` is
    what is known of records that could not be read.
    """
    if not len(frame):
        return ExaminedTable(frame, ())
    as_read = TableEvents(schema, frame)
    missing = sequence.holes(as_read, left_out, damage.numbers)
    found = list(sequence.gaps(as_read, missing))
    once = without_repeats(as_read)
    own = once.events.in_their_own_right()
    found += [*once.defects, *sequence.repeated(own, missing.counter), *clock.clock_defects(own)]
    events, corrections = corrected(once.events)
    found += corrections
    history = ElectedOptions(schema, [*elected, *elections_of(events)], options)
    found += [*shoes.impossible_shoes(events, history), *rounds.round_defects(events)]
    found.sort(key=lambda item: (item.seq, item.kind, item.event_id, item.about))
    places = lost_places(as_read, missing, left_out, damage.lines)
    doubtful = contradictions(once, own, missing.counter)
    whole, loss = with_lost_records(events, as_read, frame.clear(), places, damage, doubtful)
    return ExaminedTable(whole, tuple(found), loss)


def contradictions(
    once: Once, own: TableEvents, counter: bool
) -> list[Mapping[str, frozenset[str]]]:
    """The records of which it is not known what they said: each group by its ids, with types."""
    groups = sequence.shared_numbers(own, counter)
    if not groups:
        return [{ident: types} for ident, types in once.contradicted.items()]
    grouped = {ident for group in groups for ident in group}
    named = own.frame.filter(pl.col("id").is_in(list(grouped)))
    types = {
        ident: once.contradicted.get(ident) or frozenset((own.type_names[number],))
        for ident, number in named.select("id", "type").iter_rows()
    }
    shared = [{ident: types[ident] for ident in group} for group in groups]
    single = ({ident: types} for ident, types in once.contradicted.items() if ident not in grouped)
    return [*single, *shared]


def elections_of(events: TableEvents) -> Sequence[Event]:
    """The events that elect options."""
    records = FrameEvents(events.schema, events.frame)
    return [records[place] for place in events.places(*ELECTIONS).tolist()]
