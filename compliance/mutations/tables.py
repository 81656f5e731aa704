"""Changes to the tables that a rule reads: one cell at a time holds another value of the table."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from compliance.mutations.change import Change
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
            yield Change(node, words, _place_of_row(table, row, places))


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
