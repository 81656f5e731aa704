"""What a batch would do: the nights that are due, and the logs that are missing."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date, datetime

from sqlalchemy import create_engine
from sqlalchemy.orm import Session

from compliance.api.refusal import Refused
from compliance.batch.due_nights import Asked, casino_days, cause, left_before, refreshed
from compliance.batch.night_check import open_casino, with_waivers
from compliance.batch.settings import BatchSettings
from compliance.store.migrating import refuse_other_forms
from compliance.store.opening import Store
from compliance.store.tables import Base
from compliance.store.waiver_record import waivers_of


@dataclass(frozen=True)
class DueNight:
    """A night that a batch would judge, and why."""

    casino: str
    day: date
    cause: str


def nights_due(
    settings: BatchSettings, store: Store, asked: Asked, now: datetime
) -> tuple[list[DueNight], list[tuple[str, date]]]:
    """What would be judged. What follows from it shows only when it is."""
    due: list[DueNight] = []
    missing: list[tuple[str, date]] = []
    for casino in settings.casino:
        proof = open_casino(settings, casino).proof
        with _as_it_is(store) as session:
            proof = with_waivers(proof, waivers_of(session, casino.name))
            for today in casino_days(session, settings, casino, now, asked):
                if asked.only is not None and today.day != asked.only:
                    continue
                if today.missing:
                    missing.append((casino.name, today.day))
                elif not today.closed:
                    before = left_before(session, casino, today.day)
                    left = None if before is None else before.kept
                    try:
                        why = cause(today, refreshed(today), left, proof)
                    except Refused as refusal:
                        why = str(refusal)
                    if why is not None:
                        due.append(DueNight(casino.name, today.day, why))
    return due, missing


@contextmanager
def _as_it_is(store: Store) -> Iterator[Session]:
    """The store, or an empty one where there is none yet: to look makes none."""
    if store.file is None or store.file.exists():
        refuse_other_forms(store)
        with store.reading() as session:
            yield session
        return
    engine = create_engine("sqlite://")
    Base.metadata.create_all(engine)
    with Session(engine) as session:
        yield session
