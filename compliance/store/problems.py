"""Says in a sentence what keeps a store from being read or written."""

from __future__ import annotations

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
    (
        ("malformed", "not a database", "disk i/o error"),
        "The store {store} is damaged, or is no store.",
    ),
    (
        ("no such table", "does not exist", "undefinedtable"),
        "{store} is no store, or one that this program has not prepared yet.",
    ),
)


def store_refusal(shown: str, problem: DBAPIError) -> Exception:
    """What the user is told; a mistake of the program itself stays what it is."""
    said = " ".join(str(problem.orig).split())
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
