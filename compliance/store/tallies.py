"""Counts the findings of a night by rule, so that a trend of years need not."""

from __future__ import annotations

from datetime import date

from sqlalchemy import delete, func, insert, select
from sqlalchemy.orm import Session

from compliance.store.tables import FindingStatus, StoredFinding, Tally


def count_night(session: Session, casino: str, day: date) -> None:
    """Count the findings of a night anew."""
    session.execute(delete(Tally).where(Tally.casino == casino, Tally.day == day))
    counted = (
        select(
            StoredFinding.rule,
            StoredFinding.kind,
            func.min(StoredFinding.severity),
            func.count(),
        )
        .where(
            StoredFinding.casino == casino,
            StoredFinding.day == day,
            StoredFinding.status != FindingStatus.RESOLVED.value,
        )
        .group_by(StoredFinding.rule, StoredFinding.kind)
        .order_by(StoredFinding.rule)
    )
    rows = [
        {
            "casino": casino,
            "day": day,
            "rule": rule,
            "kind": kind,
            "severity": severity,
            "number": number,
        }
        for rule, kind, severity, number in session.execute(counted)
    ]
    if rows:
        session.execute(insert(Tally), rows)
