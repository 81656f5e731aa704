"""What the poker games have: stacks, starting positions, betting rounds and pots."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from event_schemas.events.base import AtHand, AtSeat, ByPerson, InRound
from event_schemas.field_types import (
    Cards,
    Cents,
    Flag,
    HandClass,
    MisdealResult,
    Number,
    Pot,
    Recipient,
    Stage,
    StartMethod,
)


class StartingPositionDetermined(AtSeat, ByPerson):
    """The position that receives cards first was chosen."""

    type: Literal["starting_position_determined"]
    method: StartMethod | None = Field(default=None, description="How it was chosen")


class StackDelivered(AtHand, ByPerson):
    """A stack of dealt cards was given to a position."""

    type: Literal["stack_delivered"]
    to: Recipient | None = Field(default=None, description="Whose hand it became")
    stack: Number | None = Field(default=None, description="Which stack it was, 1 first")
    face_up: Flag | None = Field(default=None, description="Whether the faces could be seen")


class MisdealChecked(InRound, ByPerson):
    """The dealer checked whether the cards were dealt rightly."""

    type: Literal["misdeal_checked"]
    result: MisdealResult | None = Field(default=None, description="What was found")


class BettingRoundStarted(InRound):
    """A round of betting began."""

    type: Literal["betting_round_started"]
    stage: Stage | None = Field(default=None, description="The part of the round")


class BettingRoundEnded(InRound):
    """A round of betting was over."""

    type: Literal["betting_round_ended"]
    stage: Stage | None = Field(default=None, description="The part of the round")


class BetMovedToPot(InRound, ByPerson):
    """The dealer moved the bets into the pot."""

    type: Literal["bet_moved_to_pot"]
    amount: Cents | None = Field(default=None, description="The amount moved")


class HandShown(AtHand):
    """A player showed a hand."""

    type: Literal["hand_shown"]
    cards: Cards | None = Field(default=None, description="The cards shown")
    hand_class: HandClass | None = Field(
        default=None, description="The class of the hand, if it was recorded"
    )


class PotAwarded(AtSeat, ByPerson):
    """A pot, or a share of it, went to a player."""

    type: Literal["pot_awarded"]
    pot: Pot | None = Field(default=None, description="Which pot")
    amount: Cents | None = Field(default=None, description="The amount")


class MarkerButtonPlaced(InRound, ByPerson):
    """A marker was put down to show where the deal goes on after a pause."""

    type: Literal["marker_button_placed"]


class MarkerButtonRemoved(InRound, ByPerson):
    """The marker of a paused deal was taken away."""

    type: Literal["marker_button_removed"]


class TransactionEnded(AtSeat):
    """A sale of chips or another errand that paused the deal was over."""

    type: Literal["transaction_ended"]
