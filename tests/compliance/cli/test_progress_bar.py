"""The progress bar: how far, how fast, how long still; and nothing at all in a pipe."""

from __future__ import annotations

import io
import os
import pty
import re
import subprocess
import sys
from pathlib import Path

import pytest
from rich.console import Console

from compliance.cli.progress_bar import ProgressBar
from tests.compliance.small_rulebook import write

COMMAND = [sys.executable, "-c", "import sys; from compliance.cli import main; sys.exit(main())"]
LINE = (
    '{"id":"e%d","ts":"2024-03-09T20:00:00-05:00","seq":%d,"casino":"C1","table":"T1",'
    '"type":"card_dealt","to":"player","card":"9S"}\n'
)


class Clock:
    """A clock that stands still until it is moved on."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


class Bar:
    """A bar on a terminal of some width, looked at whenever wanted."""

    def __init__(self, width: int = 100) -> None:
        self.clock = Clock()
        self.console = Console(
            file=io.StringIO(),
            force_terminal=True,
            width=width,
            get_time=self.clock,
            _environ={"TERM": "xterm"},
        )
        self.bar = ProgressBar(self.console)

    def after(self, seconds: float) -> str:
        """The line as it is so many seconds later."""
        self.clock.now += seconds
        with self.console.capture() as shown:
            self.console.print(self.bar.drawn)
        return re.sub(r"\x1b\[[0-9;]*m", "", shown.get()).rstrip("\n")


def test_while_reading_it_tells_bytes_speed_and_time() -> None:
    bar = Bar()
    bar.bar.read(0, 400_000_000, 0)
    bar.clock.now += 2
    bar.bar.read(100_000_000, 400_000_000, 3_000_000)
    line = bar.after(0)
    assert line.startswith("reading ")
    assert line.rstrip().endswith("100 of 400 MB 1.5 M events/s 6 s left")


def test_while_checking_it_tells_events_speed_and_time() -> None:
    bar = Bar()
    bar.clock.now += 30
    bar.bar.checking(100_000)
    bar.clock.now += 10
    bar.bar.checked(15_000)
    bar.bar.checked(5_000)
    line = bar.after(0)
    assert line.startswith("checking")
    assert line.rstrip().endswith("20,000 of 100,000 events 2,000 events/s 40 s left")


def test_before_anything_is_done_the_time_moves() -> None:
    bar = Bar()
    bar.bar.checking(100_000)
    assert bar.after(3).rstrip().endswith("0 of 100,000 events  3 s")
    assert bar.after(1).rstrip().endswith("4 s")


def test_what_is_piped_in_has_no_end_that_is_known() -> None:
    bar = Bar()
    bar.clock.now += 2
    bar.bar.read(5_000_000, None, 10_000)
    assert "5.0 MB 5,000 events/s" in bar.after(0)


def test_long_times_are_minutes_and_hours() -> None:
    bar = Bar()
    bar.bar.checking(1_000)
    bar.clock.now += 100
    bar.bar.checked(500)
    assert "1:40 min left" in bar.after(0)
    bar.bar.checking(100_000)
    bar.clock.now += 100
    bar.bar.checked(1_000)
    assert "2:45 h left" in bar.after(0)


@pytest.mark.parametrize("width", [60, 80])
def test_on_a_narrow_terminal_it_stays_one_line(width: int) -> None:
    bar = Bar(width)
    bar.bar.checking(732_981)
    bar.clock.now += 10
    bar.bar.checked(307_244)
    line = bar.after(0)
    assert "\n" not in line
    assert "307,244 of 732,981 events" in line
    assert "left" in line


def _log(folder: Path) -> Path:
    path = folder / "night.jsonl"
    path.write_text("".join(LINE % (n, n) for n in range(1, 2000)), encoding="utf-8")
    return path


def test_on_a_terminal_it_is_drawn_and_taken_away(tmp_path: Path) -> None:
    words = ["check", _log(tmp_path), "--rules", write(tmp_path), "--workers", "1"]
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [*COMMAND, *map(str, words)],
        stdout=subprocess.DEVNULL,
        stderr=theirs,
        env={**os.environ, "TERM": "xterm", "COLUMNS": "100"},
    )
    os.close(theirs)
    seen = b""
    try:
        while more := os.read(ours, 4096):
            seen += more
    except OSError:
        pass  # A terminal that nobody writes to any more ends in this way.
    os.close(ours)
    assert process.wait() in (0, 1, 5)
    assert b"reading" in seen
    assert b"\x1b[2K" in seen


def test_in_a_pipe_there_is_nothing(tmp_path: Path) -> None:
    words = ["check", _log(tmp_path), "--rules", write(tmp_path), "--workers", "1"]
    done = subprocess.run([*COMMAND, *map(str, words)], capture_output=True, text=True)
    assert done.returncode in (0, 1, 5)
    assert done.stderr == ""


def test_a_log_that_is_piped_in_is_checked(tmp_path: Path) -> None:
    words = ["check", "-", "--rules", write(tmp_path), "--workers", "1"]
    with _log(tmp_path).open("rb") as log:
        done = subprocess.run([*COMMAND, *map(str, words)], stdin=log, capture_output=True)
    assert done.returncode in (0, 1, 5), done.stderr
    assert b"1,999 events of 1 table" in done.stdout
