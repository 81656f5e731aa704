"""Judges a night if it is due: check, store, reports, in this order, each whole or not at all."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import Final

from compliance.api.opened_request import files_consulted
from compliance.batch.archived import archive_night
from compliance.batch.due_nights import CasinoDay, cause, left_before, refreshed
from compliance.batch.messages import intend_for_run
from compliance.batch.night_check import (
    OpenedCasino,
    check_night,
    goes_on,
    kept_alone,
    with_waivers,
)
from compliance.batch.night_logs import logs_of
from compliance.batch.outcome import NightOutcome
from compliance.batch.published import fresh_aside, night_folder, publish, written_files
from compliance.batch.settings import BatchSettings, Casino
from compliance.batch.telling import BatchTold
from compliance.store.night_record import JudgedNight, NightChanges, UsedFile, record_night
from compliance.store.opening import Store
from compliance.store.rulebook_history import RulesApplied
from compliance.store.tables import KeptNight, NightRun
from compliance.store.waiver_record import waivers_of

_ANEW: Final = "It begins anew: what {} left open is not decided."


def judge_if_due(
    settings: BatchSettings,
    store: Store,
    opened: OpenedCasino,
    proof: str,
    today: CasinoDay,
    told: BatchTold,
) -> NightOutcome | None:
    casino = opened.casino
    used, known = refreshed(today), today.known
    with store.reading() as session:
        left = left_before(session, casino, today.day)
        kept = None if left is None else session.get(KeptNight, left.kept)
        before = None if kept is None else kept.content
        waivers = waivers_of(session, casino.name)
    proof = with_waivers(proof, waivers)
    why = cause(today, used, None if left is None else left.kept, proof)
    if why is None and known is not None and not known.published:
        why = "its reports were lost"
    if why is None:
        return None
    if not today.logs:
        sentence = f"{casino.name}, {today.day}: it must be judged again, and its logs are gone."
        told.say("warning", "logs_gone", sentence, casino=casino.name, day=today.day)
        return None
    with told.night(casino.name, today.day, why) as progress:
        aside = fresh_aside(settings.reports, casino, today.day)
        joined, remark = _joined(settings, opened, today.day, left, before, aside)
        place = night_folder(settings.reports, casino, today.day)
        checked = check_night(
            opened, today.logs, joined, waivers, settings.outputs.files, aside, place, progress
        )
        judged = JudgedNight(
            casino=casino.name,
            day=today.day,
            cause=why,
            run=checked.run,
            result=checked.result,
            exit_code=checked.exit_code,
            rules=rules_of(settings, opened),
            settings=proof,
            before=None if left is None else left.kept,
            joined=joined,
            kept=checked.kept,
            files=(*used, *_consulted(opened), *written_files(aside)),
            remarks=(*remark, *checked.remarks),
            seconds=checked.seconds,
            follows=None if known is None else known.run,
        )
        with store.writing() as session:
            changes = record_night(session, judged)
            intend_for_run(session, settings, session.get_one(NightRun, changes.number))
        archive_night(settings, opened, today.day, today.logs)
        with store.writing() as session:
            publish(session, settings.reports, casino, today.day)
    return _judged(casino, today, why, judged, changes, told)


def _judged(
    casino: Casino,
    today: CasinoDay,
    why: str,
    judged: JudgedNight,
    changes: NightChanges,
    told: BatchTold,
) -> NightOutcome:
    numbers = ", ".join(f"{number:,} {word}" for word, number in changes.counts.items() if number)
    sentence = f"{casino.name}, {today.day}: {numbers or 'nothing found'}."
    events = sum(source.events for source in judged.run.inputs)
    told.say(
        "info",
        "night_judged",
        sentence,
        casino=casino.name,
        day=today.day,
        run=changes.number,
        revision=changes.revision,
        cause=why,
        exit_code=judged.exit_code,
        seconds=round(judged.seconds, 3),
        events=events,
        **changes.counts,
    )
    for remark in judged.remarks:
        said = f"{casino.name}, {today.day}: {remark}"
        told.say("warning", "remark", said, casino=casino.name, day=today.day)
    return NightOutcome(
        casino.name,
        today.day,
        why,
        judged.exit_code,
        changes,
        sentence,
        judged.seconds,
        events,
    )


def _joined(
    settings: BatchSettings,
    opened: OpenedCasino,
    day: date,
    left: NightRun | None,
    before: bytes | None,
    aside: Path,
) -> tuple[bytes | None, Sequence[str]]:
    """What a night goes on from, and what a reader must know about it."""
    if left is None:
        first = day == opened.casino.first_day
        return None, () if first else (_ANEW.format(f"the nights before {day}"),)
    if before is not None and goes_on(opened, before, aside):
        return before, ()
    # Other rules, or what was kept is dropped: the night before is judged by the rules of today,
    # only for what it leaves open.
    logs = logs_of(opened.casino, left.day, settings.home)
    if not logs:
        return None, (_ANEW.format(left.day),)
    told = f"What {left.day} left open was judged anew by the rules of today."
    return kept_alone(opened, logs, aside), (told,)


def rules_of(settings: BatchSettings, opened: OpenedCasino) -> RulesApplied:
    """The rules of a casino, with who answers for them."""
    words = settings.rulebook
    return RulesApplied(
        opened.settings.rulebook, words.author, words.reviewer, words.reason, words.renamed
    )


def _consulted(opened: OpenedCasino) -> tuple[UsedFile, ...]:
    return tuple(
        UsedFile(
            role, path.name, hashlib.sha256(path.read_bytes()).hexdigest(), path.stat().st_size
        )
        for _, role, path in files_consulted(opened.request)
        if path is not None
    )
