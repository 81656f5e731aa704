"""Reads and writes the diagnostics that a rule file in `bad/` announces below its rules.

-- expect error unknown-event at 7:11
--   There is no event `card_burnt`.
--   did you mean `card_burned`?
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from rules_dsl.diagnostics import Diagnostic

_BEGIN = "-- expect "


def announced(path: Path) -> str:
    """The expectations at the end of a file, as they are written there."""
    text = path.read_text(encoding="utf-8")
    begin = text.find("\n" + _BEGIN)
    return "" if begin < 0 else text[begin + 1 :]


def rendered(diagnostics: Iterable[Diagnostic], home: Path) -> str:
    """Diagnostics in the form of expectations; those of another file name it."""
    return "".join(_rendered(diagnostic, home) for diagnostic in diagnostics)


def _rendered(diagnostic: Diagnostic, home: Path) -> str:
    where = "" if diagnostic.source.name == home.name else f"{diagnostic.source.name} "
    place = f"{where}{diagnostic.line}:{diagnostic.column}"
    lines = [f"{_BEGIN}{diagnostic.level} {diagnostic.code} at {place}"]
    lines.append(f"--   {diagnostic.message}")
    if diagnostic.suggestion:
        lines.append(f"--   {diagnostic.suggestion}")
    return "\n".join(lines) + "\n"


def rewrite(path: Path, diagnostics: Iterable[Diagnostic]) -> None:
    """Put what is found now in the place of what the file announces, for a person to review."""
    text = path.read_text(encoding="utf-8").removesuffix(announced(path)).rstrip("\n")
    path.write_text(f"{text}\n\n{rendered(diagnostics, path)}", encoding="utf-8")
