"""Finds what a log itself says of its tables' options, without reading more of its events."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property, lru_cache
from typing import Any

import polars as pl

from compliance.columns import Integers
from compliance.event_columns import FieldColumn, field_column, fields_of_type
from compliance.options import ELECTED, ELECTIONS, Elected
from compliance.table_frame import texts_at
from event_schemas import Schema

_FIRST = ("type", "ts", "seq", "casino", "table")
_Fields = Mapping[str, FieldColumn]


class ElectedInLog:
    """The elections of one table or of several; those of an option are read when it is asked for,
    for rules look at few of the options."""

    def __init__(self, schema: Schema, frame: pl.DataFrame) -> None:
        self._frame = frame
        self._wanted, self._fields = _columns(schema, tuple(frame.columns))
        self._places: dict[str, list[int]] = {}
        """Of each option the places of its elections, in order."""
        types = frame.get_column("type").to_numpy()
        for code, (type_name, fields) in self._fields.items():
            places = (types == code).nonzero()[0]
            if not len(places):
                continue
            if type_name == "table_opened":
                self._places.setdefault("game", []).extend(places.tolist())
                continue
            for place, name in zip(places.tolist(), self._names(places, fields), strict=True):
                self._places.setdefault(str(name), []).append(place)

    def _names(self, places: Integers, fields: _Fields) -> Sequence[object]:
        """Which options are elected at some places."""
        field = fields.get("option_name")
        if field is None or field.kind != "text":
            return [_value(self._rows.row(place), fields, "option_name") for place in places]
        return texts_at(self._frame, field_column(field.name, field.kind), places)

    @cached_property
    def _rows(self) -> pl.DataFrame:
        return self._frame[:, self._wanted]

    def of(self, option: str) -> list[Elected]:
        """Every election of an option, in the order of the frame's events."""
        places = self._places.get(option)
        if places is None:
            return []
        found = (_elected(self._rows.row(place), self._fields) for place in sorted(places))
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
