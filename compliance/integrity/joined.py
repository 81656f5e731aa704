"""Examines a table's log that goes on where an earlier one ended.

Damage shows at the seam, too: records of last night that come again, lost numbers between two
nights, a shoe that is dealt on. So a little of the earlier log is kept: its last records as they
were read, and of what was checked the cards of the present shoe and the latest rounds. What the
earlier log has already been told is not told again. A record that comes after its time was judged,
or that corrects such a record, changes no verdict any more: it is left out, and that is said.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np
import polars as pl

from compliance.integrity import clock, rounds, sequence, shoes
from compliance.integrity.corrections import corrected
from compliance.integrity.defects import Defect, DefectKind, DefectText, listed
from compliance.integrity.examine import ExaminedTable, contradictions, elections_of
from compliance.integrity.lost_evidence import NO_DAMAGE, Damage, with_lost_records
from compliance.integrity.lost_places import lost_places
from compliance.integrity.repeats import without_repeats
from compliance.integrity.table_events import TableEvents
from compliance.integrity.used_names import UsedNames
from compliance.values.elected_options import ELECTIONS, ElectedOptions
from event_schemas import Event, Schema

RECENT: Final = 1_000
"""How many of the last records are kept as they were read."""
ROUNDS: Final = 100
"""Of how many rounds the beginnings and ends are kept."""
_STATES: Final = ("table_opened", "table_closed", "table_idle_started", "round_started")


@dataclass(frozen=True)
class Seam:
    """What of an earlier log is kept to examine the next one."""

    recent: pl.DataFrame
    """The last records, as they were read."""
    context: pl.DataFrame
    """Of the events that were checked: the present shoe, the latest rounds, all elections."""
    names: UsedNames = field(default_factory=UsedNames)
    """How the records of all nights were called."""

    @property
    def last_seq(self) -> int:
        return int(self.recent["seq"][-1])

    def fresh(self, frame: pl.DataFrame) -> pl.DataFrame:
        """The records of the next log that the earlier one cannot have held."""
        known = frame["id"].is_in(self.recent["id"].to_list())
        return frame.filter(~known & (frame["seq"] >= self.last_seq))


def seam(
    schema: Schema, as_read: pl.DataFrame, examined: pl.DataFrame, earlier: Seam | None
) -> Seam:
    """What to keep of a log, and of what was kept before it."""
    names = (UsedNames() if earlier is None else earlier.names).with_names(as_read["id"])
    if earlier is not None:
        as_read = joined(earlier.recent, earlier.fresh(as_read))
        examined = joined(earlier.context, examined)
    events = TableEvents(schema, examined)
    kept = np.zeros(len(events), dtype=np.bool_)
    lives = events.places(*shoes.NEW_LIFE)
    cards = events.places(*shoes.DRAWS)
    if len(lives):
        kept[cards[cards >= lives[-1]]] = True
        kept[lives[-1]] = True
    begun = events.places("round_started")
    first = int(begun[-ROUNDS]) if len(begun) >= ROUNDS else 0
    marks = events.places("round_started", *rounds.ENDS, *shoes.NEW_LIFE)
    kept[marks[marks >= first]] = True
    for name in _STATES:
        kept[events.places(name)[-1:]] = True
    kept[events.places(*ELECTIONS)] = True
    return Seam(as_read.tail(RECENT), examined.filter(pl.Series(kept)), names)


def joined(earlier: pl.DataFrame, later: pl.DataFrame) -> pl.DataFrame:
    """Two parts of a table's log one after the other."""
    return pl.concat([earlier, later], how="diagonal_relaxed")


def examine_next(
    schema: Schema,
    earlier: Seam,
    frame: pl.DataFrame,
    options: Mapping[str, object] | None = None,
    elected: Sequence[Event] = (),
    left_out: Sequence[int] = (),
    damage: Damage = NO_DAMAGE,
) -> ExaminedTable:
    """Examine a table's next log: the events to check, and what it adds to what was found."""
    old = TableEvents(schema, earlier.recent)
    both = TableEvents(schema, joined(earlier.recent, frame))
    in_time = TableEvents(
        schema, joined(earlier.recent, frame.filter(frame["seq"] >= earlier.last_seq))
    )
    missing = sequence.holes(in_time, left_out, damage.numbers)
    found = list(sequence.gaps(in_time, missing))
    known = list(sequence.gaps(old, sequence.holes(old)))
    once, old_once = without_repeats(both), without_repeats(old)
    found += once.defects
    known += old_once.defects
    rest = TableEvents(schema, once.events.frame[len(old_once.events) :])
    fresh, late = _in_time(rest, earlier)
    found += late
    states = _states(schema, earlier)
    before = joined(states, old_once.events.frame)
    for part, defects in ((joined(before, fresh.frame), found), (before, known)):
        own = TableEvents(schema, part).in_their_own_right()
        defects += [*sequence.repeated(own, missing.counter), *clock.clock_defects(own)]
    checked, corrections = corrected(fresh)
    found += [_of_an_earlier_log(item) for item in corrections]
    context = earlier.context
    for part, defects in ((joined(context, checked.frame), found), (context, known)):
        events = TableEvents(schema, part)
        history = ElectedOptions(schema, [*elected, *elections_of(events)], options)
        defects += [*shoes.impossible_shoes(events, history), *rounds.round_defects(events)]
    told = {_identity(item) for item in known}
    new = [item for item in found if _identity(item) not in told]
    new.sort(key=lambda item: (item.seq, item.kind, item.event_id, item.about))
    places = lost_places(in_time, missing, left_out, damage.lines, len(old))
    # What contradicts a record of the earlier log does not change what was judged there.
    own = fresh.in_their_own_right()
    doubtful = contradictions(once, own, missing.counter)
    whole, loss = with_lost_records(checked, both, old_once.events.frame, places, damage, doubtful)
    return ExaminedTable(whole, tuple(new), loss)


def _identity(item: Defect) -> tuple[object, ...]:
    return item.kind, item.event_id, item.about, item.sentence


def _states(schema: Schema, earlier: Seam) -> pl.DataFrame:
    """What tells whether the table was open, where that is no longer among the last records."""
    events = TableEvents(schema, earlier.context)
    first = int(earlier.recent["seq"][0])
    places = sorted({int(place) for name in _STATES for place in events.places(name)[-1:]})
    return earlier.context[places].filter(pl.col("seq") < first)


def _in_time(events: TableEvents, earlier: Seam) -> tuple[TableEvents, list[Defect]]:
    """The events that can be judged, and those that come too late for it."""
    recent = set(earlier.recent["id"].to_list())
    about = _named(events)
    too_late = events.seq < earlier.last_seq
    corrects_old = np.array([name in recent for name in about], dtype=np.bool_)
    places = np.flatnonzero(too_late | corrects_old)

    def tell(number: int) -> DefectText:
        place = int(places[number])
        name = about[place]
        if name in recent:
            sentence = (
                f"{events.name(place)} changes {name}, a record of the log that was checked "
                "before: the verdicts of that log stand as they were, and this record was left "
                "out. Check both logs together to have it counted."
            )
            return DefectText(place, sentence, (name,))
        sentence = (
            f"{events.name(place)} has the sequence number {events.seq[place]}, but the log was "
            f"checked up to number {earlier.last_seq} before: it was left out. Check both logs "
            "together to have it counted."
        )
        return DefectText(place, sentence)

    defects = listed(events, DefectKind.LATE_RECORD, [int(place) for place in places], tell)
    kept = ~(too_late | corrects_old)
    return TableEvents(events.schema, events.frame.filter(pl.Series(kept))), list(defects)


def _named(events: TableEvents) -> list[str]:
    """The id that each record corrects or cancels (empty: none)."""
    names = [""] * len(events)
    for about in ("corrects", "voids"):
        column = events.field(about, "text")
        if column is not None:
            names = [found or name for found, name in zip(column, names, strict=True)]
    return names


def _of_an_earlier_log(item: Defect) -> Defect:
    """A correction of a record that is not here may be about one of an earlier log."""
    if item.kind is not DefectKind.CORRECTION_UNCLEAR or "no such record" not in item.sentence:
        return item
    sentence = item.sentence.rstrip(".") + " (perhaps one that was checked before has it)."
    return replace(item, sentence=sentence)
