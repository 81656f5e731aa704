"""`compliance batch`: the night's work, told to a person at a terminal, or line by line."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path

from compliance.api.refusal import Refused
from compliance.batch.due_nights import Asked
from compliance.batch.nights_due import nights_due
from compliance.batch.outcome import BatchOutcome, missing_sentences
from compliance.batch.run_batch import run_batch
from compliance.batch.settings import BatchSettings
from compliance.batch.settings_file import load_settings
from compliance.batch.telling import BatchTold, JsonLines
from compliance.checking.check_tables import CheckProgress
from compliance.cli.opened_store import day
from compliance.cli.progress import progress_shown
from compliance.cli.screen import Screen, Styled, may_be_terminal
from compliance.store.opening import Store, open_store
from reports.wording import counted


@dataclass(frozen=True)
class BatchWords:
    """What is asked of a batch."""

    dry_run: bool
    date: str | None
    since: str | None
    clock_is_right: bool
    form: str | None
    quiet: bool


class Spoken(BatchTold):
    """Tells a person, with a bar for the night at hand."""

    def __init__(self, *, quiet: bool) -> None:
        self._quiet = quiet
        self._screen = Screen(sys.stderr)

    @contextmanager
    def night(self, casino: str, day: date, cause: str) -> Iterator[CheckProgress]:
        """The night with its bar."""
        if not self._quiet:
            self._screen.line(Styled(f"{casino}, {day}", "bold"), f" ({cause})")
        with progress_shown(quiet=self._quiet) as bar:
            yield bar

    def say(self, level: str, event: str, sentence: str, **values: object) -> None:
        """A sentence; mistakes are said also to those who want it quiet."""
        if level == "error" or not self._quiet:
            style = {"error": "bold red", "warning": "yellow"}.get(level, "")
            self._screen.line(Styled(sentence, style), indent=2)


def run(config: Path, words: BatchWords) -> int:
    """Run a batch; the code says what it came to."""
    settings = load_settings(config)
    store = open_store(settings.store_place)
    now = datetime.now(UTC)
    asked = Asked(day(words.date, "--date"), day(words.since, "--since"))
    if asked.only is not None and asked.since is not None:
        raise Refused("Give either --date or --since, not both.")
    if words.dry_run:
        return _dry_run(settings, store, asked, now)
    told = _told(words)
    begun = time.monotonic()
    outcome: BatchOutcome | None = None
    try:
        outcome = run_batch(settings, store, asked, now, told, clock_is_right=words.clock_is_right)
        told.say(
            "info",
            "batch_done",
            _sentence(outcome),
            nights=len(outcome.nights),
            exit_code=outcome.exit_code,
            seconds=round(time.monotonic() - begun, 3),
        )
    except Refused as refusal:
        if isinstance(told, JsonLines):
            told.say("error", "batch_failed", str(refusal), exit_code=refusal.code)
        raise
    finally:
        if settings.metrics is not None:
            from compliance.batch.metrics import write_metrics

            path = settings.path(settings.metrics.file)
            assert path is not None
            write_metrics(path, outcome, now, time.monotonic() - begun)
    return outcome.exit_code


def _told(words: BatchWords) -> BatchTold:
    as_text = words.form == "text" or (words.form is None and may_be_terminal(sys.stderr))
    return Spoken(quiet=words.quiet) if as_text else JsonLines()


def _sentence(outcome: BatchOutcome) -> str:
    judged = sum(night.changes is not None for night in outcome.nights)
    failed = len(outcome.nights) - judged
    parts = [
        counted(judged, "night was", "nights were") + " judged" if judged else "Nothing was due"
    ]
    if failed:
        parts.append(f"{failed:,} could not be judged")
    if outcome.missing:
        parts.append(counted(len(outcome.missing), "log is", "logs are") + " missing")
    return "; ".join(parts) + "."


def _dry_run(settings: BatchSettings, store: Store, asked: Asked, now: datetime) -> int:
    due, missing = nights_due(settings, store, asked, now)
    screen = Screen()
    for night in due:
        screen.line(Styled(f"{night.casino}, {night.day}", "bold"), f": {night.cause}")
    for sentence in missing_sentences(missing):
        screen.line(Styled(sentence, "yellow"))
    if not due:
        screen.line("Nothing is due.")
    return 2 if missing else 0
