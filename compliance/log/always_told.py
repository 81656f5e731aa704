"""Fills in what a source does not write down because it is always the same."""

from __future__ import annotations

import polars as pl

from compliance.log.columns_by_kind import encoded_value
from compliance.log.layout import layout_of
from compliance.log.manifest import Manifest
from compliance.table_log.event_columns import field_column
from event_schemas import Schema


def with_constants(schema: Schema, frame: pl.DataFrame, manifest: Manifest | None) -> pl.DataFrame:
    """A table's events with the fields that the manifest says for all of them; what a record tells
    itself goes before."""
    if manifest is None or not manifest.always:
        return frame
    layout = layout_of(schema)
    for (event, name), value in manifest.always.items():
        kind = schema.events[event].fields[name].kind
        column = field_column(name, kind.name)
        above, _below = encoded_value(kind, value)
        here = pl.col("type") == layout.types[event]
        known = pl.col(column) if column in frame.columns else pl.lit(None, layout.type_of(column))
        filled = pl.when(here).then(pl.coalesce(known, pl.lit(above))).otherwise(known)
        frame = frame.with_columns(filled.cast(layout.type_of(column)).alias(column))
    ordered = sorted(frame.columns, key=layout.order.__getitem__)
    return frame.select(ordered)
