"""The columns of one table as its row groups hold them, a few at a time.

Texts come as places in a list of the different texts, as Parquet holds them itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any, Final

from compliance.log.row_groups import FileGroups, footer_of
from compliance.table_log.arrow_numbers import in_one_piece

_AT_ONCE: Final = 2_000_000
"""How many values are read together: a table of many nights is large, and is made small at once."""


class RawColumns:
    """The columns of a table; several row groups, also of several files, are joined."""

    def __init__(self, files: Sequence[tuple[Any, FileGroups]]) -> None:
        self._files = [(file, [group.number for group in part.groups]) for file, part in files]
        self.rows = sum(group.rows for _, part in files for group in part.groups)
        self.filled: tuple[str, ...] = tuple(
            dict.fromkeys(name for file, numbers in self._files for name in _filled(file, numbers))
        )
        """The names of the columns that hold anything."""

    def read(self, names: Iterable[str]) -> dict[str, Any]:
        """Some columns, each in one piece."""
        import pyarrow as pa  # type: ignore[import-untyped]

        wanted = list(names)
        read = [
            file.read_row_groups(numbers, columns=wanted, use_threads=False)
            for file, numbers in self._files
        ]
        # A file may lack a column that others have.
        whole = pa.concat_tables(read, promote_options="default") if len(read) > 1 else read[0]
        return {name: in_one_piece(whole.column(name)) for name in whole.column_names}

    def one_by_one(self, names: Iterable[str]) -> Iterator[tuple[str, Any]]:
        """Every column with its name; few of them are in memory together."""
        wanted = list(names)
        step = max(1, _AT_ONCE // self.rows)
        for begin in range(0, len(wanted), step):
            yield from self.read(wanted[begin : begin + step]).items()


@contextmanager
def raw_columns(parts: Sequence[FileGroups]) -> Iterator[RawColumns]:
    """Open the files of a table for a while."""
    import pyarrow.parquet as pq  # type: ignore[import-untyped]

    with ExitStack() as stack:
        files = []
        for part in parts:
            footer = footer_of(part.path)
            fields = footer.schema.to_arrow_schema()
            texts = [field.name for field in fields if _is_text(field.type) and field.name != "id"]
            file = pq.ParquetFile(part.path, metadata=footer, read_dictionary=texts)
            files.append((stack.enter_context(file), part))
        yield RawColumns(files)


def _filled(file: Any, numbers: Sequence[int]) -> Iterator[str]:
    groups = [file.metadata.row_group(number) for number in numbers]
    for place, name in enumerate(file.schema_arrow.names):
        if not all(_says_nothing(group.column(place)) for group in groups):
            yield name


def _says_nothing(column: Any) -> bool:
    """Whether the end of the file tells, in two ways, that a column is empty in a row group."""
    told = column.statistics
    if told is None or not told.has_null_count or told.has_min_max:
        return False
    return bool(told.null_count == column.num_values)


def _is_text(form: Any) -> bool:
    import pyarrow as pa

    return bool(pa.types.is_string(form) or pa.types.is_large_string(form))
