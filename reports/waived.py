"""Marks the findings that a waiver covers; none is taken away, and the exit code stays the same."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fnmatch import fnmatchcase

from reports.model import Finding, Run
from reports.packed import Packed
from reports.waiver import Waiver
from reports.zone import in_zone


def waived(run: Run, waivers: Sequence[Waiver]) -> Run:
    """The run with its findings marked, and every waiver with the number of those it covers."""
    if not waivers:
        return run
    covered: Counter[int] = Counter()
    too_late: Counter[int] = Counter()

    def marked(found: Finding) -> Finding:
        named = [number for number, waiver in enumerate(waivers) if _names(waiver, found)]
        in_time = [number for number in named if _in_time(waivers[number], found, run.time_zone)]
        too_late.update(set(named) - set(in_time))
        if not in_time:
            return found
        covered[in_time[0]] += 1
        return found.model_copy(update={"waiver": waivers[in_time[0]]})

    outcomes = tuple(
        outcome.model_copy(update={"findings": Packed.of(Finding, map(marked, outcome.findings))})
        for outcome in run.outcomes
    )
    counted = tuple(
        waiver.model_copy(update={"findings": covered[number], "expired": too_late[number]})
        for number, waiver in enumerate(waivers)
    )
    return run.model_copy(update={"outcomes": outcomes, "waivers": counted})


def _names(waiver: Waiver, found: Finding) -> bool:
    if waiver.fingerprint:
        return found.fingerprint.startswith(waiver.fingerprint)
    table = found.where.get("table", "")
    return found.rule == waiver.rule and fnmatchcase(table, waiver.table or "*")


def _in_time(waiver: Waiver, found: Finding, zone: str) -> bool:
    """Whether it happened by the waiver's last day, as the casino counts days."""
    return found.trigger is not None and in_zone(found.trigger.ts, zone).date() <= waiver.expires
