"""Every event type of the built-in vocabulary, one module per subject."""

from __future__ import annotations

from types import ModuleType
from typing import Final

from event_schemas.events import (
    baccarat,
    blackjack,
    bonuses,
    cutting,
    dealing,
    deck_care,
    irregularities,
    keno,
    options_and_notices,
    payouts,
    play,
    poker,
    red_dog,
    seating,
    shoes,
    shuffling,
    spreading,
    staffing,
    tables,
    wagers,
)
from event_schemas.events.base import TableEvent

# In the order in which a shift meets them: this is the order of every list shown to a reader.
SUBJECTS: Final[tuple[ModuleType, ...]] = (
    tables,
    seating,
    staffing,
    deck_care,
    spreading,
    shuffling,
    cutting,
    shoes,
    dealing,
    wagers,
    payouts,
    play,
    blackjack,
    bonuses,
    baccarat,
    red_dog,
    poker,
    keno,
    options_and_notices,
    irregularities,
)


def event_classes() -> tuple[type[TableEvent], ...]:
    """All event types, subject by subject, each in the order of its module."""
    return tuple(
        member
        for subject in SUBJECTS
        for member in vars(subject).values()
        if isinstance(member, type)
        and issubclass(member, TableEvent)
        and member.__module__ == subject.__name__
    )
