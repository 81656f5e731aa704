"""Moments as plain numbers, which compare rightly also in the hour that clocks repeat in autumn."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)


def microseconds(moment: datetime) -> int:
    """A moment as microseconds since 1970 in UTC."""
    return (moment - EPOCH) // MICROSECOND
