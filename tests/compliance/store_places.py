"""The two kinds of store, so that each promise is tried on both."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from compliance.store.migrating import bring_up_to_date
from compliance.store.opening import Store, open_store
from tests.compliance.postgres_server import PostgresServer


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresServer]:
    """One server for all tests of a process."""
    server = PostgresServer()
    yield server
    server.remove()


@pytest.fixture(params=["sqlite", "postgresql"])
def store_place(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where an empty store lies."""
    if request.param == "sqlite":
        return str(tmp_path / "compliance.db")
    server: PostgresServer = request.getfixturevalue("postgres")
    return server.new_database()


@pytest.fixture
def store(store_place: str) -> Iterator[Store]:
    """A store with its tables."""
    opened = open_store(store_place)
    bring_up_to_date(opened)
    yield opened
    opened.engine.dispose()
