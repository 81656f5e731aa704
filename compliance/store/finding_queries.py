"""Asks the store for findings: a list, one of them, its history.

Every question names few findings or reads along an index, so that an answer takes as long as it is
long, and not as long as the store is old.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, Final

from sqlalchemy import Select, select, tuple_
from sqlalchemy.orm import Session, load_only

from compliance.api.refusal import Refused
from compliance.store.rulebook_history import name_today
from compliance.store.tables import NightRun, Sighting, StoredFinding

SHORTEST: Final = 6
"""How many digits of a fingerprint are enough to name a finding, if no other begins so."""


@dataclass(frozen=True, kw_only=True)
class FindingFilter:
    """Which findings are meant; what is not said does not matter."""

    casino: str | None = None
    rule: str | None = None
    table: str | None = None
    kind: str | None = None
    severity: str | None = None
    status: str | None = None
    since: date | None = None
    until: date | None = None
    waived: bool | None = None


def filtered(session: Session, wanted: FindingFilter) -> Select[StoredFinding]:
    """The question for findings, without an order."""
    asked = select(StoredFinding)
    rule = None if wanted.rule is None else name_today(session, wanted.rule)
    for column, value in (
        (StoredFinding.casino, wanted.casino),
        (StoredFinding.rule, rule),
        (StoredFinding.table_name, wanted.table),
        (StoredFinding.kind, wanted.kind),
        (StoredFinding.severity, wanted.severity),
        (StoredFinding.status, wanted.status),
    ):
        if value is not None:
            asked = asked.where(column == value)
    if wanted.since is not None:
        asked = asked.where(StoredFinding.day >= wanted.since)
    if wanted.until is not None:
        asked = asked.where(StoredFinding.day <= wanted.until)
    if wanted.waived is not None:
        waiver = StoredFinding.waiver
        asked = asked.where(waiver.is_not(None) if wanted.waived else waiver.is_(None))
    return asked


def newest_findings(
    session: Session, wanted: FindingFilter, most: int, after: str | None = None
) -> Sequence[StoredFinding]:
    """The newest findings; `after` one of them the list goes on."""
    return list(session.scalars(newest_question(session, wanted, most, after)))


def newest_question(
    session: Session, wanted: FindingFilter, most: int, after: str | None = None
) -> Select[StoredFinding]:
    """The question behind a list: pages go on from a finding, not from a number."""
    order = (StoredFinding.day, StoredFinding.position, StoredFinding.id)
    asked = filtered(session, wanted).options(
        load_only(*(column for column in SHOWN_COLUMNS))  # not the documents
    )
    if after is not None:
        last = finding_named(session, after)
        asked = asked.where(tuple_(*order) < (last.day, last.position, last.id))
    return asked.order_by(*(column.desc() for column in order)).limit(most)


SHOWN_COLUMNS: Final = (
    StoredFinding.id,
    StoredFinding.fingerprint,
    StoredFinding.casino,
    StoredFinding.day,
    StoredFinding.moment,
    StoredFinding.kind,
    StoredFinding.rule,
    StoredFinding.severity,
    StoredFinding.table_name,
    StoredFinding.sentence,
    StoredFinding.status,
    StoredFinding.waiver,
    StoredFinding.last_day,
)


def finding_named(session: Session, begin: str) -> StoredFinding:
    """The finding whose fingerprint begins with some digits."""
    begin = begin.lower()
    if len(begin) < SHORTEST or begin.strip("0123456789abcdef"):
        raise Refused(
            f"{begin} is no fingerprint: write at least its first {SHORTEST} digits.",
            hint="`compliance findings list` shows them.",
        )
    found: dict[str, StoredFinding] = {}
    for column in (StoredFinding.fingerprint, StoredFinding.id):
        asked = select(StoredFinding).where(column >= begin, column < begin + "g").limit(2)
        found |= {item.id: item for item in session.scalars(asked)}
    if not found:
        raise Refused(f"No finding begins with {begin}.", hint="`compliance findings list`")
    if len(found) > 1:
        raise Refused(f"Several findings begin with {begin}; write more of it.")
    return next(iter(found.values()))


@dataclass(frozen=True)
class Sight:
    """A run of a night that found a finding, or did not find it any more."""

    run: NightRun
    found: bool


def history(session: Session, finding: StoredFinding) -> Iterator[Sight]:
    """The runs of its nights, in their order, and whether they found it."""
    seen = set(session.scalars(select(Sighting.run).where(Sighting.finding == finding.id)))
    nights = session.execute(
        select(NightRun.casino, NightRun.day).where(NightRun.number.in_(seen)).distinct()
    ).all()
    for run in session.scalars(
        select(NightRun)
        .where(
            NightRun.casino == finding.casino,
            NightRun.day.in_({day for _, day in nights}),
            NightRun.number >= finding.first_run,
        )
        .order_by(NightRun.number)
    ):
        yield Sight(run, run.number in seen)


def shown_finding(row: StoredFinding) -> dict[str, Any]:
    """A finding in the keys that docs/command-line.md lists."""
    return {
        "fingerprint": row.fingerprint,
        "casino": row.casino,
        "day": row.day.isoformat(),
        "ts": None if row.moment is None else row.moment.isoformat(),
        "kind": row.kind,
        "severity": row.severity,
        "rule": row.rule,
        "table": row.table_name,
        "sentence": row.sentence,
        "status": row.status,
        "waiver": row.waiver,
    }
