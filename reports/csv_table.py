"""Tables as CSV that a spreadsheet opens without running anything that stands in a log.

A cell that a spreadsheet could take for a formula begins with an apostrophe, as does what follows a
semicolon inside a cell, because some spreadsheets cut cells there. Every cell is quoted.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Sequence
from io import StringIO

from reports.finding_rows import COLUMNS, finding_rows
from reports.hidden_characters import one_line
from reports.model import Run

BYTE_ORDER_MARK = "\ufeff"
"""Without it Excel takes UTF-8 for an old code page and shows a spade as three odd letters."""
# The wide forms of = + - @ are signs of a formula too where Japanese is written.
_SIGNS = "[=+\\-@\uff1d\uff0b\uff0d\uff20]"
_FORMULA = re.compile(f"(^|;)([ \u00a0]*)(?={_SIGNS})")
_GUARDED = re.compile(f"(^|;)([ \u00a0]*)'(?={_SIGNS})")


def render_csv(run: Run) -> bytes:
    """Every finding of a run, one in a row."""
    names = [name for name in COLUMNS if name != "moment"]
    rows = ([_text(row[name]) for name in names] for row in finding_rows(run))
    return csv_bytes(names, rows)


def csv_bytes(header: Sequence[str], rows: Iterable[Sequence[str]]) -> bytes:
    """A table as RFC 4180 has it, in UTF-8."""
    text = StringIO(newline="")
    text.write(BYTE_ORDER_MARK)
    writer = csv.writer(text, quoting=csv.QUOTE_ALL, lineterminator="\r\n")
    writer.writerow(header)
    writer.writerows([safe_cell(cell) for cell in row] for row in rows)
    return text.getvalue().encode("utf-8")


def safe_cell(text: str) -> str:
    """Text that no spreadsheet takes for a formula or for more than one cell."""
    return _FORMULA.sub(r"\1\2'", one_line(text))


def without_guard(text: str) -> str:
    """The text of a cell as it was before `safe_cell` put its apostrophes into it."""
    return _GUARDED.sub(r"\1\2", text)


def _text(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)
