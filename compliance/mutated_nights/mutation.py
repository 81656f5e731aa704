"""What a mutation is: one small breach made by machine out of one event of a lawful night."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from compliance.simulate.table import Record

KINDS: Final = (
    *("never settled", "given back", "omitted", "delayed", "swapped", "twice"),
    *("other amount", "other seat", "other role", "other word", "other value", "other option"),
)
"""The ways in which an event of a lawful night is spoilt, in the order of the table."""
SETTLED: Final = ("wager_paid", "wager_collected")
"""Events that settle a wager which somebody has won."""
SETTLEMENTS: Final = (*SETTLED, "wager_returned")


class Mutation(NamedTuple):
    """One event of a night, and what is made of it."""

    kind: str
    row: int
    """The place of the event in the night."""
    field: str = ""
    value: Any = None
    """What a field says instead."""
    other: int = -1
    """The event with which it changes places, or the later one after which it comes."""
    late: int = 0
    """How many milliseconds after that event."""

    def applied(self, records: Sequence[Record]) -> list[Record]:
        """The night with this breach in it; all other events are the very same objects."""
        night = list(records)
        own = night[self.row]
        if self.kind in ("omitted", "never settled"):
            del night[self.row]
        elif self.kind == "delayed":
            moved = own | {"ts": records[self.other]["ts"] + self.late}
            night.insert(self.other + 1, moved)
            del night[self.row]
        elif self.kind == "swapped":
            with_it = night[self.other]
            night[self.row] = with_it | {"ts": own["ts"]}
            night[self.other] = own | {"ts": with_it["ts"]}
        elif self.kind == "twice":
            night.insert(self.row + 1, dict(own))
        elif self.kind == "given back":
            night[self.row] = _given_back(own)
        else:
            night[self.row] = own | {self.field: self.value}
        return night

    def place_of(self, row: int) -> int | None:
        """Where an event of the lawful night stands in the spoilt one; none if it is left out."""
        if self.kind in ("omitted", "never settled"):
            return None if row == self.row else row - (row > self.row)
        if self.kind == "twice":
            return row + (row > self.row)
        if self.kind == "swapped":
            return {self.row: self.other, self.other: self.row}.get(row, row)
        if self.kind == "delayed":
            return self.other if row == self.row else row - (self.row < row <= self.other)
        return row


_OF_A_RETURN: Final = (
    *("ts", "round", "dealer", "seat", "player", "hand", "wager", "area", "by", "by_role"),
)


def _given_back(settled: Record) -> Record:
    """The stake is given back instead of being paid or taken."""
    kept = {name: settled[name] for name in _OF_A_RETURN if name in settled}
    stake = settled.get("stake", settled.get("amount"))
    return kept | {"type": "wager_returned", "amount": stake}
