"""Which columns of a frame tell what an event of one type says, and what their numbers mean.

A frame has a column for every field that occurs in the log, and an event has values in few of them:
those alone are read. The tables of a log have the same columns, so all this is worked out once.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Final, NamedTuple

from compliance.values.codes import value_of
from compliance.values.event_texts import field_text, value_text
from event_schemas import CARDS, PLAIN_KINDS, Schema, parse_value

OF_EVERY_EVENT: Final = ("id", "ts", "offset", "seq", "type", "casino", "table")
"""What a report says of each event, whatever its type."""
_REMEMBERED = 1_000
"""How many values of a field are kept in words."""


def field_column(name: str, kind: str) -> str:
    """The name of a field's column in the frame."""
    return f"{name}:{kind}"


class FieldColumn(NamedTuple):
    """Where the value of a field stands in a row."""

    name: str
    kind: str
    at: int
    second_at: int
    """Where that stands which is below the line, or the offset of a time; -1 for nowhere."""
    words: tuple[str, ...] | None
    """The list of words of which the field holds one, if it does."""

    def value(self, row: Sequence[Any]) -> object:
        """The value that a row has for the field; None where it is not recorded."""
        value: object = row[self.at]
        if value is None or self.kind == "text":
            return value
        if self.words is not None:
            return self.words[row[self.at]]
        return _plain(self.kind, value, None if self.second_at < 0 else row[self.second_at])


class _Told(dict[Any, str]):
    """A field as a line of evidence tells it, by what stands in its column: mostly the same few."""

    def __init__(self, field: FieldColumn) -> None:
        super().__init__()
        self._field = field

    def __missing__(self, value: Any) -> str:
        name, kind, _, _, words = self._field
        if words is not None:
            text = words[value]
        elif kind == "text":
            text = value
        else:
            first, second = value if isinstance(value, tuple) else (value, None)
            text = value_text(kind, _plain(kind, first, second))
        if len(self) == _REMEMBERED:
            self.clear()
        told = self[value] = field_text(name, text)
        return told


class TypeColumns:
    """The columns of a frame in which events of one type have values."""

    def __init__(self, schema: Schema, type_name: str, columns: Sequence[str]) -> None:
        fields = schema.events[type_name].fields.items()
        own = [field_column(name, field.kind.name) for name, field in fields]
        below = [f"{column}:below" for column in own]
        self.type_name = type_name
        self.names = [*OF_EVERY_EVENT, *(c for c in (*own, *below) if c in columns)]
        """First what every event has, then the fields, then what is below the line of some."""
        self.fields = fields_of_type(schema, type_name, self.names)
        self._told = [_Told(field) for field in self.fields]
        self._twofold = [field for field in self.fields if field.second_at >= 0]

    def line(self, row: Sequence[Any]) -> str:
        """The line of an event, from its values in these columns."""
        values = row[len(OF_EVERY_EVENT) :]
        if self._twofold:
            values = list(values)
            for field in self._twofold:
                if row[field.at] is not None and row[field.second_at] is not None:
                    values[field.at - len(OF_EVERY_EVENT)] = row[field.at], row[field.second_at]
        told = [
            told[value]
            for told, value in zip(self._told, values, strict=False)
            if value is not None
        ]
        return " ".join([self.type_name, *told])


def fields_of_type(schema: Schema, type_name: str, columns: Sequence[str]) -> list[FieldColumn]:
    """The fields of an event type in rows of these columns, in the order of the schema."""
    places = {column: place for place, column in enumerate(columns)}
    found = []
    for name, field in schema.events[type_name].fields.items():
        kind = field.kind.name
        column = field_column(name, kind)
        if column in places:
            words = None if kind in PLAIN_KINDS else schema.enums[kind].values
            second = "offset" if kind == "time" else f"{column}:below"
            second_at = places.get(second, -1)
            found.append(FieldColumn(name, kind, places[column], second_at, words))
    return found


@lru_cache(maxsize=5_000)
def columns_of_type(schema: Schema, type_name: str, columns: tuple[str, ...]) -> TypeColumns:
    """Of a frame's columns, those in which events of a type have values."""
    return TypeColumns(schema, type_name, columns)


def _plain(kind: str, value: object, second: int | None) -> object:
    """A value of a kind that needs no list of words; a time as clocks at the table showed it."""
    if kind == "text":
        return value
    if kind == "cards":
        return parse_value(CARDS, str(value))
    assert isinstance(value, int)
    if kind == "time":
        return value_of(kind, value, zone=second or 0)
    return value_of(kind, value, 1 if second is None else second)
