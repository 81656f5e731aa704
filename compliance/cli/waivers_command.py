"""`compliance waivers`: what an authority has accepted, given and withdrawn by command."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime

from pydantic import ValidationError
from sqlalchemy import func, select

from compliance.api.refusal import Refused
from compliance.cli.opened_store import actor, day, opened_store
from compliance.cli.screen import Column, Screen
from compliance.store.finding_queries import finding_named
from compliance.store.rulebook_history import name_today
from compliance.store.tables import RulebookVersion, StoredFinding, StoredWaiver
from compliance.store.waiver_record import add_waiver, mark_waived, withdraw_waiver
from event_schemas import did_you_mean
from reports.verdicts import ExitCode
from reports.waiver import Waiver
from reports.wording import counted


@dataclass(frozen=True)
class WaiverWords:
    """What is said of a new waiver."""

    rule: str
    fingerprint: str
    table: str
    casino: str
    authority: str
    reason: str
    expires: str


def list_waivers(place: str, everything: bool, form: str) -> int:
    """The waivers with the number of findings that each covers."""
    today = datetime.now(UTC).date()
    covered = (
        select(StoredFinding.waiver, func.count())
        .where(StoredFinding.waiver.is_not(None))
        .group_by(StoredFinding.waiver)
    )
    with opened_store(place).reading() as session:
        numbers = {row[0]: row[1] for row in session.execute(covered)}
        rows = [
            row
            for row in session.scalars(select(StoredWaiver).order_by(StoredWaiver.number))
            if everything or (row.withdrawn is None and row.expires >= today)
        ]
    if form == "json":
        data = [_shown(row, numbers.get(row.number, 0)) for row in rows]
        Screen().json({"schema_version": "1", "waivers": data})
        return int(ExitCode.CLEAN)
    columns = [
        Column("waiver"),
        Column("covers", wraps=True),
        Column("findings", right=True),
        Column("until"),
        Column("authority", wraps=True),
        Column("reason", wraps=True),
    ]
    Screen().table(
        columns,
        [
            [
                str(row.number),
                row.rule + (f" at {row.table_name}" if row.table_name else "")
                if row.rule
                else row.fingerprint[:12],
                f"{numbers.get(row.number, 0):,}",
                _until(row, today),
                row.authority,
                row.reason,
            ]
            for row in rows
        ],
    )
    return int(ExitCode.CLEAN)


def add(place: str, words: WaiverWords, named: str | None) -> int:
    """Give a waiver, and say how many findings it covers."""
    if bool(words.rule) == bool(words.fingerprint):
        raise Refused("A waiver names either a rule or the fingerprint of one finding.")
    if words.fingerprint and words.table:
        raise Refused("A waiver of one finding names no table: the fingerprint says it all.")
    expires = day(words.expires, "--expires")
    assert expires is not None
    with opened_store(place).writing() as session:
        rule = words.rule
        if rule:
            rule = name_today(session, rule)
            newest = session.scalar(
                select(RulebookVersion).order_by(RulebookVersion.number.desc()).limit(1)
            )
            known = list(newest.rules) if newest is not None else []
            if known and rule not in known:
                close = did_you_mean(rule, known)
                guess = f" Did you mean {close}?" if close else ""
                raise Refused(f'There is no rule "{words.rule}".{guess}')
        whole = finding_named(session, words.fingerprint).fingerprint if words.fingerprint else ""
        try:
            waiver = Waiver(
                fingerprint=whole,
                rule=rule,
                table=words.table,
                authority=words.authority.strip(),
                reason=words.reason.strip(),
                expires=expires,
            )
        except ValidationError:
            raise Refused(
                "A waiver names who granted it (--authority) and why (--reason)."
            ) from None
        row = add_waiver(session, waiver, actor(named), casino=words.casino)
        number = row.number
        mark_waived(session)
        covered = session.scalar(
            select(func.count()).select_from(StoredFinding).where(StoredFinding.waiver == number)
        )
    found = counted(covered or 0, "finding")
    Screen().line(f"Waiver {number} covers {found} up to {expires}; they stay visible.")
    return int(ExitCode.CLEAN)


def withdraw(place: str, number: int, reason: str, named: str | None) -> int:
    """End a waiver before its time."""
    if not reason.strip():
        raise Refused("Say why it ends: --reason.")
    with opened_store(place).writing() as session:
        withdraw_waiver(session, number, actor(named), reason)
        changed = mark_waived(session)
    Screen().line(f"Waiver {number} is withdrawn; {counted(changed, 'finding')} count again.")
    return int(ExitCode.CLEAN)


def _until(row: StoredWaiver, today: date) -> str:
    if row.withdrawn is not None:
        return "withdrawn"
    left = (row.expires - today).days
    if left < 0:
        return f"{row.expires} (ended)"
    return f"{row.expires} (in {counted(left, 'day')})" if left <= 7 else f"{row.expires}"


def _shown(row: StoredWaiver, covered: int) -> dict[str, object]:
    return {
        "waiver": row.number,
        "rule": row.rule,
        "fingerprint": row.fingerprint,
        "table": row.table_name,
        "casino": row.casino,
        "authority": row.authority,
        "reason": row.reason,
        "expires": row.expires.isoformat(),
        "origin": row.origin,
        "since": row.since.isoformat(),
        "withdrawn": None if row.withdrawn is None else row.withdrawn.isoformat(),
        "findings": covered,
    }
