"""Says in a sentence what keeps a store from being read or written."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Final

from sqlalchemy.exc import DBAPIError

from compliance.api.refusal import Refused

_AGAIN: Final = "Nothing of what was under way is in the store; the next run makes up for it."
_SENTENCES: Final = (
    (("disk is full", "no space left", "disk full"), "The disk of the store {store} is full."),
    (
        ("readonly database", "read-only", "permission denied", "must be owner"),
        "The store {store} may be read, but not written.",
    ),
    (("unable to open",), "The store {store} cannot be opened: look at the rights of its folder."),
    (("database is locked",), "The store {store} is in use by another program for too long."),
    (("disk i/o error",), "The disk of the store {store} answers with a mistake of its own."),
    (
        ("malformed", "not a database"),
        "The store {store} is damaged, or is no store.",
    ),
    (
        ("no such table", "does not exist", "undefinedtable"),
        "{store} is no store, or one that this program has not prepared yet.",
    ),
)


_NEEDED: Final = 1 << 20


def _full(file: Path) -> bool:
    return shutil.disk_usage(file.parent).free < _NEEDED


def store_refusal(shown: str, file: Path | None, problem: DBAPIError) -> Exception:
    """What the user is told; a mistake of the program itself stays what it is."""
    said = " ".join(str(problem.orig).split())
    if "disk I/O error" in said and file is not None and _full(file):
        # SQLite does not always get to know why it cannot write.
        said = "disk is full"
    for words, sentence in _SENTENCES:
        if any(word in said.lower() for word in words):
            return Refused(sentence.format(store=shown), hint=_AGAIN)
    if problem.connection_invalidated or type(problem.orig).__name__ in (
        "OperationalError",
        "InterfaceError",
        "AdminShutdown",
        "CrashShutdown",
        "ConnectionTimeout",
    ):
        return Refused(f"The store {shown} does not answer: {said.rstrip('.')}.", hint=_AGAIN)
    return problem
