"""Which nights of a casino are to be judged, and why: what is new, what was changed, what follows.

A night is judged again where its files are others than it was judged by, or where the night before
left something else than it did. Nothing else makes a night due, unless days are named.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from sqlalchemy import select
from sqlalchemy.orm import Session

from compliance.api.refusal import Refused
from compliance.batch.night_logs import LOG, LogFile, contents, logs_of, used_files
from compliance.batch.settings import BatchSettings, Casino
from compliance.store.night_record import UsedFile
from compliance.store.tables import Night, NightFile, NightRun
from compliance.values.gaming_day import days


@dataclass(frozen=True)
class Asked:
    """Which days are meant, where somebody names some."""

    only: date | None = None
    since: date | None = None

    @property
    def first(self) -> date | None:
        """The first day that is looked at."""
        return self.only or self.since

    def named(self, day: date) -> bool:
        """Whether a day is asked for by name, so that new rules make it due, too."""
        if self.only is not None:
            return day == self.only
        return self.since is not None and day >= self.since


@dataclass(frozen=True)
class KnownNight:
    """The check of a night that holds."""

    run: int
    before: str | None
    kept: str
    settings: str
    files: tuple[UsedFile, ...]
    published: bool


@dataclass(frozen=True)
class CasinoDay:
    """A day of a casino: its files, and what the store has of it."""

    casino: Casino
    day: date
    logs: tuple[LogFile, ...]
    known: KnownNight | None
    named: bool
    unreadable: Refused | None = None
    """Why its files cannot even be listed."""

    @property
    def closed(self) -> bool:
        """Whether nobody played, so that there is no log."""
        return self.day in self.casino.closed and not (self.logs or self.known or self.unreadable)

    @property
    def missing(self) -> bool:
        """Whether there should be a log and is none."""
        return not (self.logs or self.known or self.closed or self.unreadable)


def casino_days(
    session: Session, settings: BatchSettings, casino: Casino, now: datetime, asked: Asked
) -> Iterator[CasinoDay]:
    """The days of a casino that are over, in their order."""
    last = min(casino.clock.last_over(now), casino.last_day or date.max)
    known = dict(known_nights(session, casino.name))
    first = max(casino.first_day, asked.first or casino.first_day)
    for day in days(first, last):
        try:
            logs, unreadable = logs_of(casino, day, settings.home), None
        except Refused as refusal:
            logs, unreadable = (), refusal
        yield CasinoDay(casino, day, logs, known.get(day), asked.named(day), unreadable)


def day_before(session: Session, casino: Casino, day: date) -> date | None:
    """The day whose night a night goes on from; days on which nobody played are passed over."""
    before = day - timedelta(days=1)
    while before >= casino.first_day:
        if session.get(Night, (casino.name, before)) is not None:
            return before
        if before not in casino.closed:
            return None
        before -= timedelta(days=1)
    return None


def left_before(session: Session, casino: Casino, day: date) -> NightRun | None:
    """The run of the night before."""
    before = day_before(session, casino, day)
    if before is None:
        return None
    night = session.get_one(Night, (casino.name, before))
    return session.get_one(NightRun, night.run)


def cause(
    today: CasinoDay, used: tuple[UsedFile, ...], before: str | None, settings: str
) -> str | None:
    """Why a night is to be judged, or nothing where it need not be."""
    known = today.known
    if known is None:
        return "a new night"
    changed = _difference(known.files, used)
    if changed:
        return changed
    if known.before != before:
        return "the night before left something else"
    if today.named and known.settings != settings:
        return "other rules, options or settings"
    return None


def _difference(before: tuple[UsedFile, ...], now: tuple[UsedFile, ...]) -> str:
    """How the files of a night differ from those that it was judged by."""
    if contents(before) == contents(now):
        return ""
    old, new = {item.name: item.sha256 for item in before}, {item.name: item.sha256 for item in now}
    parts = (
        ("late", [name for name in new if name not in old]),
        ("corrected", [name for name in new if name in old and old[name] != new[name]]),
        ("gone", [name for name in old if name not in new]),
    )
    return "; ".join(f"{word}: {', '.join(names)}" for word, names in parts if names)


def known_nights(session: Session, casino: str) -> Iterator[tuple[date, KnownNight]]:
    """The nights of a casino that were judged."""
    files: dict[int, list[UsedFile]] = {}
    for row in session.scalars(
        select(NightFile)
        .join(Night, Night.run == NightFile.run)
        .where(Night.casino == casino, NightFile.role == LOG)
        .order_by(NightFile.run, NightFile.name)
    ):
        used = UsedFile(row.role, row.name, row.sha256, row.size, row.stamp)
        files.setdefault(row.run, []).append(used)
    for night, run in session.execute(
        select(Night, NightRun)
        .join(NightRun, NightRun.number == Night.run)
        .where(Night.casino == casino)
        .order_by(Night.day)
    ):
        yield (
            night.day,
            KnownNight(
                run.number,
                run.before,
                run.kept,
                run.settings,
                tuple(files.get(run.number, ())),
                night.published,
            ),
        )


def refreshed(today: CasinoDay) -> tuple[UsedFile, ...]:
    """The files of a day with their hashes. Files that are gone for good leave a night as it is."""
    if today.unreadable is not None:
        raise today.unreadable
    known = () if today.known is None else today.known.files
    return used_files(today.logs, known) if today.logs else known
