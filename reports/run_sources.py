"""What a run was made from: the rules, the files, and the stretch of time that they tell of."""

from __future__ import annotations

from typing import Annotated

from pydantic import AwareDatetime, Field, NonNegativeInt

from reports.record import Record

Sha256 = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]


class Rulebook(Record):
    """The rules that were applied."""

    name: str
    """The name of the rulebook."""
    sha256: Sha256
    """The SHA-256 of its rules: equal rules have equal ones."""


class Input(Record):
    """A file that was read."""

    name: str
    """The file's name without its folder, so that a report does not depend on the machine."""
    sha256: Sha256
    """The SHA-256 of the file as it lies there."""
    events: NonNegativeInt
    """How many events were read from it."""


class Consulted(Record):
    """A file besides the log and the rules that bears on the result."""

    role: str
    """What it is: table options, a manifest, a mapping, waivers."""
    name: str
    """Its name without its folder."""
    sha256: Sha256
    """The SHA-256 of the file as it lies there."""


class Scope(Record):
    """What the log covers."""

    casinos: tuple[str, ...] = ()
    """The casinos whose tables were checked."""
    tables: tuple[str, ...] = ()
    """The tables that were checked."""
    first: AwareDatetime | None = None
    """The first moment that was checked."""
    last: AwareDatetime | None = None
    """The last moment that was checked."""
