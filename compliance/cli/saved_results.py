"""The words of `compliance report` and `compliance verify`, which start from a saved result."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

from compliance.cli.check_words import CheckedFiles, Outputs, ReportFormat


def report(
    run: Annotated[Path, Parameter(name="RUN", help="A result that `check --format json` saved.")],
    /,
    *,
    format: Annotated[
        ReportFormat | None,
        Parameter(help="What to write, html if neither this nor -o tells it."),
    ] = None,
    template: Annotated[
        Path | None, Parameter(help="A folder with your own templates, instead of a format.")
    ] = None,
    answers: Annotated[
        Path | None,
        Parameter(help="A filled action plan (.xlsx or .csv), whose answers the report shows."),
    ] = None,
    output: Outputs = None,
) -> int:
    """Write the result of an earlier check again, in any format."""
    from compliance.cli.report_command import report_run

    return report_run(run, format, template, answers, output or ())


def verify(
    run: Annotated[Path, Parameter(name="RUN", help="A result that `check --format json` saved.")],
    logs: Annotated[list[str], Parameter(name="LOG", help="The logs that it was made from.")],
    /,
    *,
    files: CheckedFiles | None = None,
    report: Annotated[
        list[Path] | None,
        Parameter(help="A report made from the result, to be compared as well.", negative=()),
    ] = None,
    format: Annotated[
        Literal["text", "json"],
        Parameter(help="text to read, or json with the keys listed in docs/command-line.md."),
    ] = "text",
) -> int:
    """Check the same logs again and say whether the result is identical, or what differs."""
    from compliance.cli.verify_command import verify_run

    return verify_run(run, logs, files or CheckedFiles(), report or (), format)
