"""The words of `compliance batch` and of the commands that look into the store.

What the commands need is imported when they run, so that help comes at once.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

from compliance.cli.check_words import Quiet

Config = Annotated[
    Path, Parameter(name="CONFIG", help="The settings of the batch, as `compliance init` writes.")
]
Flag = Parameter(negative=(), show_default=False)


def batch(
    config: Config,
    /,
    *,
    dry_run: Annotated[
        bool, Flag, Parameter(help="Say what would be judged, and judge it not.")
    ] = False,
    date: Annotated[
        str | None,
        Parameter(help="Only this gaming day, as 2026-11-18, and the days that depend on it."),
    ] = None,
    since: Annotated[
        str | None,
        Parameter(help="Judge this day and all after it by the rules and options of today."),
    ] = None,
    clock_is_right: Annotated[
        bool, Flag, Parameter(help="Go on although the store was written at a later time.")
    ] = False,
    format: Annotated[
        Literal["text", "json"] | None,
        Parameter(help="text for a person, json for lines of JSON; by who reads if left out."),
    ] = None,
    quiet: Quiet = False,
) -> int:
    """Judge every night that is due: once, with what the night before left, and say what is new."""
    from compliance.cli.opened_store import need_store

    need_store()
    from compliance.cli.batch_command import BatchWords, run

    return run(
        config,
        BatchWords(
            dry_run=dry_run,
            date=date,
            since=since,
            clock_is_right=clock_is_right,
            form=format,
            quiet=quiet,
        ),
    )


def init(
    file: Annotated[Path, Parameter(name="FILE", help="Where to write the settings.")] = Path(
        "batch.toml"
    ),
    /,
) -> int:
    """Write the settings of a batch, with every word explained; at a terminal it asks."""
    from compliance.cli.init_command import write_settings

    return write_settings(file)
