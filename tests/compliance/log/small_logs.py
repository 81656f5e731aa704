"""Small logs written by hand, and a short way to read them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from compliance.log import LogTables, tables
from compliance.table_log.frame import FrameEvents
from event_schemas import Event, builtin_schema

SCHEMA = builtin_schema()
GOOD = {
    "id": "a",
    "ts": "2024-03-09T20:00:00-05:00",
    "seq": 1,
    "casino": "C1",
    "table": "T1",
    "type": "card_dealt",
    "to": "player",
}
HEADER = ",".join(GOOD)
GOOD_CSV = ",".join(map(str, GOOD.values()))


def line(**changes: Any) -> str:
    """A good record as a JSON line, with some fields changed."""
    return json.dumps(GOOD | changes)


def written(folder: Path, *lines: str | bytes, name: str = "log.jsonl") -> Path:
    path = folder / name
    parts = [part if isinstance(part, bytes) else part.encode() for part in lines]
    path.write_bytes(b"\n".join(parts) + b"\n")
    return path


def read(*paths: Path | str, **options: Any) -> tuple[LogTables, list[Event]]:
    """The log, and all of its events, table by table."""
    log = tables(paths, SCHEMA, **options)
    return log, [event for table in log for event in FrameEvents(SCHEMA, table.frame)]


def reasons(log: LogTables) -> list[tuple[int, str]]:
    return [(item.line, item.reason) for item in log.quarantine.first]


def problem(log: LogTables) -> str:
    (found,) = log.problems
    return str(found)
