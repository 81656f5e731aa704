"""Files that a result is written to: the ending tells the format, `format` all that it cannot."""

from __future__ import annotations

import os
from collections.abc import Sequence
from importlib import import_module
from itertools import chain, count
from pathlib import Path

from compliance.api.refusal import Refused
from compliance.api.whole_file import write_whole
from reports.formats import FORMATS
from reports.model import Run

_SHORTENED = {
    "html": "reports.shown",
    "pdf": "reports.pdf_findings",
}
"""Reports that may tell only the first findings in full, and the module that knows of it."""


def form_of(file: Path, form: str | None, fitting: Sequence[str] = ()) -> str:
    """The format of a file. Several formats share an ending: the first is meant unless another was
    asked for."""
    known = [*fitting, *(item.name for item in FORMATS.values() if item.ending == file.suffix)]
    if form is not None and (form in known or not known):
        return form
    if known:
        return known[0]
    endings = ", ".join(sorted({item.ending for item in FORMATS.values()}))
    raise Refused(
        f"The ending of {file} does not tell its format; {endings} do.",
        hint="Or name the format, such as json.",
    )


def refuse_what_cannot_be_written(form: str) -> None:
    """Said before the work begins: a format may need what is not installed."""
    if form in FORMATS and FORMATS[form].missing:
        raise Refused(FORMATS[form].missing)


def write_report(run: Run, form: str, path: Path) -> Path | None:
    """Write a result to a file. Beside a report that tells only the first findings in full comes a
    table of all of them, which is returned."""
    write_whole(path, FORMATS[form].pieces(run))
    if form not in _SHORTENED or import_module(_SHORTENED[form]).told_in_full(run):
        return None
    pieces = FORMATS["csv"].pieces(run)
    first = next(pieces)
    table = _table_beside(path, first.split(b"\n", 1)[0])
    write_whole(table, chain([first], pieces))
    return table


def _table_beside(path: Path, head: bytes) -> Path:
    """Where the table of all findings goes. Nobody has named it, so that it replaces nothing but
    such a table."""
    for number in count(1):
        more = f"-{number}" if number > 1 else ""
        table = path.with_name(f"{path.stem}-findings{more}{FORMATS['csv'].ending}")
        if not os.path.lexists(table):
            return table
        if table.is_file() and not table.is_symlink():
            with table.open("rb") as file:
                if file.readline().rstrip(b"\n") == head:
                    return table
    raise AssertionError("there is always a further number")
