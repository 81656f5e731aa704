"""A casino's machine in a folder: its settings, its logs, its store and its reports."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from sqlalchemy import select

from compliance.batch.due_nights import Asked
from compliance.batch.outcome import BatchOutcome
from compliance.batch.run_batch import run_batch
from compliance.batch.settings_file import load_settings
from compliance.batch.telling import BatchTold
from compliance.checking.check_tables import UNSEEN, CheckProgress
from compliance.cli import main
from compliance.store.opening import Store, open_store
from compliance.store.tables import Base, StoredFinding
from event_schemas.file_content import each_file_once
from tests.compliance.small_rulebook import RULES

FIRST = date(2010, 3, 6)
NOW = datetime(2030, 1, 1, tzinfo=UTC)
_TIMES = {"at", "since", "withdrawn", "first_used", "seconds", "stamp", "until"}
_OF_AUDIT = {"sha256", "before"}
OFTEN = """
rule few-rounds
  "A table plays ten rounds."
  cite "Example"
  severity minor
  when round_started
  require at most 10 round_started so far
"""
SETTINGS = """\
store = "{store}"
[check]
rules = ["house.rules"]
workers = 1
[outputs]
folder = "results"
files = ["findings.csv"]
[[casino]]
name = "AC"
logs = ["logs/{{date}}/*.jsonl"]
time_zone = "America/New_York"
first_day = {first}
last_day = {last}
"""


@cache
def simulated(nights: int, tables: int, rounds: int, seed: int) -> tuple[dict[str, str], ...]:
    """Invented nights: for each the lines of its tables."""
    with TemporaryDirectory() as folder:
        words = ["simulate", "-o", f"{folder}/n", "--format", "jsonl", "--workers", "1"]
        numbers = {"nights": nights, "tables": tables, "rounds": rounds, "seed": seed}
        words += [word for name, number in numbers.items() for word in (f"--{name}", str(number))]
        words += ["--violations", "all", "--rate", "0.2", "--date", FIRST.isoformat()]
        assert main(words) == 0
        found = []
        for number in range(nights):
            day = FIRST + timedelta(days=number)
            files = sorted((Path(folder) / "n" / day.isoformat()).glob("*.jsonl"))
            found.append(
                {file.name: file.read_text("utf-8") for file in files if "truth" not in file.name}
            )
        return tuple(found)


@dataclass
class Heard(BatchTold):
    """Remembers what a batch said."""

    said: list[tuple[str, str]] = field(default_factory=list)

    @contextmanager
    def night(self, casino: str, day: date, cause: str) -> Iterator[CheckProgress]:
        """A night begins."""
        self.said.append(("night_begun", f"{day}: {cause}"))
        yield UNSEEN

    def say(self, level: str, event: str, sentence: str, **values: object) -> None:
        """Anything else."""
        self.said.append((event, sentence))

    def of(self, event: str) -> list[str]:
        """The sentences about one thing."""
        return [sentence for name, sentence in self.said if name == event]


class Site:
    """One machine."""

    def __init__(
        self, folder: Path, store: str, nights: int = 3, rules: str = RULES + OFTEN
    ) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        self.place = store
        self.last = FIRST + timedelta(days=nights - 1)
        self.rules(rules)
        self.settings()
        self.heard = Heard()

    def settings(self, text: str = "", more: str = "") -> Path:
        """Write the settings, or others."""
        path = self.folder / "batch.toml"
        usual = SETTINGS.format(store=self.place, first=FIRST, last=self.last)
        path.write_text((text or usual) + more, encoding="utf-8")
        return path

    def rules(self, text: str) -> None:
        """Write the rules."""
        (self.folder / "house.rules").write_text(text, encoding="utf-8")

    def log(self, number: int, tables: dict[str, str]) -> None:
        """Write the files of a night."""
        folder = self.folder / "logs" / (FIRST + timedelta(days=number)).isoformat()
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in tables.items():
            (folder / name).write_text(text, encoding="utf-8")

    def logs(self, nights: Sequence[dict[str, str]]) -> None:
        """Write the files of all nights."""
        for number, tables in enumerate(nights):
            self.log(number, tables)

    @property
    def store(self) -> Store:
        """Its store."""
        return open_store(load_settings(self.folder / "batch.toml").store_place)

    def run(
        self, *, now: datetime = NOW, asked: Asked | None = None, clock_is_right: bool = True
    ) -> BatchOutcome:
        """Run the batch."""
        self.heard = Heard()
        settings = load_settings(self.folder / "batch.toml")
        store = open_store(settings.store_place)
        try:
            with each_file_once(anew=True):
                return run_batch(
                    settings,
                    store,
                    asked or Asked(),
                    now,
                    self.heard,
                    clock_is_right=clock_is_right,
                )
        finally:
            store.engine.dispose()

    def rows(self) -> dict[str, list[dict[str, Any]]]:
        """Every row of the store, without times."""
        store = self.store
        found: dict[str, list[dict[str, Any]]] = {}
        with store.reading() as session:
            for table in Base.metadata.sorted_tables:
                left_out = _TIMES | (_OF_AUDIT if table.name == "audit" else set())
                rows = [
                    {key: value for key, value in row.items() if key not in left_out}
                    for row in session.execute(select(table)).mappings()
                ]
                found[table.name] = sorted(rows, key=lambda row: json.dumps(row, default=str))
        store.engine.dispose()
        return found

    def findings(self) -> dict[str, str]:
        """The fingerprints that the store holds, with their status."""
        store = self.store
        with store.reading() as session:
            found = {
                row.fingerprint: row.status
                for row in session.execute(select(StoredFinding.fingerprint, StoredFinding.status))
            }
        store.engine.dispose()
        return found

    def reports(self) -> dict[str, str]:
        """Every report by its place, with its hash."""
        folder = self.folder / "results"
        return {
            path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
            for path in sorted(folder.rglob("*"))
            if path.is_file()
        }

    @property
    def end_state(self) -> tuple[dict[str, list[dict[str, Any]]], dict[str, str]]:
        """All that must be equal where two machines have done the same."""
        return self.rows(), self.reports()
