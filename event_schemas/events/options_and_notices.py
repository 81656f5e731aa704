"""What the licensee chose or changed, and who was told of it."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from event_schemas.events.base import ByPerson
from event_schemas.field_types import Cents, Flag, Text, Time, WagerKind


class OptionElected(ByPerson):
    """The licensee chose an option for the table."""

    type: Literal["option_elected"]
    option_name: Text = Field(description="The option")
    value: Text = Field(description="What was chosen")
    effective_at: Time | None = Field(
        default=None, description="When it takes effect; at once when not stated"
    )
    approved: Flag | None = Field(default=None, description="Whether the regulator approved it")


class RuleChanged(ByPerson):
    """A rule or an option of the table changed."""

    type: Literal["rule_changed"]
    subject: Text = Field(description="The option or rule that changed")
    old_value: Text | None = Field(default=None, description="What held before the change")
    new_value: Text | None = Field(default=None, description="What holds after the change")
    effective_at: Time | None = Field(
        default=None, description="When it takes effect; at once when not stated"
    )


class LimitsChanged(ByPerson):
    """The smallest or largest wager of the table changed."""

    type: Literal["limits_changed"]
    subject: Text | None = Field(default=None, description="The wager or rule whose limits changed")
    wager: WagerKind | None = Field(default=None, description="The wager whose limits changed")
    minimum: Cents | None = Field(default=None, description="The smallest wager allowed")
    maximum: Cents | None = Field(default=None, description="The largest wager allowed")


class NoticePosted(ByPerson):
    """A sign at the table told of a rule, an option or limits."""

    type: Literal["notice_posted"]
    subject: Text = Field(description="The option or rule that the sign names")
    value: Text | None = Field(default=None, description="What the sign says of it")
    wager: WagerKind | None = Field(default=None, description="The wager whose limits are shown")
    minimum: Cents | None = Field(default=None, description="The smallest wager shown")
    maximum: Cents | None = Field(default=None, description="The largest wager shown")
    effective_at: Time | None = Field(
        default=None, description="From when it holds, as the sign says"
    )


class PatronsTold(ByPerson):
    """The patrons at the table were told of a change."""

    type: Literal["patrons_told"]
    subject: Text = Field(description="The option or rule that changes")


class CommissionNotified(ByPerson):
    """The regulator was told of a change."""

    type: Literal["commission_notified"]
    subject: Text = Field(description="The option or rule that changes")
    written: Flag | None = Field(default=None, description="Whether it was told in writing")
    effective_at: Time | None = Field(default=None, description="From when the change holds")


class SurveillanceNotified(ByPerson):
    """The surveillance department was told of a change."""

    type: Literal["surveillance_notified"]
    subject: Text = Field(description="The option or rule that changes")
    written: Flag | None = Field(default=None, description="Whether it was told in writing")
