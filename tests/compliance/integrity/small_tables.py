"""A table's log in a few words: each event with its number, its id and its second."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Mapping
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import polars as pl

from compliance.integrity import Defect, DefectKind, ExaminedTable, examine
from compliance.log import tables
from compliance.table_log.frame import FrameEvents
from compliance.table_log.lost_rows import without_lost_rows
from event_schemas import builtin_schema
from event_schemas.lost_record import LostRecord

SCHEMA = builtin_schema()
START = datetime.fromisoformat("2024-03-09T20:00:00-05:00")
Record = dict[str, Any]


def an(event_type: str, **fields: Any) -> Record:
    """An event; what is not said is filled in by its place in the log."""
    return {"type": event_type, **fields}


def dealt(card: str = "9S", **fields: Any) -> Record:
    return an("card_dealt", to="player", card=card, **fields)


def at(**length: float) -> str:
    """A time after the beginning of the log."""
    return (START + timedelta(**length)).isoformat()


def frame_of(*records: Record, name: str = "log.jsonl") -> pl.DataFrame:
    """The frame of a log: event number 3 has the id e3, and happens 3 seconds after the start."""
    lines = []
    for place, record in enumerate(records, start=1):
        number = record.get("seq", place)
        base = {"id": f"e{number}", "seq": number, "ts": at(seconds=number)}
        lines.append(json.dumps({"casino": "C1", "table": "T1", **base, **record}))
    return frame_of_lines(lines, name)


def frame_of_lines(lines: list[str], name: str = "log.jsonl") -> pl.DataFrame:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
        log = tables([path], SCHEMA)
        (table,) = log
    assert not log.problems
    assert log.quarantine.total == 0, log.quarantine.first
    return table.frame


def examined(*records: Record, options: Mapping[str, object] | None = None) -> ExaminedTable:
    return examine(SCHEMA, frame_of(*records), options)


def found(*records: Record, options: Mapping[str, object] | None = None) -> list[tuple[str, str]]:
    """Kind and event of every defect."""
    result = examined(*records, options=options)
    return [(item.kind.value, item.event_id) for item in result.defects]


def only(kind: DefectKind, *records: Record, options: Mapping[str, object] | None = None) -> Defect:
    """The one defect of a log, which is of this kind."""
    (defect,) = examined(*records, options=options).defects
    assert defect.kind is kind
    return defect


def ids(result: ExaminedTable) -> list[str]:
    """The records that are there."""
    return without_lost_rows(SCHEMA, result.frame)["id"].to_list()


def lost(result: ExaminedTable) -> list[LostRecord]:
    """The records that are known to be lost."""
    return [event for event in FrameEvents(SCHEMA, result.frame) if isinstance(event, LostRecord)]
