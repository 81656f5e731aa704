"""One thing that happened at a table, with its values read and typed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

OWN_ATTRIBUTES: Final = ("id", "ts", "seq", "casino", "table", "type")


@dataclass(frozen=True, slots=True)
class Event:
    """One log record, read: what is missing in the log is absent here, never zero or false."""

    id: str
    ts: datetime
    seq: int
    casino: str
    table: str
    type: str
    fields: Mapping[str, object] = field(default_factory=dict, hash=False)

    def get(self, name: str) -> object | None:
        """The value of a field, or None when the record does not hold it."""
        if name in OWN_ATTRIBUTES:
            value: object = getattr(self, name)
            return value
        return self.fields.get(name)
