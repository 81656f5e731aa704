"""What an option is: something that the law lets the licensee choose for a table."""

from __future__ import annotations

from dataclasses import dataclass

from event_schemas.kinds import Kind


@dataclass(frozen=True, slots=True)
class OptionType:
    """One choice that the law leaves to the licensee, and what holds if nothing was chosen."""

    name: str
    kind: Kind
    default: object | None
    doc: str
    citation: str
