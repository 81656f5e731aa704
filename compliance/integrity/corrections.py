"""Applies the records that correct or cancel others, so that each event is checked as it was meant.

A correction stands in for the record that it names: at its place and time in the table's order,
with nothing but what the correction says. A cancelled record is not checked at all; the record that
cancels it is an event of its own only if it is of another type (a card dealt that cancels a card
dealt is no second card). Corrections of corrections count as the last one says. What cannot be
followed is left as it stands, and reported.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
import polars as pl

from compliance.integrity.defects import Defect, DefectKind, DefectText, listed
from compliance.integrity.table_events import TableEvents
from compliance.table_log.frame import FIXED


@dataclass(frozen=True)
class _Record:
    """A record about another one; `target` is where that stands (None: not in the log)."""

    place: int
    names: str
    target: int | None
    cancels: bool
    contradicts: bool
    """It corrects one record and cancels another at once: what is meant is not clear."""


@dataclass
class _Plan:
    """What becomes of the events: which take another's place, which are left out."""

    stands_in: dict[int, int] = field(default_factory=dict)
    """The place of an original, and of the record that says what it should have been."""
    left_out: set[int] = field(default_factory=set)
    corrected: list[DefectText] = field(default_factory=list)
    cancelled: list[DefectText] = field(default_factory=list)
    unclear: list[DefectText] = field(default_factory=list)


def corrected(events: TableEvents) -> tuple[TableEvents, list[Defect]]:
    """The events as the corrections have them, and every correction with both ids."""
    records = _records(events)
    if not records:
        return events, []
    plan = _plan(events, records)
    found = [
        *_listed(events, DefectKind.CORRECTION, plan.corrected, repaired=True),
        *_listed(events, DefectKind.CANCELLATION, plan.cancelled, repaired=True),
        *_listed(events, DefectKind.CORRECTION_UNCLEAR, plan.unclear, repaired=False),
    ]
    if not plan.stands_in and not plan.left_out:
        return events, found
    return TableEvents(events.schema, _applied(events.frame, plan)), found


def _listed(
    events: TableEvents, kind: DefectKind, told: list[DefectText], *, repaired: bool
) -> Iterator[Defect]:
    told.sort(key=lambda item: (item.place, item.about))
    places = [item.place for item in told]
    yield from listed(events, kind, places, told.__getitem__, repaired=repaired)


def _records(events: TableEvents) -> dict[int, _Record]:
    """Every record that names another one, by its place."""
    columns = {name: events.field(name, "text") for name in ("corrects", "voids")}
    if all(column is None for column in columns.values()):
        return {}
    empty = pl.repeat(None, len(events), dtype=pl.String, eager=True)
    corrects, voids = (empty if column is None else column for column in columns.values())
    places = np.flatnonzero((corrects.is_not_null() | voids.is_not_null()).to_numpy())
    named = set(corrects.drop_nulls()) | set(voids.drop_nulls())
    known = events.frame["id"].is_in(list(named))
    ids = dict(
        zip(
            events.frame["id"].filter(known),
            (int(place) for place in np.flatnonzero(known.to_numpy())),
            strict=True,
        )
    )
    records = {}
    for place in map(int, places):
        other, void = corrects[place], voids[place]
        name = void if other is None else other
        both = other is not None and void is not None
        records[place] = _Record(place, name, ids.get(name), other is None, both)
    return records


def _plan(events: TableEvents, records: dict[int, _Record]) -> _Plan:
    plan = _Plan()
    usable = {}
    for record in records.values():
        problem = _problem(record)
        if problem:
            plan.unclear.append(_unclear(events, record, problem))
        else:
            usable[record.place] = record
    in_force, decided = _in_force(usable)
    claims: dict[int, list[_Record]] = defaultdict(list)
    known: dict[int, int | None] = {}
    for place, record in sorted(usable.items()):
        root = _root(record, usable, decided, known)
        if root is None:
            plan.unclear.append(_unclear(events, record, "these records name each other"))
        elif place in in_force:
            claims[root].append(record)
        else:
            plan.left_out.add(place)
    for place in sorted(plan.left_out - set(claims)):
        sentence = f"{events.name(place)} was itself corrected later; only the last one counts."
        plan.corrected.append(DefectText(place, sentence, (usable[place].names,)))
    for root, claimants in sorted(claims.items()):
        *earlier, last = claimants
        for record in earlier:
            plan.left_out.add(record.place)
            problem = f"{events.name(last.place)} is about the same record, and the last one counts"
            plan.unclear.append(_unclear(events, record, problem))
        _apply(events, plan, root, last)
    return plan


def _problem(record: _Record) -> str:
    if record.contradicts:
        return "it corrects one record and cancels another at once"
    if record.target is None:
        return "the log of this table has no such record"
    return ""


def _in_force(records: dict[int, _Record]) -> tuple[set[int], set[int]]:
    """The records that no other record in force is about, and all for which that is decided.

    From the last correction of a chain back to the first; records that name each other in a circle
    are never reached.
    """
    about: dict[int, int] = defaultdict(int)
    for record in records.values():
        if record.target in records:
            about[record.target] += 1
    ready = deque(place for place in sorted(records) if not about[place])
    in_force = set(records)
    decided = set()
    while ready:
        place = ready.popleft()
        decided.add(place)
        target = records[place].target
        if target is None or target not in records:
            continue
        if place in in_force:
            in_force.discard(target)
        about[target] -= 1
        if not about[target]:
            ready.append(target)
    return in_force, decided


def _root(
    record: _Record, records: dict[int, _Record], decided: set[int], known: dict[int, int | None]
) -> int | None:
    """The place that a record is about in the end; None where that runs in a circle. `known` has
    the ends that were found already, so that a long chain is gone through once."""
    if record.place not in decided:
        return None
    target = record.target
    assert target is not None
    if record.cancels:
        return target if target not in records or target in decided else None
    # A correction of a correction stands in for what that one corrected.
    passed = []
    end: int | None = target
    while end in records and not records[end].cancels:
        if end in known or end not in decided:
            end = known.get(end)
            break
        passed.append(end)
        end = records[end].target
    known.update(dict.fromkeys(passed, end))
    return end


def _apply(events: TableEvents, plan: _Plan, root: int, record: _Record) -> None:
    original, other = events.name(root), events.name(record.place)
    about = (record.names,)
    if not record.cancels:
        plan.left_out.discard(root)
        plan.left_out.add(record.place)
        plan.stands_in[root] = record.place
        sentence = f"{original} was corrected by {other}; it is checked as corrected."
        plan.corrected.append(DefectText(record.place, sentence, about))
        return
    plan.left_out.add(root)
    if events.types[root] == events.types[record.place]:
        plan.left_out.add(record.place)
    sentence = f"{original} was cancelled by {other}; it is not checked."
    plan.cancelled.append(DefectText(record.place, sentence, about))


def _unclear(events: TableEvents, record: _Record, problem: str) -> DefectText:
    verb = "cancels" if record.cancels else "corrects"
    sentence = f"{events.name(record.place)} {verb} {record.names}, which is unclear: {problem}."
    return DefectText(record.place, sentence, (record.names,))


def _applied(frame: pl.DataFrame, plan: _Plan) -> pl.DataFrame:
    source = np.arange(len(frame))
    kept = np.ones(len(frame), dtype=np.bool_)
    kept[list(plan.left_out)] = False
    for place, other in plan.stands_in.items():
        source[place] = other
    there = frame[source].with_columns(frame["ts"], frame["offset"], frame["seq"])
    result = there.filter(pl.Series(kept))
    # As in a log that never held what is gone: a field that nothing records has no column.
    gone = {
        name
        for name in result.columns
        if name not in FIXED and not name.endswith(":below")
        if result[name].null_count() == len(result)
    }
    return result.drop([name for name in result.columns if name.removesuffix(":below") in gone])
