"""Looks up a time zone by the name that a user wrote."""

from __future__ import annotations

from zoneinfo import ZoneInfo, available_timezones

from compliance.log.toml_file import UserFile
from event_schemas import did_you_mean


def zone_named(file: UserFile, key: str = "zone") -> ZoneInfo | None:
    """The zone that a file names, or nothing; an unknown name is a problem of the file."""
    name = file.text(file.content, key)
    return None if name is None else zone_called(file, name, (key,))


def zone_called(file: UserFile, name: object, where: tuple[str, ...]) -> ZoneInfo | None:
    """The zone of a name that stands somewhere in a file."""
    try:
        return ZoneInfo(str(name))
    except (KeyError, ValueError, OSError):
        known = {zone.lower(): zone for zone in available_timezones()}
        close = did_you_mean(str(name), known)
        message = f'"{name}" is not the name of a time zone, such as America/New_York.'
        file.add(where, message, known[close] if close else None)
        return None
