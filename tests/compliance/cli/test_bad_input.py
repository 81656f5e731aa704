"""Bad logs at the command line: one clear sentence or a place in quarantine, and nothing lost."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from tests.compliance.small_rulebook import answer, write

HUGE = 200 << 20
GOOD = {
    "id": "e1",
    "ts": "2024-03-09T20:00:00-05:00",
    "seq": 1,
    "casino": "C1",
    "table": "T1",
    "type": "card_dealt",
    "to": "player",
    "seat": 1,
    "card": "9S",
}
SECOND = GOOD | {"id": "e2", "seq": 2, "ts": "2024-03-09T20:00:01-05:00"}
THIRD = GOOD | {"id": "e3", "seq": 3, "ts": "2024-03-09T20:00:02-05:00"}


def csv_of(records: Sequence[dict[str, Any]], mark: str = ",") -> str:
    lines = [mark.join(GOOD), *(mark.join(map(str, record.values())) for record in records)]
    return "\n".join(lines) + "\n"


def truncated_parquet(folder: Path) -> Path:
    path = folder / "night.parquet"
    pl.DataFrame([GOOD, SECOND]).write_parquet(path)
    path.write_bytes(path.read_bytes()[:-20])
    return path


def wrong_delimiter(folder: Path) -> Path:
    path = folder / "night.csv"
    path.write_text(csv_of([GOOD, SECOND], "^"), encoding="utf-8")
    return path


def header_alone(folder: Path) -> Path:
    path = folder / "night.csv"
    path.write_text(csv_of([]), encoding="utf-8")
    return path


def empty_file(folder: Path) -> Path:
    path = folder / "night.jsonl"
    path.write_bytes(b"")
    return path


def empty_parquet(folder: Path) -> Path:
    path = folder / "night.parquet"
    pl.DataFrame([GOOD]).clear().write_parquet(path)
    return path


def folder_without_logs(folder: Path) -> Path:
    path = folder / "night"
    path.mkdir()
    (path / "readme.txt").write_text("no log", encoding="utf-8")
    return path


def one_huge_line(folder: Path) -> Path:
    path = folder / "night.jsonl.gz"
    path.write_bytes(gzip.compress(b"x" * HUGE, 1))
    return path


def huge_value(folder: Path) -> Path:
    path = folder / "night.xes.gz"
    start = b'<log><trace><event><string key="concept:name" value="'
    path.write_bytes(gzip.compress(start + b"x" * HUGE, 1))
    return path


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (truncated_parquet, "The Parquet file is damaged or cut off, and cannot be read."),
        (wrong_delimiter, "commas, semicolons, tabs or bars stand between them"),
        (header_alone, "The file holds no events."),
        (empty_file, "The file holds no events."),
        (empty_parquet, "The file holds no events."),
        (folder_without_logs, "The folder holds no log; it holds readme.txt."),
        (one_huge_line, "None of the 1 records could be read as an event."),
        (huge_value, "A single value is longer than"),
    ],
)
def test_a_log_that_cannot_be_used_is_one_sentence_and_exits_2(
    make: Callable[[Path], Path], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = make(tmp_path)
    code, out, err = answer(capsys, "check", path, "--rules", write(tmp_path), "--workers", "1")
    assert (code, out) == (2, "")
    first, last = err.splitlines()
    assert path.name.split(".")[0] in first
    assert said in first
    assert last == "compliance: The log could not be read; nothing was checked."


@dataclass(frozen=True)
class Checked:
    events: int
    quarantined: int
    aside: list[dict[str, Any]]


def check(
    folder: Path, data: bytes, capsys: pytest.CaptureFixture[str], *more: str | Path, name: str
) -> Checked:
    path = folder / name
    path.write_bytes(data)
    aside = folder / "aside.jsonl"
    words = ["check", path, "--rules", write(folder), "--workers", "1", "--quarantine", aside]
    code, out, err = answer(capsys, *words, *more, "--format", "json")
    assert code in (0, 1, 5), err
    run = json.loads(out)
    lines = aside.read_text(encoding="utf-8").splitlines()
    return Checked(run["inputs"][0]["events"], run["quarantined"], [json.loads(x) for x in lines])


def lines_of(*records: dict[str, Any] | str | bytes) -> bytes:
    def data(record: dict[str, Any] | str | bytes) -> bytes:
        if isinstance(record, bytes):
            return record
        return (record if isinstance(record, str) else json.dumps(record)).encode()

    return b"\n".join(map(data, records)) + b"\n"


def with_value(name: str, text: str) -> str:
    """The second record with a value that JSON writers of other systems produce."""
    return json.dumps(SECOND | {name: "VALUE"}).replace('"VALUE"', text)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (b'{"id": "e2"\0}', "NUL byte"),
        (json.dumps(SECOND).replace("player", "spieler").encode() + b"\xfc", "not UTF-8 text"),
        ("Spieler fängt an".encode("latin-1"), "such as Windows-1252"),
        (with_value("seat", "NaN"), "NaN"),
        (with_value("seat", "Infinity"), "Infinity"),
        (with_value("seat", "-Infinity"), "Infinity"),
        (with_value("seat", "1e400"), "1e400"),
        (with_value("seat", '"inf"'), "inf"),
        (with_value("ts", '"0000-01-01T00:00:00Z"'), "0000-01-01"),
        (with_value("ts", '"0001-01-01T00:00:00Z"'), "1900"),
        (with_value("ts", '"9999-12-31T23:59:59-05:00"'), "2199"),
        (with_value("ts", '"2024-11-03T01:30:00"'), "offset"),
    ],
)
def test_a_line_that_is_no_event_is_kept_apart_and_the_others_count(
    line: str | bytes, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = lines_of(GOOD, line, THIRD)
    found = check(tmp_path, data, capsys, name="night.jsonl")
    assert (found.events, found.quarantined) == (2, 1)
    (aside,) = found.aside
    assert (aside["file"], aside["line"]) == ("night.jsonl", 2)
    assert said in aside["reason"] + aside["text"]
    assert aside["reason"]


@pytest.mark.parametrize("value", ["nan", "inf", "-inf"])
def test_nan_and_infinity_in_parquet_are_set_aside_or_missing_but_never_a_number(
    value: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "made.parquet"
    rows = [GOOD | {"round": 1.0}, SECOND | {"round": float(value)}, THIRD | {"round": 2.0}]
    pl.DataFrame(rows).write_parquet(path)
    found = check(tmp_path, path.read_bytes(), capsys, name="night.parquet")
    assert (found.events, found.quarantined) == (2, 1)
    assert found.aside[0]["line"] == 2


OVERLAP = """name = "Local times"
zone = "America/New_York"
others = "keep"
overlap = "{}"

[fields]
ts = "ts"
"""


@pytest.mark.parametrize(("way", "events"), [("refuse", 2), ("first", 3), ("second", 3)])
def test_an_hour_that_happens_twice_is_never_guessed(
    way: str, events: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    mapping = tmp_path / "mapping.toml"
    mapping.write_text(OVERLAP.format(way), encoding="utf-8")
    moments = ("2024-11-03T00:30:00", "2024-11-03T01:30:00", "2024-11-03T02:30:00")
    records = [r | {"ts": ts} for r, ts in zip((GOOD, SECOND, THIRD), moments, strict=True)]
    path = tmp_path / "night.jsonl"
    path.write_bytes(lines_of(*records))
    words = ["check", path, "--mapping", mapping, "--rules", write(tmp_path), "--workers", "1"]
    code, out, err = answer(capsys, *words, "--format", "json")
    assert code in (0, 1, 5), err
    run = json.loads(out)
    assert run["inputs"][0]["events"] == events
    assert run["quarantined"] == 3 - events


PROGRAM = """
import resource, sys
from compliance.cli import main
code = main(sys.argv[1:])
print(code, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, file=sys.stderr)
"""


def memory_of(path: Path, *more: str | Path) -> int:
    """How much memory a check takes at most, in kilobytes."""
    rules = write(path.parent)
    words = ["check", path, "--rules", rules, "--workers", "1", "-o", path.parent / "run.json"]
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, *map(str, words), "--format", "json", *map(str, more)],
        capture_output=True,
        text=True,
        timeout=120,
    )
    code, size = done.stderr.split()[-2:]
    assert code in ("0", "1"), done.stderr
    return int(size)


@pytest.mark.parametrize("form", ["jsonl", "csv"])
def test_a_line_of_200_megabytes_costs_little_memory_and_no_other_line(
    form: str, tmp_path: Path
) -> None:
    text = lines_of(GOOD, THIRD) if form == "jsonl" else csv_of([GOOD, THIRD]).encode()
    lines = text.splitlines(keepends=True)
    small = tmp_path / f"small.{form}.gz"
    small.write_bytes(gzip.compress(text))
    large = tmp_path / f"large.{form}.gz"
    huge = gzip.compress(b"x" * HUGE + b"\n", 1)
    large.write_bytes(gzip.compress(b"".join(lines[:-1])) + huge + gzip.compress(lines[-1]))
    usual = memory_of(small)
    assert memory_of(large) < usual + 100_000
    run = json.loads((tmp_path / "run.json").read_text(encoding="utf-8"))
    assert (run["inputs"][0]["events"], run["quarantined"]) == (2, 1)
