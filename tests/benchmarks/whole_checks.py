"""What a user waits for: a whole check, from the files of a log to the written result."""

from __future__ import annotations

import sys
from pathlib import Path

from compliance.cli import main

CLEAN_OR_VIOLATIONS = (0, 1)


def command(log: Path, result: Path, *words: str) -> list[str]:
    """The words of a check whose result is written to a file."""
    return ["check", str(log), "--format", "json", "--output", str(result), *words]


def write_result(log: Path, result: Path) -> None:
    """Check a log by the bundled rulebook in this process, so that its time can be measured."""
    assert main(command(log, result, "--workers", "1")) in CLEAN_OR_VIOLATIONS


def as_process(*words: str) -> list[str]:
    """The same command in a process of its own."""
    return [sys.executable, "-m", "compliance.cli", *words]
