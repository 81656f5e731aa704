"""Changes to the tables that a rule reads: one cell at a time holds another value of the table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from compliance.rule_tests.mutations.change import Cell, Change
from rules_dsl import core
from rules_dsl.places import Places
from rules_dsl.traverse import all_parts


def changed_tables(rule: core.Rule, rulebook: core.Rulebook, places: Places) -> Iterator[Change]:
    """Every table that the rule reads, with each of its cells changed in turn."""
    names = {part.table for part in all_parts(rule) if isinstance(part, core.Lookup)}
    for name in sorted(names):
        yield from _changed_cells(rulebook.tables[name], places)


def _changed_cells(table: core.LookupTable, places: Places) -> Iterator[Change]:
    values = list(dict.fromkeys(cell for row in table.cells for cell in row))
    if len(values) < 2:
        return
    for row, cells in enumerate(table.cells):
        for column, text in enumerate(cells):
            other = values[(values.index(text) + 1) % len(values)]
            words = f"`{text}` becomes `{other}` in the table `{table.name}`, row "
            words += f"`{_head(table.rows[row])}`"
            if table.columns:
                words += f", column `{_head(table.columns[column])}`"
            new = (*cells[:column], other, *cells[column + 1 :])
            rows = (*table.cells[:row], new, *table.cells[row + 1 :])
            node = msgspec.structs.replace(table, cells=rows)
            place = _place_of_row(table, row, places)
            yield Change(node, words, place, frozenset({(table.name, row, column)}))


class CellsRead(Sequence[Any]):
    """The cells of a table, which remember into `read` which of them were looked at."""

    def __init__(self, cells: Sequence[Any], read: set[Cell], place: tuple[Any, ...]) -> None:
        self._cells = cells
        self._read = read
        self._place = place

    def __len__(self) -> int:
        return len(self._cells)

    def __getitem__(self, index: Any) -> Any:
        found, place = self._cells[index], (*self._place, index)
        if isinstance(found, str):
            self._read.add(place)
            return found
        return CellsRead(found, self._read, place)


def watched_tables(rulebook: core.Rulebook, read: set[Cell]) -> core.Rulebook:
    """The same rulebook, with tables that remember which of their cells were looked at."""
    tables: dict[str, Any] = {
        name: msgspec.structs.replace(table, cells=CellsRead(table.cells, read, (name,)))
        for name, table in rulebook.tables.items()
    }
    return msgspec.structs.replace(rulebook, tables=tables)


def _head(key: core.TableKey) -> str:
    return key.low if key.low == key.high else f"{key.low}..{key.high}"


def _place_of_row(table: core.LookupTable, row: int, places: Places) -> core.Place | None:
    """Where a row is written: the first row with a bar holds the heads of the columns."""
    place = table.place
    if place is None or place.file >= len(places.sources):
        return place
    text = places.sources[place.file].text
    at = place.start
    rows: list[core.Place] = []
    for line in text[place.start : place.end].splitlines(keepends=True):
        written = line.partition("--")[0].rstrip()
        if "|" in written:
            begin = at + len(written) - len(written.lstrip())
            rows.append(core.Place(place.file, begin, at + len(written)))
        at += len(line)
    return rows[row + 1] if len(rows) == len(table.cells) + 1 else place
