"""Writes a table's night as a log: JSON lines, CSV or Parquet, one record for each event."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator, Sequence
from datetime import date
from functools import cache
from io import StringIO
from pathlib import Path
from typing import Any, Final

import msgspec

from compliance.simulate.elections import dollars
from compliance.simulate.table import Chapter, Place, Record
from compliance.simulate.times import clock_time
from event_schemas import builtin_schema

BASE: Final = ("id", "ts", "seq", "casino", "table", "pit", "type")
TIMES: Final = ("ts", "effective_at")
"""Fields that a table keeps in milliseconds and a log writes as moments."""


def event_id(place: Place, seq: int) -> str:
    """The name of a table's event in the log."""
    return f"{place.table}-{seq:06d}"


def flattened(chapters: Sequence[Chapter]) -> list[Record]:
    """All events of a night, in order."""
    return [record for chapter in chapters for record in chapter.records]


def log_records(place: Place, chapters: Sequence[Chapter]) -> Iterator[Record]:
    """The records of a night as they stand in a log of JSON lines."""
    base = {"casino": place.casino, "table": place.table, "pit": place.pit, "type": ""}
    for seq, record in enumerate(flattened(chapters), start=1):
        line = {"id": event_id(place, seq), "ts": "", "seq": seq, **base, **record}
        for name in TIMES:
            if name in record:
                line[name] = clock_time(record[name])
        yield line


def write_json_lines(path: Path, place: Place, chapters: Sequence[Chapter]) -> None:
    """One JSON object a line."""
    encode = msgspec.json.Encoder().encode
    with path.open("wb") as file:
        for record in log_records(place, chapters):
            file.write(encode(record))
            file.write(b"\n")


def write_csv(path: Path, place: Place, chapters: Sequence[Chapter]) -> None:
    """One line an event, one column for each field of the vocabulary; the first line names them."""
    columns = field_kinds()
    names = (*BASE, *(name for name in columns if name not in BASE))
    money = [name for name, kind in columns.items() if kind == "money"]
    buffer = StringIO(newline="")
    lines = csv.DictWriter(buffer, names, lineterminator="\n")
    lines.writeheader()
    for record in log_records(place, chapters):
        for name in money:
            if name in record:
                # Without its sign an amount in text could be dollars or cents.
                record[name] = dollars(record[name])
        lines.writerow({name: _csv_value(value) for name, value in record.items()})
    path.write_text(buffer.getvalue(), encoding="utf-8", newline="")


def _csv_value(value: object) -> object:
    return ("true" if value else "false") if isinstance(value, bool) else value


def write_parquet(path: Path, place: Place, chapters: Sequence[Chapter]) -> None:
    """One column for each field of the vocabulary, so that the files of all tables fit together."""
    import polars as pl

    records = flattened(chapters)
    size = len(records)
    found = _columns(records)
    columns: dict[str, Any] = {
        "id": pl.Series([event_id(place, seq) for seq in range(1, size + 1)]),
        "ts": _moments(found["ts"]),
        "seq": pl.int_range(1, size + 1, eager=True),
        "casino": pl.repeat(place.casino, size, eager=True),
        "table": pl.repeat(place.table, size, eager=True),
        "pit": pl.repeat(place.pit, size, eager=True),
    }
    for name, kind in field_kinds().items():
        if name in columns:
            continue
        if name not in found:
            empty = pl.repeat(None, size, eager=True)
            columns[name] = _moments([None] * size) if kind == "time" else empty.cast(_type(kind))
            continue
        values = found[name]
        if kind == "time":
            columns[name] = _moments(values)
        elif kind == "date":
            columns[name] = pl.Series([v and date.fromisoformat(v) for v in values], dtype=pl.Date)
        elif kind == "text":
            texts = [v if v is None or isinstance(v, str) else str(v) for v in values]
            columns[name] = pl.Series(texts, dtype=pl.String)
        else:
            columns[name] = pl.Series(values, dtype=_type(kind))
    pl.DataFrame(columns).write_parquet(path, compression="zstd", row_group_size=1_000_000)


def _columns(records: Sequence[Record]) -> dict[str, list[Any]]:
    """The values of each field that occurs, with None where an event does not have it."""
    columns: dict[str, list[Any]] = {}
    for place, record in enumerate(records):
        for name, value in record.items():
            column = columns.get(name)
            if column is None:
                column = columns[name] = [None] * len(records)
            column[place] = value
    return columns


def _moments(values: list[Any]) -> Any:
    import polars as pl

    plain = pl.Series(values, dtype=pl.Int64).cast(pl.Datetime("ms"))
    zoned = plain.dt.replace_time_zone("UTC").dt.convert_time_zone("America/New_York")
    return zoned.cast(pl.Datetime("us", "America/New_York"))


def _type(kind: str) -> Any:
    import polars as pl

    return {
        "number": pl.Int64(),
        "money": pl.Int64(),
        "flag": pl.Boolean(),
        "date": pl.Date(),
    }.get(kind, pl.String())


@cache
def field_kinds() -> dict[str, str]:
    """How each field of the vocabulary is held in a column; one that varies is held as text."""
    kinds: dict[str, str] = {}
    for event in builtin_schema().events.values():
        for name, field in event.fields.items():
            kind = {"seat": "number"}.get(field.kind.name, field.kind.name)
            if kind not in ("number", "money", "flag", "time", "date"):
                kind = "text"
            if kinds.setdefault(name, kind) != kind:
                kinds[name] = "text"
    return kinds


Writer = Callable[[Path, Place, Sequence[Chapter]], None]
WRITERS: Final[dict[str, Writer]] = {
    "jsonl": write_json_lines,
    "parquet": write_parquet,
    "csv": write_csv,
}


def join_parts(parts: Sequence[Path], whole: Path, form: str) -> None:
    """One file of the logs of several tables, table after table."""
    if form == "parquet":
        _join_parquet(parts, whole)
        return
    with whole.open("wb") as file:
        for number, part in enumerate(parts):
            with part.open("rb") as source:
                if form == "csv" and number:
                    source.readline()
                while block := source.read(1 << 20):
                    file.write(block)


def _join_parquet(parts: Sequence[Path], whole: Path) -> None:
    import pyarrow.parquet as pq  # type: ignore[import-untyped]

    schema = pq.read_schema(parts[0])
    with pq.ParquetWriter(whole, schema, compression="zstd") as writer:
        for part in parts:
            writer.write_table(pq.read_table(part))
