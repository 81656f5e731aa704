"""Which files make up a rulebook, before any of them is read."""

from __future__ import annotations

from pathlib import Path

from event_schemas.limits import LARGEST_RULE_FILE
from rules_dsl.diagnostics import Diagnostic
from rules_dsl.source import Source

SUFFIX = ".rules"
FOLDER = "clauses"
TEXTS = "texts.toml"
RULE_FILE_BYTES = 4 * LARGEST_RULE_FILE
"""A character has at most four."""


def rule_files(path: Path, problems: list[Diagnostic]) -> list[Path]:
    """The rule files at a path, in the order of their names."""
    if path.is_dir():
        found = sorted(path.rglob(f"*{SUFFIX}"))
        if not found:
            problems.append(
                Diagnostic(
                    "missing-file",
                    f"There is no rule file (*{SUFFIX}) in `{path}`.",
                    Source(str(path), ""),
                )
            )
        return found
    if not path.is_file():
        problems.append(
            Diagnostic("missing-file", f"There is no rule file `{path}`.", Source(str(path), ""))
        )
        return []
    return [path]


def clause_files(path: Path) -> list[Path]:
    """The files of the clause map of a rulebook; a single rule file has none."""
    if not path.is_dir():
        return []
    found = sorted(path.rglob(f"{FOLDER}/*.toml"))
    # Texts are named before they are spoken of.
    return sorted(found, key=lambda file: file.name != TEXTS)
