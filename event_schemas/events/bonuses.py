"""Progressive jackpots and bonus devices."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from event_schemas.events.base import AtSeat, ByPerson, InRound
from event_schemas.field_types import Cents, MeterStep, Number, WagerKind


class ProgressiveLightOn(AtSeat):
    """The light of a seat showed that the progressive wager was taken."""

    type: Literal["progressive_light_on"]


class ProgressiveChipsCounted(InRound, ByPerson):
    """The chips of the progressive wagers were counted."""

    type: Literal["progressive_chips_counted"]
    chips_counted: Number | None = Field(default=None, description="How many chips there were")


class ProgressiveMeter(InRound):
    """The progressive meter was set, raised, reset or read."""

    type: Literal["progressive_meter"]
    step: MeterStep | None = Field(default=None, description="Why it was recorded")
    amount: Cents | None = Field(default=None, description="The amount on the meter afterwards")
    increment: Cents | None = Field(default=None, description="How much was added")
    reset_increment: Cents | None = Field(
        default=None, description="How much was added to the reset meter, where there is one"
    )
    house_amount: Cents | None = Field(
        default=None, description="How much of the amount the house put up itself"
    )
    wagers_registered: Number | None = Field(
        default=None, description="How many wagers it registered"
    )
    wager: WagerKind | None = Field(default=None, description="The wager that feeds it")


class BonusButtonPlaced(AtSeat, ByPerson):
    """The bonus button was put before a winner."""

    type: Literal["bonus_button_placed"]


class BonusButtonPressed(AtSeat, ByPerson):
    """The winner pressed the bonus button."""

    type: Literal["bonus_button_pressed"]


class BonusAmountDisplayed(AtSeat):
    """The bonus device showed the amount won."""

    type: Literal["bonus_amount_displayed"]
    amount: Cents | None = Field(default=None, description="The amount shown")
