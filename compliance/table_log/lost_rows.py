"""How a record that is known to be lost stands in a table's frame: a row without any content.

Its type is one past the last type of the schema, its id is empty, its `ts` is the moment of the
record before it, and all fields are empty. What else is known of it stands in columns of its own,
which only frames with such rows have.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

import numpy as np
import polars as pl

from compliance.values.moments import moment
from event_schemas import Schema
from event_schemas.lost_record import LOST_RECORD, NO_LIMIT, UNRECORDED, LostRecord

LOST_TYPES: Final[dict[str, pl.DataType]] = {
    "lost_times": pl.Int64(),
    "lost_until": pl.Int64(),
    "lost_may_be": pl.String(),
    "lost_not_elected": pl.String(),
    "lost_against_habit": pl.String(),
    "lost_elected_against_habit": pl.String(),
    "lost_in_part": pl.Boolean(),
}
"""How many records are lost, the moment of the next record, the types that they can have been, the
options that they did not elect; which more of both if the table did not keep its habits; and
whether they are not lost, but of types that the source does not always record."""
LOST_COLUMNS: Final = tuple(LOST_TYPES)


@dataclass(frozen=True, slots=True)
class LostRow:
    """Records that are lost at one place of a table's frame: before the row of this number."""

    before: int
    seq: int
    """The first of their sequence numbers."""
    times: int
    may_be: frozenset[str]
    file: str = ""
    line: int = 0
    not_elected: frozenset[str] = frozenset()
    against_habit: frozenset[str] = frozenset()
    elected_against_habit: frozenset[str] = frozenset()
    in_part: bool = False


def lost_type(schema: Schema) -> int:
    """The number that stands for the type of a lost record."""
    return len(schema.events)


def without_lost_rows(schema: Schema, frame: pl.DataFrame) -> pl.DataFrame:
    """The records that are there; a frame without lost ones comes back as it is."""
    if LOST_COLUMNS[0] not in frame.columns:
        return frame
    return frame.filter(pl.col("type") != lost_type(schema)).drop(LOST_COLUMNS)


def with_lost_rows(
    schema: Schema, frame: pl.DataFrame, lost: Sequence[LostRow], earlier: pl.DataFrame
) -> pl.DataFrame:
    """A table's frame with a row for each place where records are lost, in order of these places.

    `earlier` are records of the table that come before the frame: without any, the first record of
    the frame tells the moment of what is lost before it. One of the two holds a record.
    """
    if not lost:
        return frame
    places = np.array([row.before for row in lost], dtype=np.int64)
    rows = _rows(schema, frame, lost, places, earlier)
    # Fields of which a lost record says nothing may stay places in their lists of texts.
    named = [name for name, form in rows.schema.items() if form == pl.String]
    texts = frame.with_columns(pl.col(name).cast(pl.String) for name in named if name in frame)
    whole = pl.concat([texts, rows], how="diagonal_relaxed")
    # Each lost row goes right before its place, in the order in which they are given.
    order = np.insert(np.arange(len(texts)), places, len(texts) + np.arange(len(lost)))
    return whole[order]


def with_unrecorded_rows(
    schema: Schema, frame: pl.DataFrame, types: frozenset[str]
) -> pl.DataFrame:
    """A table's frame for a source that records only some events of some types: any number of them
    may have happened before its first row and after each of them."""
    if not types or not len(frame):
        return frame
    numbers = frame["seq"].to_list()
    places = enumerate([numbers[0] - 1, *numbers])
    rows = [LostRow(before, seq, NO_LIMIT, types, in_part=True) for before, seq in places]
    return with_lost_rows(schema, frame, rows, frame.clear())


def without_unrecorded_rows(frame: pl.DataFrame) -> pl.DataFrame:
    """A table's frame with what it records and what is known to be lost."""
    if LOST_COLUMNS[-1] not in frame.columns:
        return frame
    return frame.filter(~pl.col(LOST_COLUMNS[-1]).fill_null(False))


def _rows(
    schema: Schema,
    frame: pl.DataFrame,
    lost: Sequence[LostRow],
    places: np.ndarray[tuple[int], np.dtype[np.int64]],
    earlier: pl.DataFrame,
) -> pl.DataFrame:
    moments = pl.concat([part.select("ts", "offset") for part in (earlier.tail(1), frame)])
    known = len(moments) - len(frame)
    last = len(moments) - 1
    before = np.maximum(places + known - 1, 0)
    after = np.minimum(places + known, last)
    ts = moments["ts"].to_numpy()
    somewhere = frame if len(frame) else earlier
    size = len(lost)
    return pl.DataFrame(
        {
            "id": pl.Series([""] * size, dtype=pl.String),
            "ts": ts[before],
            "offset": moments["offset"].gather(before),
            "seq": pl.Series([row.seq for row in lost], dtype=pl.Int64),
            "type": pl.Series([lost_type(schema)] * size, dtype=pl.Int16),
            "casino": [str(somewhere["casino"][0])] * size,
            "table": [str(somewhere["table"][0])] * size,
            "file": pl.Series([row.file for row in lost], dtype=pl.String),
            "line": pl.Series([row.line for row in lost], dtype=pl.Int64),
            "lost_times": pl.Series([row.times for row in lost], dtype=pl.Int64),
            # A clock that was put back does not make a time end before it begins.
            "lost_until": np.maximum(ts[before], ts[after]),
            "lost_may_be": [_words(row.may_be) for row in lost],
            "lost_not_elected": [_words(row.not_elected) for row in lost],
            "lost_against_habit": [_words(row.against_habit) for row in lost],
            "lost_elected_against_habit": [_words(row.elected_against_habit) for row in lost],
            "lost_in_part": [row.in_part for row in lost],
        }
    )


@lru_cache(maxsize=1000)
def _words(names: frozenset[str]) -> str:
    """Names in one text; the same few sets come again and again."""
    return " ".join(sorted(names))


def lost_record(row: dict[str, Any]) -> LostRecord:
    """A lost row as an event."""
    return LostRecord(
        row["id"],
        moment(row["ts"], row["offset"]),
        row["seq"],
        row["casino"],
        row["table"],
        UNRECORDED if row["lost_in_part"] else LOST_RECORD,
        {},
        until=moment(row["lost_until"], row["offset"]),
        may_be=frozenset(row["lost_may_be"].split()),
        times=row["lost_times"],
        not_elected=frozenset(row["lost_not_elected"].split()),
        against_habit=frozenset(row["lost_against_habit"].split()),
        elected_against_habit=frozenset(row["lost_elected_against_habit"].split()),
    )
