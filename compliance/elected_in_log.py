"""Finds what a log itself says of its tables' options, without reading more of its events."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np
import polars as pl

from compliance.event_columns import FieldColumn, fields_of_type
from compliance.options import ELECTED, ELECTIONS, Elected
from event_schemas import Schema

_FIRST = ("type", "ts", "seq", "casino", "table")
_Fields = Mapping[str, FieldColumn]


def elected_in_log(schema: Schema, frame: pl.DataFrame) -> list[Elected]:
    """Every election of one table or of several, in the order of the frame's events."""
    columns, fields = _columns(schema, tuple(frame.columns))
    types = frame["type"].to_numpy()
    electing = np.zeros(len(types), dtype=np.bool_)
    for code in fields:
        electing |= types == code
    places = electing.nonzero()[0].tolist()
    if not places:
        return []
    rows = frame[:, columns]
    found = (_elected(rows.row(place), fields) for place in places)
    return [item for item in found if item is not None]


@lru_cache(maxsize=100)
def _columns(
    schema: Schema, columns: tuple[str, ...]
) -> tuple[list[str], Mapping[int, tuple[str, _Fields]]]:
    """The columns to be read, and by the number of a type its name and where its fields stand."""
    wanted = [*_FIRST, *(name for name in columns if name.partition(":")[0] in ELECTED)]
    return wanted, {
        code: (name, {field.name: field for field in fields_of_type(schema, name, wanted)})
        for code, name in enumerate(schema.events)
        if name in ELECTIONS
    }


def _elected(row: Sequence[Any], fields_of: Mapping[int, tuple[str, _Fields]]) -> Elected | None:
    """The same as `elected_by` says of the whole event."""
    code, ts, seq, casino, table, *_ = row
    type_name, fields = fields_of[code]
    if type_name == "table_opened":
        game = _value(row, fields, "game")
        if game is None:
            return None
        return Elected(casino, table, "game", seq, ts, game, is_text=False)
    name, said = str(_value(row, fields, "option_name")), str(_value(row, fields, "value"))
    effective = fields.get("effective_at")
    if effective is not None and effective.kind == "time" and row[effective.at] is not None:
        ts = max(ts, row[effective.at])
    return Elected(casino, table, name, seq, ts, said)


def _value(row: Sequence[Any], fields: _Fields, name: str) -> object | None:
    field = fields.get(name)
    return None if field is None else field.value(row)
