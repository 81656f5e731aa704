"""Finds what a log itself says of its tables' options, without reading more of its events."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np
import polars as pl

from compliance.table_log.event_columns import FieldColumn, fields_of_type
from compliance.table_log.frame import columns_of
from compliance.values.elected_options import ELECTED, ELECTIONS, Election
from event_schemas import Schema

_FIRST = ("type", "ts", "seq", "casino", "table")
_Row = Sequence[Any]
_Fields = Mapping[str, FieldColumn]
_FieldsOfTypes = Mapping[int, tuple[str, _Fields]]
"""By the number of a type its name, and where its fields stand in a row."""


def elections_in_log(schema: Schema, frame: pl.DataFrame) -> list[Election]:
    """Every election of one table or of several, in the order of the frame's events."""
    wanted, fields = _columns(schema, columns_of(frame).in_order)
    types = frame.get_column("type").to_numpy()
    places = np.flatnonzero(np.any([types == code for code in fields], axis=0))
    found = (_elected(row, fields) for row in frame[:, wanted][places].rows())
    return [item for item in found if item is not None]


@lru_cache(maxsize=100)
def _columns(schema: Schema, columns: tuple[str, ...]) -> tuple[list[str], _FieldsOfTypes]:
    """The columns to be read, and what stands in them."""
    wanted = [*_FIRST, *(name for name in columns if name.partition(":")[0] in ELECTED)]
    return wanted, {
        code: (name, {field.name: field for field in fields_of_type(schema, name, wanted)})
        for code, name in enumerate(schema.events)
        if name in ELECTIONS
    }


def _elected(row: _Row, fields_of: _FieldsOfTypes) -> Election | None:
    """The same as `election_of` says of the whole event."""
    code, ts, seq, casino, table, *_ = row
    type_name, fields = fields_of[code]
    if type_name == "table_opened":
        game = _value(row, fields, "game")
        if game is None:
            return None
        return Election(casino, table, "game", seq, ts, game, is_text=False)
    name, said = str(_value(row, fields, "option_name")), str(_value(row, fields, "value"))
    effective = fields.get("effective_at")
    if effective is not None and effective.kind == "time" and row[effective.at] is not None:
        ts = max(ts, row[effective.at])
    return Election(casino, table, name, seq, ts, said)


def _value(row: _Row, fields: _Fields, name: str) -> object | None:
    field = fields.get(name)
    return None if field is None else field.value(row)
