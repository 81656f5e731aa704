"""Logs of several tables in which lines were blotted out, and what is then known to be lost."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Collection, Sequence
from pathlib import Path

from compliance.integrity import Damage, ExaminedTable, examine
from compliance.log import tables
from event_schemas.lost_record import LostRecord
from tests.compliance.integrity.small_tables import SCHEMA, Record, at, lost

Line = Record | str
"""A record, or a line that is none."""


def examined_tables(
    *files: Sequence[Line], recorded: frozenset[str] | None = None
) -> dict[str, ExaminedTable]:
    """The tables of a log whose files hold these lines."""
    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for number, lines in enumerate(files, start=1):
            paths.append(Path(folder) / f"{number}.jsonl")
            text = "".join(
                f"{line if isinstance(line, str) else _written(line)}\n" for line in lines
            )
            paths[-1].write_text(text, encoding="utf-8")
        log = tables(paths, SCHEMA)
        assert not log.problems
        return {
            table.table: examine(SCHEMA, table.frame, damage=Damage(table.lost_lines, recorded))
            for table in log
        }


def _written(record: Record) -> str:
    number = record["seq"]
    base = {"id": f"e{number}", "ts": at(seconds=number), "casino": "C1", "table": "T1"}
    return json.dumps({**base, **record})


def lost_at(*files: Sequence[Line], table: str = "T1") -> list[tuple[int, int]]:
    """Number and count of the records that a table has lost."""
    return [(event.seq, event.times) for event in lost_of(*files, table=table)]


def lost_of(*files: Sequence[Line], table: str = "T1") -> list[LostRecord]:
    """The records that a table has lost."""
    return lost(examined_tables(*files)[table])


def blotted(records: Sequence[Record], places: Collection[int]) -> list[Line]:
    """The lines of a log, some of them unreadable."""
    return ["?" if place in places else record for place, record in enumerate(records)]
