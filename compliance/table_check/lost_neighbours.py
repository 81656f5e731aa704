"""What has to be kept of records that are lost among the events of several tables, for the next
night: each once, with the records of its own table around it.

Nobody knows where among the events of other tables such a record lay. Whoever judges puts it at
every place where it can have been (`order` in `check_table`); to find these again he needs its
neighbours.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection

import polars as pl

from compliance.table_log.lost_rows import LOST_COLUMNS, lost_type
from event_schemas import Schema


def lost_once(schema: Schema, frame: pl.DataFrame) -> pl.DataFrame:
    """The events of several tables, with each lost record at the first of its places."""
    if LOST_COLUMNS[0] not in frame.columns:
        return frame
    is_lost = pl.col("type") == lost_type(schema)
    return frame.filter(~is_lost | pl.struct("casino", "table", "seq", is_lost).is_first_distinct())


def neighbours_of_lost(schema: Schema, frame: pl.DataFrame, kept: Collection[int]) -> set[int]:
    """Of the tables of lost records among the rows that are kept, the rows before and after these:
    `place` is the number of a row."""
    is_lost = pl.col("type") == lost_type(schema)
    lost = frame[sorted(kept)].filter(is_lost).select("casino", "table", "seq").rows()
    if not lost:
        return set()
    own: dict[tuple[str, str], list[tuple[int, int]]] = {}
    rows = frame.filter(~is_lost).select("casino", "table", "seq", "place").rows()
    for casino, table, seq, place in rows:
        own.setdefault((casino, table), []).append((seq, place))
    for known in own.values():
        known.sort()
    found: set[int] = set()
    for casino, table, seq in lost:
        known = own.get((casino, table), [])
        at = bisect_left(known, (seq, -1))
        found |= {place for _, place in known[max(at - 1, 0) : at + 1]}
    return found
