"""What a night came to, in the few numbers that a message tells."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Literal

from reports.verdicts import Severity

NightVerdict = Literal["violations", "not_supported", "clean", "failed"]
"""As of a run; `failed` is a night that could not be judged at all."""


@dataclass(frozen=True, kw_only=True)
class NightSummary:
    """One night of one casino."""

    casino: str
    day: date
    """The gaming day, by the date on which it began."""
    verdict: NightVerdict
    sentence: str
    """The verdict in words, as the report has it, or why there is none."""
    violations: Mapping[Severity, int] = field(default_factory=dict)
    """How many breaches were found, without those that are waived."""
    new: Mapping[Severity, int] = field(default_factory=dict)
    """How many of them were not there before, or are there again."""
    recurring: int = 0
    resolved: int = 0
    reopened: int = 0
    waived: int = 0
    defects: int = 0
    """Defects of the evidence."""
    undetermined: int = 0
    """Checks that could not be decided on this evidence."""
    quarantined: int = 0
    """Lines that could not be read."""
    events: int = 0
    tables: int = 0
    remarks: tuple[str, ...] = ()
    """What else a reader has to know, such as what a corrected file changed."""
    reports: tuple[Path, ...] = ()
    """The reports of the night, the one to read first."""
    command: str = ""
    """How to look further."""

    @property
    def in_doubt(self) -> bool:
        """Whether the evidence of the night is damaged."""
        return bool(self.defects or self.quarantined or self.verdict == "not_supported")
