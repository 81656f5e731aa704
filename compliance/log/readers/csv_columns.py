"""Reads lines of CSV without quotation marks into columns of texts, as places in lists."""

from __future__ import annotations

from typing import Any

import pyarrow as pa  # type: ignore[import-untyped]
import pyarrow.csv as csv  # type: ignore[import-untyped]

from compliance.log.raw import LONG_LISTS
from compliance.log.readers.csv_header import Header
from compliance.table_log.arrow_numbers import in_one_piece

_LISTED = pa.dictionary(pa.int32(), pa.string())


def listed_columns(data: bytes, header: Header) -> dict[str, Any] | None:
    """The columns that hold anything; None where the lines cannot be read so.

    An empty cell says that nothing was recorded, and all else stays as it is written.
    """
    if b"\r" in data:
        # To some readers this ends a line, to others it does not.
        return None
    forms = {name: pa.string() if name in LONG_LISTS else _LISTED for name in header.names}
    try:
        table = csv.read_csv(
            pa.BufferReader(data),
            csv.ReadOptions(column_names=header.names, use_threads=False, block_size=len(data) + 1),
            csv.ParseOptions(
                delimiter=header.delimiter,
                quote_char=False,
                double_quote=False,
                escape_char=False,
                newlines_in_values=False,
            ),
            csv.ConvertOptions(column_types=forms, null_values=[""], strings_can_be_null=True),
        )
    except pa.ArrowException:
        return None
    found = {name: in_one_piece(table.column(name)) for name in header.names}
    return {
        name: column
        for name, column in found.items()
        if name == "type" or column.null_count < len(column)
    }
