"""Players who take and leave a seat, and who may share or play a box."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from event_schemas.events.base import AtHand, AtSeat, ByPerson
from event_schemas.field_types import Text


class PlayerSeated(AtSeat):
    """A player took a seat."""

    type: Literal["player_seated"]


class PlayerLeft(AtSeat):
    """A player left the seat."""

    type: Literal["player_left"]


class WageringBarred(AtSeat, ByPerson):
    """A person was told not to wager at the table until the next shuffle."""

    type: Literal["wagering_barred"]
    reason: Text | None = Field(default=None, description="Why, in the supervisor's words")


class BoxShareConsent(AtSeat):
    """The first player on a box agreed that another player wagers there too."""

    type: Literal["box_share_consent"]
    guest: Text | None = Field(default=None, description="The player who was let in")


class SplitHandDesignated(AtHand):
    """A player behind a box chose the split hand that the wager stays with."""

    type: Literal["split_hand_designated"]
