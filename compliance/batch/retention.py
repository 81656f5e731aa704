"""Drops what can be made again when it is old enough; findings and people's words are kept."""

from __future__ import annotations

import shutil
from datetime import datetime, timedelta

from sqlalchemy import delete, select

from compliance.batch.published import night_folder
from compliance.batch.settings import BatchSettings
from compliance.store.opening import Store
from compliance.store.tables import KeptNight, Night, NightRun


def drop_old(settings: BatchSettings, store: Store, now: datetime) -> None:
    """Drop what nights left for those after them, and reports, beyond the days that are kept."""
    words = settings.retention
    for casino in settings.casino:
        last = casino.clock.last_over(now)
        if words.reports_days is not None:
            oldest = last - timedelta(days=words.reports_days)
            with store.reading() as session:
                days = session.scalars(
                    select(Night.day).where(Night.casino == casino.name, Night.day <= oldest)
                ).all()
            for day in days:
                shutil.rmtree(night_folder(settings.reports, casino, day), ignore_errors=True)
    oldest = min(casino.clock.last_over(now) for casino in settings.casino)
    needed = (
        select(NightRun.kept)
        .join(Night, Night.run == NightRun.number)
        .where(Night.day > oldest - timedelta(days=words.joining_days))
    )
    with store.writing() as session:
        session.execute(delete(KeptNight).where(KeptNight.sha256.not_in(needed)))
