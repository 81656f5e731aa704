"""What changed since an earlier result, on a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from compliance.cli.screen import Screen, Styled
from reports.change_record import ChangedFinding, Changes
from reports.changes import change_sentences
from reports.zone import Clock

_SHOWN = 20
"""How many findings are told; JSON and the page have them all."""


def show_changes(screen: Screen, changes: Changes, zone: str) -> None:
    """The numbers, why they may be so, and the first findings that came and went, on the clock of
    the newer result."""
    clock = Clock(zone)
    screen.line(Styled(f"Since {changes.since}:", "bold"))
    for sentence in change_sentences(changes):
        screen.line(sentence, indent=2)
    for remark in changes.remarks:
        screen.line(Styled(remark, "yellow"), indent=2)
    _listed(screen, "new", changes.new, clock)
    _listed(screen, "gone", changes.gone, clock)


def _listed(screen: Screen, word: str, findings: Sequence[ChangedFinding], clock: Clock) -> None:
    for found in findings[:_SHOWN]:
        when = f"{clock.moment(found.ts)}  " if found.ts else ""
        screen.line(
            Styled(f"{word:<5}", "bold red" if word == "new" else "bold green"),
            Styled(f"{found.severity.value:<9}{found.rule}  ", "cyan"),
            Styled(when, "dim"),
            found.sentence,
            f" {found.table}" if found.table else "",
            indent=2,
        )
    if len(findings) > _SHOWN:
        screen.line(f"and {len(findings) - _SHOWN:,} more {word}", indent=2)
