"""Was a record sent more than once? The same record again is left out, another one is a conflict:
then it is not known what the record said.

A record is known by its id. Its content is all that it says of the event: neither the number under
which a receiver filed it nor the line where it stands.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

import numpy as np
import polars as pl

from compliance.integrity.defects import Defect, DefectKind, DefectText, listed
from compliance.integrity.table_events import TableEvents
from compliance.table_log.columns import Flags, Integers
from reports.wording import counted

_FILED: Final = ("offset", "seq", "file", "line")


@dataclass(frozen=True)
class Once:
    """A table's log with one record for every id, the first, and what was left out."""

    events: TableEvents
    defects: list[Defect] = field(default_factory=list)
    contradicted: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """The ids under which the log tells different things, with the types that it names."""


def without_repeats(events: TableEvents) -> Once:
    """The first record of every id, and what was left out."""
    frame = events.frame
    if frame["id"].n_unique() == len(frame):
        return Once(events)
    alike = frame.filter(frame["id"].is_duplicated())
    places = np.flatnonzero(frame["id"].is_duplicated().to_numpy())
    content = [name for name in frame.columns if name not in _FILED]
    table = alike.select(
        "id",
        place=pl.lit(pl.Series(places, dtype=pl.Int64)),
        again=pl.struct(content).is_first_distinct().not_(),
        first=pl.col("id").is_first_distinct(),
    ).with_columns(original=pl.col("place").first().over("id"))
    later = table.filter(~pl.col("first"))
    found = [
        *_retransmissions(events, later.filter(pl.col("again"))),
        *_conflicts(events, later.filter(~pl.col("again"))),
    ]
    kept: Flags = np.ones(len(frame), dtype=np.bool_)
    kept[later["place"].to_numpy()] = False
    once = TableEvents(events.schema, frame.filter(pl.Series(kept)))
    return Once(once, found, _contradicted(events, alike, later.filter(~pl.col("again"))))


def _contradicted(
    events: TableEvents, alike: pl.DataFrame, other: pl.DataFrame
) -> dict[str, frozenset[str]]:
    """The types that records with one id name, where they tell different things."""
    ids = other["id"].unique().to_list()
    named = alike.filter(pl.col("id").is_in(ids)).group_by("id").agg(pl.col("type").unique())
    return {
        ident: frozenset(events.type_names[number] for number in types)
        for ident, types in named.iter_rows()
    }


def _retransmissions(events: TableEvents, again: pl.DataFrame) -> Iterator[Defect]:
    """One for each run of neighbouring events that came again: a frame, a block, a whole file."""
    if not len(again):
        return
    again = again.sort("original", "place")
    originals = again["original"].to_numpy()
    # Neighbours among the events that are kept: repeats that stand between two originals do not
    # part them.
    rank = np.searchsorted(_firsts(events), originals)
    starts = np.flatnonzero(np.diff(rank, prepend=-2) > 1)
    ends = np.append(starts[1:], len(again))

    def tell(number: int) -> DefectText:
        start, end = int(starts[number]), int(ends[number])
        first, last = int(originals[start]), int(originals[end - 1])
        copies = end - start
        if first == last:
            sentence = (
                f"The same record came again {_times(copies)}: {events.name(first)}, repeated at "
                f"{_line(events, int(again['place'][start]))}; it is counted once."
            )
        else:
            different = len(np.unique(originals[start:end]))
            sentence = (
                f"{counted(different, 'record')} in a row came again ({counted(copies, 'repeat')}):"
                f" from {events.name(first)} to {events.name(last)}; each is counted once."
            )
        return DefectText(first, sentence)

    places = [int(place) for place in originals[starts]]
    yield from listed(events, DefectKind.RETRANSMISSION, places, tell, repaired=True)


def _conflicts(events: TableEvents, other: pl.DataFrame) -> Iterator[Defect]:
    """One for each id under which the log tells different things."""
    by_id = other.group_by("original", maintain_order=True).agg("place").sort("original")
    originals = by_id["original"].to_list()

    def tell(number: int) -> DefectText:
        lines = ", ".join(_line(events, place) for place in by_id["place"][number].head(5))
        more = len(by_id["place"][number]) - 5
        sentence = (
            f"Records with one id tell different things: {events.name(originals[number])} and "
            f"{lines}{f' and {more} more' if more > 0 else ''}; what is "
            "true is not known, so that the record counts as lost."
        )
        return DefectText(originals[number], sentence)

    yield from listed(events, DefectKind.ID_CONFLICT, originals, tell)


def _firsts(events: TableEvents) -> Integers:
    return np.flatnonzero(events.frame["id"].is_first_distinct().to_numpy())


def _line(events: TableEvents, place: int) -> str:
    row = events.row(place)
    return f"{row.file}, line {row.line}"


def _times(number: int) -> str:
    return "once" if number == 1 else f"{number:,} times"
