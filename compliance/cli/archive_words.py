"""The words of `compliance archive`: nights kept by table and gaming day."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from cyclopts import App, Parameter

archive_app = App(name="archive", help="Nights kept as sorted Parquet, by table and gaming day.")

Archive = Annotated[
    str, Parameter(name="ARCHIVE", help="A folder, or the address of an object store.")
]
Format = Annotated[
    Literal["text", "json"],
    Parameter(help="text to read, or json with the keys listed in docs/command-line.md."),
]


@archive_app.command(name="add")
def archive_add(
    archive: Archive,
    logs: Annotated[list[str], Parameter(name="LOG", help="Log files, folders or patterns.")],
    /,
    *,
    night: Annotated[
        str | None,
        Parameter(help="The gaming day whose night these logs are, whatever their times say."),
    ] = None,
    casino: Annotated[
        str | None, Parameter(help="With --night: the casino, if the logs name several.")
    ] = None,
    day_begins: Annotated[
        str, Parameter(help="When a gaming day begins by the casino's clock.")
    ] = "06:00",
    time_zone: Annotated[str, Parameter(help="The casino's time zone.")] = "America/New_York",
    replace: Annotated[
        bool,
        Parameter(
            help="Replace nights that are there from other files.",
            negative=(),
            show_default=False,
        ),
    ] = False,
    mapping: Annotated[Path | None, Parameter(help="How another system's log is read.")] = None,
    schema: Annotated[Path | None, Parameter(help="A TOML file with your own event types.")] = None,
    input: Annotated[
        Literal["jsonl", "csv", "parquet", "xes"] | None,
        Parameter(help="The format of files without ending."),
    ] = None,
    format: Format = "text",
) -> int:
    """Put logs into an archive, night by night; the same night again changes nothing."""
    from compliance.cli.archive_command import AddRequest, add_to_archive

    asked = AddRequest(
        archive, tuple(logs), night, casino, day_begins, time_zone, replace, mapping, schema, input
    )
    return add_to_archive(asked, format)


@archive_app.command(name="list")
def archive_list(
    archive: Archive,
    /,
    *,
    casino: Annotated[str | None, Parameter(help="Only this casino.")] = None,
    format: Format = "text",
) -> int:
    """List the nights of an archive, with their tables and events."""
    from compliance.cli.archive_command import list_archive

    return list_archive(archive, casino, format)


@archive_app.command(name="verify")
def archive_verify(
    archive: Archive,
    /,
    *,
    casino: Annotated[str | None, Parameter(help="Only this casino.")] = None,
    format: Format = "text",
) -> int:
    """Read every file of an archive and see that it is what was archived; exit 1 if one is not."""
    from compliance.cli.archive_command import verify_archive

    return verify_archive(archive, casino, format)
