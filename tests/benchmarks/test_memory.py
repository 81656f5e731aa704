"""How much memory a check needs at its peak, and that more nights do not need more."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.benchmarks.measuring import Ratio, Record
from tests.benchmarks.nights import following_night
from tests.benchmarks.promises import FIVE_NIGHTS, MEMORY
from tests.benchmarks.whole_checks import CLEAN_OR_VIOLATIONS, as_process

KIBIBYTES_IN_A_MEBIBYTE = 1024
NIGHTS = 5

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(sys.platform != "linux", reason="memory is read from /proc"),
]


def _peak(folder: Path, logs: list[Path]) -> float:
    """Mebibytes of a whole check: the peak of its process and of each worker, added up."""
    words = ["check", *map(str, logs), "--workers", "2", "--format", "json"]
    words += ["--output", str(folder / "result.json")]
    peaks: dict[int, int] = {}
    # What it says goes to a file: nobody reads while it runs, and a full pipe would stop it.
    with (folder / "said.txt").open("w") as said:
        checking = subprocess.Popen(as_process(*words), stdout=said, stderr=said, cwd=folder)
        while checking.poll() is None:
            for process in (checking.pid, *_children(checking.pid)):
                peaks[process] = max(peaks.get(process, 0), _peak_so_far(process))
            time.sleep(0.1)
    assert checking.returncode in CLEAN_OR_VIOLATIONS, (folder / "said.txt").read_text("utf-8")
    return sum(peaks.values()) / KIBIBYTES_IN_A_MEBIBYTE


def _children(process: int) -> list[int]:
    found = []
    for task in Path(f"/proc/{process}/task").glob("*/children"):
        found += [int(number) for number in _read(task).split()]
    return found


def _peak_so_far(process: int) -> int:
    """Kibibytes that a process has had at most, by the count of the operating system."""
    for line in _read(Path(f"/proc/{process}/status")).splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1])
    return 0


def _read(path: Path) -> str:
    """A file of a process, which may have ended meanwhile."""
    try:
        return path.read_text("utf-8")
    except OSError:
        return ""


def test_ten_million_events_fit_into_a_gibibyte_and_fifty_million_into_the_same(
    long_night: Path, tmp_path: Path, record: Record
) -> None:
    one = _peak(tmp_path, [long_night])
    nights = [long_night, *(following_night(long_night, n) for n in range(1, NIGHTS))]
    five = _peak(tmp_path, nights)
    found = [
        Ratio("8", "peak memory, 10 million events", one, MEMORY, " MiB"),
        Ratio("8", "peak memory, five nights / one night", five / one, FIVE_NIGHTS),
    ]
    record(*found)
