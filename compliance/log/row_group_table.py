"""Reads one table straight from its row groups into a frame of `compliance.table_log.frame`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import polars as pl
import pyarrow as pa  # type: ignore[import-untyped]

from compliance.log.compiled_pages import are_cards
from compliance.log.layout import BASE, Layout
from compliance.log.parquet_pages import ColumnPages, TableColumns, UnusualPages
from compliance.log.row_groups import FileGroups, Place, in_order
from compliance.log.text_numbers import numbers_of_texts
from compliance.log.times_in_columns import can_be_held, in_microseconds
from compliance.log.typed_columns import (
    CloserLookNeeded,
    TypedColumns,
    narrowest,
    places_of_types,
)
from compliance.log.zone_offsets import offsets_of
from compliance.table_log.arrow_numbers import Bits, numbers_of, polars_series
from compliance.table_log.coded_texts import worth_a_list
from compliance.table_log.columns import Integers
from compliance.table_log.event_columns import field_column
from event_schemas import Kind
from event_schemas.limits import LARGEST_NUMBER, LARGEST_SEQ

_EVERYWHERE: Final = True
_WHOLE: Final = ("number", "money", "seat")
_IN_DOUBT: Final = (ValueError, OverflowError, IndexError, MemoryError)


class DamagedFile(Exception):
    """A file whose end promises other than what it holds."""


def read_table(
    layout: Layout, place: Place, parts: Sequence[FileGroups]
) -> tuple[pl.DataFrame, dict[str, frozenset[str]]]:
    """The typed frame of a table, with its texts as lists, and which fields its events have by
    their types; `CloserLookNeeded` where in doubt."""
    if not in_order(parts):
        raise CloserLookNeeded("order")
    try:
        with TableColumns(parts) as columns:
            return _frame(layout, columns, place, parts)
    except OSError as problem:
        raise DamagedFile from problem
    except (pa.ArrowException, pl.exceptions.PolarsError, *_IN_DOUBT) as problem:
        raise CloserLookNeeded from problem


def _frame(
    layout: Layout, columns: TableColumns, place: Place, parts: Sequence[FileGroups]
) -> tuple[pl.DataFrame, dict[str, frozenset[str]]]:
    typed = TypedColumns(layout, _types(layout, columns))
    seq, ts = _whole_numbers(columns, "seq"), _instants(columns)
    if not (seq.is_sorted() and _within(seq.min(), seq.max(), LARGEST_SEQ)) or ts.null_count():
        raise CloserLookNeeded("order")
    typed.needed_everywhere("id", _ids(columns))
    typed.needed_everywhere("seq", seq)
    typed.times(ts, lambda: offsets_of(ts, columns.form("ts").tz))
    for name, text in zip(("casino", "table"), place, strict=True):
        _one_text(typed, columns, name, text)
    _lines(typed, parts)
    for name in columns.filled:
        if name not in BASE:
            try:
                _own_field(typed, name, columns.pages(name))
            except UnusualPages:
                typed.own_field(name, columns.read(name))
    typed.require(columns.filled)
    return typed.frame(), typed.occurring()


def _within(least: Any, most: Any, largest: int) -> bool:
    return bool(-largest <= least and most <= largest)


# ---- what every event has -------------------------------------------------------------------


def _types(layout: Layout, columns: TableColumns) -> Any:
    try:
        pages = columns.pages("type")
        tables = [places_of_types(layout, names).astype(np.int64) for names in pages.texts()]
        return pages.in_rows(tables, np.int16, _EVERYWHERE)[0]
    except UnusualPages:
        column = columns.read("type")
        if column.null_count:
            raise CloserLookNeeded("type") from None
        places = places_of_types(layout, column.dictionary.to_pylist())
        return places[numbers_of(column.indices)]


def _instants(columns: TableColumns) -> pl.Series:
    """When each event was, in microseconds since 1970."""
    if columns.form("ts").unit == "us":
        return _whole_numbers(columns, "ts").to_physical()
    return in_microseconds(polars_series(columns.read("ts"))).to_physical()


def _whole_numbers(columns: TableColumns, name: str) -> pl.Series:
    try:
        pages = columns.pages(name)
        return pl.Series(pages.in_rows(pages.numbers(), np.int64, _EVERYWHERE)[0])
    except UnusualPages:
        return polars_series(columns.read(name))


def _ids(columns: TableColumns) -> pl.Series:
    try:
        return polars_series(columns.pages("id").different_texts())
    except UnusualPages:
        return polars_series(columns.read("id"))


def _one_text(typed: TypedColumns, columns: TableColumns, name: str, text: str) -> None:
    """A text that is the same in every event, as the end of the file says."""
    try:
        pages = columns.pages(name)
        lists = pages.texts()
        tables = [np.array([one != text for one in texts], dtype=np.int64) for texts in lists]
        other = bool(pages.in_rows(tables, np.int8, _EVERYWHERE)[0].any())
    except UnusualPages:
        column = columns.read(name)
        texts, codes = column.dictionary.to_pylist(), numbers_of(column.indices)
        other = bool(column.null_count) or text not in texts
        other = other or bool((codes != texts.index(text)).any())
    if other:
        raise DamagedFile(name)
    typed.listed(name, [text], np.zeros(columns.rows, dtype=np.uint8))


def _lines(typed: TypedColumns, parts: Sequence[FileGroups]) -> None:
    """Where each event stands."""
    groups = [(part.name, group) for part in parts for group in part.groups]
    lines = [np.arange(group.first_line, group.first_line + group.rows) for _, group in groups]
    names = list(dict.fromkeys(name for name, _ in groups))
    files = np.repeat([names.index(name) for name, _ in groups], [len(line) for line in lines])
    typed.held("line", np.concatenate(lines))
    typed.listed("file", names, files)


# ---- what only events of some types have ----------------------------------------------------


def _own_field(typed: TypedColumns, name: str, pages: ColumnPages) -> None:
    kinds = typed.layout.kinds[name]
    kind = next(iter(kinds.values())).kind
    if not pages.is_text:
        _numbers(typed, name, pages, kind)
    elif len(kinds) > 1 or kind.name in ("text", "cards"):
        _texts(typed, name, pages)
    else:
        _words(typed, name, pages, kind)


def _texts(typed: TypedColumns, name: str, pages: ColumnPages) -> None:
    """Texts that stay texts, or that are of several kinds: one list for all row groups."""
    lists = pages.texts()
    known = {text: place for place, text in enumerate(lists[0])}
    if len(known) < len(lists[0]):
        raise UnusualPages
    tables = [np.arange(len(lists[0]))]
    for more in lists[1:]:
        tables.append(np.array([known.setdefault(text, len(known)) for text in more], np.int64))
    codes, recorded = pages.in_rows(tables, np.min_scalar_type(len(known)))
    texts = list(known)
    for field, here in typed.by_kind(name, recorded):
        column, kind = field_column(name, field.kind.name), field.kind
        if len(typed.layout.kinds[name]) > 1 or not worth_a_list(texts, codes):
            typed.coded(column, codes, texts, kind, here)
            continue
        if kind.name == "cards" and not are_cards(texts):
            raise CloserLookNeeded(name)
        typed.held(column, codes, here, texts)


def _words(typed: TypedColumns, name: str, pages: ColumnPages, kind: Kind) -> None:
    """Texts that stand for numbers."""
    numbers = [numbers_of_texts(texts, kind) for texts in pages.texts()]
    if any(above is None for each in numbers for above, _ in each):
        raise CloserLookNeeded(name)
    column = field_column(name, kind.name)
    upper = [np.array([above for above, _ in each], dtype=np.int64) for each in numbers]
    lower = [np.array([below for _, below in each], dtype=np.int64) for each in numbers]
    recorded = _held(typed, name, column, pages, upper)
    if recorded is not None and any((below != 1).any() for below in lower):
        _held(typed, name, f"{column}:below", pages, lower)


def _numbers(typed: TypedColumns, name: str, pages: ColumnPages, kind: Kind) -> None:
    tables = pages.numbers()
    values = np.concatenate(tables)
    if not len(values) or len(typed.layout.kinds[name]) > 1:
        raise UnusualPages
    if kind.name == "seat" and values.min() < 1:
        raise CloserLookNeeded(name)
    if kind.name in _WHOLE and not _within(values.min(), values.max(), LARGEST_NUMBER):
        raise CloserLookNeeded(name)
    if kind.name == "time" and not (can_be_held(values.min()) and can_be_held(values.max())):
        raise CloserLookNeeded(name)
    _held(typed, name, field_column(name, kind.name), pages, tables)


def _held(
    typed: TypedColumns, name: str, column: str, pages: ColumnPages, tables: Sequence[Integers]
) -> Bits | None:
    """Numbers as narrow as they can be; gives back where there are any."""
    values = np.concatenate(tables)
    if not len(values):
        raise UnusualPages
    found, recorded = pages.in_rows(tables, narrowest(column, values))
    for _, here in typed.by_kind(name, recorded):
        typed.held(column, found, here)
        return here
    return None
