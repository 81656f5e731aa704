"""Which events a rule sees together: those of a table, of a pit, or of a whole casino."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from compliance.reference.scene import absolute
from event_schemas import Event, LostRecord


def groups(events: Sequence[Event], across: str) -> Iterator[list[Event]]:
    """The events that a rule sees together, in order: those of a table, a pit or a casino."""
    recorded = [event for event in events if not isinstance(event, LostRecord)]
    lost = [event for event in events if isinstance(event, LostRecord)]
    groups: dict[tuple[object, ...], list[Event]] = {}
    for event in recorded:
        groups.setdefault(_group_of(event, across), []).append(event)
    for place, group in sorted(groups.items(), key=lambda item: str(item[0])):
        seen = [record for record in lost if place in _groups_of_lost(record, across, recorded)]
        if across == "table":
            yield sorted([*group, *seen], key=lambda event: event.seq)
        else:
            group.sort(key=lambda event: (absolute(event.ts), event.table, event.seq))
            yield _with_lost_records(group, seen)


def _groups_of_lost(
    record: LostRecord, across: str, recorded: Sequence[Event]
) -> set[tuple[object, ...]]:
    """Where a lost record may be seen. It does not say its pit: it is in a pit of its table, and
    if no record of its table says one, it may be in any pit of the casino."""
    if across != "pit":
        return {_group_of(record, across)}
    house = [event for event in recorded if event.casino == record.casino]
    own = [event for event in house if event.table == record.table]
    found = {_group_of(event, across) for event in own}
    if all(event.get("pit") is None for event in own):
        found |= {_group_of(event, across) for event in house if event.get("pit") is not None}
    return found


def _group_of(event: Event, across: str) -> tuple[object, ...]:
    if across == "table":
        return (event.casino, event.table)
    if across == "pit":
        # Where the pit is not recorded, nothing says that two tables share one.
        return (event.casino, event.get("pit") or (event.table,))
    return (event.casino,)


def _with_lost_records(row: list[Event], lost: list[LostRecord]) -> list[Event]:
    """Events of several tables, with each lost record at every place where it may have been.

    It stands right after the last event of its own table before it, and right after every event of
    another table from there to the next one of its own.
    """
    after: dict[int, list[Event]] = {}
    for record in sorted(lost, key=lambda record: (record.table, record.seq)):
        own = [
            (event.seq, place)
            for place, event in enumerate(row)
            if (event.casino, event.table) == (record.casino, record.table)
        ]
        begin = max((item for item in own if item[0] < record.seq), default=(0, -1))[1]
        end = min((item for item in own if item[0] > record.seq), default=(0, len(row)))[1]
        for place in (begin, *range(begin + 1, end)):
            after.setdefault(place, []).append(record)
    whole = after.get(-1, [])
    for place, event in enumerate(row):
        whole += [event, *after.get(place, ())]
    return whole
