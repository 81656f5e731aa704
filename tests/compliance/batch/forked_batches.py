"""Batches that are killed: each in a process of its own, forked from one that has all loaded.

A fresh interpreter for each of two hundred batches would take most of the time.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Self

from tests.tree import ROOT

PROGRAM = """
import os, sys
import compliance.cli.batch_command, compliance.checking.check_log, compliance.engine.judging
import compliance.cli.app, sqlalchemy.dialects.sqlite, sqlalchemy.dialects.postgresql, psycopg
import compliance.store.night_record, reports.csv_table, alembic.command, alembic.autogenerate
from compliance.cli import main
print("ready", flush=True)
for line in sys.stdin:
    words = line.split()
    child = os.fork()
    if child == 0:
        null = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1):
            os.dup2(null, stream)
        os.dup2(os.open(words[0], os.O_WRONLY | os.O_CREAT | os.O_TRUNC), 2)
        os._exit(main(words[1:]))
    print(child, flush=True)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
"""


class ForkedBatches:
    """Starts batches, and kills them."""

    def __enter__(self) -> Self:
        self._mother = subprocess.Popen(
            [sys.executable, "-c", PROGRAM],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self._answer() == "ready"
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._mother.kill()
        self._mother.wait()

    def run(self, settings: Path, seconds: float | None = None) -> int:
        """The exit code of a batch, or -9 if it was not done after some seconds, and killed."""
        assert self._mother.stdin is not None
        said = settings.with_name("said")
        self._mother.stdin.write(f"{said} batch {settings} --format json\n")
        self._mother.stdin.flush()
        child = int(self._answer())
        if seconds is not None:
            time.sleep(seconds)
            with suppress(ProcessLookupError):
                os.kill(child, signal.SIGKILL)
        return int(self._answer())

    def _answer(self) -> str:
        assert self._mother.stdout is not None
        return self._mother.stdout.readline().strip()
