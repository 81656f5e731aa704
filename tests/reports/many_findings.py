"""Runs with very many findings, to see that a report stays small and quick."""

from __future__ import annotations

from datetime import timedelta

from reports.fingerprint import fingerprint
from reports.model import Counts, Finding, RuleOutcome, Run
from reports.surroundings import Timeline
from reports.verdicts import RuleStatus
from tests.reports.sample import ARRIVED, DEALT, EXPOSURE, burn_outcome, run_of, shown, unburned

TIMELINES = 25
LONG = Timeline(
    events=tuple(
        shown(f"e-{n}", f"20:00:{n:02d}", "card_dealt", n, "counted", "seat 1, to player", "9S")
        for n in range(24)
    ),
    missing="no card_burned",
    missing_from=1,
    missing_to=20,
)
"""As long as a timeline gets."""


def many(rules: int, findings: int) -> Run:
    """A run in which each of many rules was broken often."""
    return run_of(*(_outcome(f"rule-{number}", findings) for number in range(rules)))


def _outcome(rule: str, findings: int) -> RuleOutcome:
    base = burn_outcome()
    return RuleOutcome(
        rule=rule,
        title=f"The duty of {rule}",
        citations=base.citations,
        severity=base.severity,
        status=RuleStatus.VIOLATED,
        counts=Counts(violated=findings),
        findings=tuple(_finding(rule, number) for number in range(findings)),
    )


def _finding(rule: str, number: int) -> Finding:
    event = DEALT.model_copy(
        update={
            "event_id": f"e-{number}",
            "seq": number,
            "ts": DEALT.ts + timedelta(seconds=number),
            "table": f"BJ-{number % 150}",
        }
    )
    name = fingerprint(
        rule=rule, edition=None, casino="", table=event.table, slice={}, trigger=event.event_id
    )
    return unburned(event, ARRIVED, dealer=f"D{number % 400}").model_copy(
        update={
            "rule": rule,
            "fingerprint": name,
            "timeline": LONG if number < TIMELINES else None,
            "exposure": EXPOSURE,
        }
    )
