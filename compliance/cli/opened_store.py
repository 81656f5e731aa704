"""The store that a command looks into: named itself, or by the settings of its batch."""

from __future__ import annotations

import getpass
import os
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from compliance.api.refusal import Refused

if TYPE_CHECKING:
    from compliance.store.opening import Store


def need_store() -> None:
    """The store is an extra of the installation."""
    try:
        import alembic  # noqa: F401 - only to see whether it is there
        import sqlalchemy  # noqa: F401
    except ImportError:
        raise Refused(
            "The store needs the extra store.", hint="pip install 'table-compliance[store]'"
        ) from None


def opened_store(place: str) -> Store:
    """A store in the form that this program knows."""
    need_store()
    from compliance.batch.settings_file import load_settings
    from compliance.store.migrating import refuse_other_forms
    from compliance.store.opening import open_store

    if "://" not in place and place.endswith(".toml"):
        if not Path(place).exists():
            raise Refused(
                f"There is no {place} here.",
                hint="Name the store, or the settings of its batch, with --store.",
            )
        place = load_settings(Path(place)).store_place
    store = open_store(place)
    refuse_other_forms(store)
    return store


def actor(named: str | None) -> str:
    """Who gives a command: as they say, or as the machine knows them."""
    if named is not None:
        return named
    try:
        return getpass.getuser()
    except (OSError, KeyError):
        return f"user {os.getuid()}"


def day(text: str | None, option: str) -> date | None:
    """A day as people write it."""
    if text is None:
        return None
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise Refused(f"{option}: {text} is no day; write it like 2026-11-18.") from None
