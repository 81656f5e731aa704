"""Opens a store, SQLite file or PostgreSQL database, and says plainly what goes wrong with it.

with open_store("compliance.db").reading() as session: ...
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url, text
from sqlalchemy.exc import ArgumentError, DBAPIError
from sqlalchemy.orm import Session

from compliance.api.refusal import Refused
from compliance.store.problems import store_refusal

_LOCK: Final = 0x636F6D706C69
"""The number of our lock in PostgreSQL: the first letters of the program's name."""
_SERVERS: Final = ("postgresql", "postgres")
_WAIT: Final = 30


class Store:
    """A store, and how it is spoken to."""

    def __init__(self, url: URL, shown: str) -> None:
        self.url = url
        self.shown = shown
        """What the store is called in a sentence: never with a password."""
        self.engine = _engine(url)
        self._held: Connection | None = None

    @property
    def file(self) -> Path | None:
        """The file of an SQLite store."""
        return Path(self.url.database or "") if self.url.drivername == "sqlite" else None

    @contextmanager
    def reading(self) -> Iterator[Session]:
        """Look without changing anything."""
        self.must_exist()
        with self._told(), Session(self.engine) as session:
            yield session

    @contextmanager
    def writing(self) -> Iterator[Session]:
        """All that is written in here is kept together, or not at all."""
        if self._held is not None and self.file is None:
            # On the connection that holds the lock: if it is lost, so is what was not yet kept.
            with self._told(), Session(self._held) as session, session.begin():
                yield session
            return
        engine = self.engine.execution_options(writes=True)
        with self._told(), Session(engine) as session, session.begin():
            yield session

    @contextmanager
    def alone(self) -> Iterator[None]:
        """While a batch is at work no other begins. The lock ends with the process."""
        with self._told():
            if self.file is not None:
                with _file_lock(self.file, self.shown):
                    yield
                return
            with self.engine.connect() as connection:
                got = connection.scalar(text("SELECT pg_try_advisory_lock(:n)"), {"n": _LOCK})
                connection.commit()
                if not got:
                    raise _at_work(self.shown)
                self._held = connection
                try:
                    yield
                finally:
                    self._held = None
                    # What goes back to the pool may not keep the lock.
                    connection.invalidate()

    @contextmanager
    def connected(self) -> Iterator[Connection]:
        """A connection for whoever changes the tables themselves."""
        engine = self.engine.execution_options(writes=True)
        with self._told(), engine.connect() as connection:
            yield connection

    def must_exist(self) -> None:
        """Whoever only reads makes no empty store."""
        if self.file is not None and not self.file.exists():
            raise Refused(f"There is no store {self.shown}.", hint="`compliance batch` makes it.")

    @contextmanager
    def _told(self) -> Iterator[None]:
        try:
            yield
        except DBAPIError as problem:
            raise store_refusal(self.shown, self.file, problem) from problem


def open_store(place: str | Path) -> Store:
    """The store that a file name or an address means; it is spoken to when it is first used."""
    given = os.fspath(place)
    if "://" not in given:
        return Store(URL.create("sqlite", database=os.path.abspath(given)), given)
    try:
        url = make_url(given)
    except ArgumentError:
        raise Refused(f"{given} is no address of a store.", hint=_HINT) from None
    if url.drivername.split("+")[0] not in _SERVERS:
        raise Refused(f"{url.drivername} is no kind of store.", hint=_HINT)
    if url.password is not None:
        raise Refused(
            "The address of the store holds a password; leave it out.",
            hint="PostgreSQL takes it from PGPASSWORD, or from the file that PGPASSFILE names.",
        )
    try:
        import psycopg  # noqa: F401 - only to see whether it is there
    except ImportError:
        raise Refused(
            "A store on PostgreSQL needs the extra postgres.",
            hint="pip install 'table-compliance[postgres]'",
        ) from None
    return Store(url.set(drivername="postgresql+psycopg"), given)


_HINT: Final = "A store is a file, as compliance.db, or postgresql://user@host/database."


def _engine(url: URL) -> Engine:
    if url.drivername == "sqlite":
        engine = create_engine(url, connect_args={"timeout": _WAIT})
        event.listen(engine, "connect", _prepare)
        event.listen(engine, "begin", _begin)
        return engine
    # A server that hangs is told of, too.
    waits = {"connect_timeout": _WAIT, "keepalives_idle": 60, "keepalives_interval": 10}
    return create_engine(url, connect_args=waits, pool_pre_ping=True)


def _prepare(connection: Any, record: object) -> None:
    # Transactions begin where we say so: sqlite3 would begin them late, and let two collide.
    connection.isolation_level = None
    cursor = connection.cursor()
    for setting in ("journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON"):
        cursor.execute(f"PRAGMA {setting}")
    cursor.close()


def _begin(connection: Connection) -> None:
    writes = connection.get_execution_options().get("writes")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def _at_work(shown: str) -> Refused:
    return Refused(f"Another batch is at work on the store {shown}; begin when it is done.")


@contextmanager
def _file_lock(file: Path, shown: str) -> Iterator[None]:
    """A lock beside the file, which ends with this process, however that ends."""
    name = file.with_name(f".{file.name}.lock")
    try:
        handle = os.open(name, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    except OSError as problem:
        raise Refused(f"The store {shown} cannot be written: {problem.strerror}.") from None
    try:
        # The file stays: a lock that is taken away could be held by two.
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    except BlockingIOError:
        raise _at_work(shown) from None
    finally:
        os.close(handle)
