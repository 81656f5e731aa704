"""Do the sequence numbers of a table count every event once? Finds lost and doubly used numbers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np

from compliance.integrity.defects import Defect, DefectKind, Told, defect, listed
from compliance.integrity.table_events import TableEvents
from reports.wording import counted

_FEW: Final = 10


def gaps(events: TableEvents, left_out: Sequence[int] = ()) -> Iterator[Defect]:
    """Numbers that no event has. Asked of the log as it was read, before anything is left out.

    `left_out` are the numbers of records that were left out on purpose: they are not missing.
    """
    numbers = events.seq
    if len(left_out):
        numbers = np.union1d(numbers, np.array(left_out, dtype=np.int64))
    steps = np.diff(numbers)
    after = np.flatnonzero(steps > 1) + 1
    places = events.seq.searchsorted(numbers[after])
    # What lies before the first event or after the last one is not known to be missing.
    inside = (places > 0) & (places < len(events.seq))
    after, places = after[inside], places[inside]
    if len(places) > _FEW and 2 * len(places) > np.count_nonzero(steps):
        # A clock, or a counter that several tables share: its gaps say nothing of this table.
        place = int(places[0])
        sentence = (
            f"The sequence numbers do not go up by one ({counted(len(places), 'gap')}, the first "
            f"before {events.name(place)}): they order the events, but cannot show that some are "
            "missing."
        )
        yield defect(events, DefectKind.SEQ_GAP, Told(place, sentence, ("not a counter",)))
        return

    def tell(number: int) -> Told:
        place = int(places[number])
        first, last = int(numbers[after[number] - 1]) + 1, int(numbers[after[number]]) - 1
        missing = last - first + 1
        which = f"number {first}" if missing == 1 else f"numbers {first} to {last}"
        sentence = (
            f"{counted(missing, 'event')} {'is' if missing == 1 else 'are'} missing (sequence "
            f"{which}) between {events.name(place - 1)} and {events.name(place)}."
        )
        return Told(place, sentence, (str(first), str(last)))

    yield from listed(events, DefectKind.SEQ_GAP, [int(place) for place in places], tell)


def repeated(events: TableEvents) -> Iterator[Defect]:
    """One number on events with different ids: which came first is not known."""
    seq = events.seq
    same = np.diff(seq) == 0
    if not same.any():
        return
    starts = np.flatnonzero(same & ~np.append(False, same[:-1]))

    def tell(number: int) -> Told:
        start = int(starts[number])
        end = int(np.searchsorted(seq, seq[start], side="right"))
        shown = [events.name(place) for place in range(start, min(end, start + 4))]
        if end - start > 4:
            shown.append(f"{end - start - 4} more")
        sentence = (
            f"{end - start} events have the sequence number {seq[start]}, so that their order is "
            f"not known: {', '.join(shown)}; they were taken in the order in which they were read."
        )
        return Told(start, sentence)

    yield from listed(events, DefectKind.SEQ_REPEATED, [int(place) for place in starts], tell)
