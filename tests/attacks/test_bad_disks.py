"""Full disks, kills and files that change: what was there stays, and what is named was read."""

from __future__ import annotations

import hashlib
import json
import os
import resource
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from reports.formats import FORMATS
from tests.attacks.arena import FILES, NIGHT, Attack, lay_out, withstood
from tests.attacks.test_outputs import COMMAND, contents

CHECK = "check night.jsonl --rules small.rules --workers 1"
ROOM = 600
"""Bytes that fit into any file while the disk is full."""


@contextmanager
def full_disk() -> Iterator[None]:
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (ROOM, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@pytest.mark.parametrize(
    "option",
    [
        "-o out.json",
        "-o out.html",
        "--format text -o out.txt",
        "-o out.csv",
        "-o out.parquet",
        "--format sarif -o out.sarif",
        "--format junit -o out.xml",
        "--keep out.kept",
        "--state out.nights",
        "--quarantine out.jsonl",
    ],
)
def test_on_a_full_disk_what_was_there_stays_and_nothing_half_is_left(
    option: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bad = "".join(f'{{"no": {n}}}\n' for n in range(40))
    files = {**FILES, "night.jsonl": NIGHT + bad}
    if "--keep" not in option and "--state" not in option:
        files[option.split()[-1]] = "what was there"
    lay_out(tmp_path, files)
    before = contents(tmp_path)
    says = "cannot be written: File too large"
    with full_disk():
        withstood(Attack("", f"{CHECK} {option}", 2, says, files), tmp_path, capsys)
    assert contents(tmp_path) == before


def test_a_full_disk_leaves_nothing_in_the_cache(
    own_cache: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rules = FILES["small.rules"]
    assert isinstance(rules, str)
    files = {"small.rules": rules.replace("A card", "One card")}
    before = contents(own_cache)
    with full_disk():
        withstood(Attack("", "rules check small.rules", 0, "1 rule", files), tmp_path, capsys)
    assert contents(own_cache) == before


@pytest.mark.parametrize("moment", [0.5, 0.7, 0.9, 1.1, 1.4])
def test_a_kill_leaves_the_old_file_or_the_whole_new_one(moment: float, tmp_path: Path) -> None:
    lay_out(tmp_path, {**FILES, "out.json": "what was there"})
    words = [*COMMAND, *CHECK.split(), "-o", "out.json"]
    started = subprocess.Popen(
        words,
        cwd=tmp_path,
        stdout=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": os.getcwd()},
    )
    time.sleep(moment)
    started.send_signal(signal.SIGKILL)
    started.wait()
    found = (tmp_path / "out.json").read_text(encoding="utf-8")
    assert found == "what was there" or json.loads(found)["sha256"]


@pytest.mark.parametrize(
    "option",
    [
        *(f"--format {form} -o out.{form}" for form in FORMATS),
        "--format text -o out.text",
        "--quarantine out.jsonl",
        "--keep out.kept",
        "--state out.nights",
    ],
)
def test_a_kill_in_the_middle_of_writing_leaves_no_half_file(option: str, tmp_path: Path) -> None:
    """What is being written lies under a hidden name: the kill comes as soon as that is there."""
    output = tmp_path / option.split()[-1]
    bad = "".join(f'{{"no": {n}}}\n' for n in range(40))
    lay_out(tmp_path, {**FILES, "night.jsonl": NIGHT + bad})
    started = subprocess.Popen(
        [*COMMAND, *CHECK.split(), *option.split()],
        cwd=tmp_path,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": os.getcwd()},
    )
    while started.poll() is None and not output.exists() and not _unfinished(output):
        time.sleep(0.0002)
    started.kill()
    started.wait()
    # Where it was too late to kill it in the middle, the file has its name, and is whole.
    assert output.exists() != bool(_unfinished(output))
    if output.exists():
        before = output.read_bytes()
        subprocess.run(started.args, cwd=tmp_path, capture_output=True, check=False)
        assert len(output.read_bytes()) == pytest.approx(len(before), abs=200)


def _unfinished(output: Path) -> list[Path]:
    lock = output.with_name(f".{output.name}.lock")
    return [path for path in output.parent.glob(f".{output.name}.*") if path != lock]


def test_the_hash_of_a_pipe_is_that_of_what_came_through_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lay_out(tmp_path, FILES)
    reading, writing = os.pipe()
    # A pipe holds more than the night is long.
    os.write(writing, NIGHT.encode())
    os.close(writing)
    words = f"check /dev/fd/{reading} --rules small.rules --workers 1 --format json -o run.json"
    withstood(Attack("", words, 1, ""), tmp_path, capsys)
    os.close(reading)
    (named,) = json.loads((tmp_path / "run.json").read_text(encoding="utf-8"))["inputs"]
    assert named["sha256"] == hashlib.sha256(NIGHT.encode()).hexdigest()


def test_the_cache_is_for_one_user_and_an_entry_of_another_is_not_used(
    own_cache: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    check = Attack("", "rules check small.rules", 0, "1 rule")
    withstood(check, tmp_path, capsys)
    folder = own_cache / "table-compliance" / "rulebooks"
    entries = list(folder.glob("*.rulebook"))
    assert folder.stat().st_mode & 0o077 == 0
    assert entries
    for entry in entries:
        assert entry.stat().st_mode & 0o077 == 0
        entry.write_bytes(b"another's")
        entry.chmod(0o666)
    withstood(check, tmp_path, capsys)
