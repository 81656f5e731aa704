"""Finds what a log itself says of its tables' options, without reading more of its events."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property, lru_cache
from typing import Any

import polars as pl

from compliance.table_log.event_columns import FieldColumn, field_column, fields_of_type
from compliance.table_log.frame import columns_of
from compliance.values.elected_options import ELECTED, ELECTIONS, Election
from event_schemas import Schema

_FIRST = ("type", "ts", "seq", "casino", "table")
_Row = Sequence[Any]
_Fields = Mapping[str, FieldColumn]
_FieldsOfTypes = Mapping[int, tuple[str, _Fields]]
"""By the number of a type its name, and where its fields stand in a row."""


class ElectionsInLog:
    """The elections of one table or of several; those of an option are told when it is asked for,
    for rules look at few of the options."""

    def __init__(self, schema: Schema, frame: pl.DataFrame) -> None:
        self._frame = frame
        self._wanted, self._fields = _columns(schema, columns_of(frame).in_order)

    def of(self, option: str) -> list[Election]:
        """Every election of an option, in the order of the frame's events."""
        places = self._places.get(option)
        if places is None:
            return []
        found = [_elected(self._rows.row(place), self._fields) for place in sorted(places)]
        return [item for item in found if item is not None]

    @cached_property
    def _rows(self) -> pl.DataFrame:
        return self._frame[:, self._wanted]

    @cached_property
    def _places(self) -> Mapping[str, list[int]]:
        """Of each option the places of its elections."""
        found: dict[str, list[int]] = {}
        for code, (type_name, fields) in self._fields.items():
            places = self._of_type(code)
            if type_name == "table_opened":
                found.setdefault("game", []).extend(places)
                continue
            for place, name in zip(places, self._names(places, fields), strict=True):
                found.setdefault(str(name), []).append(place)
        return found

    def _of_type(self, code: int) -> list[int]:
        """The places of one type's events."""
        types = self._frame.get_column("type").to_numpy()
        found: list[int] = (types == code).nonzero()[0].tolist()
        return found

    def _names(self, places: list[int], fields: _Fields) -> list[object]:
        """Which options are elected at some places."""
        field = fields.get("option_name")
        if field is None or field.kind != "text":
            return [_value(self._rows.row(place), fields, "option_name") for place in places]
        names = self._frame.get_column(field_column(field.name, field.kind))
        return [names[place] for place in places]


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
