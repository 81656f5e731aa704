"""Which files make up a rulebook, before any of them is read.

A rule file may have a file of the same name beside it that holds more examples of its rules:
`dealing.rules` and `dealing.examples`. Whoever judges a log reads none of those.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from event_schemas.limits import LARGEST_RULE_FILE
from rules_dsl.diagnostics import Diagnostic
from rules_dsl.source import Source

SUFFIX = ".rules"
EXAMPLES = ".examples"
HEAD = f"rulebook{SUFFIX}"
"""The file at the top of a rulebook that has folders: it says what the rulebook is called."""
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
    if path.suffix == EXAMPLES:
        # Examples mean nothing without their rules.
        path = path.with_suffix(SUFFIX)
    if not path.is_file():
        problems.append(
            Diagnostic("missing-file", f"There is no rule file `{path}`.", Source(str(path), ""))
        )
        return []
    return [path]


def home_folder(path: Path) -> Path:
    """The folder that a rulebook lies in: its files use nothing outside of it.

    It is the next folder above that holds the head of the rulebook, so that one folder or file of a
    larger rulebook can be read alone. Without a head it is the folder itself, or that of the file.
    """
    own = path if path.is_dir() else path.parent
    whole = own.absolute()
    heads = (folder for folder in (whole, *whole.parents) if (folder / HEAD).is_file())
    head = next(heads, whole)
    return own if head == whole else head


def example_files(places: Iterable[Path], files: Iterable[Path]) -> list[Path]:
    """The files of examples beside some rule files, and whatever others lie in the folders."""
    beside = (file.with_suffix(EXAMPLES) for file in files)
    lying = (file for place in places if place.is_dir() for file in place.rglob(f"*{EXAMPLES}"))
    return sorted({file for file in (*beside, *lying) if file.is_file()})


def clause_files(path: Path) -> list[Path]:
    """The files of the clause map of a rulebook; a single rule file has none."""
    if not path.is_dir():
        return []
    found = sorted(path.rglob(f"{FOLDER}/*.toml"))
    # Texts are named before they are spoken of.
    return sorted(found, key=lambda file: file.name != TEXTS)
