"""Whether to show how far a check has come: to a person at a terminal, and to nobody else."""

from __future__ import annotations

import sys
from contextlib import AbstractContextManager, nullcontext

from compliance.checking.check_tables import UNSEEN, CheckProgress
from compliance.cli.screen import may_be_terminal


def progress_shown(*, quiet: bool = False) -> AbstractContextManager[CheckProgress]:
    """A line on the terminal that the messages of the command go to, if it is one."""
    if quiet or not may_be_terminal(sys.stderr):
        return nullcontext(UNSEEN)
    from compliance.cli.progress_bar import ProgressBar

    return ProgressBar()
