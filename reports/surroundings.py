"""What happened at the table around a breach, and what was at stake until it was cured."""

from __future__ import annotations

from typing import Self

from pydantic import AwareDatetime, NonNegativeInt, model_validator

from reports.record import Record

CURE = "cure"
"""The part of the event that did later what the rule asks for."""


class TimelineEvent(Record):
    """One event on the timeline of a finding."""

    event_id: str
    """The id of the event in the log."""
    ts: AwareDatetime
    """When it happened, with the offset that the log wrote."""
    type: str
    """The type of the event."""
    table: str
    """The table at which it happened."""
    seq: int
    """Its sequence number at that table."""
    text: str = ""
    """What else the log records of it, without its cards."""
    cards: tuple[str, ...] = ()
    """Its cards, as in 9S or 10H."""
    part: str = ""
    """What it showed, for the trigger, the other witnesses and the cure; else empty."""
    skipped: NonNegativeInt = 0
    """How many events of the table before it are left out."""
    lost: NonNegativeInt = 0
    """How many records are lost at this place, which is then no event but a gap in the log."""


class Timeline(Record):
    """The table around a breach, in order, with the place of what is missing."""

    events: tuple[TimelineEvent, ...]
    """From the first witness to a few events after the last one; long stretches are left out."""
    missing: str = ""
    """What the rule looked for in vain, in a few words, where it is an event."""
    missing_from: NonNegativeInt | None = None
    """Where the stretch begins in which one was looked for: after this many of the events."""
    missing_to: NonNegativeInt | None = None
    """Where it ends: after this many of the events."""

    @model_validator(mode="after")
    def _gap_lies_inside(self) -> Self:
        if self.missing_from is None or self.missing_to is None:
            if self.missing_from is not self.missing_to:
                raise ValueError("a gap has a beginning and an end")
        elif not self.missing_from <= self.missing_to <= len(self.events):
            raise ValueError("the gap lies outside the events")
        return self


class Exposure(Record):
    """What was at stake from the breach until it was cured, or could no longer be.

    The round in which the breach lies counts as a whole. What the log does not record is absent,
    not zero.
    """

    cured: bool
    """Whether what the rule asks for was done later, before its time was over."""
    until: str
    """What ended the exposure, in words."""
    ends: AwareDatetime
    """When it ended."""
    seconds: NonNegativeInt
    """Whole seconds from the breach to that end."""
    rounds: NonNegativeInt | None = None
    """Rounds that were played, at least in part."""
    hands: NonNegativeInt | None = None
    """Hands of players that were dealt cards."""
    patrons: NonNegativeInt | None = None
    """Different players who are named."""
    wagered_cents: NonNegativeInt | None = None
    """The sum of the wagers that were placed or increased, insurance included, in cents."""
