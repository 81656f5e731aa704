"""Counts behind the charts: how many violations by rule, table, dealer and hour of the day.

Bars are split by severity, each with its own pattern, so that they can be read in black and white.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from reports.model import Finding
from reports.verdicts import Severity
from reports.zone import Clock

MOST_BARS = 12
"""How many bars a chart has before the rest are put together."""
FIRST_HOUR = 6
"""A gaming day begins in the morning, so that a night is not cut in two."""
NOT_RECORDED = "not recorded"
Counts = Counter[tuple[str, Severity]]
"""How many findings of each severity have a name in common."""


@dataclass(frozen=True)
class Segment:
    """A part of a bar, in percent of the longest bar of its chart."""

    severity: Severity
    number: int
    start: float
    length: float


@dataclass(frozen=True)
class Bar:
    """One bar with its name."""

    name: str
    number: int
    segments: tuple[Segment, ...]
    """Empty for what is only counted."""


@dataclass(frozen=True)
class Chart:
    """Bars that are compared with each other."""

    title: str
    bars: tuple[Bar, ...]


def charts(findings: Iterable[Finding]) -> tuple[Chart, ...]:
    """Violations by rule, by table and by dealer, the longest bar first."""
    rules, tables, dealers = Counts(), Counts(), Counts()
    for found in findings:
        rules[found.title, found.severity] += 1
        tables[_place(found, "table"), found.severity] += 1
        dealers[_place(found, "dealer"), found.severity] += 1
    return (
        _ranked("By rule", "rules", rules),
        _ranked("By table", "tables", tables),
        _ranked("By dealer", "dealers", dealers),
    )


def by_hour(findings: Iterable[Finding], clock: Clock) -> Chart:
    """Violations by the hour on the casino's clock, from morning to morning."""
    counts = Counts()
    for found in findings:
        if found.trigger is not None:
            counts[f"{clock.here(found.trigger.ts).hour:02d}", found.severity] += 1
    hours = [f"{(FIRST_HOUR + step) % 24:02d}" for step in range(24)]
    return Chart("By hour of the day", _bars(hours, counts))


def _place(found: Finding, name: str) -> str:
    return found.where.get(name) or NOT_RECORDED


def _ranked(title: str, many: str, counts: Counts) -> Chart:
    totals: Counter[str] = Counter()
    for (name, _), number in counts.items():
        totals[name] += number
    ranked = sorted(totals, key=lambda name: (name == NOT_RECORDED, -totals[name], name))
    if len(ranked) <= MOST_BARS:
        return Chart(title, _bars(ranked, counts))
    kept, others = ranked[: MOST_BARS - 1], ranked[MOST_BARS - 1 :]
    # Without a bar: it would be longer than all others and say nothing.
    rest = Bar(f"{len(others):,} other {many}", sum(totals[name] for name in others), ())
    return Chart(title, (*_bars(kept, counts), rest))


def _bars(names: Sequence[str], counts: Counts) -> tuple[Bar, ...]:
    totals = {name: sum(counts[name, severity] for severity in Severity) for name in names}
    longest = max(totals.values(), default=0) or 1
    bars = []
    for name in names:
        segments = []
        before = 0
        for severity in Severity:
            number = counts[name, severity]
            if number:
                share = 100 / longest
                start, length = round(before * share, 3), round(number * share, 3)
                segments.append(Segment(severity, number, start, length))
            before += number
        bars.append(Bar(name, totals[name], tuple(segments)))
    return tuple(bars)
