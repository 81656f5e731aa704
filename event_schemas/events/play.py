"""What players decide and ask for, and what is said at the table."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from event_schemas.events.base import AtHand, AtSeat, ByPerson
from event_schemas.field_types import (
    Cents,
    ChoiceKind,
    DecisionKind,
    Flag,
    HandClass,
    Number,
    PayLine,
    Phrase,
    Recipient,
    RequestKind,
    WagerKind,
)


class Decision(AtHand, ByPerson):
    """A player decided how to play a hand."""

    type: Literal["decision"]
    kind: DecisionKind = Field(description="What was decided")


class ChoiceOffered(AtHand):
    """A player was offered a choice beyond the usual play."""

    type: Literal["choice_offered"]
    kind: ChoiceKind = Field(description="What was offered")


class ChoiceAccepted(AtHand):
    """A player took the choice that was offered."""

    type: Literal["choice_accepted"]
    kind: ChoiceKind = Field(description="What was offered")


class ChoiceDeclined(AtHand):
    """A player declined the choice that was offered."""

    type: Literal["choice_declined"]
    kind: ChoiceKind = Field(description="What was offered")


class RequestMade(AtSeat):
    """A player asked the dealer for something."""

    type: Literal["request_made"]
    request: RequestKind = Field(description="What was asked for")


class Announcement(AtHand, ByPerson):
    """Something was said aloud for the table to hear."""

    type: Literal["announcement"]
    phrase: Phrase = Field(description="What was said, by its meaning")
    value: Number | None = Field(
        default=None, description="The number that was announced, if there is one"
    )
    amount: Cents | None = Field(
        default=None, description="The amount that was announced, if there is one"
    )
    wager: WagerKind | None = Field(default=None, description="The wager that it concerns")
    hand_class: HandClass | None = Field(
        default=None, description="The class of poker hand that was announced"
    )
    pay_line: PayLine | None = Field(
        default=None, description="The line of a pay table that was announced"
    )


class PointTotalAnnounced(AtHand, ByPerson):
    """The dealer announced the total of a hand."""

    type: Literal["point_total_announced"]
    to: Recipient | None = Field(default=None, description="Whose hand it is")
    total: Number | None = Field(default=None, description="The total announced")
    soft: Flag | None = Field(default=None, description="Whether an ace was counted as eleven")
