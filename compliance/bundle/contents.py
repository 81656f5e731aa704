"""What a bundle holds: every file with its role and its hash, in the order of the bundle."""

from __future__ import annotations

from typing import Final, Literal

import msgspec

VERSION: Final = "1"
LIST: Final = "contents.json"
"""The first file of a bundle, and the one that is signed."""
SIGNATURE: Final = "contents.json.p7s"
"""The last one, if it is signed: a detached CMS signature."""
RUN: Final = "run.json"
Role = Literal[
    "result",
    "report",
    "rules",
    "bundled rules",
    "event schema",
    "table options",
    "manifest",
    "mapping",
    "the night before",
    "waivers",
    "baseline",
    "log",
]


class BundledFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One file of a bundle."""

    path: str
    role: Role
    sha256: str
    size: int


class Contents(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """All files of a bundle, but for this list and its signature."""

    bundle_version: str = VERSION
    made_by: str
    """The program and its version."""
    result: str
    """The SHA-256 that the result states of itself."""
    files: tuple[BundledFile, ...]
    logs: tuple[tuple[str, str], ...] = ()
    """The logs that the result was made from, by name and SHA-256, inside or not."""

    def of(self, *roles: Role) -> tuple[BundledFile, ...]:
        """The files of some roles."""
        return tuple(file for file in self.files if file.role in roles)


def contents_bytes(contents: Contents) -> bytes:
    """The list as it stands in the bundle: the same files give the same bytes."""
    return msgspec.json.format(msgspec.json.encode(contents), indent=1) + b"\n"
