"""Reads the settings of a batch; every mistake is told with its line."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

from pydantic import BaseModel, ValidationError

from compliance.api.refusal import Refused
from compliance.batch.settings import BatchSettings
from compliance.log.problems import LogProblem
from compliance.log.toml_file import UserFile, read_user_file
from event_schemas import did_you_mean

_KINDS: Final = {
    "missing": "it must be there",
    "string_type": "write a text in quotation marks",
    "tuple_type": "write a list, as [...]",
    **dict.fromkeys(
        ("date_type", "date_parsing", "date_from_datetime_parsing"),
        "write a day, as 2026-11-18, without quotation marks",
    ),
    **dict.fromkeys(
        ("time_type", "time_parsing"), "write a time, as 06:00:00, without quotation marks"
    ),
    "too_short": "write at least one",
    "path_type": "write a file or folder in quotation marks",
    "int_type": "write a whole number",
}


def load_settings(path: Path) -> BatchSettings:
    """The settings in a file, or everything that is wrong with it."""
    file = read_user_file(path)
    if file.problems:
        raise Refused(
            f"{path} cannot be used; nothing was done.",
            hint="`compliance init` writes one to begin with.",
            problems=file.sorted_problems(),
        )
    try:
        return BatchSettings(**file.content, home=path.absolute().parent)
    except ValidationError as mistakes:
        found = mistakes.errors(include_url=False)
        for mistake in found:
            where = mistake["loc"]
            within = any(o["loc"] != where and o["loc"][: len(where)] == where for o in found)
            if mistake["type"] == "too_short" and within:
                # Its items are wrong, and are told already.
                continue
            file.problems.append(_problem(file, mistake))
    except TypeError:
        file.problems.append(LogProblem(file.name, "home is no word of this file.", 1))
    raise Refused(
        f"{path} has mistakes; nothing was done.",
        hint="docs/batch.md explains every word.",
        problems=file.sorted_problems(),
    )


def _problem(file: UserFile, mistake: Any) -> LogProblem:
    where: tuple[str | int, ...] = mistake["loc"]
    line = _line(file.lines, where)
    shown = _shown(where)
    if mistake["type"] == "extra_forbidden":
        known = _known(where[:-1])
        close = did_you_mean(str(where[-1]), known)
        said = f'"{where[-1]}" is not known in {_shown(where[:-1])}; known are {", ".join(known)}.'
        return LogProblem(file.name, said, line, close)
    said = _KINDS.get(mistake["type"]) or mistake["msg"].rstrip(".")
    own = said.removeprefix("Value error, ")
    said = own if own != said else f"{said[:1].lower()}{said[1:]}"
    return LogProblem(file.name, f"{shown}: {said}.", line)


def _shown(where: Iterable[str | int]) -> str:
    text = ""
    for part in where:
        text += f"[{part + 1}]" if isinstance(part, int) else f".{part}" if text else part
    return text or "the file"


def _known(where: Iterable[str | int]) -> list[str]:
    """The words that a table of the file may hold."""
    model: type[BaseModel] = BatchSettings
    for part in where:
        if isinstance(part, int):
            continue
        kind = model.model_fields[part].annotation
        found = [kind, *getattr(kind, "__args__", ())]
        model = next(
            item for item in found if isinstance(item, type) and issubclass(item, BaseModel)
        )
    names = [field.alias or name for name, field in model.model_fields.items()]
    return [name for name in names if name != "home"]


def _line(lines: list[str], where: tuple[str | int, ...]) -> int:
    """The line that a mistake is about: readers of TOML keep no places, so it is looked for."""
    begin, end = 1, len(lines)
    path: list[str] = []
    for part in where:
        if isinstance(part, int):
            heads = _heads(lines, path, begin, end, r"\[\[", r"\]\]")
            if part < len(heads):
                begin = heads[part]
                end = heads[part + 1] - 1 if part + 1 < len(heads) else end
            continue
        path.append(part)
        heads = _heads(lines, path, begin, end, r"\[+", r"\]+")
        if heads:
            begin = heads[0]
            continue
        key = re.compile(rf"\s*[\"']?{re.escape(part)}[\"']?\s*[=.]")
        found = [n for n in range(begin, end + 1) if key.match(lines[n - 1])]
        begin = found[0] if found else begin
    return begin


def _heads(
    lines: list[str], path: list[str], begin: int, end: int, opens: str, closes: str
) -> list[int]:
    name = r"\s*\.\s*".join(rf"[\"']?{re.escape(part)}[\"']?" for part in path)
    head = re.compile(rf"\s*{opens}\s*{name}\s*{closes}")
    return [number for number in range(begin, end + 1) if head.match(lines[number - 1])]
