"""The words of `compliance manifest` and `compliance mapping`: from a vendor's file to a check."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import App, Parameter

from rules_dsl.bundled import DEFAULT

manifest_app = App(name="manifest", help="What a source records, in a file of a few lines.")
mapping_app = App(name="mapping", help="How another system's log is to be read.")

Logs = Annotated[list[str], Parameter(name="LOG", help="Log files, folders or patterns.")]
Feed = Annotated[Path, Parameter(name="FEED", help="A CSV, JSON lines or Parquet file.")]
OwnSchema = Annotated[Path | None, Parameter(help="A TOML file with your own event types.")]
Output = Annotated[
    Path | None,
    Parameter(name=("--output", "-o"), help="Where to write it; onto the screen if left out."),
]


@manifest_app.command(name="draft")
def manifest_draft(
    logs: Logs,
    /,
    *,
    rules: Annotated[
        list[str] | None,
        Parameter(help="The rules that it is for; nj, the bundled law, if none.", negative=()),
    ] = None,
    mapping: Annotated[Path | None, Parameter(help="How another system's log is read.")] = None,
    schema: OwnSchema = None,
    output: Output = None,
) -> int:
    """Draft a manifest from what occurs in a log, with questions as comments."""
    from compliance.cli.manifest_command import DraftRequest, draft_manifest

    return draft_manifest(DraftRequest(logs, rules or [DEFAULT], mapping, schema, output))


@mapping_app.command(name="draft")
def mapping_draft(feed: Feed, /, *, schema: OwnSchema = None, output: Output = None) -> int:
    """Propose a mapping file for another system's feed, with questions as comments."""
    from compliance.cli.mapping_command import draft_mapping

    return draft_mapping(feed, schema, output)


@mapping_app.command(name="preview")
def mapping_preview(
    feed: Feed,
    /,
    *,
    mapping: Annotated[Path, Parameter(help="The mapping file to try.")],
    schema: OwnSchema = None,
    records: Annotated[int, Parameter(help="How many records to show.")] = 3,
) -> int:
    """Show the first records of a feed before and after, and what fell out of all of it."""
    from compliance.cli.mapping_command import preview_mapping

    return preview_mapping(feed, mapping, schema, records)
