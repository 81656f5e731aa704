"""Wagers placed, changed, confirmed, moved and taken back."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from event_schemas.events.base import AtHand, AtSeat, ByPerson
from event_schemas.field_types import Cents, Medium, Number, WagerKind


class WagerPlaced(AtHand, ByPerson):
    """A player placed a wager; what a double, split or raise adds is a wager of its own."""

    type: Literal["wager_placed"]
    wager: WagerKind | None = Field(default=None, description="Which wager it is")
    amount: Cents | None = Field(default=None, description="The amount wagered")
    medium: Medium | None = Field(default=None, description="What it was made with")
    area: Number | None = Field(
        default=None, description="The marked spot it was placed on, where a wager has several"
    )


class WagerIncreased(AtHand):
    """Money was added to a wager that already lay on the table."""

    type: Literal["wager_increased"]
    wager: WagerKind | None = Field(default=None, description="Which wager it is")
    amount: Cents | None = Field(default=None, description="The amount added")
    area: Number | None = Field(
        default=None, description="The marked spot, where a wager has several"
    )


class WagerWithdrawn(AtHand):
    """A player took a wager back."""

    type: Literal["wager_withdrawn"]
    wager: WagerKind | None = Field(default=None, description="Which wager it is")
    amount: Cents | None = Field(default=None, description="The amount taken back")
    area: Number | None = Field(
        default=None, description="The marked spot, where a wager has several"
    )


class WagerHandled(AtHand, ByPerson):
    """Somebody touched a wager on the table."""

    type: Literal["wager_handled"]
    wager: WagerKind | None = Field(default=None, description="Which wager it is")


class WagerOffered(AtSeat):
    """Players were offered the chance to make a wager."""

    type: Literal["wager_offered"]
    wager: WagerKind | None = Field(default=None, description="Which wager it is")


class WagerDeclined(AtSeat):
    """A player declined a wager that was offered."""

    type: Literal["wager_declined"]
    wager: WagerKind | None = Field(default=None, description="Which wager it is")


class WagerConfirmed(AtHand, ByPerson):
    """The dealer or a supervisor confirmed a spoken or unusual wager."""

    type: Literal["wager_confirmed"]
    wager: WagerKind | None = Field(default=None, description="Which wager it is")
    amount: Cents | None = Field(default=None, description="The amount confirmed")


class InsurancePlaced(AtHand):
    """A player insured against the dealer's blackjack; it is settled as a wager named insurance."""

    type: Literal["insurance_placed"]
    amount: Cents | None = Field(default=None, description="The amount of the insurance")
    area: Number | None = Field(
        default=None, description="The wager that is insured, where the box has several"
    )


class CashConverted(AtSeat, ByPerson):
    """Cash on the table was changed into chips."""

    type: Literal["cash_converted"]
    amount: Cents | None = Field(default=None, description="The amount changed")


class CouponUsed(AtSeat):
    """A player used a coupon."""

    type: Literal["coupon_used"]
    wager: WagerKind | None = Field(default=None, description="The wager made with it")
    amount: Cents | None = Field(default=None, description="The value of the coupon")


class StakeRemoved(AtSeat):
    """A player took money off the table during a round."""

    type: Literal["stake_removed"]
    amount: Cents | None = Field(default=None, description="The amount taken")
