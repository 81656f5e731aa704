"""The words of `compliance report` and `compliance verify`, which start from a saved result."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

from compliance.cli.bundled_rulebook import bundled_rulebook

ReportFormat = Literal[
    "text",
    "json",
    "html",
    "pdf",
    "csv",
    "parquet",
    "action-plan",
    "action-plan-csv",
    "sarif",
    "junit",
    "mail",
]
"""As in `reports.formats`, which would take time to load."""


def report(
    run: Annotated[Path, Parameter(name="RUN", help="A result that `check --format json` saved.")],
    /,
    *,
    format: Annotated[
        ReportFormat | None,
        Parameter(help="What to write, html if left out; docs/output-formats.md tells about each."),
    ] = None,
    template: Annotated[
        Path | None, Parameter(help="A folder with your own templates, instead of a format.")
    ] = None,
    output: Annotated[
        Path | None, Parameter(name=("--output", "-o"), help="Where to write it.")
    ] = None,
) -> int:
    """Write the result of an earlier check again, in any format."""
    from compliance.cli.report_command import report_run

    return report_run(run, format, template, output)


def verify(
    run: Annotated[Path, Parameter(name="RUN", help="A result that `check --format json` saved.")],
    logs: Annotated[list[str], Parameter(name="LOG", help="The logs that it was made from.")],
    /,
    *,
    rules: Annotated[
        list[Path] | None,
        Parameter(
            help="Rule files or folders; the bundled New Jersey rulebook if none.", negative=()
        ),
    ] = None,
    options: Annotated[Path | None, Parameter(help="The table options, if it had any.")] = None,
    manifest: Annotated[
        list[Path] | None, Parameter(help="The manifests, if it had any.", negative=())
    ] = None,
    mapping: Annotated[Path | None, Parameter(help="The mapping, if it had one.")] = None,
    waivers: Annotated[Path | None, Parameter(help="The waivers, if it had any.")] = None,
    after: Annotated[
        Path | None, Parameter(help="What the night before kept, if nights were joined.")
    ] = None,
    schema: Annotated[
        Path | None, Parameter(help="The event schema, if it had one of its own.")
    ] = None,
    report: Annotated[
        list[Path] | None,
        Parameter(help="A report made from the result, to be compared as well.", negative=()),
    ] = None,
    workers: Annotated[
        int | None, Parameter(help="How many processes; if left out, as many as are worth it.")
    ] = None,
    format: Annotated[
        Literal["text", "json"],
        Parameter(help="text to read, or json with the keys listed in docs/command-line.md."),
    ] = "text",
) -> int:
    """Check the same logs again and say whether the result is identical, or what differs."""
    from compliance.cli.verify_command import GivenFiles, verify_run

    given = GivenFiles(
        tuple(logs),
        tuple(rules or [bundled_rulebook()]),
        schema,
        options,
        tuple(manifest or ()),
        mapping,
        waivers,
        after,
    )
    return verify_run(run, given, tuple(report or ()), workers, format)
