"""A PostgreSQL of the tests' own: another data folder, another user than root, one socket."""

from __future__ import annotations

import itertools
import os
import pwd
import shutil
import subprocess
import tempfile
from contextlib import suppress
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text

_NUMBERS = itertools.count(1)
_USERS = ("postgres", "nobody")


def programs() -> Path | None:
    """Where the programs of the newest PostgreSQL of this machine lie."""
    found = sorted(
        Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[4])
    )
    if found:
        return found[-1].parent
    initdb = shutil.which("initdb")
    return None if initdb is None else Path(initdb).resolve().parent


class PostgresServer:
    """A server that can be stopped and started again."""

    def __init__(self) -> None:
        where = programs()
        if where is None:
            said = "PostgreSQL is not installed (on Debian: apt-get install postgresql)"
            if os.environ.get("CI"):
                pytest.fail(said)
            pytest.skip(said)
        self._programs = where
        self._folder = Path(tempfile.mkdtemp(prefix="pg-"))
        self._user = next(name for name in _USERS if _exists(name)) if os.getuid() == 0 else None
        if self._user is not None:
            shutil.chown(self._folder, self._user)
        data = str(self._folder / "data")
        self._run("initdb", "-D", data, "-A", "trust", "-U", "tests", "--no-sync", "-E", "UTF8")
        self.start()

    def start(self) -> None:
        """Start it and wait until it answers."""
        # No network, and no waiting for a disk: what is tested is not the server.
        options = f"-k {self._folder} -c listen_addresses='' -c fsync=off -c max_connections=50"
        log = str(self._folder / "log")
        self._run(
            "pg_ctl", "-D", str(self._folder / "data"), "-o", options, "-l", log, "-w", "start"
        )

    def stop(self) -> None:
        """Stop it as a machine that is switched off."""
        self._run("pg_ctl", "-D", str(self._folder / "data"), "-m", "immediate", "-w", "stop")

    def remove(self) -> None:
        """Stop it for good, if it is not stopped already."""
        with suppress(subprocess.CalledProcessError):
            self.stop()
        shutil.rmtree(self._folder, ignore_errors=True)

    def new_database(self) -> str:
        """The address of an empty database."""
        name = f"store_{next(_NUMBERS)}"
        engine = create_engine(
            self._address("postgres", "postgresql+psycopg"), isolation_level="AUTOCOMMIT"
        )
        with engine.connect() as connection:
            connection.execute(text(f"CREATE DATABASE {name} TEMPLATE template0"))
        engine.dispose()
        return self._address(name, "postgresql")

    def _address(self, database: str, driver: str) -> str:
        return f"{driver}://tests@/{database}?host={self._folder}"

    def _run(self, program: str, *words: str) -> None:
        command = [str(self._programs / program), *words]
        if self._user is not None:
            command = ["setpriv", "--reuid", self._user, "--clear-groups", *command]
        subprocess.run(
            command,
            check=True,
            cwd=self._folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )


def _exists(name: str) -> bool:
    try:
        pwd.getpwnam(name)
    except KeyError:
        return False
    return True
