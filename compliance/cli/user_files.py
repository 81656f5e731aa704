"""Opens the small files that a user writes, or says everything that is wrong with them."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

from compliance.cli.refusal import Refused
from compliance.cli.screen import Screen, Styled
from compliance.log.problems import LogProblem

T = TypeVar("T")
K = TypeVar("K")


def loaded(
    load: Callable[[Path, K], tuple[T | None, tuple[LogProblem, ...]]],
    path: Path | None,
    known: K,
) -> T | None:
    """What a user's file says, or everything that is wrong with it."""
    if path is None:
        return None
    found, problems = load(path, known)
    if found is None:
        show_log_problems(problems)
        raise Refused(f"{path} has mistakes; nothing was done.")
    return found


def show_log_problems(problems: Sequence[LogProblem]) -> None:
    """Problems of files, one line each."""
    screen = Screen(sys.stderr)
    for problem in problems:
        screen.line(Styled(str(problem), "bold"))
