"""Which options did a lost record surely not elect? Those that its pause elects already.

Nobody elects the same option twice between two rounds, or before the first one. Where the table's
own log shows that somebody did, nothing is said (see docs/logs.md, "What a lost record can have
been").
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from compliance.columns import Integers
from compliance.integrity.lost_records import Gap, round_marks
from compliance.integrity.table_events import TableEvents
from compliance.options import ELECTIONS, elected_by
from compliance.table_frame import FrameEvents

_Election = tuple[int, str, str, str]
"""In which pause which option was elected, by which type of record, and to be what."""


def surely_not_elected(
    events: TableEvents, gaps: Sequence[Gap], fresh_from: int = 0
) -> list[frozenset[str]]:
    """For each gap of a table's log the options that no record lost there elected.

    Before `fresh_from`, where an earlier log was checked, not all records are here: its pauses are
    not known.
    """
    borders = np.union1d(round_marks(events), events.places("table_closed"))
    elections = _elections(events, borders, fresh_from)
    pauses = np.searchsorted(borders, np.array([gap.before for gap in gaps], dtype=np.int64))
    if not elections or _an_option_comes_twice(elections):
        return [frozenset()] * len(gaps)
    elected: dict[int, set[str]] = {}
    for pause, option, _, _ in elections:
        elected.setdefault(pause, set()).add(option)
    lost = np.bincount(pauses, weights=[gap.times for gap in gaps]) if gaps else np.zeros(0)
    return [
        # Where more is lost, that may have been the border of another pause.
        frozenset(elected.get(pause, ()) if lost[pause] == 1 else ())
        for pause in pauses.tolist()
    ]


def _elections(events: TableEvents, borders: Integers, fresh_from: int) -> list[_Election]:
    places = events.places(*ELECTIONS)
    places = places[places >= fresh_from]
    records = FrameEvents(events.schema, events.frame[places])
    pauses = np.searchsorted(borders, places).tolist()
    return [
        (pause, elected.option, record.type, str(elected.said))
        for pause, record in zip(pauses, records, strict=True)
        if (elected := elected_by(record)) is not None
    ]


def _an_option_comes_twice(elections: Sequence[_Election]) -> bool:
    """Whether an option was elected twice in one pause. That a table opens for the game that was
    elected for it says the same thing once more."""
    by_type = {(pause, option, type_name) for pause, option, type_name, _ in elections}
    values = {(pause, option, value) for pause, option, _, value in elections}
    options = {(pause, option) for pause, option, _, _ in elections}
    return len(by_type) < len(elections) or len(values) > len(options)
