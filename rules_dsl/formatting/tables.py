"""Lays out tables as the law prints them, with every column in line."""

from __future__ import annotations

from rules_dsl import syntax as s


def table_lines(table: s.Table) -> list[str]:
    """The rows of a table from its first one on, without indentation."""
    rows = [table.header, *table.rows]
    keys = [" \\ ".join(cell.text for cell in table.header.keys)]
    keys += [" ".join(cell.text for cell in row.keys) for row in table.rows]
    key_width = max(len(key) for key in keys)
    columns = max(len(row.cells) for row in rows)
    widths = [
        max(len(row.cells[column].text) for row in rows if column < len(row.cells))
        for column in range(columns)
    ]
    lines = []
    for key, row in zip(keys, rows, strict=True):
        cells = [cell.text.ljust(width) for cell, width in zip(row.cells, widths, strict=False)]
        lines.append(f"{key.ljust(key_width)} | {' '.join(cells)}".rstrip())
    return lines
