"""Reads the tables of the law: what stands in their heads, and of which kind their entries are."""

from __future__ import annotations

import re
from fractions import Fraction

from event_schemas import PLAIN_KINDS, ValueProblem, parse_value
from event_schemas.limits import LARGEST_TABLE
from rules_dsl import core, syntax
from rules_dsl.resolve.names import Desk

_RANGE = re.compile(r"([0-9]+)\.\.([0-9]+)$")
_KINDS_OF_CELL = ("number", "money", "odds", "percent", "duration", "card")
_NUMBER = re.compile(r"[0-9]+(\.[0-9]+)?$")


def table(desk: Desk, node: syntax.Table, file: int) -> core.LookupTable | None:
    """A table as the law prints it, or None when its rows do not fit together."""
    width = len(node.header.cells)
    problem = ""
    if width * len(node.rows) > LARGEST_TABLE:
        problem = f"The table `{node.name}` has more than {LARGEST_TABLE:,} entries."
        desk.report("bad-table", problem, file, node.header.span, "split it into several tables")
        return None
    if not node.rows or not width:
        problem = f"The table `{node.name}` has no rows below its first one."
        if node.rows:
            problem = f"The first row of the table `{node.name}` names no column after the bar."
    elif len(node.header.keys) not in (1, 2):
        problem = "The first row names one or two keys before the bar."
    if problem:
        desk.report("bad-table", problem, file, node.header.span,
                    "write it like `banker \\ third | none 0 1 2`")  # fmt: skip
        return None
    for row in node.rows:
        if not _row_fits(desk, row, width, file):
            return None
    two_keys = len(node.header.keys) == 2
    columns = tuple(_key(cell.text) for cell in node.header.cells) if two_keys or width > 1 else ()
    rows = tuple(_key(row.keys[0].text) for row in node.rows)
    heads = ((rows, [r.keys[0] for r in node.rows]), (columns, list(node.header.cells)))
    if not all(_keys_differ(desk, keys, cells, file) for keys, cells in heads if keys):
        return None
    return core.LookupTable(
        node.name,
        node.title,
        _kind_of_keys(rows),
        _kind_of_keys(columns),
        _kind_of_cells(node.rows),
        rows,
        columns,
        tuple(tuple(cell.text for cell in row.cells) for row in node.rows),
        place=desk.place(file, node.span),
    )


def _row_fits(desk: Desk, row: syntax.TableRow, width: int, file: int) -> bool:
    if len(row.keys) != 1:
        desk.report("bad-table", f"This row has {len(row.keys)} entries before the bar, but one is "
                    "needed.", file, row.span)  # fmt: skip
        return False
    if len(row.cells) != width:
        few = "only " if len(row.cells) < width else ""
        desk.report(
            "bad-table",
            f"This row has {few}{_entries(len(row.cells))} after the bar, "
            f"but the first row has {width}.",
            file,
            row.span,
            "write one entry below each head",
        )
        return False
    return True


def _entries(number: int) -> str:
    return "one entry" if number == 1 else f"{number or 'no'} entries"


def _keys_differ(
    desk: Desk, keys: tuple[core.TableKey, ...], cells: list[syntax.Cell], file: int
) -> bool:
    numbers = _kind_of_keys(keys) == "number"
    for index, key in enumerate(keys):
        problem = ""
        if numbers and key.low != "none" and Fraction(key.low) > Fraction(key.high):
            problem = f"`{cells[index].text}` runs from the larger to the smaller number."
        for before in range(index):
            if key == keys[before]:
                problem = f"`{cells[index].text}` stands in the table twice."
            elif numbers and _overlap(key, keys[before]):
                problem = f"`{cells[index].text}` overlaps with `{cells[before].text}`."
        if problem:
            desk.report("bad-table", problem, file, cells[index].span,
                        "name each case once")  # fmt: skip
            return False
    return True


def _overlap(one: core.TableKey, other: core.TableKey) -> bool:
    if "none" in (one.low, other.low):
        return False
    return Fraction(one.low) <= Fraction(other.high) and Fraction(other.low) <= Fraction(one.high)


def _key(text: str) -> core.TableKey:
    """A head such as `none`, `7`, `0..5` or a word."""
    span = _RANGE.match(text)
    return core.TableKey(span[1], span[2]) if span else core.TableKey(text, text)


def _kind_of_keys(keys: tuple[core.TableKey, ...]) -> str:
    named = [key for key in keys if key.low != "none"]
    return "number" if named and all(_NUMBER.match(key.low) for key in named) else "text"


def _kind_of_cells(rows: tuple[syntax.TableRow, ...]) -> str:
    texts = [cell.text for row in rows for cell in row.cells if cell.text != "none"]
    for name in _KINDS_OF_CELL:
        if texts and all(_reads_as(name, text) for text in texts):
            return name
    return "text"


def _reads_as(kind: str, text: str) -> bool:
    marks = {"money": "$", "odds": " to ", "percent": "%"}
    if kind in marks and marks[kind] not in text:
        return False
    try:
        parse_value(PLAIN_KINDS[kind], text)
    except ValueProblem:
        return False
    return True
