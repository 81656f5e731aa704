"""Short logs written line by line, and the result of checking them the way the command does."""

from __future__ import annotations

import json
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from compliance.checking.check_log import check_log
from compliance.checking.nights import Nights
from compliance.table_check.settings import Settings
from event_schemas import builtin_schema
from reports.model import RuleOutcome, Run
from rules_dsl import core
from rules_dsl.rulebook import load_text

SCHEMA = builtin_schema()
START = datetime.fromisoformat("2024-03-09T20:00:00-05:00")


def book(text: str) -> core.Rulebook:
    """A rulebook that has no mistakes."""
    loaded = load_text(text, SCHEMA)
    assert not loaded.errors, loaded.errors
    return loaded.rulebook


def night(path: Path, text: str, *, casino: str = "C1", first: int = 1) -> Path:
    """A log from lines such as `T1 0:09 card_dealt to=player`: minutes and seconds after 20:00."""
    numbers: dict[str, int] = {}
    lines = []
    for line in text.strip().splitlines():
        table, after, kind, *fields = line.split()
        minutes, seconds = map(int, after.split(":"))
        number = numbers[table] = numbers.get(table, first - 1) + 1
        record: dict[str, Any] = {
            "id": f"{casino}-{table}-{number}",
            "ts": (START + timedelta(minutes=minutes, seconds=seconds)).isoformat(),
            "seq": number,
            "casino": casino,
            "table": table,
            "type": kind,
        }
        for part in fields:
            name, value = part.split("=")
            record[name] = int(value) if value.isdigit() else value
        lines.append(json.dumps(record))
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def checked(
    paths: list[Path], rulebook: core.Rulebook, earlier: Nights | None = None, **more: Any
) -> Run:
    """The result of a check that must succeed."""
    found = check_log(paths, Settings(rulebook, SCHEMA, **more), earlier)
    assert found.run is not None, found.problems
    return found.run


def outcome(run: Run, rule: str) -> RuleOutcome:
    """What a run says of one rule."""
    return next(item for item in run.outcomes if item.rule == rule)
