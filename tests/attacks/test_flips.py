"""One bit of a binary file is flipped: it is told, or the result is the same; never a crash.

`FLIPS` in the environment says how many flips the long form tries.
"""

from __future__ import annotations

import gzip
import json
import os
import random
from pathlib import Path

import polars as pl
import pyarrow as pa  # type: ignore[import-untyped]
import pytest

from compliance.cli import main
from tests.attacks.arena import EVENT, FILES, in_time, lay_out

MANY = int(os.environ.get("FLIPS", "10000"))
LINES = [
    EVENT
    | {"id": f"e{n}", "seq": n, "seat": n % 7 + 1, "table": f"T{n // 100}"}
    for n in range(1, 301)
]  # fmt: skip
TEXT = "".join(json.dumps(line) + "\n" for line in LINES).encode()
CHECK = ("check", "{}", "--rules", "small.rules", "--workers", "1", "--format", "json")


def frame() -> pl.DataFrame:
    return pl.DataFrame(LINES).with_columns(pl.col("ts").str.to_datetime(time_zone="UTC"))


def made(kind: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> tuple[Path, list[str]]:
    """A whole file of a kind, and the command that reads it."""
    lay_out(folder, FILES)
    os.chdir(folder)
    path = folder / {"gzip": "n.jsonl.gz", "zstd": "n.jsonl.zst"}.get(kind, f"n.{kind}")
    words = [word.format(path.name) for word in CHECK]
    if kind == "gzip":
        path.write_bytes(gzip.compress(TEXT))
    elif kind == "zstd":
        path.write_bytes(pa.compress(TEXT, "zstd", asbytes=True))
    elif kind == "parquet":
        frame().write_parquet(path, row_group_size=100)
    elif kind == "state":
        words = ["check", "night.jsonl", *CHECK[2:]]
        assert main([*words, "--keep", path.name]) == 1
        words = ["check", "night.jsonl", *CHECK[2:], "--after", path.name]
    elif kind == "cache":
        words = ["check", "night.jsonl", *CHECK[2:]]
        cache = Path(os.environ["XDG_CACHE_HOME"]) / "table-compliance" / "rulebooks"
        for old in cache.glob("*"):
            old.unlink()
        main(words)
        path = next(cache.glob("*.rulebook"))
    else:
        assert main(["check", "night.jsonl", *CHECK[2:], "-o", path.name]) == 1
        words = ["report", path.name, "--format", "csv"]
    capsys.readouterr()
    return path, words


def flip(kind: str, number: int, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, words = made(kind, folder, capsys)
    whole = path.read_bytes()
    chance = random.Random(f"{kind}{number}")
    for _ in range(number):
        data = bytearray(whole)
        data[place := chance.randrange(len(data))] ^= 1 << chance.randrange(8)
        path.write_bytes(data)
        code = in_time(lambda: main(list(words)))
        out, err = capsys.readouterr()
        assert code in (0, 1, 2, 5), (place, err)
        assert "Traceback" not in out + err
        if kind == "cache":
            assert code == 1, place


KINDS = ("gzip", "zstd", "parquet", "state", "cache", "json")


@pytest.mark.parametrize("kind", KINDS)
def test_a_flipped_bit_never_brings_the_program_down(
    kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    flip(kind, 12, tmp_path, capsys)


@pytest.mark.long
@pytest.mark.parametrize("kind", KINDS)
def test_very_many_flipped_bits_never_do(
    kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    flip(kind, MANY // len(KINDS), tmp_path, capsys)


def test_no_bit_of_a_gzip_log_is_lost_in_silence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    path, words = made("gzip", tmp_path, capsys)
    whole = path.read_bytes()
    for place in range(10, len(whole), len(whole) // 20):
        data = bytearray(whole)
        data[place] ^= 8
        path.write_bytes(data)
        assert main(list(words)) == 2, place
        assert "damaged or cut off" in capsys.readouterr().err
