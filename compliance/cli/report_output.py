"""Writes a result in the formats that were asked for, and says the verdict wherever they go."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from io import StringIO
from pathlib import Path

from compliance.api.report_files import write_report
from compliance.api.whole_file import write_whole
from compliance.cli.chosen_outputs import TEXT, ChosenOutput
from compliance.cli.result_text import show_run, show_verdict
from compliance.cli.screen import Screen, Styled
from reports.formats import FORMATS
from reports.model import Run


def write_run(run: Run, outputs: Sequence[ChosenOutput], *, quiet: bool = False) -> None:
    """Write a result. Unless it is to be quiet, the verdict is said whatever is written where: on
    standard error if something else goes to standard output."""
    beside = {
        output.path: _to_file(run, output.form, output.path)
        for output in outputs
        if output.path is not None
    }
    piped = [output.form for output in outputs if output.path is None]
    for form in piped:
        if form != TEXT:
            _to_standard_output(run, form)
        elif not quiet:
            show_run(Screen(), run)
    if quiet:
        return
    if TEXT not in piped:
        show_verdict(Screen(sys.stderr if piped else sys.stdout), run)
    for path, table in beside.items():
        name_report(path)
        if table is not None:
            Screen().line("All findings: ", Styled(str(table), "bold"))


def _to_standard_output(run: Run, form: str) -> None:
    for piece in FORMATS[form].pieces(run):
        sys.stdout.write(piece.decode("utf-8"))


def _to_file(run: Run, form: str, path: Path) -> Path | None:
    """The table that lies beside a report which does not tell every finding in full."""
    if form != TEXT:
        return write_report(run, form, path)
    text = StringIO()
    show_run(Screen(text), run)
    write_whole(path, text.getvalue())
    return None


def name_report(path: Path) -> None:
    """Say where a report lies."""
    Screen().line("The report: ", Styled(str(path), "bold"))
