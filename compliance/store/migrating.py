"""Brings the tables of a store to the form that this program knows, with all that is in them."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection

from compliance.api.refusal import Refused
from compliance.store.opening import Store

_SCRIPTS: Final = Path(__file__).parent / "migrations"


def newest_form() -> str:
    """The form that this program reads and writes."""
    head = ScriptDirectory(str(_SCRIPTS)).get_current_head()
    assert head is not None
    return head


def form_of_store(store: Store) -> str | None:
    """The form that a store has; none where it is empty."""
    with store.connected() as connection:
        return _form(connection)


def refuse_other_forms(store: Store) -> None:
    """A store that only a batch can bring up to date, or only a newer program can read."""
    store.must_exist()
    form = form_of_store(store)
    if form == newest_form():
        return
    if form is None:
        raise Refused(f"{store.shown} is no store.", hint="`compliance batch` makes one.")
    _refuse_newer(store, form)
    raise Refused(
        f"The store {store.shown} has the form {form} of an earlier version.",
        hint="The next `compliance batch` brings it up to date.",
    )


def bring_up_to_date(store: Store) -> str | None:
    """Make the tables, or change them; returns the form that they had, if that was another."""
    form = form_of_store(store)
    if form == newest_form():
        return None
    if form is not None:
        _refuse_newer(store, form)
    migrate(store, newest_form())
    return form


def migrate(store: Store, form: str, *, down: bool = False) -> None:
    """Go up or down to a form, in one transaction."""
    with store.connected() as connection, connection.begin():
        config = Config()
        config.set_main_option("script_location", str(_SCRIPTS).replace("%", "%%"))
        config.attributes["connection"] = connection
        (command.downgrade if down else command.upgrade)(config, form)


def _form(connection: Connection) -> str | None:
    with connection.begin():
        return MigrationContext.configure(connection).get_current_revision()


def _refuse_newer(store: Store, form: str) -> None:
    known = {script.revision for script in ScriptDirectory(str(_SCRIPTS)).walk_revisions()}
    if form not in known:
        raise Refused(
            f"The store {store.shown} has the form {form}, which a newer version of this program "
            "made; install that version."
        )
