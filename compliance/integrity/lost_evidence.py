"""Puts what is lost into a table's log: a row for each place where records once stood.

Lost are the numbers that no record has, the lines that could not be read, the records of which the
log tells different things, and those that an unreadable line corrects: what they said is not known.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import polars as pl

from compliance.integrity.elected_once import not_elected_by
from compliance.integrity.lost_places import LostPlace
from compliance.integrity.lost_records import Gap, usual_types
from compliance.integrity.table_events import TableEvents
from compliance.log.lost_lines import LostLine
from compliance.table_log.lost_rows import LostRow, with_lost_rows
from event_schemas.lost_record import NO_LIMIT


@dataclass(frozen=True)
class Damage:
    """What is known of the records that a table's log no longer has."""

    lines: Sequence[LostLine] = ()
    """Lines that were set aside and may have been records of the table."""
    recorded: frozenset[str] | None = None
    """The types that the source records, where a manifest says so."""

    @property
    def numbers(self) -> list[int]:
        """The numbers of the lines that tell them."""
        return [line.known.seq for line in self.lines if line.known.seq is not None]

    def changed(self, events: TableEvents) -> list[Mapping[str, frozenset[str]]]:
        """The records that an unreadable line corrects or cancels, each with the types that it may
        have been meant to have (none: these are not known)."""
        about = {line.known.about: line.known.type for line in self.lines if line.known.about}
        if not about:
            return []
        named = events.frame.filter(pl.col("id").is_in(list(about))).select("id", "type")
        found: list[Mapping[str, frozenset[str]]] = []
        for ident, number in named.iter_rows():
            instead = about[ident]
            known = instead is not None and instead in events.schema.events
            types = {events.type_names[number], str(instead)} if known else set()
            found.append({ident: frozenset(types)})
        return found


NO_DAMAGE: Final = Damage()


@dataclass(frozen=True)
class Loss:
    """How many records a table has lost; a place of which that is not known counts once."""

    known: int = 0
    perhaps: int = 0
    """How many more there are if lines without a name were this table's."""

    @classmethod
    def at(cls, places: Iterable[LostPlace]) -> Loss:
        known = perhaps = 0
        for place in places:
            times = 1 if place.times >= NO_LIMIT else place.times
            known += 0 if place.perhaps else times
            perhaps += times if place.perhaps else 0
        return cls(known, perhaps)


NO_LOSS: Final = Loss()


def records_lost(tables: Iterable[Loss], unreadable: int) -> int:
    """How many records all tables have lost: a line without a name is that of one table only, and
    may well be one that is missed somewhere. `unreadable` is the number of lines set aside."""
    losses = list(tables)
    known = sum(loss.known for loss in losses)
    return known + min(sum(loss.perhaps for loss in losses), max(0, unreadable - known))


def with_lost_records(
    events: TableEvents,
    as_read: TableEvents,
    earlier: pl.DataFrame,
    places: Iterable[LostPlace],
    damage: Damage,
    doubtful: Sequence[Mapping[str, frozenset[str]]] = (),
) -> tuple[pl.DataFrame, Loss]:
    """The events to check, with a row for each place where records are lost, and their number.

    `earlier` are the records before them that were checked with an earlier log; `doubtful` are
    records that contradict each other, each group by its ids with the types that it names.
    """
    kept, contradictory = _without_doubtful(events, [*doubtful, *damage.changed(events)])
    lost = sorted((*places, *contradictory), key=lambda place: place.seq)
    if not lost:
        return events.frame, NO_LOSS
    before = np.searchsorted(kept["seq"].to_numpy(), [place.seq for place in lost], side="right")
    gaps = [
        Gap(int(at) + len(earlier), place.times) for at, place in zip(before, lost, strict=True)
    ]
    around = pl.concat([earlier, kept], how="diagonal_relaxed")
    seen = TableEvents(events.schema, around)
    every = frozenset(events.schema.events)
    if damage.recorded is not None:
        every &= damage.recorded
    usual = usual_types(seen, gaps, every, len(earlier))
    against = {types: every - types for types in set(usual)}
    same_game, elected = not_elected_by(seen, gaps, len(earlier))
    rows = [
        LostRow(
            int(at),
            place.seq,
            place.times,
            place.types or types,
            place.file,
            place.line,
            game | options,
            frozenset() if place.types else against[types],
            options - game,
        )
        for at, place, types, game, options in zip(
            before, lost, usual, same_game, elected, strict=True
        )
    ]
    known = earlier if len(earlier) or len(kept) else as_read.frame
    return with_lost_rows(events.schema, kept, rows, known), Loss.at(lost)


def _without_doubtful(
    events: TableEvents, doubtful: Sequence[Mapping[str, frozenset[str]]]
) -> tuple[pl.DataFrame, list[LostPlace]]:
    """The records that nothing contradicts, and the places of the others.

    A record that a correction stands in for is no longer here: what it says is known after all.
    """
    names = {ident for group in doubtful for ident in group}
    if not names:
        return events.frame, []
    doubted = events.frame["id"].is_in(list(names))
    rows = {row["id"]: row for row in events.frame.filter(doubted).iter_rows(named=True)}
    found = []
    for group in doubtful:
        here = [rows[ident] for ident in group if ident in rows]
        if here:
            types = frozenset(name for ident in group if ident in rows for name in group[ident])
            first = here[0]
            found.append(
                LostPlace(first["seq"], len(here), types, str(first["file"]), first["line"])
            )
    return events.frame.filter(~doubted), found
