"""What changed since an earlier result, as data that can be told without either of the two."""

from __future__ import annotations

from pydantic import AwareDatetime, NonNegativeInt

from reports.record import Record
from reports.verdicts import FindingKind, Severity


class ChangedFinding(Record):
    """A finding that only one of two results has, in short."""

    fingerprint: str
    """Its stable name."""
    kind: FindingKind
    """What it is."""
    severity: Severity
    """How grave it is."""
    rule: str
    """The rule that found it."""
    sentence: str
    """What happened."""
    table: str = ""
    """The table, where it is known."""
    ts: AwareDatetime | None = None
    """When it happened, where that is known."""


class ChangeCounts(Record):
    """How the findings of one kind changed."""

    kind: FindingKind
    """Of which kind."""
    new: NonNegativeInt
    """Only in the newer result."""
    gone: NonNegativeInt
    """Only in the older one."""
    unchanged: NonNegativeInt
    """In both."""


class Changes(Record):
    """What is new and what is gone since an earlier result."""

    since: str
    """The file of the earlier result, without its folder."""
    since_sha256: str
    """The SHA-256 of what the earlier result says."""
    counts: tuple[ChangeCounts, ...]
    """For each kind of finding."""
    new: tuple[ChangedFinding, ...] = ()
    """The findings that the earlier result does not have."""
    gone: tuple[ChangedFinding, ...] = ()
    """Those that only the earlier result has."""
    unchanged: tuple[str, ...] = ()
    """The fingerprints of those that both have."""
    remarks: tuple[str, ...] = ()
    """What else is not the same, and may be the reason."""

    def of(self, kind: FindingKind) -> ChangeCounts:
        """The numbers of one kind of finding."""
        return next(item for item in self.counts if item.kind is kind)
