"""The action plan: every finding in a row, with blanks for who answers it, by when and how."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from event_schemas import format_money
from reports.answer import Answer, by_fingerprint
from reports.csv_table import csv_bytes
from reports.model import Finding, Run
from reports.shown import numbered
from reports.zone import Clock


@dataclass(frozen=True)
class PlanColumn:
    """A column of the plan and how wide it is on a screen; blank ones are filled in by hand."""

    title: str
    width: int
    blank: bool = False


COLUMNS = (
    PlanColumn("No.", 8),
    PlanColumn("Kind", 12),
    PlanColumn("Severity", 10),
    PlanColumn("What happened", 60),
    PlanColumn("When", 26),
    PlanColumn("Table", 12),
    PlanColumn("Round", 10),
    PlanColumn("Dealer", 14),
    PlanColumn("Seat", 8),
    PlanColumn("Patron", 14),
    PlanColumn("Amount", 12),
    PlanColumn("Law", 30),
    PlanColumn("Rule", 36),
    PlanColumn("Recommendation", 50),
    PlanColumn("Waived", 30),
    PlanColumn("Owner", 20, blank=True),
    PlanColumn("Due date", 14, blank=True),
    PlanColumn("Response", 50, blank=True),
    PlanColumn("Status", 14, blank=True),
    PlanColumn("Fingerprint", 66),
)


def plan_rows(run: Run) -> Iterator[list[str]]:
    """The rows in the order of the report, with its numbers, and with what was answered so far."""
    clock = Clock(run.time_zone)
    answers = by_fingerprint(run.answers)
    for number, item in numbered(run):
        yield _row(number, item, answers.get(item.fingerprint), clock)


def render_action_plan_csv(run: Run) -> bytes:
    """The plan as CSV."""
    return csv_bytes([column.title for column in COLUMNS], plan_rows(run))


def _row(number: str, found: Finding, answer: Answer | None, clock: Clock) -> list[str]:
    waiver = found.waiver
    return [
        number,
        found.kind.value.replace("_", " "),
        found.severity.value,
        found.sentence,
        clock.moment(found.trigger.ts) if found.trigger else "",
        found.where.get("table", ""),
        found.where.get("round", ""),
        found.where.get("dealer", ""),
        found.where.get("seat", ""),
        found.where.get("player", ""),
        "" if found.amount_cents is None else format_money(found.amount_cents),
        "; ".join(found.citations),
        found.rule,
        found.remedy,
        f"{waiver.authority}, until {waiver.expires}" if waiver else "",
        answer.owner if answer else "",
        answer.due.isoformat() if answer and answer.due else "",
        answer.response if answer else "",
        answer.status if answer else "",
        found.fingerprint,
    ]
