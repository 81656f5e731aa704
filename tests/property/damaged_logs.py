"""Takes records away from a log and leaves in their places what is known of lost ones."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace
from datetime import timedelta
from itertools import pairwise
from random import Random

from compliance.values.elected_options import election_of
from event_schemas import LOST_RECORD, Event, LostRecord
from event_schemas.lost_record import NO_LIMIT, UNRECORDED
from tests.property.random_logs import FIELDS, SCHEMA


def damaged(random: Random, events: list[Event]) -> list[Event]:
    """A log in which some records, and runs of neighbours, are lost.

    The clock of the log must not go back. A lost election takes effect no later than the next one
    that is left of the same option, as the language takes for granted.
    """
    taken: list[list[Event]] = []
    for _ in range(random.choice((1, 1, 2, 3))):
        hole = _neighbours(random, events)
        others = {event.id for run in taken for event in run}
        gone = others | {event.id for event in hole}
        if others.isdisjoint(event.id for event in hole) and _elections_in_order(events, gone):
            taken.append(hole)
    gone = {event.id for run in taken for event in run}
    left = [event for event in events if event.id not in gone]
    lost = {run[0].id: _lost(random, run, left) for hole in taken for run in _cut(random, hole)}
    return [
        lost.get(event.id, event) for event in events if event.id in lost or event.id not in gone
    ]


def recorded_in_part(random: Random, events: list[Event], types: Collection[str]) -> list[Event]:
    """A log whose source does not always record some types: any number of their events may be
    missing at every place of a table. The clock of the log must not go back."""
    gone = {event.id for event in events if event.type in types and random.random() < 0.5}
    if len(gone) == len(events) or not _elections_in_order(events, gone):
        gone = set()
    left = [event for event in events if event.id not in gone]
    found: list[Event] = []
    for table in sorted({event.table for event in left}):
        own = [event for event in left if event.table == table]
        first = replace(own[0], seq=own[0].seq - 1)
        for before, after in pairwise((first, *own, own[-1])):
            unrecorded = LostRecord(
                f"unrecorded-{before.id}-{before.seq}",
                before.ts,
                before.seq,
                before.casino,
                before.table,
                UNRECORDED,
                until=after.ts,
                may_be=frozenset(types),
                times=NO_LIMIT,
            )
            found += [before, unrecorded] if before is not first else [unrecorded]
    return sorted(found, key=lambda event: (event.ts, event.table, event.seq))


def _neighbours(random: Random, events: list[Event]) -> list[Event]:
    """One record, or several that follow each other at a table."""
    first = random.choice(events)
    own = [event for event in events if event.table == first.table and event.seq >= first.seq]
    return own[: random.choice((1, 1, 1, 2, 3))]


def _cut(random: Random, hole: list[Event]) -> list[list[Event]]:
    """Neighbours that were lost may be known as one hole or as several."""
    if len(hole) > 1 and random.random() < 0.3:
        middle = random.randrange(1, len(hole))
        return [hole[:middle], hole[middle:]]
    return [hole]


def _elections_in_order(events: list[Event], gone: set[str]) -> bool:
    """Whether each election that is gone took effect before the next one that is left."""
    elections = [(event, found) for event in events if (found := election_of(event)) is not None]
    return all(
        found.since <= later.since
        for event, found in elections
        if event.id in gone
        for other, later in elections
        if other.id not in gone
        and later.seq > found.seq
        and (later.table, later.option) == (found.table, found.option)
    )


def _lost(random: Random, run: list[Event], left: Iterable[Event]) -> LostRecord:
    """What is known of neighbours that are gone."""
    first, last = run[0], run[-1]
    own = [event for event in left if event.table == first.table]
    before = [event.ts for event in own if event.seq < first.seq]
    after = [event.ts for event in own if event.seq > last.seq]
    slack = timedelta(seconds=random.choice((0, 0, 10, 60)))
    types = {event.type for event in run}
    chance = random.choice((0.0, 0.2, 0.5, 1.0))
    elected = {found.option for event in run if (found := election_of(event)) is not None}
    others = random.choice((0.0, 0.0, 0.5, 1.0))
    may_be = frozenset(types | {name for name in FIELDS if random.random() < chance})
    not_elected = frozenset(
        name for name in sorted(SCHEMA.options) if name not in elected and random.random() < others
    )
    strange = random.choice((0.0, 0.0, 0.5, 1.0))
    return LostRecord(
        f"lost-{first.id}",
        max(before, default=first.ts - slack),
        first.seq,
        first.casino,
        first.table,
        LOST_RECORD,
        until=min(after, default=last.ts + slack),
        may_be=may_be,
        times=len(run),
        not_elected=not_elected,
        against_habit=frozenset(name for name in FIELDS if random.random() < strange) - may_be,
        elected_against_habit=frozenset(
            name for name in sorted(not_elected) if random.random() < strange
        ),
    )
