"""What became of a message."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Delivered:
    """It was taken; perhaps not for everybody."""

    remarks: tuple[str, ...] = ()
    """For whom it was not taken, and why. To send it again would tell the others twice."""


@dataclass(frozen=True)
class Undelivered:
    """It was not taken, and why, in one sentence."""

    reason: str
    worth_retrying: bool
    perhaps_sent: bool = False
    """Whether all of it had gone out before the answer failed to come: it may have arrived, and
    whoever gets it again tells it by its number."""


Delivery = Delivered | Undelivered
