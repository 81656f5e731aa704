"""The compiled engine reads and writes nothing but what it was given: watched while it works."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from compliance.engine.build import own_compiler, write_headers
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


Watched = tuple[Path, dict[str, str]]


@pytest.fixture(scope="module")
def watched(tmp_path_factory: pytest.TempPathFactory) -> Watched:
    """The engine with watchers in it, and the environment that it needs."""
    compiler = own_compiler()
    assert compiler is not None
    library = tmp_path_factory.mktemp("watched") / "engine.so"
    write_headers(library.parent)
    made = ["-I", str(library.parent), "-o", str(library)]
    subprocess.run([*compiler, *WATCHED, *made, str(SOURCE)], check=True)
    found = [
        subprocess.run(
            [*compiler, f"-print-file-name={name}"], capture_output=True, text=True, check=True
        ).stdout.strip()
        for name in WATCHERS
    ]
    if not all(map(os.path.isabs, found)):
        pytest.skip("the compiler has no watchers for memory")
    return library, {
        "LD_PRELOAD": ":".join(found),
        # Python itself keeps memory to its end: only wrong access is asked for.
        "ASAN_OPTIONS": "detect_leaks=0",
        # Small things, too, lie by themselves, so that reading beyond them is seen.
        "PYTHONMALLOC": "malloc",
    }


def test_the_watchers_see_what_is_wrong(watched: Watched) -> None:
    """Otherwise their silence would promise nothing."""
    library, environment = watched
    outside = """
import ctypes
malloc = ctypes.CDLL(None).malloc
malloc.restype = ctypes.c_void_p
ctypes.CDLL(sys.argv[1]).forget_result(ctypes.c_void_p(malloc(8)))
"""
    assert "AddressSanitizer" in run_with(library, outside, environment)


def test_random_rules_and_logs_leave_memory_alone(watched: Watched) -> None:
    assert said(watched, cases=200, nights=0) == "nothing happened"


@pytest.mark.long
def test_many_random_rules_and_whole_nights_leave_memory_alone(watched: Watched) -> None:
    assert said(watched, cases=3000, nights=5) == "nothing happened"


def said(watched: Watched, cases: int, nights: int) -> str:
    """What is said at the end of some cases and nights, or last before something went wrong."""
    library, environment = watched
    return run_with(library, CASES.format(cases=cases, nights=nights), environment)[-4000:]
