"""A waiver: an authority's word that some findings are known and accepted for a time."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Self

from pydantic import Field, NonNegativeInt, model_validator

from reports.record import Record


class Waiver(Record):
    """Names findings by their fingerprint, or by rule and table, and who accepted them and why."""

    fingerprint: Annotated[str, Field(pattern=r"^([0-9a-f]{16,64})?$")] = ""
    """The fingerprint of one finding, or its first 16 digits."""
    rule: str = ""
    """A rule; without a fingerprint, every finding of it is meant."""
    table: str = ""
    """A table, or a pattern such as BJ-*; without one, every table is meant."""
    authority: Annotated[str, Field(min_length=1)]
    """Who granted it."""
    reason: Annotated[str, Field(min_length=1)]
    """Why."""
    expires: date
    """The last day, in the casino's zone, on which what happens is covered."""
    findings: NonNegativeInt = 0
    """How many findings of the run it covers."""
    expired: NonNegativeInt = 0
    """How many it would cover, had they not happened after its last day."""

    @model_validator(mode="after")
    def _says_what_it_covers(self) -> Self:
        if bool(self.fingerprint) == bool(self.rule):
            raise ValueError("a waiver names either a fingerprint or a rule")
        return self
