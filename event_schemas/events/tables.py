"""Opening, resting and closing a table, and the rounds played there."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from event_schemas.events.base import ByPerson, InRound, TableEvent
from event_schemas.field_types import Date, Game, IrregularityKind, Number


class TableOpened(ByPerson):
    """The table opened for play."""

    type: Literal["table_opened"]
    game: Game | None = Field(default=None, description="The game offered")
    gaming_day: Date | None = Field(
        default=None, description="The gaming day that the opening belongs to"
    )
    boxes: Number | None = Field(default=None, description="How many betting boxes the table has")


class TableClosed(ByPerson):
    """The table closed."""

    type: Literal["table_closed"]
    gaming_day: Date | None = Field(
        default=None, description="The gaming day that the closing belongs to"
    )


class TableIdleStarted(TableEvent):
    """Play stopped because nobody was wagering; the table stays open."""

    type: Literal["table_idle_started"]


class RoundStarted(InRound):
    """A round of play began."""

    type: Literal["round_started"]


class RoundEnded(InRound):
    """A round of play was over and all its wagers were settled."""

    type: Literal["round_ended"]


class RoundVoided(InRound, ByPerson):
    """A round was called off, and its wagers are to be returned."""

    type: Literal["round_voided"]
    reason: IrregularityKind | None = Field(default=None, description="What made the round void")
