"""The compiled code reads and writes nothing but what it was given: watched while it works."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import compliance.first_look
from compliance.first_look.build import COMPILERS
from tests.tree import ROOT

SOURCE = Path(compliance.first_look.__file__).parent / "source" / "first_look.c"
WATCHED = ("-O1", "-g", "-std=gnu11", "-fPIC", "-shared", "-fsanitize=address,undefined")
WATCHERS = ("libasan.so", "libubsan.so")
CASES = """
import sys
from pathlib import Path
from compliance.first_look import library
library.FILE = Path(sys.argv[1])
assert library.library() is not None
from tests.compliance.first_look import test_same_findings as nights
from tests.property.test_first_look_agrees import results
for seed in range(3000):
    quick, thorough = results(seed)
    assert quick == thorough, seed
for game, day in nights.NIGHTS:
    nights.test_every_rule_finds_the_same_with_and_without(game, day)
print("nothing happened")
"""

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(sys.platform != "linux", reason="the watchers are loaded as on Linux"),
    pytest.mark.skipif(not any(map(shutil.which, COMPILERS)), reason="needs a C compiler"),
]


def test_random_rules_and_damaged_nights_leave_memory_alone(tmp_path: Path) -> None:
    compiler = next(filter(None, map(shutil.which, COMPILERS)))
    watched = tmp_path / "watched.so"
    subprocess.run([compiler, *WATCHED, "-o", str(watched), str(SOURCE)], check=True)
    loaded = [
        subprocess.run(
            [compiler, f"-print-file-name={name}"], capture_output=True, text=True, check=True
        ).stdout.strip()
        for name in WATCHERS
    ]
    if not all(map(os.path.isabs, loaded)):
        pytest.skip("the compiler has no watchers for memory")
    done = subprocess.run(
        [sys.executable, "-c", CASES, str(watched)],
        # Python itself keeps memory to its end: only wrong access is asked for.
        env={**os.environ, "LD_PRELOAD": ":".join(loaded), "ASAN_OPTIONS": "detect_leaks=0"},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.strip() == "nothing happened", done.stderr[-4000:]
