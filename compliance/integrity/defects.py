"""What can be wrong with the evidence, and one such defect as a value with its place in the log."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Final

from compliance.integrity.table_events import TableEvents
from reports.verdicts import Severity
from reports.wording import counted

LISTED: Final = 100
"""How many defects of one kind a table names before it only counts them: a log that is broken
throughout needs one look, not a million findings."""


class DefectKind(StrEnum):
    """The ways in which a log can be damaged."""

    RETRANSMISSION = "retransmission"
    ID_CONFLICT = "id-conflict"
    SEQ_REPEATED = "seq-repeated"
    SEQ_GAP = "seq-gap"
    CLOCK_BACK = "clock-back"
    CLOCK_FORWARD = "clock-forward"
    CORRECTION = "correction"
    CANCELLATION = "cancellation"
    CORRECTION_UNCLEAR = "correction-unclear"
    CARD_TOO_OFTEN = "card-too-often"
    SHOE_OVERRUN = "shoe-overrun"
    ROUND_WITHOUT_END = "round-without-end"
    LATE_RECORD = "late-record"
    NIGHTS_DISAGREE = "nights-disagree"
    LATE_RESULT = "late-result"
    RESULT_AFTER_SHOE_CHANGE = "result-after-shoe-change"


_MINOR: Final = frozenset(
    # Nothing is lost and nothing is in doubt once these are known.
    {
        DefectKind.RETRANSMISSION,
        DefectKind.CORRECTION,
        DefectKind.CANCELLATION,
        DefectKind.LATE_RESULT,
    }
)


def severity_of(kind: DefectKind) -> Severity:
    """How much a defect of this kind takes from the evidence."""
    return Severity.MINOR if kind in _MINOR else Severity.MAJOR


@dataclass(frozen=True)
class Defect:
    """One piece of damage, at the event where it shows."""

    kind: DefectKind
    sentence: str
    file: str
    line: int
    event_id: str
    seq: int
    ts: datetime
    repaired: bool
    """The events that are checked are free of it; nothing was guessed."""
    severity: Severity
    event_type: str
    about: tuple[str, ...] = ()
    """What else tells this defect from others: ids of other events, missing sequence numbers."""


@dataclass(frozen=True)
class DefectText:
    """What is said of one defect: where it shows, in which words, and what else it is about."""

    place: int
    sentence: str
    about: tuple[str, ...] = ()


def defect(
    events: TableEvents, kind: DefectKind, told: DefectText, *, repaired: bool = False
) -> Defect:
    """A defect at an event of the table."""
    row = events.row(told.place)
    return Defect(
        kind,
        told.sentence,
        row.file,
        row.line,
        row.id,
        row.seq,
        row.ts,
        repaired,
        severity_of(kind),
        row.type,
        told.about,
    )


def listed(
    events: TableEvents,
    kind: DefectKind,
    places: Sequence[int],
    tell: Callable[[int], DefectText],
    *,
    repaired: bool = False,
) -> Iterable[Defect]:
    """The first defects of a kind one by one, and one more that counts the rest.

    `tell` is asked by the place in `places`, so that only the sentences that are shown are built.
    """
    for number in range(min(len(places), LISTED)):
        yield defect(events, kind, tell(number), repaired=repaired)
    rest = len(places) - LISTED
    if rest > 0:
        place = int(places[LISTED])
        more = counted(rest, "more defect")
        sentence = f"From {events.name(place)} on there {'is' if rest == 1 else 'are'} {more} of "
        told = DefectText(
            place, sentence + "this kind at the table, not listed one by one.", ("rest",)
        )
        yield defect(events, kind, told, repaired=repaired)
