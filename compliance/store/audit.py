"""The audit trail: who did what and when, each entry sealed with the hash of the one before it.

Entries are only added. Whoever keeps the newest hash elsewhere can show later that none of the
entries up to it was changed, taken away or put in.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from sqlalchemy import select, text
from sqlalchemy.orm import Session

from compliance.store.tables import AuditEntry

BEGINNING: Final = "0" * 64
"""What stands before the first entry."""
_LOCK: Final = 0x61756469
_AT_ONCE: Final = 1_000


@dataclass(frozen=True)
class AuditHead:
    """The newest entry: its number and its hash."""

    number: int
    sha256: str
    at: datetime


@dataclass(frozen=True)
class AuditFault:
    """The first entry that is not what it was."""

    number: int
    sentence: str


def add_entry(
    session: Session,
    actor: str,
    action: str,
    subject: str,
    detail: Mapping[str, object],
    at: datetime | None = None,
) -> AuditEntry:
    """Add one entry; it is kept together with what it speaks of, or not at all."""
    if session.get_bind().dialect.name == "postgresql":
        # Two who add at once wait for each other, so that the chain has no fork.
        session.execute(text("SELECT pg_advisory_xact_lock(:n)"), {"n": _LOCK})
    last = audit_head(session)
    entry = AuditEntry(
        number=1 if last is None else last.number + 1,
        at=at or datetime.now(UTC),
        actor=actor,
        action=action,
        subject=subject,
        detail=json.dumps(detail, sort_keys=True, ensure_ascii=True, default=str),
        before=BEGINNING if last is None else last.sha256,
    )
    entry.sha256 = sealed(entry)
    session.add(entry)
    session.flush()
    return entry


def audit_head(session: Session) -> AuditHead | None:
    """The newest entry, if there is one."""
    entry = session.scalar(select(AuditEntry).order_by(AuditEntry.number.desc()).limit(1))
    return None if entry is None else AuditHead(entry.number, entry.sha256, entry.at)


def sealed(entry: AuditEntry) -> str:
    """The hash of an entry with all that it says and the hash before it."""
    said = [
        entry.number,
        entry.at.astimezone(UTC).isoformat(timespec="microseconds"),
        entry.actor,
        entry.action,
        entry.subject,
        entry.detail,
        entry.before,
    ]
    return hashlib.sha256(json.dumps(said, ensure_ascii=True).encode()).hexdigest()


def entries(session: Session, since: int = 1) -> Iterator[AuditEntry]:
    """The entries in their order."""
    asked = select(AuditEntry).where(AuditEntry.number >= since).order_by(AuditEntry.number)
    yield from session.scalars(asked.execution_options(yield_per=_AT_ONCE))


def first_fault(session: Session, known: tuple[int, str] | None = None) -> AuditFault | None:
    """The first entry that does not fit the others, or a head that was written elsewhere."""
    before, number = BEGINNING, 0
    for entry in entries(session):
        number += 1
        if entry.number != number:
            return AuditFault(number, f"Entry {number:,} is missing.")
        if entry.before != before:
            return AuditFault(number, f"Entry {number:,} does not follow the one before it.")
        if sealed(entry) != entry.sha256:
            return AuditFault(number, f"Entry {number:,} is not what it was when it was written.")
        if known is not None and known[0] == number and known[1] != entry.sha256:
            return AuditFault(number, f"Entry {number:,} is not the one whose hash was kept.")
        before = entry.sha256
        session.expunge(entry)
    if known is not None and known[0] > number:
        return AuditFault(
            known[0], f"The trail ends with entry {number:,}; entry {known[0]:,} was kept."
        )
    return None
