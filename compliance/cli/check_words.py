"""What can be said on the command line about a check: files, choices, and how it is done."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

from compliance.api.request import CheckRequest

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
Outputs = Annotated[
    list[Path] | None,
    Parameter(
        name=("--output", "-o"),
        help="A file to write to, in the format of its ending (.html, .json, .pdf, .csv, ...); "
        "may be repeated.",
        negative=(),
    ),
]
Quiet = Annotated[
    bool,
    Parameter(
        name=("--quiet", "-q"), help="Print nothing but mistakes.", negative=(), show_default=False
    ),
]


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class CheckedFiles:
    """The files that a result is made from, besides the logs."""

    rules: Annotated[
        list[str] | None,
        Parameter(
            help="Rule files, folders of them, or nj: the bundled law of New Jersey, which is also "
            "applied if nothing is said; may be repeated.",
            negative=(),
        ),
    ] = None
    options: Annotated[
        Path | None, Parameter(help="A file with what the licensee chose for each table.")
    ] = None
    manifest: Annotated[
        list[Path] | None,
        Parameter(
            help="A file that says what the source records; may be repeated, one for each casino.",
            negative=(),
        ),
    ] = None
    mapping: Annotated[
        Path | None, Parameter(help="A file that says how another system's log is to be read.")
    ] = None
    waivers: Annotated[
        Path | None,
        Parameter(help="A file that names accepted findings, by whom and until when."),
    ] = None
    baseline: Annotated[
        Path | None,
        Parameter(help="An earlier result, saved as JSON: what is new since then, and what gone."),
    ] = None
    after: Annotated[
        Path | None, Parameter(help="What the check of the night before kept; only read.")
    ] = None
    archive: Annotated[
        str | None,
        Parameter(help="An archive to read instead of logs: a folder, or s3://bucket/path."),
    ] = None
    schema: Annotated[
        Path | None, Parameter(help="A TOML file with your own event types, enums and options.")
    ] = None
    workers: Annotated[
        int | None, Parameter(help="How many processes; if left out, as many as are worth it.")
    ] = None


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class CheckWords(CheckedFiles, CheckRequest):
    """Everything that is asked of a check."""

    profile: Annotated[
        str | None, Parameter(help="Which readings of doubtful passages to apply.")
    ] = None
    law_of: Annotated[
        str | None,
        Parameter(help="Apply the law of this day to every event, instead of that of its own day."),
    ] = None
    since: Annotated[
        str | None,
        Parameter(
            name="--from",
            help="Judge only what happened from this time on, with its offset; with --archive: "
            "read from this gaming day on.",
        ),
    ] = None
    until: Annotated[
        str | None,
        Parameter(
            help="Judge only what happened before this time; with --archive: read up to this "
            "gaming day, included."
        ),
    ] = None
    casino: Annotated[
        str | None, Parameter(help="The casino of the archive, if it has several.")
    ] = None
    table: Annotated[
        list[str] | None, Parameter(help="Judge only this table; may be repeated.", negative=())
    ] = None
    state: Annotated[
        Path | None,
        Parameter(help="A file that joins nights: read if it is there, replaced in the end."),
    ] = None
    keep: Annotated[
        Path | None, Parameter(help="Where to keep what the check of the next night needs.")
    ] = None
    quarantine: Annotated[
        Path | None, Parameter(help="Where to keep lines that are no events, as JSON lines.")
    ] = None
    input: Annotated[
        Literal["jsonl", "csv", "parquet", "xes"] | None,
        Parameter(name="--input", help="The format of standard input, or of files without ending."),
    ] = None
    strict: Annotated[
        bool,
        Parameter(
            help="Refuse a folder that also holds what is not read.",
            negative=(),
            show_default=False,
        ),
    ] = False
    format: Annotated[
        ReportFormat | None,
        Parameter(help="What to write, text if neither this nor -o tells it."),
    ] = None
    output: Outputs = None
    quiet: Quiet = False
    fail_on: Annotated[
        str | None,
        Parameter(
            help="What keeps the exit code from being 0, with commas: violation, defect, "
            "undetermined, quarantine (all four if left out), new (since --baseline)."
        ),
    ] = None
