"""What only baccarat and chemin de fer have: instructions to the shoe's holder, and the bank."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from event_schemas.events.base import AtSeat, ByPerson
from event_schemas.field_types import Cents, Flag, Recipient


class DealerInstruction(AtSeat, ByPerson):
    """The dealer told the holder of the shoe whether to deal a third card."""

    type: Literal["dealer_instruction"]
    to: Recipient | None = Field(default=None, description="The hand concerned")
    draw: Flag | None = Field(default=None, description="Whether a card is to be dealt")


class BankerBid(AtSeat):
    """A player bid for the bank."""

    type: Literal["banker_bid"]
    amount: Cents | None = Field(default=None, description="The amount bid")


class BankerSelected(AtSeat, ByPerson):
    """A player became the banker."""

    type: Literal["banker_selected"]
    amount: Cents | None = Field(default=None, description="The winning bid")


class BankAccepted(AtSeat):
    """A player took the bank for the coming rounds."""

    type: Literal["bank_accepted"]
