"""How a result was made: the command and the files besides log and rules that it rests on.

Only options that bear on the result are kept, and no place of a machine: the same check gives the
same report everywhere and with any number of processes.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterable
from pathlib import Path

from event_schemas.file_content import file_content
from event_schemas.limits import LARGEST_RESULT
from reports.model import Consulted
from rules_dsl.bundled import bundled_names, home_of, is_bundled

NamedFile = tuple[str, str, Path | None]
"""An option, what its file is called in a report, and the file if it was given."""


def command_line(
    logs: Iterable[str],
    rules: Iterable[str | Path],
    files: Iterable[NamedFile],
    values: Iterable[tuple[str, str | None]],
) -> str:
    """The command as one would type it again, where it was typed or next to the files."""
    words = ["compliance", "check", *sorted(place_text(log) for log in logs)]
    for path in rules:
        words += ["--rules", _rules(path)]
    for option, _, file in files:
        words += [option, place_text(file)] if file is not None else []
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


def _rules(path: str | Path) -> str:
    if is_bundled(path):
        return path
    home = home_of(Path(path).resolve())
    if home is not None and home == Path(path).resolve():
        return home.name
    place = place_text(path)
    return f"./{place}" if place in bundled_names() else place


def place_text(given: str | Path) -> str:
    """A file or folder from where the command was given; one that lies elsewhere by its name."""
    if str(given) == "-":
        return "-"
    path = Path(given)
    if path.is_absolute():
        path = path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else Path(path.name)
    text = path.as_posix()
    return f"./{text}" if text.startswith("-") else text
