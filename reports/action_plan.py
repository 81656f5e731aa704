"""The action plan: every finding in a row, with blanks for who answers it, by when and how."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from reports.csv_table import csv_bytes
from reports.model import Finding, Run
from reports.verdicts import FindingKind, Severity
from reports.zone import Clock


@dataclass(frozen=True)
class PlanColumn:
    """A column of the plan and how wide it is on a screen; blank ones are filled in by hand."""

    title: str
    width: int
    blank: bool = False


COLUMNS = (
    PlanColumn("No.", 6),
    PlanColumn("Kind", 12),
    PlanColumn("Severity", 10),
    PlanColumn("What happened", 60),
    PlanColumn("When", 26),
    PlanColumn("Table", 12),
    PlanColumn("Round", 10),
    PlanColumn("Dealer", 14),
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
STATUSES = ("open", "in progress", "done", "disputed")
"""What an answer can be at; offered in the workbook."""


def plan_rows(run: Run) -> Iterator[list[str]]:
    """The rows, violations first, then the gravest first, then in order of time."""
    clock = Clock(run.time_zone)
    kinds, gravity = list(FindingKind), list(Severity)
    found = [item for outcome in run.outcomes for item in outcome.findings]
    found.sort(key=lambda item: (kinds.index(item.kind), gravity.index(item.severity)))
    for number, item in enumerate(found, start=1):
        yield _row(number, item, clock)


def render_action_plan_csv(run: Run) -> bytes:
    """The plan as CSV."""
    return csv_bytes([column.title for column in COLUMNS], plan_rows(run))


def _row(number: int, found: Finding, clock: Clock) -> list[str]:
    waiver = found.waiver
    return [
        str(number),
        found.kind.value.replace("_", " "),
        found.severity.value,
        found.sentence,
        clock.moment(found.trigger.ts) if found.trigger else "",
        found.where.get("table", ""),
        found.where.get("round", ""),
        found.where.get("dealer", ""),
        "; ".join(found.citations),
        found.rule,
        found.remedy,
        f"{waiver.authority}, until {waiver.expires}" if waiver else "",
        *("" for column in COLUMNS if column.blank),
        found.fingerprint,
    ]
