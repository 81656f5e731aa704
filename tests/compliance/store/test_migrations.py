"""Stores of every form are brought to the newest one, and back, with all that is in them."""

from __future__ import annotations

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import inspect, text

from compliance.api.refusal import Refused
from compliance.store.audit import add_entry, first_fault
from compliance.store.migrating import bring_up_to_date, migrate, newest_form, refuse_other_forms
from compliance.store.opening import Store, open_store
from compliance.store.tables import AuditEntry, Base


def test_the_migrations_make_the_tables_that_the_program_knows(store: Store) -> None:
    with store.connected() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, Base.metadata) == []


def test_down_and_up_again_keeps_what_was_there(store: Store) -> None:
    with store.writing() as session:
        add_entry(session, "A", "tried", "x", {"n": 1})
    migrate(store, "0001", down=True)
    with store.connected() as connection:
        assert connection.scalar(text("SELECT count(*) FROM audit")) == 1
        assert "reviews" not in inspect(connection).get_table_names()
    assert bring_up_to_date(store) == "0001"
    with store.reading() as session:
        assert session.get_one(AuditEntry, 1).subject == "x"
        assert first_fault(session) is None


def test_down_to_nothing_leaves_nothing(store: Store) -> None:
    migrate(store, "base", down=True)
    with store.connected() as connection:
        assert inspect(connection).get_table_names() == ["alembic_version"]


def test_a_store_of_a_newer_program_is_refused(store: Store) -> None:
    with store.connected() as connection, connection.begin():
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    for look in (refuse_other_forms, bring_up_to_date):
        with pytest.raises(Refused, match="a newer version of this program"):
            look(store)


def test_an_older_store_is_left_to_the_batch(store: Store) -> None:
    migrate(store, "0001", down=True)
    with pytest.raises(Refused, match="of an earlier version"):
        refuse_other_forms(store)


def test_an_empty_store_is_made_once(store_place: str) -> None:
    store = open_store(store_place)
    assert bring_up_to_date(store) is None
    assert bring_up_to_date(store) is None
    refuse_other_forms(store)
    assert newest_form() == "0002"
    store.engine.dispose()
