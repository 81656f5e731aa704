"""Writes a judged night into the store, all of it or nothing, and says what changed by it.

with store.writing() as session:
    told = record_night(session, judged)
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any, Final, TypeVar

from sqlalchemy import func, insert, select, update
from sqlalchemy.orm import Session, aliased

from compliance.store.audit import add_entry
from compliance.store.finding_documents import packed_document
from compliance.store.rulebook_history import RulesApplied
from compliance.store.tables import (
    FindingStatus,
    KeptNight,
    Night,
    NightFile,
    NightRun,
    Sighting,
    StoredFinding,
)
from compliance.store.tallies import count_night
from compliance.store.waiver_record import covering_waivers
from reports.model import Finding, Run, reading_order
from reports.verdicts import FindingKind

T = TypeVar("T")
AT_ONCE: Final = 500
"""How many names a question to the store may hold; SQLite has a limit."""
ACTOR: Final = "compliance batch"


@dataclass(frozen=True)
class UsedFile:
    """A file of a night: a log, what bears on the result, or a report."""

    role: str
    name: str
    sha256: str
    size: int
    stamp: str = ""


@dataclass(frozen=True)
class JudgedNight:
    """A night that was checked, with all that the store keeps of it."""

    casino: str
    day: date
    cause: str
    run: Run
    result: str
    exit_code: int
    rules: RulesApplied
    settings: str
    before: str | None
    joined: bytes | None
    kept: bytes
    files: Sequence[UsedFile]
    remarks: Sequence[str]
    seconds: float
    follows: int | None
    """The run that held when the check began: another one since then would be lost."""


@dataclass(frozen=True)
class NightChanges:
    """What a run changed in the store."""

    number: int
    revision: int
    new: tuple[str, ...]
    recurring: tuple[str, ...]
    resolved: tuple[str, ...]
    reopened: tuple[str, ...]

    @property
    def counts(self) -> dict[str, int]:
        """How many of each."""
        return {status.value: len(getattr(self, status.value)) for status in FindingStatus}


class NightTaken(Exception):
    """Somebody else has judged the night in the meantime."""


def record_night(session: Session, judged: JudgedNight) -> NightChanges:
    """Keep a night: its run, its findings, what it leaves for the next one, and who did it."""
    at = datetime.now(UTC)
    night = session.get(Night, (judged.casino, judged.day), with_for_update=True)
    if (None if night is None else night.run) != judged.follows:
        raise NightTaken
    number = 1 + (session.scalar(select(func.max(NightRun.number))) or 0)
    revision = 1 + (
        session.scalar(
            select(func.max(NightRun.revision)).where(
                NightRun.casino == judged.casino, NightRun.day == judged.day
            )
        )
        or 0
    )
    row = _run_row(session, judged, number, revision, at)
    if night is None:
        night = Night(casino=judged.casino, day=judged.day, run=number, published=False)
        session.add(night)
    else:
        night.run, night.published = number, False
    session.flush()
    changes = _record_findings(session, judged, number, revision)
    row.told = {
        **changes.counts,
        **_gravity(session, number),
        "tables": len(judged.run.scope.tables),
        "remarks": list(judged.remarks),
    }
    detail = {
        "run": number,
        "revision": revision,
        "cause": judged.cause,
        "result": judged.result,
        "verdict": row.verdict,
        **changes.counts,
    }
    add_entry(session, ACTOR, "night", f"{judged.casino} {judged.day}", detail, at)
    return changes


def _gravity(session: Session, number: int) -> dict[str, Any]:
    """The violations of a run by severity, without the waived ones: all, and what is new."""
    asked = (
        select(
            StoredFinding.severity,
            StoredFinding.status,
            StoredFinding.waiver.is_not(None).label("waived"),
            func.count().label("number"),
        )
        .join(Sighting, Sighting.finding == StoredFinding.id)
        .where(Sighting.run == number, StoredFinding.kind == FindingKind.VIOLATION.value)
        .group_by(StoredFinding.severity, StoredFinding.status, "waived")
    )
    violations: Counter[str] = Counter()
    fresh: Counter[str] = Counter()
    waived = 0
    for row in session.execute(asked):
        if row.waived:
            waived += row.number
            continue
        violations[row.severity] += row.number
        if row.status in (FindingStatus.NEW, FindingStatus.REOPENED):
            fresh[row.severity] += row.number
    return {"violations": dict(violations), "new_violations": dict(fresh), "waived": waived}


def _run_row(
    session: Session, judged: JudgedNight, number: int, revision: int, at: datetime
) -> NightRun:
    kept = _keep(session, judged.kept)
    run = judged.run
    assert run.summary is not None
    row = NightRun(
        number=number,
        casino=judged.casino,
        day=judged.day,
        revision=revision,
        cause=judged.cause,
        rulebook=judged.rules.sha256,
        settings=judged.settings,
        before=judged.before,
        joined=None if judged.joined is None else _keep(session, judged.joined),
        kept=kept,
        result=judged.result,
        verdict=run.summary.verdict.value,
        exit_code=judged.exit_code,
        summary=run.summary.model_dump(mode="json"),
        told={},
        time_zone=run.time_zone,
        events=sum(source.events for source in run.inputs),
        quarantined=run.quarantined,
        seconds=judged.seconds,
        at=at,
    )
    session.add(row)
    session.flush()
    if judged.files:
        session.execute(insert(NightFile), [{"run": number, **vars(file)} for file in judged.files])
    return row


def _keep(session: Session, content: bytes) -> str:
    sha256 = hashlib.sha256(content).hexdigest()
    if session.get(KeptNight, sha256) is None:
        session.add(KeptNight(sha256=sha256, content=content))
    return sha256


def _record_findings(
    session: Session, judged: JudgedNight, number: int, revision: int
) -> NightChanges:
    listed = (item for outcome in judged.run.outcomes for item in outcome.findings)
    found = {item.fingerprint: item for item in sorted(listed, key=reading_order)}
    known = _known(session, judged, found)
    waivers = covering_waivers(session, judged.casino)
    by_status: dict[FindingStatus, list[str]] = {status: [] for status in FindingStatus}
    fresh: list[dict[str, Any]] = []
    again: list[dict[str, Any]] = []
    seen: list[str] = []
    days = {judged.day}
    for position, (fingerprint, finding) in enumerate(found.items()):
        earlier = known.get(fingerprint)
        name = fingerprint if earlier is None else earlier.id
        if earlier is None:
            status, day = FindingStatus.NEW, judged.day
        else:
            was_gone = earlier.status == FindingStatus.RESOLVED
            status = FindingStatus.REOPENED if was_gone else FindingStatus.RECURRING
            day = min(earlier.day, judged.day)
            days |= {earlier.day, day}
        written = {
            **_described(judged, finding),
            "id": name,
            "position": position,
            "day": day,
            "status": status.value,
            "last_run": number,
            "last_day": max(judged.day, earlier.last_day) if earlier else judged.day,
            "first_run": earlier.first_run if earlier else number,
            "waiver": waivers.covering(finding, judged.run.time_zone),
        }
        (again if earlier else fresh).append(written)
        by_status[status].append(name)
        seen.append(name)
    if fresh:
        session.execute(insert(StoredFinding), fresh)
    if again:
        session.execute(update(StoredFinding), again)
    if seen:
        session.execute(insert(Sighting), [{"run": number, "finding": name} for name in seen])
    if revision > 1:
        gone, gone_days = _resolved(session, judged, number)
        by_status[FindingStatus.RESOLVED] = gone
        days |= gone_days
    for day in sorted(days):
        count_night(session, judged.casino, day)
    return NightChanges(
        number, revision, **{status.value: tuple(sorted(by_status[status])) for status in by_status}
    )


@dataclass(frozen=True)
class _Known:
    id: str
    status: str
    day: date
    last_day: date
    first_run: int

    @classmethod
    def of(cls, row: Any) -> _Known:
        """From a row of the store."""
        return cls(row.id, row.status, row.day, row.last_day, row.first_run)


def _known(
    session: Session, judged: JudgedNight, found: Mapping[str, Finding]
) -> dict[str, _Known]:
    """What the store has of these findings already, also under an earlier name of their rule."""
    columns = (
        StoredFinding.id,
        StoredFinding.status,
        StoredFinding.day,
        StoredFinding.last_day,
        StoredFinding.first_run,
    )
    known: dict[str, _Known] = {}
    for names in chunks(found):
        asked = select(StoredFinding.fingerprint, *columns).where(
            StoredFinding.fingerprint.in_(names)
        )
        for row in session.execute(asked):
            known[row.fingerprint] = _Known.of(row)
    # The same happening under another fingerprint: its rule was renamed, or the names of records
    # are told apart otherwise than before. Only where it cannot be a mistake.
    wanted = _once(
        ((finding.rule, place_of(finding)), fingerprint)
        for fingerprint, finding in found.items()
        if fingerprint not in known
    )
    there: list[tuple[tuple[str, str], _Known]] = []
    for places in chunks({place for _, place in wanted}):
        other = select(
            StoredFinding.rule, StoredFinding.place, StoredFinding.fingerprint, *columns
        ).where(StoredFinding.place.in_(places), StoredFinding.casino == judged.casino)
        there += [
            ((item.rule, item.place), _Known.of(item))
            for item in session.execute(other)
            if item.fingerprint not in found
        ]
    for key, same in _once(there).items():
        if key in wanted:
            known[wanted[key]] = same
    return known


def _once(pairs: Iterable[tuple[tuple[str, str], T]]) -> dict[tuple[str, str], T]:
    """What has a key that nothing else has."""
    listed = list(pairs)
    often = Counter(key for key, _ in listed)
    return {key: value for key, value in listed if often[key] == 1}


def _described(judged: JudgedNight, finding: Finding) -> dict[str, Any]:
    return {
        "fingerprint": finding.fingerprint,
        "place": place_of(finding),
        "casino": judged.casino,
        "moment": finding.trigger.ts if finding.trigger else None,
        "kind": finding.kind.value,
        "rule": finding.rule,
        "severity": finding.severity.value,
        "table_name": finding.where.get("table", ""),
        "sentence": finding.sentence,
        "document": packed_document(finding),
    }


def place_of(finding: Finding) -> str:
    """What happened, where and when, but not by which rule, nor how records are called."""
    trigger = finding.trigger
    when = finding.sentence if trigger is None else [trigger.ts.isoformat(), trigger.type]
    said = [finding.kind.value, sorted(finding.where.items()), when]
    return hashlib.sha256(json.dumps(said).encode()).hexdigest()


def _resolved(session: Session, judged: JudgedNight, number: int) -> tuple[list[str], set[date]]:
    """Findings of the run before that no check which holds finds any more."""
    assert judged.follows is not None
    other = aliased(Sighting)
    still = (
        select(other.finding)
        .join(Night, Night.run == other.run)
        .where(other.finding == StoredFinding.id)
    )
    gone = session.execute(
        select(StoredFinding.id, StoredFinding.day)
        .join(Sighting, Sighting.finding == StoredFinding.id)
        .where(Sighting.run == judged.follows, ~still.exists())
        .order_by(StoredFinding.id)
    ).all()
    names = [name for name, _ in gone]
    for part in chunks(names):
        session.execute(
            update(StoredFinding)
            .where(StoredFinding.id.in_(part))
            .values(status=FindingStatus.RESOLVED.value, last_run=number)
        )
    return names, {day for _, day in gone}


def chunks(names: Iterable[str]) -> Iterable[Sequence[str]]:
    """Names in parts that a question may hold."""
    listed = sorted(names)
    return (listed[start : start + AT_ONCE] for start in range(0, len(listed), AT_ONCE))
