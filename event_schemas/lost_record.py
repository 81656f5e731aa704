"""Records that are known to be lost: events of which nothing is known but their place."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Final

from event_schemas.event import Event

LOST_RECORD: Final = "lost_record"
"""What stands for the type of a lost record. No schema has an event type of this name."""

UNRECORDED: Final = "unrecorded_events"
"""The same for events of which the source records only some: any number may be at each place."""

NO_LIMIT: Final = 1_000_000_000
"""As many records as one likes: where nothing tells how many are lost at a place."""


@dataclass(frozen=True, slots=True)
class LostRecord(Event):
    """One record, or several in a row, that once stood at a place of a table's log.

    It may have been of any type in `may_be`, with any fields, if its table kept its habits, and
    else of one in `against_habit` as well. It happened between `ts`, the moment of the record
    before it, and `until`, the moment of the one after it.
    """

    until: datetime = field(kw_only=True)
    may_be: frozenset[str] = field(kw_only=True)
    times: int = field(default=1, kw_only=True)
    """How many records are lost at this place."""
    not_elected: frozenset[str] = field(default=frozenset(), kw_only=True)
    """Options that it did not elect, because a record of the same pause elects them."""
    against_habit: frozenset[str] = field(default=frozenset(), kw_only=True)
    elected_against_habit: frozenset[str] = field(default=frozenset(), kw_only=True)
    """Those of `not_elected` that a table with other habits may have elected."""

    def whatever_the_habits(self) -> LostRecord:
        """The same, of a table of which nothing is taken for granted."""
        return replace(
            self,
            may_be=self.may_be | self.against_habit,
            not_elected=self.not_elected - self.elected_against_habit,
        )
