"""Whether to show how far a check has come: to a person at a terminal, and to nobody else."""

from __future__ import annotations

import sys
from contextlib import AbstractContextManager, nullcontext
from typing import Protocol

from compliance.cli.screen import may_be_terminal


class CheckProgress(Protocol):
    """Is told how far a check has come: how much was read, and then how much was checked."""

    def read(self, done: int, total: int | None, events: int) -> None: ...

    def checking(self, total: int) -> None: ...

    def checked(self, more: int) -> None: ...


class _Unseen:
    """Nobody looks."""

    def read(self, done: int, total: int | None, events: int) -> None: ...

    def checking(self, total: int) -> None: ...

    def checked(self, more: int) -> None: ...


def progress_shown() -> AbstractContextManager[CheckProgress]:
    """A line on the terminal that the messages of the command go to, if it is one."""
    if not may_be_terminal(sys.stderr):
        return nullcontext(_Unseen())
    from compliance.cli.progress_bar import ProgressBar

    return ProgressBar()
