"""Looks up a time zone by the name that a user wrote."""

from __future__ import annotations

from zoneinfo import ZoneInfo, available_timezones

from compliance.log.toml_file import UserFile
from event_schemas import did_you_mean


def zone_named(file: UserFile, key: str = "zone") -> ZoneInfo | None:
    """The zone that a file names, or nothing; an unknown name is a problem of the file."""
    name = file.text(file.content, key)
    if name is None:
        return None
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        known = {zone.lower(): zone for zone in available_timezones()}
        close = did_you_mean(name, known)
        message = f'"{name}" is not the name of a time zone, such as America/New_York.'
        file.add((key,), message, known[close] if close else None)
        return None
