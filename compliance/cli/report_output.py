"""Writes a result in the format that was asked for: to a file, to the terminal or into a pipe."""

from __future__ import annotations

import sys
from importlib import import_module
from io import StringIO
from pathlib import Path

from compliance.cli.result_text import show_run
from compliance.cli.screen import Screen, Styled
from compliance.cli.whole_file import write_whole
from reports.formats import FORMATS
from reports.model import Run

TEXT = "text"
"""The format for a terminal; all others are in `reports.formats`."""
UNNAMED = "compliance-report"
"""What a file is called for which no name was given."""
_PAGE = "html"
_SHORTENED = {
    _PAGE: "reports.shown",
    "pdf": "reports.pdf_findings",
}
"""Reports that may tell only the first findings in full, and the module that knows of it."""


def write_run(run: Run, form: str, output: Path | None) -> None:
    """Write a result; what cannot be read in a terminal always becomes a file."""
    if form == TEXT and output is None:
        show_run(Screen(), run)
    elif form == TEXT and output is not None:
        text = StringIO()
        show_run(Screen(text), run)
        write_whole(output, text.getvalue())
    elif output is None and FORMATS[form].text and form != _PAGE:
        for piece in FORMATS[form].pieces(run):
            sys.stdout.write(piece.decode("utf-8"))
    else:
        target = output or Path(UNNAMED + FORMATS[form].ending)
        write_whole(target, FORMATS[form].pieces(run))
        if output is None or form == _PAGE:
            name_report(target)
        if _leaves_out(run, form):
            _attach_findings(run, target)


def _leaves_out(run: Run, form: str) -> bool:
    """Whether a report does not tell every finding in full."""
    if form not in _SHORTENED:
        return False
    return not import_module(_SHORTENED[form]).told_in_full(run)


def _attach_findings(run: Run, report: Path) -> None:
    """Write the table of all findings beside a report that tells only the first ones in full."""
    table = report.with_name(f"{report.stem}-findings{FORMATS['csv'].ending}")
    write_whole(table, FORMATS["csv"].pieces(run))
    Screen().line("All findings: ", Styled(str(table), "bold"))


def name_report(path: Path) -> None:
    """Say where a report lies."""
    Screen().line("The report: ", Styled(str(path), "bold"))
