"""Turns raw records into the typed frame of `compliance.table_log.frame`, all rows at once.

A row is taken from its columns only when nothing about it is in doubt; every other row is read by
itself, which either gives the same event or a sentence that says what is wrong with it.
"""

from __future__ import annotations

import numpy as np
import polars as pl

from compliance.log.columns_by_kind import encoded_column, in_all_places
from compliance.log.layout import BASE, Layout, empty_frame
from compliance.log.lost_lines import known_of_record
from compliance.log.problems import SetAside
from compliance.log.quick_chunk import quick_frame
from compliance.log.raw import RawChunk
from compliance.log.single_records import Row, row_of_record
from compliance.log.times_in_columns import (
    EARLIEST_EVENT,
    LATEST_EVENT,
    moments_of_texts,
    moments_of_times,
)
from compliance.table_log.columns import Flags, places_with_values
from compliance.table_log.event_columns import field_column
from event_schemas import NUMBER, TEXT
from event_schemas.limits import LARGEST_SEQ


def typed_chunk(layout: Layout, chunk: RawChunk, file: str) -> tuple[pl.DataFrame, list[SetAside]]:
    """The events of a chunk in the order of their lines, and the lines that are none."""
    quick = quick_frame(layout, chunk, file)
    if quick is not None:
        return quick, []
    chunk.look_closer()
    good, failed = _from_columns(layout, chunk, file)
    rows: list[Row] = []
    set_aside: list[SetAside] = []
    singles = [*chunk.singles, *chunk.picked(np.flatnonzero(failed))]
    for line, record, text, known in singles:
        row = record if isinstance(record, str) else row_of_record(layout, record)
        if isinstance(row, str):
            told = known if isinstance(record, str) else known_of_record(record)
            set_aside.append(SetAside(file, line, row, text, told))
        else:
            rows.append(row | {"file": file, "line": line})
    if rows:
        columns = sorted({name for row in rows for name in row}, key=layout.order.__getitem__)
        single = pl.DataFrame(
            {
                name: pl.Series([row.get(name) for row in rows], dtype=layout.type_of(name))
                for name in columns
            }
        )
        good = pl.concat([good, single], how="diagonal").sort("line", maintain_order=True)
    set_aside.sort(key=lambda item: item.line)
    return good, set_aside


def _from_columns(layout: Layout, chunk: RawChunk, file: str) -> tuple[pl.DataFrame, Flags]:
    """The rows that are good without doubt, and where the others are."""
    frame, size = chunk.frame, len(chunk.frame)
    if not size:
        return empty_frame(), np.zeros(0, dtype=np.bool_)
    failed = np.zeros(size, dtype=np.bool_) if chunk.doubtful is None else chunk.doubtful.copy()
    if any(name not in frame.columns for name in BASE):
        return empty_frame(), np.ones(size, dtype=np.bool_)
    types = _types(layout, frame["type"])
    failed |= types < 0
    columns = _base(chunk, failed)
    columns["type"] = pl.Series(types)
    columns["file"] = pl.Series([file], dtype=pl.String).new_from_index(0, size)
    columns["line"] = pl.Series(chunk.lines)
    # All columns at once: to ask each by itself takes longer than to look.
    there = frame.select(pl.all().is_not_null())
    _own_fields(layout, chunk, there, types, columns, failed)
    for name, needed in layout.required.items():
        missing = needed[types]
        if name in there.columns:
            missing = missing & ~there[name].to_numpy()
        failed |= missing
    ordered = sorted(columns, key=layout.order.__getitem__)
    typed = pl.DataFrame({name: columns[name].cast(layout.type_of(name)) for name in ordered})
    return (typed.filter(pl.Series(~failed)) if failed.any() else typed), failed


def _types(layout: Layout, column: pl.Series) -> np.ndarray[tuple[int], np.dtype[np.int16]]:
    """The place of each row's event type in the schema; -1 where there is none."""
    if column.dtype != pl.String:
        column = column.cast(pl.String, strict=False)
    coded = column.to_arrow().dictionary_encode()
    places = [layout.types.get(name, -1) for name in coded.dictionary.to_pylist()]
    found = in_all_places(pl.Series(places, dtype=pl.Int16), coded.indices)
    return found.fill_null(-1).to_numpy()


def _base(chunk: RawChunk, failed: Flags) -> dict[str, pl.Series]:
    """The columns that every event has."""
    frame = chunk.frame
    columns: dict[str, pl.Series] = {}
    for name in ("id", "casino", "table"):
        bare, unclear = _bare(chunk, name, frame[name])
        columns[name] = encoded_column(frame[name], TEXT, bare).values
        _fail(failed, unclear)
    bare, unclear = _bare(chunk, "type", frame["type"])
    _fail(failed, unclear)
    written = frame["ts"]
    moments = moments_of_texts(written) if written.dtype == pl.String else moments_of_times(written)
    believable = moments.ts.is_between(EARLIEST_EVENT, LATEST_EVENT)
    columns["ts"], columns["offset"] = moments
    _fail(failed, ~believable.fill_null(False).to_numpy())
    bare, unclear = _bare(chunk, "seq", frame["seq"])
    seq = encoded_column(frame["seq"], NUMBER, bare, LARGEST_SEQ)
    _fail(failed, unclear)
    if seq.below is not None:
        _fail(failed, (seq.below != 1).fill_null(False).to_numpy())
    columns["seq"] = seq.values
    for name in ("id", "casino", "table", "seq"):
        if columns[name].null_count():
            failed |= columns[name].is_null().to_numpy()
    return columns


def _own_fields(
    layout: Layout,
    chunk: RawChunk,
    recorded: pl.DataFrame,
    types: np.ndarray[tuple[int], np.dtype[np.int16]],
    columns: dict[str, pl.Series],
    failed: Flags,
) -> None:
    for name in chunk.frame.columns:
        column = chunk.frame[name]
        if name in BASE or column.null_count() == len(column):
            continue
        there = recorded[name].to_numpy()
        placed = np.zeros(len(column), dtype=np.bool_)
        bare, unclear = _bare(chunk, name, column)
        _fail(failed, unclear)
        for kind, field in layout.kinds.get(name, {}).items():
            here = field.bearers[types] & there
            if not here.any():
                continue
            placed |= here
            part, part_bare = column, bare
            if not np.array_equal(here, there):
                mask = pl.Series(here)
                empty = pl.Series([None], dtype=column.dtype).new_from_index(0, len(column))
                part = column.zip_with(mask, empty)
                part_bare = None if bare is None else bare & mask
            values, below = encoded_column(part, field.kind, part_bare)
            if values is not part:
                failed |= here & ~places_with_values(values)
            columns[field_column(name, kind)] = values
            if below is not None:
                columns[f"{field_column(name, kind)}:below"] = below
        # A field that this type of event does not have.
        failed |= there & ~placed


def _bare(chunk: RawChunk, name: str, column: pl.Series) -> tuple[pl.Series | None, Flags | None]:
    return chunk.bare(name, column) if column.dtype == pl.String else (None, None)


def _fail(failed: Flags, rows: Flags | None) -> None:
    if rows is not None:
        failed |= rows
