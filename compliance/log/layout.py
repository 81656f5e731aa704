"""What a schema asks of each column of a log, laid out so that whole columns can be checked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Final

import numpy as np
import polars as pl

from compliance.table_log.columns import Flags
from compliance.table_log.event_columns import field_column
from compliance.table_log.frame import FIXED
from event_schemas import Kind, Schema

BASE: Final = ("id", "ts", "seq", "casino", "table", "type")
"""The fields that every record must have."""
_SMALL: Final = ("card", "rank", "suit", "flag")
_LARGE: Final = ("number", "money", "seat", "duration", "time", "date", "odds", "percent")
FIXED_TYPES: Final[dict[str, pl.DataType]] = {
    "id": pl.String(),
    "ts": pl.Int64(),
    "offset": pl.Int16(),
    "seq": pl.Int64(),
    "type": pl.Int16(),
    "casino": pl.String(),
    "table": pl.String(),
    "file": pl.String(),
    "line": pl.Int64(),
}


@dataclass(frozen=True)
class FieldColumn:
    """One field in one kind: which event types have it. The last place stands for no type."""

    kind: Kind
    bearers: Flags


class Layout:
    """A schema seen by columns instead of by event types."""

    def __init__(self, schema: Schema) -> None:
        self.schema = schema
        self.types: dict[str, int] = {name: place for place, name in enumerate(schema.events)}
        size = len(self.types) + 1
        self.kinds: dict[str, dict[str, FieldColumn]] = {}
        self.required: dict[str, Flags] = {}
        for place, event in enumerate(schema.events.values()):
            for item in event.fields.values():
                columns = self.kinds.setdefault(item.name, {})
                empty = FieldColumn(item.kind, np.zeros(size, dtype=np.bool_))
                columns.setdefault(item.kind.name, empty).bearers[place] = True
                if item.required and item.name not in BASE:
                    needed = self.required.setdefault(item.name, np.zeros(size, dtype=np.bool_))
                    needed[place] = True

    @cached_property
    def names(self) -> frozenset[str]:
        """Every name that a column of a log may have."""
        return frozenset(BASE) | frozenset(self.kinds)

    @cached_property
    def owners(self) -> Mapping[str, Flags]:
        """By field the event types that may have it, in any kind."""
        return {
            name: np.logical_or.reduce([field.bearers for field in kinds.values()])
            for name, kinds in self.kinds.items()
        }

    @cached_property
    def order(self) -> Mapping[str, int]:
        """The place of every column of a typed frame: the same for every log of this schema."""
        names = [*FIXED]
        for name, columns in self.kinds.items():
            if name in BASE:
                continue
            for kind in sorted(columns):
                column = field_column(name, kind)
                names += [column, f"{column}:below"]
        return {name: place for place, name in enumerate(names)}

    def type_of(self, column: str) -> pl.DataType:
        """How a column of the typed frame is held."""
        if column in FIXED_TYPES:
            return FIXED_TYPES[column]
        return pl.Int64() if column.endswith(":below") else column_type(column.split(":")[1])

    def single_kind(self, name: str) -> str | None:
        """The kind of a field that is of the same kind wherever it occurs."""
        columns = self.kinds.get(name, {})
        return next(iter(columns)) if len(columns) == 1 else None


@lru_cache(maxsize=4)
def layout_of(schema: Schema) -> Layout:
    """The layout of a schema, made once in each process."""
    return Layout(schema)


def column_type(kind: str) -> pl.DataType:
    """How the values of a kind are held in a typed frame."""
    if kind in ("text", "cards"):
        return pl.String()
    return pl.Int64() if kind in _LARGE else pl.Int16()


def empty_frame() -> pl.DataFrame:
    """A typed frame without events."""
    return pl.DataFrame(schema=FIXED_TYPES)
