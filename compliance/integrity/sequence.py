"""Do the sequence numbers of a table count every event once? Finds lost and doubly used numbers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from compliance.integrity.defects import Defect, DefectKind, DefectText, defect, listed
from compliance.integrity.table_events import TableEvents, all_numbers
from compliance.table_log.columns import Integers
from reports.wording import counted

_FEW: Final = 10


@dataclass(frozen=True)
class Holes:
    """The numbers that no event has, one hole after the other."""

    first: Integers
    last: Integers
    places: Integers
    """Of the events after them."""
    counter: bool
    """Whether the numbers go up by one, so that holes in them are events that are missing."""


def holes(
    events: TableEvents, left_out: Sequence[int] = (), set_aside: Sequence[int] = ()
) -> Holes:
    """Where numbers are missing. Asked of the log as it was read, before anything is left out.

    `left_out` are the numbers of records that were left out on purpose: they are not missing.
    `set_aside` are those of lines that could not be read: missing, but they were counted.
    """
    numbers = events.seq
    if len(left_out):
        numbers = all_numbers(numbers, np.array(left_out, dtype=np.int64))
    steps = np.diff(numbers)
    after = np.flatnonzero(steps > 1) + 1
    places = events.seq.searchsorted(numbers[after])
    # What lies before the first event or after the last one is not known to be missing.
    inside = (places > 0) & (places < len(events.seq))
    after, places = after[inside], places[inside]
    # A clock, or a counter that several tables share: its gaps say nothing of this table.
    counted_on = steps
    if len(set_aside):
        counted_on = np.diff(all_numbers(numbers, np.array(set_aside, dtype=np.int64)))
    jumps = np.count_nonzero(counted_on > 1)
    other = len(places) > _FEW and jumps > _FEW and 2 * jumps > np.count_nonzero(counted_on)
    return Holes(numbers[after - 1] + 1, numbers[after] - 1, places, not other)


def gaps(events: TableEvents, missing: Holes) -> Iterator[Defect]:
    """Numbers that no event has, as a report tells of them."""
    places = missing.places
    if not missing.counter:
        place = int(places[0])
        sentence = (
            f"The sequence numbers do not go up by one ({counted(len(places), 'gap')}, the first "
            f"before {events.name(place)}): they order the events, but cannot show that some are "
            "missing."
        )
        yield defect(events, DefectKind.SEQ_GAP, DefectText(place, sentence, ("not a counter",)))
        return

    def tell(number: int) -> DefectText:
        place = int(places[number])
        first, last = int(missing.first[number]), int(missing.last[number])
        lost = last - first + 1
        which = f"number {first}" if lost == 1 else f"numbers {first} to {last}"
        sentence = (
            f"{counted(lost, 'event')} {'is' if lost == 1 else 'are'} missing (sequence "
            f"{which}) between {events.name(place - 1)} and {events.name(place)}."
        )
        return DefectText(place, sentence, (str(first), str(last)))

    yield from listed(events, DefectKind.SEQ_GAP, [int(place) for place in places], tell)


def shared_numbers(events: TableEvents, counter: bool) -> list[list[str]]:
    """The ids of the events that have one number together, where each should have its own.

    Numbers that are no counter, or that many events share, only order the events.
    """
    events = events.one_of_each_record()
    if not counter or not (np.diff(events.seq) == 0).any():
        return []
    shared = events.frame.filter(events.frame["seq"].is_duplicated())
    if len(shared) > max(_FEW, len(events) // _FEW):
        return []
    by_number = shared.group_by("seq", maintain_order=True).agg("id")
    found: list[list[str]] = by_number["id"].to_list()
    return found


def repeated(events: TableEvents, counter: bool) -> Iterator[Defect]:
    """One number on events with different ids: which came first is not known."""
    events = events.one_of_each_record()
    then = "they were taken in the order in which they were read"
    if shared_numbers(events, counter):
        then = "whether all of them happened is not known either, so that they count as lost"
    seq = events.seq
    same = np.diff(seq) == 0
    if not same.any():
        return
    starts = np.flatnonzero(same & ~np.append(False, same[:-1]))

    def tell(number: int) -> DefectText:
        start = int(starts[number])
        end = int(np.searchsorted(seq, seq[start], side="right"))
        shown = [events.name(place) for place in range(start, min(end, start + 4))]
        if end - start > 4:
            shown.append(f"{end - start - 4} more")
        sentence = (
            f"{end - start} events have the sequence number {seq[start]}, so that their order is "
            f"not known: {', '.join(shown)}; {then}."
        )
        return DefectText(start, sentence)

    yield from listed(events, DefectKind.SEQ_REPEATED, [int(place) for place in starts], tell)
