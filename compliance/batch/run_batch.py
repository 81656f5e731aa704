"""The night's work from beginning to end: every night that is due is judged once, and told.

Each night is one transaction. Its reports are written aside before it and put into their place
after it, so that a batch may be killed at any moment: the next one ends where this one would have.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from sqlalchemy import select

from compliance.api.opened_request import opened as opened_file
from compliance.api.refusal import Refused
from compliance.batch.archived import archive_night
from compliance.batch.due_nights import (
    Asked,
    CasinoDay,
    casino_days,
)
from compliance.batch.messages import intend_failures, send_messages
from compliance.batch.night_check import (
    OpenedCasino,
    open_casino,
)
from compliance.batch.night_judgement import judge_if_due, rules_of
from compliance.batch.night_logs import logs_of
from compliance.batch.outcome import BatchOutcome, NightOutcome, missing_sentences
from compliance.batch.published import (
    ReportsLost,
    publish,
    throw_away_unfinished,
)
from compliance.batch.retention import drop_old
from compliance.batch.settings import BatchSettings, Casino
from compliance.batch.telling import BatchTold
from compliance.checking.waiver_file import load_waivers
from compliance.store.audit import add_entry, audit_head
from compliance.store.migrating import bring_up_to_date
from compliance.store.night_record import (
    ACTOR,
)
from compliance.store.opening import Store
from compliance.store.rulebook_history import record_rulebook
from compliance.store.tables import Night
from compliance.store.waiver_record import (
    mark_waived,
    soon_expired,
    standing,
    take_from_file,
)


def run_batch(
    settings: BatchSettings,
    store: Store,
    asked: Asked,
    now: datetime,
    told: BatchTold,
    *,
    clock_is_right: bool = False,
) -> BatchOutcome:
    """Judge every night that is due."""
    outcome = BatchOutcome()
    opened = [open_casino(settings, casino) for casino in settings.casino]
    with store.alone():
        _prepare(store, settings, now, told, clock_is_right=clock_is_right)
        _finish_publishing(settings, store, opened, told, outcome)
        for casino in opened:
            with store.writing() as session:
                record_rulebook(session, rules_of(settings, casino), ACTOR)
            _take_waivers(settings, store, casino)
        with store.writing() as session:
            mark_waived(session)
        for casino in opened:
            _judge_casino(settings, store, casino, asked, now, told, outcome)
        for sentence in missing_sentences(outcome.missing):
            told.say("error", "log_missing", sentence)
        drop_old(settings, store, now)
        ending = _waivers_ending(store, now, told)
        intend_failures(store, settings, outcome)
        outcome.untold = not send_messages(store, settings, told, ending)
    return outcome


def _prepare(
    store: Store, settings: BatchSettings, now: datetime, told: BatchTold, *, clock_is_right: bool
) -> None:
    """Tables in today's form, and a clock that can be believed."""
    before = bring_up_to_date(store)
    with store.reading() as session:
        head = audit_head(session)
    if head is not None and now < head.at - timedelta(minutes=5) and not clock_is_right:
        raise Refused(
            f"The clock of this machine says {now:%Y-%m-%d %H:%M} UTC, and the store was written "
            f"at {head.at:%Y-%m-%d %H:%M} UTC: it was set back. Nothing was judged.",
            hint="Set the clock right; or say --clock-is-right if it was wrong before.",
        )
    if before is not None:
        with store.writing() as session:
            add_entry(session, ACTOR, "store brought up to date", store.shown, {"from": before})
        told.say("info", "store_migrated", f"The store was brought up to date from form {before}.")


def _finish_publishing(
    settings: BatchSettings,
    store: Store,
    opened: Sequence[OpenedCasino],
    told: BatchTold,
    outcome: BatchOutcome,
) -> None:
    """Put into their place what a batch that was killed had written aside."""
    with store.reading() as session:
        waiting = session.execute(
            select(Night.casino, Night.day).where(Night.published.is_(False)).order_by(Night.day)
        ).all()
    by_name = {item.casino.name: item for item in opened}
    for name, day in waiting:
        if name not in by_name:
            continue
        try:
            casino = by_name[name].casino
            archive_night(settings, by_name[name], day, logs_of(casino, day, settings.home))
            with store.writing() as session:
                publish(session, settings.reports, casino, day)
            outcome.published += 1
            told.say("info", "reports_published", f"{name}, {day}: its reports are in place.")
        except ReportsLost:
            told.say("warning", "reports_lost", f"{name}, {day}: its reports are gone.")
    throw_away_unfinished(settings.reports)


def _take_waivers(settings: BatchSettings, store: Store, opened: OpenedCasino) -> None:
    """Bring the waivers of a casino's file into the store."""
    path = settings.path(opened.casino.waivers)
    found = opened_file(load_waivers, path, opened.settings.rulebook) or ()
    with store.writing() as session:
        take_from_file(session, opened.casino.name, found, ACTOR)


def _waivers_ending(store: Store, now: datetime, told: BatchTold) -> list[str]:
    """Whoever granted a waiver must be asked again in time."""
    with store.reading() as session:
        sentences = [
            f"Waiver {row.number} ({row.rule or row.fingerprint[:12]}) ends with {row.expires}."
            for row in soon_expired(standing(session), now.date())
        ]
    for sentence in sentences:
        told.say("warning", "waiver_ending", sentence)
    return sentences


def _judge_casino(
    settings: BatchSettings,
    store: Store,
    opened: OpenedCasino,
    asked: Asked,
    now: datetime,
    told: BatchTold,
    outcome: BatchOutcome,
) -> None:
    casino = opened.casino
    proof = opened.proof
    with store.reading() as session:
        listed = list(casino_days(session, settings, casino, now, asked))
    follows = asked.only is None
    for today in listed:
        if today.day != asked.only and not follows:
            continue
        if today.missing:
            outcome.missing.append((casino.name, today.day))
            continue
        if today.closed:
            continue
        try:
            night = judge_if_due(settings, store, opened, proof, today, told)
        except Refused as refusal:
            night = _refused(casino, today, refusal, told, store)
        if night is not None:
            outcome.nights.append(night)
            # Days after a named one are looked at as long as it changes something.
            follows = True
        elif asked.only is not None:
            follows = False


def _refused(
    casino: Casino, today: CasinoDay, refusal: Refused, told: BatchTold, store: Store
) -> NightOutcome:
    """One night that cannot be judged keeps no other from it; a store that is gone does."""
    if refusal.__cause__ is not None:
        raise refusal
    sentence = f"{casino.name}, {today.day}: {refusal}"
    told.say("error", "night_failed", sentence, casino=casino.name, day=today.day)
    return NightOutcome(casino.name, today.day, "", refusal.code, sentence=sentence)
