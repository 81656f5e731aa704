"""Holds the texts of a table's log in little memory: the same few names come again and again."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

_OFTEN = 4
"""How often each text must come on the average to be worth a list."""


def coded(frame: pl.DataFrame) -> pl.DataFrame:
    """The same events, with each field of texts as places in a list of its different texts."""
    return pl.DataFrame([coded_column(column) for column in frame.iter_columns()])


def uncoded(frame: pl.DataFrame) -> pl.DataFrame:
    """The same events with plain texts: lists of two tables cannot be joined."""
    return frame.with_columns(pl.col(pl.Enum).cast(pl.String))


def coded_column(column: pl.Series) -> pl.Series:
    """A column of texts as places in a list, if that is worth while; any other as it is."""
    if column.dtype != pl.String or not _may_come_again(column):
        return column
    texts = column.drop_nulls().unique(maintain_order=True)
    return column.cast(pl.Enum(texts)) if worth_a_list(len(texts), len(column)) else column


def worth_a_list(different: int, size: int) -> bool:
    """Whether texts come again so often that a list of them is worth while."""
    return different * _OFTEN < size


def recoded(column: pl.Series) -> pl.Series:
    """A column whose rows were moved or left out, with its list as if it had been made now."""
    return coded_column(column.cast(pl.String) if column.dtype == pl.Enum else column)


def joined(pieces: Sequence[pl.Series]) -> pl.Series:
    """Pieces of one column one after the other; texts get one list for all pieces."""
    if len(pieces) == 1:
        return pieces[0].rechunk()
    if any(piece.dtype in (pl.Enum, pl.String) for piece in pieces) and _may_come_again(pieces[0]):
        texts = pl.concat([_texts(piece) for piece in pieces]).unique(maintain_order=True)
        often = worth_a_list(len(texts), sum(map(len, pieces)))
        one_list = pl.Enum(texts) if often else pl.String()
        pieces = [piece.cast(one_list) for piece in pieces]
    frames = [piece.to_frame() for piece in pieces]
    return pl.concat(frames, how="vertical_relaxed", rechunk=True).to_series()


def _may_come_again(column: pl.Series) -> bool:
    """Whether texts may come again: those that name events are all different."""
    return column.name != "id"


def _texts(piece: pl.Series) -> pl.Series:
    """The different texts of a piece."""
    if isinstance(piece.dtype, pl.Enum):
        return piece.dtype.categories
    return piece.cast(pl.String).drop_nulls().unique(maintain_order=True)
