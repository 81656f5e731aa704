"""Requests, tickets, payments and the computer of the keno game."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from event_schemas.events.base import ByPerson, TableEvent
from event_schemas.field_types import Cents, Flag, Text


class KenoRequestSubmitted(TableEvent):
    """A patron handed in a request for a keno ticket."""

    type: Literal["keno_request_submitted"]
    player: Text | None = Field(default=None, description="The patron")
    request_number: Text | None = Field(default=None, description="The request")
    clear: Flag | None = Field(default=None, description="Whether it could be read without doubt")


class KenoRequestReturned(ByPerson):
    """A request was handed back to the patron."""

    type: Literal["keno_request_returned"]
    player: Text | None = Field(default=None, description="The patron")
    request_number: Text | None = Field(default=None, description="The request")


class KenoTicketIssued(ByPerson):
    """A keno ticket was issued."""

    type: Literal["keno_ticket_issued"]
    player: Text | None = Field(default=None, description="The patron")
    request_number: Text | None = Field(default=None, description="The request it was issued for")
    ticket: Text | None = Field(default=None, description="The ticket")
    amount: Cents | None = Field(default=None, description="The price of the ticket")


class KenoTicketRejected(TableEvent):
    """The computer could not read a winning ticket."""

    type: Literal["keno_ticket_rejected"]
    ticket: Text | None = Field(default=None, description="The ticket")


class KenoTicketManuallyInput(ByPerson):
    """A ticket's number was typed in by hand."""

    type: Literal["keno_ticket_manually_input"]
    ticket: Text | None = Field(default=None, description="The ticket")


class KenoTicketVerified(ByPerson):
    """A ticket was checked and found to win."""

    type: Literal["keno_ticket_verified"]
    ticket: Text | None = Field(default=None, description="The ticket")
    amount: Cents | None = Field(default=None, description="The amount won")


class KenoTicketPaid(ByPerson):
    """A winning ticket was paid."""

    type: Literal["keno_ticket_paid"]
    ticket: Text | None = Field(default=None, description="The ticket")
    amount: Cents | None = Field(default=None, description="The amount paid")
    paid_by_hand: Flag | None = Field(
        default=None, description="Whether it was paid without the computer"
    )


class KenoTicketExpired(TableEvent):
    """A winning ticket was not claimed in time."""

    type: Literal["keno_ticket_expired"]
    ticket: Text | None = Field(default=None, description="The ticket")
    amount: Cents | None = Field(default=None, description="The amount not claimed")


class KenoSystemDown(TableEvent):
    """The keno computer stopped working."""

    type: Literal["keno_system_down"]


class KenoSystemUp(TableEvent):
    """The keno computer works again."""

    type: Literal["keno_system_up"]


class KenoJackpotCredited(TableEvent):
    """Money was added to a keno jackpot."""

    type: Literal["keno_jackpot_credited"]
    amount: Cents | None = Field(default=None, description="The amount added")


class RevenueFundPaid(TableEvent):
    """Money was paid to the state's casino revenue fund."""

    type: Literal["revenue_fund_paid"]
    amount: Cents | None = Field(default=None, description="The amount paid")
