"""The waivers of the store: given by command or taken from a file, and never silently gone.

What a waiver covers is marked on the findings, which stay visible. It covers what happened up to
its last day; after that day it says nothing any more.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from fnmatch import fnmatchcase

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from compliance.api.refusal import Refused
from compliance.store.audit import add_entry
from compliance.store.finding_documents import document
from compliance.store.rulebook_history import name_today
from compliance.store.tables import NightRun, StoredFinding, StoredWaiver
from reports.model import Finding
from reports.waiver import Waiver
from reports.zone import in_zone

FILE = "file"
COMMAND = "command"


@dataclass(frozen=True)
class Covering:
    """The waivers that may cover findings of a casino, with their numbers."""

    waivers: tuple[tuple[int, Waiver], ...]

    def covering(self, finding: Finding, zone: str) -> int | None:
        """The first waiver that covers a finding."""
        if finding.trigger is None:
            return None
        day = in_zone(finding.trigger.ts, zone).date()
        table = finding.where.get("table", "")
        for number, waiver in self.waivers:
            if _covers(waiver, finding.fingerprint, finding.rule, table, day):
                return number
        return None


def _covers(waiver: Waiver, fingerprint: str, rule: str, table: str, day: date) -> bool:
    if day > waiver.expires:
        return False
    if waiver.fingerprint:
        return fingerprint.startswith(waiver.fingerprint)
    return rule == waiver.rule and fnmatchcase(table, waiver.table or "*")


def covering_waivers(session: Session, casino: str) -> Covering:
    """The waivers that speak of a casino, under the names that their rules have today."""
    return Covering(tuple((row.number, _waiver(session, row)) for row in standing(session, casino)))


def waivers_of(session: Session, casino: str) -> tuple[Waiver, ...]:
    """The same, as a check takes them."""
    return tuple(_waiver(session, row) for row in standing(session, casino))


def standing(session: Session, casino: str | None = None) -> Sequence[StoredWaiver]:
    """The waivers that were not withdrawn, in the order in which they were given."""
    asked = select(StoredWaiver).where(StoredWaiver.withdrawn.is_(None))
    if casino is not None:
        asked = asked.where(StoredWaiver.casino.in_(("", casino)))
    return session.scalars(asked.order_by(StoredWaiver.number)).all()


def _waiver(session: Session, row: StoredWaiver) -> Waiver:
    return Waiver(
        fingerprint=row.fingerprint,
        rule=name_today(session, row.rule) if row.rule else "",
        table=row.table_name,
        authority=row.authority,
        reason=row.reason,
        expires=row.expires,
    )


def add_waiver(
    session: Session, waiver: Waiver, actor: str, *, casino: str = "", origin: str = COMMAND
) -> StoredWaiver:
    """Keep a waiver, and mark what it covers."""
    number = 1 + (session.scalar(select(func.max(StoredWaiver.number))) or 0)
    row = StoredWaiver(
        number=number,
        fingerprint=waiver.fingerprint,
        rule=waiver.rule,
        table_name=waiver.table,
        casino=casino,
        authority=waiver.authority,
        reason=waiver.reason,
        expires=waiver.expires,
        origin=origin,
        since=datetime.now(UTC),
    )
    session.add(row)
    session.flush()
    add_entry(session, actor, "waiver given", str(number), _told(row))
    return row


def withdraw_waiver(session: Session, number: int, actor: str, why: str) -> StoredWaiver:
    """A waiver holds no more; it stays in the store as one that was withdrawn."""
    row = session.get(StoredWaiver, number)
    if row is None:
        raise Refused(f"There is no waiver {number}.", hint="`compliance waivers list` shows all.")
    if row.withdrawn is not None:
        raise Refused(f"Waiver {number} was withdrawn before.")
    row.withdrawn = datetime.now(UTC)
    session.flush()
    add_entry(session, actor, "waiver withdrawn", str(number), {**_told(row), "why": why})
    return row


def take_from_file(session: Session, casino: str, waivers: Sequence[Waiver], actor: str) -> bool:
    """Bring the waivers of a file into the store: new ones are given, missing ones withdrawn."""
    wanted = {_identity(waiver): waiver for waiver in waivers}
    rows = [row for row in standing(session, casino) if row.origin == FILE and row.casino == casino]
    present = {_row_identity(row): row for row in rows}
    for key, row in present.items():
        if key not in wanted:
            withdraw_waiver(session, row.number, actor, "not in the file any more")
    for key, waiver in wanted.items():
        if key not in present:
            add_waiver(session, waiver, actor, casino=casino, origin=FILE)
    return wanted.keys() != present.keys()


def mark_waived(session: Session) -> int:
    """Mark all findings anew that some waiver speaks of; returns how many changed."""
    rows = standing(session)
    zones: dict[int, str] = {}
    changed = 0
    by_casino: dict[str, Covering] = {}
    for finding in _spoken_of(session, rows):
        waivers = by_casino.setdefault(finding.casino, covering_waivers(session, finding.casino))
        if finding.last_run not in zones:
            run = session.get_one(NightRun, finding.last_run)
            zones[finding.last_run] = run.time_zone
        covered = waivers.covering(document(finding), zones[finding.last_run])
        if covered != finding.waiver:
            finding.waiver = covered
            changed += 1
    session.flush()
    return changed


def _spoken_of(session: Session, rows: Sequence[StoredWaiver]) -> Sequence[StoredFinding]:
    marked = select(StoredFinding).where(StoredFinding.waiver.is_not(None))
    found = {item.id: item for item in session.scalars(marked)}
    for row in rows:
        asked = select(StoredFinding)
        if row.fingerprint:
            begin = row.fingerprint
            asked = asked.where(
                StoredFinding.fingerprint >= begin, StoredFinding.fingerprint < begin + "g"
            )
        else:
            asked = asked.where(StoredFinding.rule == name_today(session, row.rule))
        found |= {item.id: item for item in session.scalars(asked)}
    return list(found.values())


def soon_expired(rows: Sequence[StoredWaiver], today: date, days: int = 7) -> list[StoredWaiver]:
    """Waivers that end within a week: whoever granted them must be asked again in time."""
    return [row for row in rows if 0 <= (row.expires - today).days <= days]


def _identity(waiver: Waiver) -> tuple[object, ...]:
    return (
        waiver.fingerprint,
        waiver.rule,
        waiver.table,
        waiver.authority,
        waiver.reason,
        waiver.expires,
    )


def _row_identity(row: StoredWaiver) -> tuple[object, ...]:
    return (row.fingerprint, row.rule, row.table_name, row.authority, row.reason, row.expires)


def _told(row: StoredWaiver) -> dict[str, object]:
    names = ("fingerprint", "rule", "table_name", "casino", "authority", "reason", "expires")
    return {name: getattr(row, name) for name in (*names, "origin")}
