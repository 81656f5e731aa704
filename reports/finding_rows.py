"""Every finding as one flat row, for tables: CSV and Parquet."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date, datetime

from reports.model import Finding, Run
from reports.surroundings import Exposure
from reports.zone import Clock

PLACES = ("casino", "pit", "table", "shoe", "round", "dealer", "seat", "player")
Value = str | int | bool | date | datetime | None

COLUMNS: Mapping[str, type] = {
    "kind": str,
    "severity": str,
    "rule": str,
    "title": str,
    "citations": str,
    "edition": date,
    "sentence": str,
    **dict.fromkeys(PLACES, str),
    "other_places": str,
    "amount_cents": int,
    "time": str,
    "moment": datetime,
    "event": str,
    "event_type": str,
    "seq": int,
    "file": str,
    "line": int,
    "witnesses": str,
    "unmet": str,
    "law": str,
    "remedy": str,
    "cured": bool,
    "exposed_until": str,
    "exposed_seconds": int,
    "exposed_rounds": int,
    "exposed_hands": int,
    "exposed_patrons": int,
    "exposed_wagers_cents": int,
    "same_act": str,
    "same_act_rule": str,
    "waived_by": str,
    "waiver_reason": str,
    "waiver_expires": date,
    "fingerprint": str,
}
"""What each column holds. `time` is text on the casino's clock; `moment` is for programs."""

_APART = "; "


def finding_rows(run: Run) -> Iterator[dict[str, Value]]:
    """A row for every finding of every kind, rule by rule and in order of time."""
    clock = Clock(run.time_zone)
    for outcome in run.outcomes:
        for found in outcome.findings:
            yield _row(found, clock)


def _row(found: Finding, clock: Clock) -> dict[str, Value]:
    event, waiver = found.trigger, found.waiver
    others = {name: value for name, value in found.where.items() if name not in PLACES}
    return {
        "kind": found.kind.value,
        "severity": found.severity.value,
        "rule": found.rule,
        "title": found.title,
        "citations": _APART.join(found.citations),
        "edition": found.edition,
        "sentence": found.sentence,
        **{name: found.where.get(name, "") for name in PLACES},
        "other_places": _APART.join(f"{name} {value}" for name, value in others.items()),
        "amount_cents": found.amount_cents,
        "time": clock.moment(event.ts) if event else "",
        "moment": event.ts if event else None,
        "event": event.event_id if event else "",
        "event_type": event.type if event else "",
        "seq": event.seq if event else None,
        "file": found.file,
        "line": found.line,
        "witnesses": _APART.join(f"{item.part} {item.event_id}" for item in found.witnesses),
        "unmet": _APART.join(found.unmet),
        "law": found.law,
        "remedy": found.remedy,
        **_exposed(found.exposure),
        "same_act": found.same_act.fingerprint if found.same_act else "",
        "same_act_rule": found.same_act.rule if found.same_act else "",
        "waived_by": waiver.authority if waiver else "",
        "waiver_reason": waiver.reason if waiver else "",
        "waiver_expires": waiver.expires if waiver else None,
        "fingerprint": found.fingerprint,
    }


def _exposed(exposure: Exposure | None) -> dict[str, Value]:
    """What was not measured or not recorded stays empty: it is not zero."""
    return {
        "cured": exposure.cured if exposure else None,
        "exposed_until": exposure.until if exposure else "",
        "exposed_seconds": exposure.seconds if exposure else None,
        "exposed_rounds": exposure.rounds if exposure else None,
        "exposed_hands": exposure.hands if exposure else None,
        "exposed_patrons": exposure.patrons if exposure else None,
        "exposed_wagers_cents": exposure.wagered_cents if exposure else None,
    }
