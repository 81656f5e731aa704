"""Opens a result that `compliance check --format json` saved, or says why it cannot."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from compliance.api.refusal import Refused
from reports.model import Run
from reports.saved_json import altered
from reports.saved_json_reading import run_from_json


@dataclass(frozen=True)
class SavedRun:
    """A result and the bytes that it was read from."""

    run: Run
    content: bytes


def read_run(path: Path) -> SavedRun:
    """A result of this version's form; anything else is refused in a sentence."""
    try:
        content = path.read_bytes()
    except OSError as problem:
        raise Refused(f"{path} cannot be read: {problem.strerror}.") from None
    try:
        return SavedRun(run_from_json(content), content)
    except ValidationError as problem:
        raise Refused(_why_not(path, content, problem), hint=_HINT) from None


def read_sound_run(path: Path) -> Run:
    """A result that says what it said when it was saved."""
    run = read_run(path).run
    if altered(run):
        raise Refused(
            f"{path} was altered after it was saved: its SHA-256 is not the one that it states.",
            hint="`compliance verify` says what differs from a new check.",
        )
    return run


_HINT = "`compliance check LOG --format json -o RUN.json` saves a result."


def _why_not(path: Path, content: bytes, problem: ValidationError) -> str:
    try:
        data = json.loads(content.decode("utf-8"))
    except UnicodeDecodeError as mistake:
        return f"{path} is not a saved result: it is not UTF-8 at byte {mistake.start + 1:,}."
    except json.JSONDecodeError as mistake:
        return (
            f"{path}, line {mistake.lineno}, column {mistake.colno}: it is not JSON: "
            f"{mistake.msg.rstrip('.').lower()}."
        )
    except (ValueError, RecursionError):
        return (
            f"{path} is not a saved result: a number in it is too long, or it is nested too deep."
        )
    known = Run.model_fields["schema_version"].default
    version = data.get("schema_version") if isinstance(data, dict) else None
    if version is None:
        return f"{path} is JSON, but not a saved result: it has no schema_version."
    if version != known:
        return (
            f"{path} has the form {version!s:.20}; this version of the program reads form {known}."
        )
    first = problem.errors(include_url=False)[0]
    place = ".".join(str(part) for part in first["loc"]) or "as a whole"
    said = first["msg"].removeprefix("Value error, ")
    more = problem.error_count() - 1
    others = f" (and {more:,} more)" if more else ""
    return f"{path} is not a sound result, {place}: {said[:1].lower()}{said[1:]}{others}."
