"""What a user waits for: a whole check, from the files of a log to the written result.

Beside it stands Polars' plain read of the same file. In texts it has to look for the columns first;
by default it looks at a hundred lines only, and drops fields that come later.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

import polars as pl

from compliance.cli import main

PLAIN_READS: Mapping[str, Callable[..., pl.DataFrame]] = {
    "parquet": pl.read_parquet,
    "jsonl": partial(pl.read_ndjson, infer_schema_length=None),
    "csv": partial(pl.read_csv, infer_schema_length=None),
}
CLEAN_OR_VIOLATIONS = (0, 1, 5)


def command(log: Path, result: Path, *words: str) -> list[str]:
    """The words of a check whose result is written to a file."""
    return ["check", str(log), "--format", "json", "--output", str(result), *words]


def write_result(log: Path, result: Path) -> None:
    """Check a log by the bundled rulebook in this process, so that its time can be measured."""
    assert main(command(log, result, "--workers", "1")) in CLEAN_OR_VIOLATIONS


def as_process(*words: str) -> list[str]:
    """The same command in a process of its own."""
    return [sys.executable, "-m", "compliance.cli", *words]
