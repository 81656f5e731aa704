"""The messages of a batch: one for each night and channel, retried, and never sent twice.

What is to be sent stands in the store before it is sent, and what was sent, after it. If a batch is
killed in between, nobody knows whether the message arrived: it is not sent again, and that is told.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from compliance.batch.outcome import BatchOutcome, NightOutcome
from compliance.batch.published import night_folder
from compliance.batch.settings import RESULT, BatchSettings
from compliance.batch.telling import BatchTold
from compliance.notices import (
    Delivered,
    NightSummary,
    NoticeSettings,
    Secrets,
    build_notice,
    deliver,
)
from compliance.store.opening import Store
from compliance.store.tables import Delivery, DeliveryState, NightRun
from reports.summary import Summary
from reports.summing_up import verdict_sentence
from reports.verdicts import Severity

NIGHT = "night"
FAILURE = "failure"
PAUSES = (5.0, 30.0)
"""Seconds before a message is tried again; the next batch tries once more."""


def intend(
    session: Session, settings: BatchSettings, summary: NightSummary, about: str, run: int | None
) -> None:
    """Note what is to be said of a night, unless it was noted before."""
    for channel in settings.notify:
        key = (summary.casino, summary.day, channel.name, about)
        if channel.wants(summary) and session.get(Delivery, key) is None:
            session.add(
                Delivery(
                    casino=summary.casino,
                    day=summary.day,
                    channel=channel.name,
                    about=about,
                    run=run,
                    sentence=summary.sentence if run is None else "; ".join(summary.remarks),
                    state=DeliveryState.INTENDED.value,
                    attempts=0,
                    at=datetime.now(UTC),
                    reason="",
                )
            )


def intend_for_run(session: Session, settings: BatchSettings, run: NightRun) -> None:
    """A night is told when it was judged first, and again only where something new was found."""
    summary = summary_of_run(settings, run)
    if run.revision == 1:
        intend(session, settings, summary, NIGHT, run.number)
        return
    if not any(summary.new.values()):
        return
    only_new = replace(summary, violations=summary.new, defects=0, quarantined=0)
    intend(session, settings, only_new, f"revision {run.revision}", run.number)


def intend_failures(store: Store, settings: BatchSettings, outcome: BatchOutcome) -> None:
    """A night that has no verdict is told, too: silence is not a clean night."""
    if not settings.notify:
        return
    with store.writing() as session:
        for summary in _failures(outcome):
            intend(session, settings, summary, FAILURE, None)


def _failures(outcome: BatchOutcome) -> Iterator[NightSummary]:
    for night in outcome.nights:
        if night.changes is None:
            yield _failure(night)
    for casino, day in outcome.missing:
        sentence = "There is no log of this day"
        yield NightSummary(casino=casino, day=day, verdict="failed", sentence=sentence)


def _failure(night: NightOutcome) -> NightSummary:
    return NightSummary(
        casino=night.casino, day=night.day, verdict="failed", sentence=night.sentence
    )


def send_messages(
    store: Store, settings: BatchSettings, told: BatchTold, remarks: Sequence[str] = ()
) -> bool:
    """Send what is to be sent, with remarks that each reader has to know; whether all of it was
    taken."""
    channels = {channel.name: channel for channel in settings.notify}
    secrets = Secrets(settings.home)
    _give_up_interrupted(store, told)
    with store.reading() as session:
        waiting = session.execute(
            select(Delivery.casino, Delivery.day, Delivery.channel, Delivery.about)
            .where(Delivery.state == DeliveryState.INTENDED.value)
            .order_by(Delivery.day, Delivery.casino, Delivery.channel, Delivery.about)
        ).all()
    good = True
    for key in waiting:
        channel = channels.get(key.channel)
        if channel is not None:
            good &= _send(store, settings, channel, tuple(key), secrets, told, remarks)
    return good


def _send(
    store: Store,
    settings: BatchSettings,
    channel: NoticeSettings,
    key: tuple[object, ...],
    secrets: Secrets,
    told: BatchTold,
    remarks: Sequence[str],
) -> bool:
    casino, day, *_ = key
    for pause in (*PAUSES, None):
        with store.writing() as session:
            row = session.get_one(Delivery, key)
            row.state, row.attempts = DeliveryState.SENDING.value, row.attempts + 1
            row.at = datetime.now(UTC)
            summary = _summary_of(session, settings, row)
            summary = replace(summary, remarks=(*summary.remarks, *remarks))
        # What was intended is sent, whatever the policy says by now.
        notice = build_notice(summary, channel.model_copy(update={"clean_nights": True}))
        assert notice is not None
        answer = deliver(notice, channel, secrets)
        with store.writing() as session:
            row = session.get_one(Delivery, key)
            row.at = datetime.now(UTC)
            if isinstance(answer, Delivered):
                row.state, row.reason = DeliveryState.SENT.value, "; ".join(answer.remarks)
            else:
                again = answer.worth_retrying and not answer.perhaps_sent
                row.state = (DeliveryState.INTENDED if again else DeliveryState.FAILED).value
                row.reason = answer.reason
        if isinstance(answer, Delivered):
            told.say("info", "message_sent", f"{casino}, {day}: {channel.name} was told.")
            return True
        said = f"{casino}, {day}: {channel.name} was not told: {answer.reason}"
        told.say("error", "message_failed", said)
        if not again or pause is None:
            return False
        time.sleep(pause)
    return False


def _give_up_interrupted(store: Store, told: BatchTold) -> None:
    with store.writing() as session:
        for row in session.scalars(
            select(Delivery).where(Delivery.state == DeliveryState.SENDING.value)
        ):
            row.state = DeliveryState.FAILED.value
            row.reason = "The batch was ended while it was sent; it may have arrived."
            said = f"{row.casino}, {row.day}: {row.channel} may not have been told. {row.reason}"
            told.say("error", "message_in_doubt", said)


def _summary_of(session: Session, settings: BatchSettings, row: Delivery) -> NightSummary:
    if row.run is None:
        return NightSummary(casino=row.casino, day=row.day, verdict="failed", sentence=row.sentence)
    return summary_of_run(settings, session.get_one(NightRun, row.run))


def summary_of_run(settings: BatchSettings, run: NightRun) -> NightSummary:
    """What a run came to, as the store has it."""
    summary = Summary.model_validate(run.summary)
    told = run.told
    remarks = list(told["remarks"])
    if run.revision > 1:
        remarks.insert(0, f"It was judged again ({run.cause}).")
    casino = next((item for item in settings.casino if item.name == run.casino), None)
    reports: list[str] = [] if casino is None else [*settings.outputs.files, RESULT]
    folder = None if casino is None else night_folder(settings.reports, casino, run.day)
    return NightSummary(
        casino=run.casino,
        day=run.day,
        verdict=summary.verdict.value,
        sentence=verdict_sentence(summary),
        violations={Severity(name): number for name, number in told["violations"].items()},
        new={Severity(name): number for name, number in told["new_violations"].items()},
        recurring=told["recurring"],
        resolved=told["resolved"],
        reopened=told["reopened"],
        waived=told["waived"],
        defects=summary.defects,
        undetermined=summary.checks_undetermined,
        quarantined=run.quarantined,
        events=run.events,
        tables=told["tables"],
        remarks=tuple(remarks),
        reports=() if folder is None else tuple(folder / name for name in reports),
        command=f"compliance findings list --since {run.day} --until {run.day}",
    )
