"""Logs that grow the work or hide something: read in time, and nothing lost in silence."""

from __future__ import annotations

import base64
import gzip
import io
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import polars as pl
import pyarrow as pa  # type: ignore[import-untyped]
import pyarrow.parquet as pq  # type: ignore[import-untyped]
import pytest

from event_schemas.limits import UNPACKED_ANYHOW
from tests.attacks.arena import EVENT, NIGHT, Attack, Content, cases, record, withstood

CHECK = "check night.jsonl --rules small.rules --workers 1 --format json"
ASIDE = '"quarantined": {}'
SIZE = 40_000


def corrected(step: int) -> str:
    lines = []
    for n in range(1, SIZE + 1):
        other = n - step
        named = {"corrects": f"e{other}"} if 1 <= other <= SIZE else {}
        lines.append(record(id=f"e{n}", seq=n, **named))
    return "".join(lines)


def parquet(**changes: str) -> bytes:
    """A sound file without statistics, so that each name stands in it as text."""
    frame = pl.DataFrame([EVENT | {"player": "P"} | changes])
    out = io.BytesIO()
    typed = frame.with_columns(pl.col("ts").str.to_datetime(time_zone="UTC"))
    typed.write_parquet(out, compression="uncompressed", statistics=False)
    return out.getvalue()


SECOND = 1_710_032_400
BEYOND = 2**62
WRAPPED = (2**64 + SECOND * 10**6) // 1000 + 1
"""So many milliseconds are, counted in microseconds with 64 bits, a moment of the night."""


def typed(values: list[Any], kind: Any = None, column: str = "ts") -> bytes:
    """Two sound records in Parquet, with the values of one column and its type changed."""
    table = pa.Table.from_pylist([EVENT, EVENT | {"id": "e2", "seq": 2}])
    columns = {name: table[name] for name in table.column_names}
    columns["ts"] = pa.array([SECOND * 10**6] * 2, pa.timestamp("us", "UTC"))
    columns[column] = pa.array(values, kind)
    out = io.BytesIO()
    pq.write_table(pa.table(columns), out)
    return out.getvalue()


def renamed_zone() -> bytes:
    """The zone stands in the file's own account of its columns, in base 64."""
    data = typed([1, 2], pa.timestamp("us", "America/New_York"))
    account = next(iter(re.findall(rb"/////[\w+/=]+", data)))
    spoiled = base64.b64decode(account).replace(b"Amer", b"Am\xffr")
    return data.replace(account, base64.b64encode(spoiled))


def typed_attacks() -> Iterator[Attack]:
    """Columns of Parquet files whose types or values no field can have."""
    words = CHECK.replace("night.jsonl", "night.parquet")
    utc = pa.timestamp("us", "UTC")
    one_wild = typed([SECOND * 10**6, BEYOND], utc)
    account = one_wild.replace(b"ARROW:schema", b"ARROW:\xff\xffhema")
    for name, data, code, says in (
        ("a zone of no map", typed([1, 2], pa.timestamp("us", "Mars/Base")), 2, "no time zone"),
        ("a zone of 99 hours", typed([1, 2], pa.timestamp("us", "+99:99")), 2, "no time zone"),
        ("a zone outside", typed([1, 2], pa.timestamp("us", "../UTC")), 2, "no time zone"),
        ("a zone that is no text", renamed_zone(), 2, "is not UTF-8 text"),
        ("a zone by hours", typed([SECOND * 10**6] * 2, pa.timestamp("us", "+05:00")), 1, ""),
        ("one wild time", one_wild, 1, ASIDE.format(1)),
        ("an account that is no text", account, 1, ASIDE.format(1)),
        ("wild times", typed([-BEYOND, BEYOND], utc), 2, "4611686018427387904 microseconds"),
        (
            "times that wrap",
            typed([WRAPPED] * 2, pa.timestamp("ms", "UTC")),
            2,
            f"{WRAPPED} milliseconds",
        ),
        ("wild local times", typed([BEYOND] * 2, pa.timestamp("us")), 2, "microseconds"),
        ("wild days", typed([2**31 - 1] * 2, pa.date32(), "seat"), 2, "2147483647 days"),
        ("wild lengths", typed([BEYOND] * 2, pa.duration("ms"), "seat"), 2, "milliseconds"),
        ("wild times in lists", typed([[BEYOND]] * 2, pa.list_(utc), "seat"), 2, "no calendar has"),
        (
            "wild times in records",
            typed([{"a": BEYOND}] * 2, pa.struct([("a", utc)]), "seat"),
            2,
            "no calendar has",
        ),
        (
            "wild times in maps",
            typed([[("a", BEYOND)]] * 2, pa.map_(pa.string(), utc), "seat"),
            2,
            "no calendar has",
        ),
        (
            "numbers of 256 bits",
            typed([1, 2], pa.decimal256(70, 2), "seat"),
            2,
            "no field can have",
        ),
        ("a map", typed([[("a", 1)]] * 2, pa.map_(pa.string(), pa.int64()), "seat"), 2, "seat"),
        ("bytes", typed([b"\xff", b"\0"], None, "id"), 2, "The field id could not be read"),
        ("no number", typed([1.0, float("nan")], None, "seq"), 1, ASIDE.format(1)),
        ("64 bits without a sign", typed([2**64 - 1, 1], pa.uint64(), "seq"), 1, ASIDE.format(1)),
    ):
        yield Attack(f"Parquet, {name}", words, code, says, {"night.parquet": data})


def attacks() -> Iterator[Attack]:
    def log(name: str, text: str | bytes, code: int, says: str) -> Attack:
        files: dict[str, Content] = {"night.jsonl": text}
        return Attack(name, CHECK, code, says, files)

    yield log("a chain of corrections", corrected(1), 1, "itself corrected later")
    yield log("a chain from the end", corrected(-1), 1, "itself corrected later")
    circle = "".join(
        record(id=f"e{n}", seq=n, corrects=f"e{n % 3_000 + 1}") for n in range(1, 3_001)
    )
    yield log("a circle of corrections", circle, 1, "name each other")
    yield log("a line of 10 MB", NIGHT + record(player="x" * 10_000_000), 1, ASIDE.format(1))
    deep = "[" * 100_000 + "\n"
    yield log("100,000 brackets", NIGHT + deep, 1, ASIDE.format(1))
    nested = record('{"a":' * 5_000 + "1" + "}" * 5_000, id="e2", seq=2, seat="VALUE")
    yield log("a deep value", NIGHT + nested, 1, ASIDE.format(1))
    types = "".join(record(id=f"u{n}", seq=n + 2, type=f"type{n}") for n in range(3_000))
    yield log("3,000 unknown types", NIGHT + types, 1, ASIDE.format("3000"))
    fields = record(None, id="e2", seq=2, **{f"field{n}": 1 for n in range(20_000)})
    yield log("20,000 unknown fields", NIGHT + fields, 1, ASIDE.format(1))
    for zone in ("America", "..", "/etc/passwd", "posix", "a" * 300):
        line = record(id="e2", seq=2, ts=f"2024-03-09T20:00:00-05:00[{zone}]")
        yield log(f"the zone {zone[:12]}", NIGHT + line, 1, ASIDE.format(1))
    for moment in (
        "0001-01-01T00:00:00+14:00",
        "9999-12-31T23:59:59-14:00",
        "2024-02-30T00:00Z",
        "2024",
    ):
        yield log(
            f"the time {moment}", NIGHT + record(id="e2", seq=2, ts=moment), 1, ASIDE.format(1)
        )
    for name, value in (("a list", [1]), ("a record", {"a": 1}), ("yes", True), ("no text", 1.5)):
        for field in ("id", "seat", "table", "type", "ts", "card", "player"):
            changed = record(None, **{"id": "e2", "seq": 2, field: value})
            yield log(f"{field} is {name}", NIGHT + changed, 1, ASIDE.format(1))
    packed = {"night.jsonl.gz": gzip.compress(NIGHT.encode() * 50)}
    words = CHECK.replace("night.jsonl", "night.jsonl.gz")
    whole = packed["night.jsonl.gz"]
    for name, data in (
        ("cut off", whole[:-5]),
        ("with a wrong checksum", whole[:-8] + b"\0\0\0\0" + whole[-4:]),
        ("with a wrong length", whole[:-4] + b"\0\0\0\0"),
        ("followed by something", whole + b"more"),
        ("flipped in the middle", whole[:40] + bytes([whole[40] ^ 4]) + whole[41:]),
    ):
        yield Attack(f"gzip, {name}", words, 2, "damaged or cut off", {"night.jsonl.gz": data})
    swollen = b"\n" * (UNPACKED_ANYHOW + (2 << 20))
    says = "more than 500 times its size"
    bombs = {"gz": gzip.compress(swollen, 9), "zst": pa.compress(swollen, "zstd", asbytes=True)}
    for ending, data in bombs.items():
        name = f"night.jsonl.{ending}"
        yield Attack(f"{ending}, a bomb", CHECK.replace("night.jsonl", name), 2, says, {name: data})
    plain = pa.compress(NIGHT.encode() * 50, "zstd", asbytes=True)
    words = CHECK.replace("night.jsonl", "night.jsonl.zst")
    for name, data in (
        ("cut off", plain[:-5]),
        ("cut off in its head", plain[:5]),
        ("followed by something", plain + b"more"),
        ("a second one cut off", plain + plain[:-3]),
    ):
        yield Attack(f"zstd, {name}", words, 2, "damaged or cut off", {"night.jsonl.zst": data})
    words = CHECK.replace("night.jsonl", "night.csv")
    says = "does not name the columns"
    for name, text in (
        ("a carriage return in the head", "id,ts,seq,ca\rsino,table,type\n"),
        ("a head of 200,000 letters", "id" * 100_000 + ",ts\n"),
    ):
        yield Attack(f"CSV, {name}", words, 2, says, {"night.csv": text})
    words = CHECK.replace("night.jsonl", "night.parquet")
    sound = parquet(table="T1")
    for name, data, says in (
        ("cut off", sound[:-9], "damaged or cut off"),
        ("without an end", sound[: len(sound) // 2], "damaged or cut off"),
        ("a name that is no text", sound.replace(b"player", b"pl\x97yer"), "is not UTF-8 text"),
        (
            "a table that is no text",
            parquet(table="T\u00e9").replace(b"\xc3\xa9", b"\xc3x"),
            "damaged",
        ),
        ("two columns of one name", sound.replace(b"seat", b"card"), "Two columns"),
    ):
        yield Attack(f"Parquet, {name}", words, 2, says, {"night.parquet": data})
    says = "packed without a checksum"
    words = CHECK.replace("night.jsonl", "night.jsonl.zst")
    yield Attack("zstd, without a checksum", words, 1, says, {"night.jsonl.zst": plain})


@cases([*attacks(), *typed_attacks()])
def test_a_hostile_log_is_read_in_time_and_nothing_of_it_is_lost(
    attack: Attack, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    withstood(attack, tmp_path, capsys)
