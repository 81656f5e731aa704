"""Finds the files of a log: single files, folders, patterns, or what is piped in."""

from __future__ import annotations

import glob
import os
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal, get_args

from compliance.log.problems import LogProblem
from event_schemas import did_you_mean
from event_schemas.file_content import why_unreadable

Format = Literal["jsonl", "csv", "parquet", "xes"]
FORMATS: Final[tuple[str, ...]] = get_args(Format)
STANDARD_INPUT: Final = "-"
_SUFFIXES: Final[dict[str, Format]] = {
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".csv": "csv",
    ".tsv": "csv",
    ".parquet": "parquet",
    ".xes": "xes",
}
_PACKED: Final = (".gz", ".zst")
_ENDINGS: Final = ".jsonl, .csv, .parquet or .xes, also with .gz or .zst"


@dataclass(frozen=True, slots=True)
class Source:
    """One file of a log; without a format, its first bytes will tell."""

    path: Path | None
    """None is the standard input."""
    name: str
    format: Format | None
    row_groups: tuple[int, ...] | None = None
    """Of a Parquet file, only these are to be read."""


@dataclass(frozen=True)
class Sources:
    """The files that were found, in the order in which they are read, and what was not found."""

    files: tuple[Source, ...]
    problems: tuple[LogProblem, ...]
    notes: tuple[str, ...]


def find_sources(
    paths: Sequence[str | Path], form: str | None = None, *, strict: bool = False
) -> Sources:
    """Every file that the paths name, once, in order of name: whatever the order of arguments.

    What a folder holds besides logs is noted; where it is `strict`, it is a problem.
    """
    problems: list[LogProblem] = []
    notes: list[str] = []
    found: dict[str, Path] = {}
    piped = False
    if form is not None and form not in FORMATS:
        message = f'"{form}" is not a format of a log; the formats are {", ".join(FORMATS)}.'
        return Sources((), (LogProblem(form, message, None, did_you_mean(form, FORMATS)),), ())
    if not paths:
        problems.append(LogProblem("the log", "No file of a log was named."))
    for given in map(str, paths):
        if given == STANDARD_INPUT:
            piped = True
            continue
        for path in _named(given, problems, notes):
            reason = _unusable(path)
            if reason:
                problems.append(LogProblem(str(path), f"The file could not be read: {reason}."))
            else:
                found.setdefault(os.path.realpath(path), path)
    if strict:
        problems += [LogProblem("--strict", note) for note in notes]
    ordered = sorted(found.values(), key=lambda path: (path.name, path.as_posix()))
    names = _names(ordered)
    known: Format | None = form  # type: ignore[assignment]
    files = [Source(path, names[path], known or format_of(path)) for path in ordered]
    if piped:
        files.append(Source(None, "standard input", known))
    return Sources(tuple(files), tuple(problems), tuple(notes))


def format_of(path: Path) -> Format | None:
    """The format that a file's name tells."""
    name = path.name.lower()
    for packed in _PACKED:
        name = name.removesuffix(packed)
    return _SUFFIXES.get(os.path.splitext(name)[1])


def _named(given: str, problems: list[LogProblem], notes: list[str]) -> list[Path]:
    path = Path(given)
    if os.path.isdir(path):
        return _in_folder(path, problems, notes)
    if os.path.lexists(path):
        return [path]
    if glob.has_magic(given):
        matches = [Path(match) for match in sorted(glob.glob(given, recursive=True))]
        if not matches:
            problems.append(LogProblem(given, "No file fits this pattern."))
        return [
            file
            for match in matches
            for file in (_in_folder(match, problems, notes) if os.path.isdir(match) else [match])
        ]
    close = did_you_mean(path.name, _beside(path))
    problems.append(LogProblem(given, "There is no such file or folder.", None, close))
    return []


def _beside(path: Path) -> list[str]:
    """What lies in the folder that a name means, if anything can be seen of it."""
    try:
        return sorted(os.listdir(path.parent))
    except OSError:
        return []


def _unusable(path: Path) -> str:
    """Why a file cannot be a part of a log, as far as that is known without opening it."""
    if not str(path).isprintable() and _is_foreign(str(path)):
        return "its name is not UTF-8 text"
    return why_unreadable(path)


def _is_foreign(name: str) -> bool:
    try:
        name.encode()
    except UnicodeEncodeError:
        return True
    return False


def _in_folder(folder: Path, problems: list[LogProblem], notes: list[str]) -> list[Path]:
    logs: list[Path] = []
    others: list[str] = []
    closed: list[str] = []
    for inside, folders, files in os.walk(folder, onerror=lambda e: closed.append(e.filename)):
        unvisited = [n for n in folders if n.startswith(".") or os.path.islink(Path(inside, n))]
        folders[:] = sorted(set(folders) - set(unvisited))
        others += [f"{name}/" for name in sorted(unvisited)]
        for name in sorted(files):
            path = Path(inside, name)
            if name.startswith(".") or format_of(path) is None:
                others.append(name)
            else:
                logs.append(path)
    for name in closed:
        problems.append(LogProblem(name, "The folder could not be read: it is not open to you."))
    if not logs:
        seen = f"; it holds {_listed(others)}" if others else "; it is empty"
        message = f"The folder holds no log{seen}. Logs end in {_ENDINGS}."
        problems.append(LogProblem(str(folder), message))
    elif others:
        left = "which was not read" if len(others) == 1 else "which were not read"
        notes.append(f"The folder {folder.name} also holds {_listed(others)}, {left}.")
    return logs


def _listed(names: Sequence[str]) -> str:
    shown = ", ".join(names[:3])
    return shown if len(names) <= 3 else f"{shown} and {len(names) - 3} more"


def _names(paths: Iterable[Path]) -> dict[Path, str]:
    """The name that a report gives each file: without its folder unless two share a name."""
    paths = list(paths)
    times = Counter(path.name for path in paths)
    return {
        path: path.name if times[path.name] == 1 else f"{path.parent.name}/{path.name}"
        for path in paths
    }
