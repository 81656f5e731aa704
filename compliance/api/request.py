"""What is asked of a check, in the words of whoever asks: Python code or the command line.

Kept free of all that takes time to load: the help of the command needs it, too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from rules_dsl.bundled import bundled_rulebook


@dataclass(frozen=True, kw_only=True)
class CheckRequest:
    """Everything that can be asked of a check, besides its logs."""

    rules: Sequence[str | Path] | None = None
    """Rule files, folders of them, or names of bundled rulebooks; the law of New Jersey if none."""
    options: Path | None = None
    """What the licensee chose for each table."""
    manifest: Sequence[Path] | None = None
    """What the source records; one file for each casino."""
    mapping: Path | None = None
    """How another system's log is to be read."""
    waivers: Path | None = None
    """Accepted findings."""
    baseline: Path | None = None
    """An earlier result to compare with."""
    after: Path | None = None
    """What the check of the night before kept; only read."""
    schema: Path | None = None
    """Own event types, enums and options."""
    archive: str | None = None
    """An archive to read instead of logs: a folder, or the address of an object store."""
    workers: int | None = None
    """How many processes; None: as many as are worth it."""
    profile: str | None = None
    """Which readings of doubtful passages are applied."""
    law_of: str | None = None
    """A day whose law is applied to every event, instead of that of the event's own day."""
    since: str | None = None
    """Judge only what happened from this time on; of an archive, read from this day on."""
    until: str | None = None
    """Judge only what happened before this time; of an archive, read up to this day, included."""
    table: Sequence[str] | None = None
    """Judge only these tables; of an archive, read only these."""
    casino: str | None = None
    """The casino of an archive that is meant."""
    state: Path | None = None
    """Joins nights: read if it is there, replaced in the end."""
    keep: Path | None = None
    """Where to keep what the check of the next night needs."""
    quarantine: Path | None = None
    """Where to keep lines that are no events."""
    input: str | None = None
    """The format of files that do not tell it."""
    strict: bool = False
    """Whether a folder may hold nothing but logs."""

    @property
    def rule_paths(self) -> Sequence[str | Path]:
        """The rules to apply."""
        return self.rules or [bundled_rulebook()]
