"""An answer: what the owner of a finding wrote into the action plan about it."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Annotated

from pydantic import Field

from reports.record import Record

INCORRECT = "marked as incorrect"
STATUSES = ("open", "in progress", "done", INCORRECT)
"""What an answer can be at; offered in the workbook."""


class Answer(Record):
    """What was filled in for one finding."""

    fingerprint: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
    """The finding that is answered."""
    owner: str = ""
    """Who answers it."""
    due: date | None = None
    """By when."""
    response: str = ""
    """What they say to it."""
    status: str = ""
    """One of `STATUSES`, or empty."""

    @property
    def incorrect(self) -> bool:
        """Whether its owner says that the finding is wrong."""
        return self.status == INCORRECT


def by_fingerprint(answers: tuple[Answer, ...]) -> Mapping[str, Answer]:
    """The answers by the finding that they are about."""
    return {answer.fingerprint: answer for answer in answers}
