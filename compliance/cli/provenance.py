"""How a result was made: the command and the files besides log and rules that it rests on.

Only names of files are kept, and only options that bear on the result: the same check gives the
same report on every machine and with any number of processes.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterable
from pathlib import Path

from event_schemas.file_content import file_content
from event_schemas.limits import LARGEST_RESULT
from reports.model import Consulted

NamedFile = tuple[str, str, Path | None]
"""An option, what its file is called in a report, and the file if it was given."""


def command_line(
    logs: Iterable[str],
    rules: Iterable[Path],
    files: Iterable[NamedFile],
    values: Iterable[tuple[str, str | None]],
) -> str:
    """The command as one would type it again, next to the files."""
    words = ["compliance", "check", *sorted(_name(log) for log in logs)]
    for path in rules:
        words += ["--rules", path.resolve().name]
    for option, _, file in files:
        words += [option, file.name] if file is not None else []
    for option, value in values:
        words += [option, value] if value is not None else []
    return shlex.join(words)


def consulted(files: Iterable[NamedFile]) -> tuple[Consulted, ...]:
    """The files that were given, with their hashes."""
    return tuple(
        Consulted(role=role, name=file.name, sha256=file_content(file, LARGEST_RESULT).sha256)
        for _, role, file in files
        if file is not None
    )


def _name(log: str) -> str:
    return log if log == "-" else Path(log).name or "."
