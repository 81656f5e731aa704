"""What is new, gone and unchanged between two runs, two days, or two versions of the rules.

Runs of a night and versions of the rules are compared finding by finding. Two days have no finding
in common, since each happened once; they are compared by rule and table.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final

from sqlalchemy import ColumnElement, Select, func, select
from sqlalchemy.orm import Session, load_only

from compliance.api.refusal import Refused
from compliance.store.finding_queries import SHOWN_COLUMNS
from compliance.store.night_record import chunks
from compliance.store.tables import (
    FindingStatus,
    NightRun,
    RulebookVersion,
    Sighting,
    StoredFinding,
    Tally,
)

_RUNS: Final = "`compliance findings runs` shows the runs, and the rules of each."


@dataclass(frozen=True)
class FindingChanges:
    """Findings of the later side that the earlier one has not, and the other way round."""

    new: Sequence[StoredFinding]
    gone: Sequence[StoredFinding]
    unchanged: int


@dataclass(frozen=True)
class DayChange:
    """How often a rule was broken at a table on one day, and on another."""

    rule: str
    table: str
    before: int
    now: int


def changes_between_runs(session: Session, old: int, new: int) -> FindingChanges:
    """Two runs, finding by finding."""
    for number in (old, new):
        if session.get(NightRun, number) is None:
            raise Refused(f"There is no run {number}.", hint=_RUNS)
    return _changes(session, Sighting.run == old, Sighting.run == new)


def changes_between_versions(session: Session, old: int, new: int) -> FindingChanges:
    """Two versions of the rules, on the nights that were judged by both."""
    versions = [_version(session, number) for number in (old, new)]
    latest = [_latest_runs(session, version.sha256) for version in versions]
    both = latest[0].keys() & latest[1].keys()
    if not both:
        raise Refused(
            f"No night was judged by rules {old} and by rules {new}.",
            hint="`compliance batch --since DAY` judges nights by the rules of today.",
        )
    runs = [[side[night] for night in sorted(both)] for side in latest]
    return _changes(session, Sighting.run.in_(runs[0]), Sighting.run.in_(runs[1]))


def changes_between_days(
    session: Session, old: date, new: date, casino: str | None = None
) -> list[DayChange]:
    """Two days, rule by rule and table by table; the most that came first."""
    counts = [_by_rule_and_table(session, day, casino) for day in (old, new)]
    changes = [
        DayChange(rule, table, counts[0].get((rule, table), 0), counts[1].get((rule, table), 0))
        for rule, table in sorted(counts[0].keys() | counts[1].keys())
    ]
    return sorted(changes, key=lambda item: (item.before - item.now, item.rule, item.table))


def trend_question(
    since: date,
    until: date,
    casino: str | None = None,
    rule: str | None = None,
    severity: str | None = None,
    kind: str | None = None,
) -> Select[date, int]:
    """The question behind a trend: it reads counts, not findings."""
    asked = (
        select(Tally.day, func.sum(Tally.number))
        .where(Tally.day >= since, Tally.day <= until)
        .group_by(Tally.day)
        .order_by(Tally.day)
    )
    for column, value in (
        (Tally.casino, casino),
        (Tally.rule, rule),
        (Tally.severity, severity),
        (Tally.kind, kind),
    ):
        if value is not None:
            asked = asked.where(column == value)
    return asked


def _changes(
    session: Session, old: ColumnElement[bool], new: ColumnElement[bool]
) -> FindingChanges:
    before = set(session.scalars(select(Sighting.finding).where(old)))
    after = set(session.scalars(select(Sighting.finding).where(new)))
    return FindingChanges(
        _in_order(session, after - before),
        _in_order(session, before - after),
        len(before & after),
    )


def _in_order(session: Session, names: set[str]) -> list[StoredFinding]:
    found = [
        row
        for part in chunks(names)
        for row in session.scalars(
            select(StoredFinding)
            .options(load_only(*SHOWN_COLUMNS))
            .where(StoredFinding.id.in_(part))
        )
    ]
    return sorted(found, key=lambda row: (row.day, row.rule, row.table_name, row.id))


def _version(session: Session, number: int) -> RulebookVersion:
    found = session.scalar(select(RulebookVersion).where(RulebookVersion.number == number))
    if found is None:
        raise Refused(f"There are no rules {number}.", hint=_RUNS)
    return found


def _latest_runs(session: Session, rulebook: str) -> Mapping[tuple[str, date], int]:
    asked = (
        select(NightRun.casino, NightRun.day, func.max(NightRun.number))
        .where(NightRun.rulebook == rulebook)
        .group_by(NightRun.casino, NightRun.day)
    )
    return {(casino, day): number for casino, day, number in session.execute(asked)}


def _by_rule_and_table(
    session: Session, day: date, casino: str | None
) -> dict[tuple[str, str], int]:
    asked = (
        select(StoredFinding.rule, StoredFinding.table_name, func.count())
        .where(StoredFinding.day == day, StoredFinding.status != FindingStatus.RESOLVED.value)
        .group_by(StoredFinding.rule, StoredFinding.table_name)
    )
    if casino is not None:
        asked = asked.where(StoredFinding.casino == casino)
    return {(rule, table): number for rule, table, number in session.execute(asked)}
