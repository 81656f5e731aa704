"""Wagers paid, lost and given back, and what is marked and collected for the house."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from event_schemas.events.base import AtHand, AtSeat, ByPerson
from event_schemas.field_types import (
    Cents,
    CheckedPoint,
    Flag,
    HandClass,
    Number,
    Odds,
    PayLine,
    Percent,
    VigorishReason,
    WagerKind,
)


class WagerPaid(AtHand, ByPerson):
    """A winning wager was paid."""

    type: Literal["wager_paid"]
    wager: WagerKind | None = Field(default=None, description="Which wager it is")
    stake: Cents | None = Field(default=None, description="The amount that was wagered")
    amount: Cents | None = Field(
        default=None, description="The amount paid, the stake not included"
    )
    odds: Odds | None = Field(default=None, description="The odds at which it was paid")
    area: Number | None = Field(
        default=None, description="The marked spot, where a wager has several"
    )
    hand_class: HandClass | None = Field(
        default=None, description="The class of the poker hand that was paid"
    )
    pay_line: PayLine | None = Field(
        default=None, description="The line of the side wager's pay table"
    )
    from_tray: Flag | None = Field(
        default=None, description="Whether it was paid from the chips in the table's own tray"
    )


class WagerCollected(AtHand, ByPerson):
    """A losing wager was taken by the house."""

    type: Literal["wager_collected"]
    wager: WagerKind | None = Field(default=None, description="Which wager it is")
    amount: Cents | None = Field(default=None, description="The amount taken")
    area: Number | None = Field(
        default=None, description="The marked spot, where a wager has several"
    )


class WagerReturned(AtHand, ByPerson):
    """A wager was given back, neither won nor lost."""

    type: Literal["wager_returned"]
    wager: WagerKind | None = Field(default=None, description="Which wager it is")
    amount: Cents | None = Field(default=None, description="The amount given back")
    area: Number | None = Field(
        default=None, description="The marked spot, where a wager has several"
    )


class VigorishMarked(AtSeat, ByPerson):
    """The commission that a player owes was marked."""

    type: Literal["vigorish_marked"]
    amount: Cents | None = Field(default=None, description="The amount owed")
    rate: Percent | None = Field(default=None, description="The rate of the commission")
    reason: VigorishReason | None = Field(
        default=None, description="The result for which it is owed"
    )


class VigorishCollected(AtSeat, ByPerson):
    """A player paid the commission owed."""

    type: Literal["vigorish_collected"]
    amount: Cents | None = Field(default=None, description="The amount paid")
    rate: Percent | None = Field(default=None, description="The rate of the commission")
    reason: VigorishReason | None = Field(
        default=None, description="The result for which it is owed"
    )


class PayoutVerified(AtHand, ByPerson):
    """Cards, light or amount were checked before a bonus was paid."""

    type: Literal["payout_verified"]
    wager: WagerKind | None = Field(default=None, description="The wager to be paid")
    subject: CheckedPoint | None = Field(default=None, description="What was checked")
    amount: Cents | None = Field(default=None, description="The amount checked")


class DocumentationCompleted(AtSeat, ByPerson):
    """The papers for a large payout were finished."""

    type: Literal["documentation_completed"]
    wager: WagerKind | None = Field(default=None, description="The wager concerned")
    amount: Cents | None = Field(default=None, description="The amount concerned")
