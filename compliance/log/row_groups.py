"""Finds the tables of a Parquet log by the ends of its files, before any event is read.

A Parquet file is cut into row groups, and its end tells the smallest and the largest value of each
column in each of them. Where every group holds the events of one table, the tables need not be
sorted out: each is read by itself, where and when it is checked.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

from compliance.log.file_state import FileState, state_of
from compliance.log.layout import Layout
from compliance.log.problems import UnreadableFile
from compliance.log.readers.csv_header import check_names
from compliance.log.sources import Source
from compliance.log.typed_columns import is_expected

_PARQUET: Final = b"PAR1"


@dataclass(frozen=True, slots=True)
class RowGroup:
    """Some events of one table that stand together in a file."""

    number: int
    first_line: int
    rows: int
    first_seq: int
    last_seq: int


@dataclass(frozen=True, slots=True)
class FileGroups:
    """The row groups of one table in one file."""

    path: Path
    name: str
    """The name of the file in a report."""
    groups: tuple[RowGroup, ...]


Place = tuple[str, str]


@dataclass(frozen=True)
class GroupedFile:
    """A file in which each row group belongs to one table."""

    source: Source
    path: Path
    rows: int
    size: int
    tables: Mapping[Place, FileGroups]
    state: FileState
    """As it was before its tables were read."""


def grouped_file(source: Source, layout: Layout) -> GroupedFile | None:
    """The tables of a file; None where its events have to be sorted out, or looked at closely."""
    path = source.path
    if path is None or not _is_parquet(path):
        return None
    try:
        import pyarrow as pa  # type: ignore[import-untyped]

        state = state_of(path)
        footer = footer_of(path)
        tables = _tables(footer, layout)
    except (ImportError, OSError, pa.ArrowException, UnicodeDecodeError, UnreadableFile):
        # Whatever it is, the general way says it in words.
        return None
    if not tables:
        return None
    found = {
        place: FileGroups(path, source.name, tuple(groups)) for place, groups in tables.items()
    }
    return GroupedFile(source, path, footer.told.num_rows, state[1], found, state)


def in_order(parts: Sequence[FileGroups]) -> bool:
    """Whether a table's groups follow one another by their sequence numbers."""
    groups = [group for part in parts for group in part.groups]
    return all(one.last_seq <= other.first_seq for one, other in pairwise(groups))


class Footer:
    """What the end of a file tells."""

    def __init__(self, told: Any) -> None:
        self.told = told
        self.fields = told.schema.to_arrow_schema()
        self.places = {name: place for place, name in enumerate(self.fields.names)}

    @cached_property
    def texts(self) -> frozenset[str]:
        """The columns that hold texts."""
        import pyarrow as pa

        return frozenset(
            field.name
            for field in self.fields
            if pa.types.is_string(field.type) or pa.types.is_large_string(field.type)
        )

    @cached_property
    def forms(self) -> list[tuple[str, int, int]]:
        """Of each column how it is held, and how deep its values may be optional and repeated."""
        columns = [self.told.schema.column(place) for place in range(self.told.num_columns)]
        return [
            (column.physical_type, column.max_definition_level, column.max_repetition_level)
            for column in columns
        ]


def footer_of(path: Path) -> Footer:
    """What the end of a file tells of all its columns; read once, however many tables it has."""
    state = path.stat()
    return _footer(path, state.st_mtime_ns, state.st_size)


@lru_cache(maxsize=8)
def _footer(path: Path, changed: int, size: int) -> Footer:
    import pyarrow.parquet as pq  # type: ignore[import-untyped]

    return Footer(pq.read_metadata(path))


def _is_parquet(path: Path) -> bool:
    try:
        if not path.is_file():
            # What was taken out of a pipe would be gone.
            return False
        with path.open("rb") as file:
            return file.read(len(_PARQUET)) == _PARQUET
    except OSError:
        return False


def _tables(footer: Footer, layout: Layout) -> dict[Place, list[RowGroup]] | None:
    """The row groups of each table, in the order of the file."""
    names = list(footer.fields.names)
    if len(footer.places) < len(names) or footer.told.num_columns != len(names):
        return None
    check_names(names, layout)
    if not all(_is_plain(field, layout) for field in footer.fields):
        return None
    tables: dict[Place, list[RowGroup]] = {}
    for place, group in _groups(footer.told, names):
        if place is None:
            return None
        tables.setdefault(place, []).append(group)
    return tables


def _groups(footer: Any, names: Sequence[str]) -> Iterator[tuple[Place | None, RowGroup]]:
    """Every row group that has rows, with the one table that it holds, if it is one."""
    casino, table, seq = (names.index(name) for name in ("casino", "table", "seq"))
    line = 1
    for number in range(footer.num_row_groups):
        group = footer.row_group(number)
        rows = group.num_rows
        if not rows:
            continue
        in_casino, at_table, numbered = (
            _ends(group.column(column)) for column in (casino, table, seq)
        )
        one = in_casino[0] == in_casino[1] and at_table[0] == at_table[1]
        known = None not in (in_casino[0], at_table[0], numbered[0])
        place = (in_casino[0], at_table[0]) if one and known else None
        yield place, RowGroup(number, line, rows, *numbered)
        line += rows


def _ends(column: Any) -> tuple[Any, Any]:
    """The smallest and the largest value of a column that has a value in every row, if told."""
    told = column.statistics
    if told is None or not told.has_min_max or not told.has_null_count or told.null_count:
        return None, None
    return told.min, told.max


def _is_plain(field: Any, layout: Layout) -> bool:
    """Whether a column can be read without a closer look."""
    import pyarrow as pa

    base = {"ts": pa.types.is_timestamp, "seq": pa.types.is_integer}.get(field.name)
    return is_expected(field.name, field.type, layout) and (base is None or base(field.type))
