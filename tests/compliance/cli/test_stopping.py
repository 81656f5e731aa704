"""Ctrl-C and `kill`: the command ends soon, says so in one sentence, and leaves nothing behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from datetime import date
from pathlib import Path

import pytest

from compliance.simulate.floor import plan_floor, simulate_floor

COMMAND = [sys.executable, "-c", "import sys; from compliance.cli import main; sys.exit(main())"]
SOON = 5.0
"""Seconds in which a stopped command has to be gone: on an idle machine it is less than one, and
the work itself would take far longer than this."""
SAID = {
    signal.SIGINT: "compliance: stopped by Ctrl-C before it was done.\n",
    signal.SIGTERM: "compliance: stopped by a signal before it was done.\n",
}


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A log that takes many seconds to check, with lines that go into quarantine."""
    folder = tmp_path_factory.mktemp("night")
    floor = plan_floor(tables=6, games=("blackjack",), day=date(2010, 3, 6), seed=1, rounds=400)
    simulate_floor(floor, folder, "jsonl", workers=2)
    text = (folder / "BJ01.jsonl").read_text(encoding="utf-8")
    (folder / "BJ01.jsonl").write_text("no event\n" + text, encoding="utf-8")
    for number in range(2, 7):
        for copy in range(9):
            path = folder / f"BJ0{number}.jsonl"
            other = path.read_text(encoding="utf-8").replace(f"BJ0{number}", f"X{number}{copy}")
            (folder / f"X{number}{copy}.jsonl").write_text(other, encoding="utf-8")
    return folder


def children(pid: int) -> list[int]:
    """The processes that a process has started, however deep."""
    found: list[int] = []
    # Any of its threads may have started one, and may be gone in the meantime.
    for path in Path(f"/proc/{pid}/task").glob("*/children"):
        with suppress(FileNotFoundError, ProcessLookupError):
            found += map(int, path.read_text(encoding="ascii").split())
    return [*sorted(found), *(deeper for child in found for deeper in children(child))]


def alive(pid: int) -> bool:
    try:
        return "(zombie)" not in Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
    except FileNotFoundError:
        return False


class Running:
    """A command in a group of its own, as a terminal starts it, with folders to look into."""

    def __init__(self, folder: Path, *words: str | Path) -> None:
        self.folder = folder
        self.scratch = folder / "scratch"
        self.scratch.mkdir(parents=True)
        self.process = subprocess.Popen(
            [*COMMAND, *map(str, words)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=folder,
            env={**os.environ, "TMPDIR": str(self.scratch)},
            start_new_session=True,
        )
        self.workers: list[int] = []

    def wait_for_workers(self, seconds: float) -> None:
        """Until two workers (and the one who counts their files) have been at it for a while."""
        end = time.monotonic() + 60
        while len(self.workers) < 3:
            assert time.monotonic() < end, "no workers were started"
            assert self.process.poll() is None, self.process.communicate()
            self.workers = children(self.process.pid)
            time.sleep(0.02)
        time.sleep(seconds)
        self.workers = children(self.process.pid)

    def stop(self, number: int, *, group: bool) -> tuple[float, str, str]:
        """Send a signal; how long it took to end, and what was said."""
        begun = time.monotonic()
        if group:
            os.killpg(self.process.pid, number)
        else:
            self.process.send_signal(number)
        out, err = self.process.communicate(timeout=60)
        return time.monotonic() - begun, out, err

    def left(self) -> list[str]:
        """Files that were not there before."""
        found = [path for path in self.folder.rglob("*") if path != self.scratch]
        return sorted(str(path.relative_to(self.folder)) for path in found)

    def orphans(self) -> list[int]:
        end = time.monotonic() + 2
        while any(map(alive, self.workers)) and time.monotonic() < end:
            time.sleep(0.02)
        return [pid for pid in self.workers if alive(pid)]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path


def check(folder: Path, log: Path) -> Running:
    words = ["--workers", "2", "--format", "json", "-o", "run.json"]
    return Running(folder, "check", log, *words, "--quarantine", "aside.jsonl")


@pytest.mark.parametrize(
    ("number", "group", "seconds"),
    [
        (signal.SIGINT, True, 0.0),
        (signal.SIGINT, True, 0.5),
        (signal.SIGINT, False, 0.5),
        (signal.SIGTERM, True, 0.5),
        (signal.SIGTERM, False, 0.5),
    ],
)
def test_a_check_that_is_stopped_ends_soon_and_leaves_nothing(
    folder: Path, log: Path, number: signal.Signals, group: bool, seconds: float
) -> None:
    running = check(folder, log)
    running.wait_for_workers(seconds)
    took, out, err = running.stop(number, group=group)
    assert (running.process.returncode, out, err) == (128 + number, "", SAID[number])
    assert took < SOON
    assert running.orphans() == []
    # What could not be read was known by then: its list is whole.
    assert running.left() == ["aside.jsonl"]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_stopped_while_it_reads_a_check_leaves_nothing(
    folder: Path, log: Path, number: signal.Signals
) -> None:
    running = Running(folder, "check", "-", "--input", "jsonl", "--quarantine", "aside.jsonl")
    assert running.process.stdin is not None
    # More than one block, the first line of which is set aside; and the pipe stays open.
    text = (log / "BJ01.jsonl").read_text(encoding="utf-8")
    running.process.stdin.write(text * (1 + (20 << 20) // len(text)))
    assert any("aside" in name for name in running.left())
    took, out, err = running.stop(number, group=True)
    assert (running.process.returncode, out, err) == (128 + number, "", SAID[number])
    assert took < SOON
    assert running.left() == []


@pytest.mark.parametrize(
    ("number", "group"), [(signal.SIGINT, True), (signal.SIGINT, False), (signal.SIGTERM, False)]
)
def test_a_simulation_that_is_stopped_ends_soon_and_leaves_nothing(
    folder: Path, number: signal.Signals, group: bool
) -> None:
    words = ["simulate", "-o", "night.parquet", "--tables", "40", "--workers", "2"]
    running = Running(folder, *words)
    running.wait_for_workers(0.5)
    took, out, err = running.stop(number, group=group)
    assert (running.process.returncode, out, err) == (128 + number, "", SAID[number])
    assert took < SOON
    assert running.orphans() == []
    assert running.left() == []


def test_workers_end_when_the_command_is_killed(folder: Path, log: Path) -> None:
    running = check(folder, log)
    running.wait_for_workers(0.5)
    running.stop(signal.SIGKILL, group=False)
    assert running.orphans() == []


def test_a_worker_that_is_killed_is_told_in_one_sentence(folder: Path, log: Path) -> None:
    running = check(folder, log)
    running.wait_for_workers(0.5)
    os.kill(running.workers[-1], signal.SIGKILL)
    out, err = running.process.communicate(timeout=60)
    assert (running.process.returncode, out) == (4, "")
    assert err.startswith("compliance: A worker process ended before its time")
    assert "Traceback" not in err
    assert running.left() == ["aside.jsonl"]
