"""`compliance init`: writes the settings of a batch, and asks a person at a terminal for them."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from compliance.api.refusal import Refused
from compliance.api.whole_file import write_whole
from compliance.batch.settings_draft import Answers, draft
from compliance.batch.settings_file import load_settings
from compliance.cli.screen import Screen, Styled
from reports.verdicts import ExitCode

Ask = Callable[[str, str], str]


def write_settings(file: Path) -> int:
    """Write settings that can be used, or completed; nothing is ever overwritten."""
    if os.path.lexists(file):
        raise Refused(f"{file} is there already; name another file.")
    ask = _asked if sys.stdin.isatty() and sys.stdout.isatty() else _as_proposed
    write_whole(file, draft(answers(ask)))
    try:
        load_settings(file)
    except Refused:
        # What was answered cannot be used: it is told with its line, and nothing is left behind.
        file.unlink()
        raise
    screen = Screen()
    screen.line("The settings: ", Styled(str(file), "bold"))
    screen.line(f"Look them over, then: compliance batch {file} --dry-run")
    return int(ExitCode.CLEAN)


def answers(ask: Ask) -> Answers:
    """What a batch cannot guess, asked one by one."""
    today = datetime.now(UTC).date()
    name = ask("The casino, as its logs name it", "Boardwalk")
    zone = ask("Its time zone", "America/New_York")
    logs = ask("Its log files; {date} is the gaming day", "logs/{date}/*.jsonl")
    begins = ask("When a gaming day begins, by its clock", "06:00:00")
    first = ask("The first gaming day to judge", today.isoformat())
    reports = ask("The folder of the reports", "results")
    store = ask("The store: a file, or postgresql://user@host/database", "compliance.db")
    try:
        day = datetime.strptime(first, "%Y-%m-%d").replace(tzinfo=UTC).date()
    except ValueError:
        raise Refused(f"{first} is no day; write it like 2026-11-18.") from None
    return Answers(name, zone, logs, day, begins, reports, store)


def _asked(question: str, proposal: str) -> str:
    return input(f"{question} [{proposal}]: ").strip() or proposal


def _as_proposed(question: str, proposal: str) -> str:
    return proposal
