"""What only red dog has: the marker of the spread."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from event_schemas.events.base import ByPerson, InRound
from event_schemas.field_types import Number


class SpreadMarkerPlaced(InRound, ByPerson):
    """The dealer marked how many ranks lie between the two cards."""

    type: Literal["spread_marker_placed"]
    value: Number | None = Field(default=None, description="The number marked")
