"""What the columns of a Parquet file may be: types that a record can be made of, and nothing else.

A file says of itself as what its columns are to be read, in words that anybody can write there:
zones that no map has, names that are no text. What is not known is refused here, by its column,
before anything is made of it.
"""

from __future__ import annotations

from typing import Any

import polars as pl
import pyarrow as pa  # type: ignore[import-untyped]

from compliance.log.problems import UnreadableFile
from event_schemas.limits import DEEPEST_DATA

_SINGLE = (
    *(pa.types.is_null, pa.types.is_boolean, pa.types.is_integer, pa.types.is_floating),
    *(pa.types.is_string, pa.types.is_large_string, pa.types.is_string_view),
    *(pa.types.is_binary, pa.types.is_large_binary, pa.types.is_fixed_size_binary),
    *(pa.types.is_date, pa.types.is_time, pa.types.is_duration, pa.types.is_decimal128),
)


def plain_schema(schema: Any) -> Any:
    """The columns by their names and types alone, without whatever else was written of them."""
    return pa.schema([pa.field(each.name, _plain(each.name, each.type)) for each in schema])


def _plain(column: str, kind: Any, depth: int = 0) -> Any:
    """The type of a column, or of a part of it."""
    if depth > DEEPEST_DATA:
        raise UnreadableFile(f'The column "{column}" is nested more than {DEEPEST_DATA} deep.')
    if any(is_one(kind) for is_one in _SINGLE):
        return kind
    if pa.types.is_timestamp(kind):
        _check_zone(column, kind)
        return kind
    if pa.types.is_dictionary(kind):
        return pa.dictionary(kind.index_type, _plain(column, kind.value_type, depth + 1))
    if pa.types.is_struct(kind):
        parts = (kind.field(place) for place in range(kind.num_fields))
        named = [pa.field(each.name, _plain(column, each.type, depth + 1)) for each in parts]
        return pa.struct(named)
    if pa.types.is_list(kind) or pa.types.is_large_list(kind) or pa.types.is_fixed_size_list(kind):
        return pa.list_(_plain(column, kind.value_type, depth + 1))
    if pa.types.is_map(kind):
        key, value = (_plain(column, each, depth + 1) for each in (kind.key_type, kind.item_type))
        # A map is read as what it is underneath: a list of pairs.
        return pa.list_(pa.struct([("key", key), ("value", value)]))
    raise UnreadableFile(f'The column "{column}" is of the type {kind}, which no field can have.')


def _check_zone(column: str, kind: Any) -> None:
    """A time with a zone must be of one that is known."""
    try:
        zone = kind.tz
    except UnicodeDecodeError:
        raise UnreadableFile(f'The time zone of the column "{column}" is not UTF-8 text.') from None
    try:
        pl.from_arrow(pa.array([], kind))
    except pl.exceptions.PolarsError:
        raise UnreadableFile(
            f'There is no time zone "{zone}", which the column "{column}" names.'
        ) from None
