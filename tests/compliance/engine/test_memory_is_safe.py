"""The compiled engine reads and writes nothing but what it was given: watched while it works."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from compliance.engine.build import own_compiler
from tests.compliance.engine.compiling import NO_COMPILER, SOURCE, run_with

WATCHED = (
    *("-O1", "-g", "-std=gnu11", "-fPIC", "-shared"),
    *("-fsanitize=address,undefined", "-fno-sanitize-recover=all"),
)
WATCHERS = ("libasan.so", "libubsan.so")
CASES = """
from tests.compliance.engine import test_large_numbers as large
from tests.compliance.engine import test_whole_nights as nights
from tests.property.test_engines_agree import disagreement, whole, with_lost_records
for seed in range({cases}):
    assert disagreement(whole(seed)) is None, seed
    assert disagreement(with_lost_records(seed)) is None, seed
for seed in range({cases}):
    assert large.disagreement(seed) is None, seed
for game, day in nights.NIGHTS[:{nights}]:
    nights.test_every_rule_says_the_same_of_a_damaged_night(game, day)
print("nothing happened")
"""

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="the watchers are loaded as on Linux"),
    pytest.mark.skipif(NO_COMPILER, reason="needs a C compiler"),
]


def watched(folder: Path) -> tuple[Path, dict[str, str]]:
    """The engine with watchers in it, and the environment that it needs."""
    compiler = own_compiler()
    assert compiler is not None
    library = folder / "watched.so"
    subprocess.run([*compiler, *WATCHED, "-o", str(library), str(SOURCE)], check=True)
    found = [
        subprocess.run(
            [*compiler, f"-print-file-name={name}"], capture_output=True, text=True, check=True
        ).stdout.strip()
        for name in WATCHERS
    ]
    if not all(map(os.path.isabs, found)):
        pytest.skip("the compiler has no watchers for memory")
    # Python itself keeps memory to its end: only wrong access is asked for.
    return library, {"LD_PRELOAD": ":".join(found), "ASAN_OPTIONS": "detect_leaks=0"}


def test_the_watchers_see_what_is_wrong(tmp_path: Path) -> None:
    """Otherwise their silence would promise nothing."""
    library, environment = watched(tmp_path)
    outside = """
import ctypes
ctypes.CDLL(sys.argv[1]).forget_result(ctypes.create_string_buffer(8))
"""
    assert "AddressSanitizer" in run_with(library, outside, environment)


def test_random_rules_and_logs_leave_memory_alone(tmp_path: Path) -> None:
    said = run_with(*_with(tmp_path, cases=250, nights=1))
    assert said == "nothing happened", said[-4000:]


@pytest.mark.long
def test_many_random_rules_and_whole_nights_leave_memory_alone(tmp_path: Path) -> None:
    said = run_with(*_with(tmp_path, cases=5000, nights=5))
    assert said == "nothing happened", said[-4000:]


def _with(folder: Path, cases: int, nights: int) -> tuple[Path, str, dict[str, str]]:
    library, environment = watched(folder)
    return library, CASES.format(cases=cases, nights=nights), environment
