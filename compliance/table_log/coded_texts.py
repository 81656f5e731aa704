"""Holds the texts of a table's log in little memory: the same few names come again and again."""

from __future__ import annotations

from collections.abc import Sequence, Sized
from typing import Any

import numpy as np
import polars as pl
import pyarrow as pa  # type: ignore[import-untyped]

from compliance.table_log.arrow_numbers import (
    Bits,
    numbers_of,
    polars_series,
    recorded_in,
    series_of,
)
from compliance.table_log.columns import Integers, Numbers

_OFTEN = 4
"""How often each text must come on the average to be worth a list."""


def coded(frame: pl.DataFrame) -> pl.DataFrame:
    """The same events, with each field of texts as places in a list of its different texts."""
    return pl.DataFrame([coded_column(column) for column in frame.iter_columns()])


def uncoded(frame: pl.DataFrame) -> pl.DataFrame:
    """The same events with plain texts: lists of two tables cannot be joined."""
    return frame.with_columns_seq(pl.col(pl.Enum).cast(pl.String))


def coded_column(column: pl.Series) -> pl.Series:
    """A column of texts as places in a list, if that is worth while; any other as it is."""
    if column.dtype != pl.String or not _may_come_again(column):
        return column
    return _with_one_list([column])


def recoded(column: pl.Series) -> pl.Series:
    """A column whose rows were moved or left out, with its list as if it had been made now."""
    return _with_one_list([column]) if column.dtype == pl.Enum else coded_column(column)


def joined(pieces: Sequence[pl.Series]) -> pl.Series:
    """Pieces of one column one after the other; texts get one list for all pieces."""
    if any(piece.dtype in (pl.Enum, pl.String) for piece in pieces) and _may_come_again(pieces[0]):
        return _with_one_list(pieces)
    if len(pieces) == 1:
        return pieces[0].rechunk()
    frames = [piece.to_frame() for piece in pieces]
    return pl.concat(frames, how="vertical_relaxed", rechunk=True).to_series()


def listed_texts(texts: pl.Series, places: Numbers, recorded: Bits | None = None) -> pl.Series:
    """Texts from a list, by their places in it; where the bit is 0, there is none.

    They stay places in the list, unless that is not worth while.
    """
    if worth_a_list(texts, places):
        narrow = places.astype(np.min_scalar_type(len(texts)))
        return series_of(narrow, recorded).cat.to(pl.Enum(texts))
    # By way of Arrow: Polars would keep a text where there is none, for whoever looks closely.
    plain = texts.to_arrow().take(series_of(places.astype(np.uint32), recorded).to_arrow())
    return polars_series(plain)


def worth_a_list(texts: Sized, places: Sized) -> bool:
    """Whether texts come again so often that a list of them is worth while."""
    return len(texts) * _OFTEN < len(places)


def _with_one_list(pieces: Sequence[pl.Series]) -> pl.Series:
    """Texts of several pieces as places in one list, in the order in which they first come."""
    whole = _as_places(pieces[0])
    if len(pieces) > 1:
        parts = pa.chunked_array([whole, *map(_as_places, pieces[1:])])
        whole = parts.unify_dictionaries().combine_chunks()
    places, texts = numbers_of(whole.indices), polars_series(whole.dictionary)
    recorded = recorded_in(whole)
    order = _order_of_coming(_recorded(places, recorded), len(texts))
    if not np.array_equal(order, np.arange(len(texts))):
        rank = np.zeros(len(texts), dtype=np.int32)
        rank[order] = np.arange(len(order))
        places, texts = rank.take(places, mode="clip"), texts.gather(order)
    elif len(pieces) == 1 and isinstance(pieces[0].dtype, pl.Enum) and worth_a_list(texts, places):
        return pieces[0].rechunk()
    return listed_texts(texts, places, recorded).alias(pieces[0].name)


def _as_places(piece: pl.Series) -> Any:
    """A piece as places in a list of its own."""
    held = piece.to_arrow()
    if not pa.types.is_dictionary(held.type):
        return held.cast(pa.large_string()).dictionary_encode()
    return pa.DictionaryArray.from_arrays(
        held.indices.cast(pa.int32()), held.dictionary.cast(pa.large_string())
    )


def _recorded(places: Numbers, bits: Bits | None) -> Numbers:
    """The places where there is a text at all."""
    if bits is None:
        return places
    return places[np.unpackbits(bits, count=len(places), bitorder="little").view(np.bool_)]


def _order_of_coming(places: Numbers, size: int) -> Integers:
    """The places that occur, the one that comes first before the others."""
    first = np.full(size, len(places))
    # What is written last stays: so that is the first row of each.
    first[places[::-1]] = np.arange(len(places))[::-1]
    return np.argsort(first, kind="stable")[: np.count_nonzero(first < len(places))]


def _may_come_again(column: pl.Series) -> bool:
    """Whether texts may come again: those that name events are all different."""
    return column.name != "id"
