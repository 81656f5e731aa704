"""Dealers and supervisors who come, go, are called, and confirm."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from event_schemas.events.base import AtHand, AtSeat, ByPerson
from event_schemas.field_types import Cents, CheckedPoint, Role, Text, WagerKind


class DealerArrived(ByPerson):
    """A dealer took over the table."""

    type: Literal["dealer_arrived"]
    dealer: Text = Field(description="The dealer who arrived")


class DealerDeparted(ByPerson):
    """A dealer left the table."""

    type: Literal["dealer_departed"]
    dealer: Text = Field(description="The dealer who left")


class PersonnelAssigned(ByPerson):
    """A member of staff was assigned to the table."""

    type: Literal["personnel_assigned"]
    staff: Text | None = Field(default=None, description="The person assigned")
    staff_role: Role | None = Field(default=None, description="The role in which the person serves")


class SupervisorCalled(AtSeat, ByPerson):
    """The dealer called a supervisor to the table."""

    type: Literal["supervisor_called"]
    reason: Text | None = Field(default=None, description="Why, in the dealer's words")
    called_role: Role | None = Field(default=None, description="The role that was asked for")


class SupervisorConfirmed(AtHand, ByPerson):
    """A supervisor looked at something and approved it."""

    type: Literal["supervisor_confirmed"]
    subject: CheckedPoint | None = Field(default=None, description="What was approved")
    wager: WagerKind | None = Field(default=None, description="The wager concerned")
    amount: Cents | None = Field(default=None, description="The amount approved")
    ticket: Text | None = Field(default=None, description="The keno ticket concerned")
