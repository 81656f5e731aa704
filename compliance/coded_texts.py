"""Holds the texts of a table's log in little memory: the same few names come again and again."""

from __future__ import annotations

import polars as pl

from compliance.table_frame import FIXED

_OFTEN = 4
"""How often each text must come on the average to be worth a list."""


def coded(frame: pl.DataFrame) -> pl.DataFrame:
    """The same events, with each field of texts as places in a list of its different texts."""
    return frame.with_columns(
        _coded(column)
        for column in frame.iter_columns()
        if column.dtype == pl.String and column.name not in FIXED
    )


def uncoded(frame: pl.DataFrame) -> pl.DataFrame:
    """The same events with plain texts: lists of two tables cannot be joined."""
    return frame.with_columns(pl.col(pl.Enum).cast(pl.String))


def _coded(column: pl.Series) -> pl.Series:
    texts = column.drop_nulls().unique(maintain_order=True)
    return column.cast(pl.Enum(texts)) if len(texts) * _OFTEN < len(column) else column
