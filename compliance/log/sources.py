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


def find_sources(paths: Sequence[str | Path], form: str | None = None) -> Sources:
    """Every file that the paths name, once, in order of name: whatever the order of arguments."""
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
            found.setdefault(os.path.realpath(path), path)
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
    if path.is_dir():
        return _in_folder(path, problems, notes)
    if path.exists():
        return [path]
    if glob.has_magic(given):
        matches = [Path(match) for match in sorted(glob.glob(given, recursive=True))]
        if not matches:
            problems.append(LogProblem(given, "No file fits this pattern."))
        return [
            file
            for match in matches
            for file in (_in_folder(match, problems, notes) if match.is_dir() else [match])
        ]
    beside = path.parent if path.parent.is_dir() else None
    close = did_you_mean(path.name, sorted(os.listdir(beside))) if beside else None
    problems.append(LogProblem(given, "There is no such file or folder.", None, close))
    return []


def _in_folder(folder: Path, problems: list[LogProblem], notes: list[str]) -> list[Path]:
    logs: list[Path] = []
    others: list[str] = []
    for inside, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(files):
            if name.startswith("."):
                continue
            path = Path(inside, name)
            if format_of(path) is None:
                others.append(name)
            else:
                logs.append(path)
    if not logs:
        seen = f"; it holds {_listed(others)}" if others else "; it is empty"
        message = f"The folder holds no log{seen}. Logs end in {_ENDINGS}."
        problems.append(LogProblem(str(folder), message))
    elif others:
        notes.append(f"The folder {folder.name} also holds {_listed(others)}, which is no log.")
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
