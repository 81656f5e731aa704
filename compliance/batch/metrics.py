"""Numbers of the last batch for Prometheus, in a file that its node exporter reads."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

from compliance.api.whole_file import write_whole
from compliance.batch.outcome import BatchOutcome

_KINDS = {
    "compliance_batch_exit_code": "What the last batch told the shell; -1 if it broke off.",
    "compliance_batch_seconds": "How long the last batch took.",
    "compliance_batch_end_timestamp_seconds": "When the last batch ended.",
    "compliance_batch_nights": "Nights that the last batch judged, or could not judge.",
    "compliance_batch_logs_missing": "Gaming days without a log.",
    "compliance_batch_findings": "Findings of the nights that were judged, by status.",
    "compliance_batch_events": "Events of the nights that were judged.",
    "compliance_batch_night_seconds": "How long the newest night that was judged took.",
}


def write_metrics(
    path: Path, outcome: BatchOutcome | None, begun: datetime, seconds: float
) -> None:
    """Replace the file as a whole: what reads it never sees half of it."""
    write_whole(path, metrics_text(outcome, begun, seconds), over_input=True)


def metrics_text(outcome: BatchOutcome | None, begun: datetime, seconds: float) -> str:
    """The numbers as text."""
    lines: list[str] = []
    told: set[str] = set()
    for name, labels, value in _numbers(outcome, begun, seconds):
        if name not in told:
            lines += [f"# HELP {name} {_KINDS[name]}", f"# TYPE {name} gauge"]
            told.add(name)
        shown = ",".join(f'{key}="{_escaped(text)}"' for key, text in labels.items())
        lines.append(f"{name}{{{shown}}} {value}" if shown else f"{name} {value}")
    return "\n".join(lines) + "\n"


def _numbers(
    outcome: BatchOutcome | None, begun: datetime, seconds: float
) -> Iterator[tuple[str, dict[str, str], float]]:
    yield "compliance_batch_exit_code", {}, -1 if outcome is None else outcome.exit_code
    yield "compliance_batch_seconds", {}, round(seconds, 3)
    yield "compliance_batch_end_timestamp_seconds", {}, round(begun.timestamp() + seconds, 3)
    if outcome is None:
        return
    casinos = sorted({night.casino for night in outcome.nights})
    for casino in casinos:
        nights = [night for night in outcome.nights if night.casino == casino]
        judged = [night for night in nights if night.changes is not None]
        for state, number in (("judged", len(judged)), ("failed", len(nights) - len(judged))):
            yield "compliance_batch_nights", {"casino": casino, "state": state}, number
    yield "compliance_batch_logs_missing", {}, len(outcome.missing)
    for casino in casinos:
        counts: Counter[str] = Counter()
        for night in outcome.nights:
            if night.casino == casino and night.changes is not None:
                counts.update(night.changes.counts)
        for status, number in sorted(counts.items()):
            yield "compliance_batch_findings", {"casino": casino, "status": status}, number
    for casino in casinos:
        events = sum(night.events for night in outcome.nights if night.casino == casino)
        yield "compliance_batch_events", {"casino": casino}, events
    for casino in casinos:
        times = [night.seconds for night in outcome.nights if night.casino == casino]
        yield "compliance_batch_night_seconds", {"casino": casino}, round(times[-1], 3)


def _escaped(text: str) -> str:
    return text.replace("\\", r"\\").replace('"', r"\"").replace("\n", r"\n")
