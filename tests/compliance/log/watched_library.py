"""Runs a script with the compiled part of reading under watchers for memory."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from compliance.engine.build import own_compiler
from compliance.log import compiled_pages
from tests.compliance.engine.test_memory_is_safe import WATCHED, WATCHERS
from tests.tree import ROOT

SOURCE = Path(compiled_pages.__file__).parent / "source" / "pages.c"
QUIET = "nothing happened"
_SCRIPT = """
import sys
from pathlib import Path
from compliance.log import compiled_pages
compiled_pages.FILE = Path(sys.argv[1])
"""


def run_watched(folder: Path, script: str) -> None:
    """Run a script whose end says that nothing happened; what the watchers saw is told."""
    compiler = own_compiler()
    assert compiler is not None
    library = folder / "pages.so"
    subprocess.run([*compiler, *WATCHED, "-o", str(library), str(SOURCE)], check=True)
    found = [
        subprocess.run(
            [*compiler, f"-print-file-name={name}"], capture_output=True, text=True, check=True
        ).stdout.strip()
        for name in WATCHERS
    ]
    if not all(map(os.path.isabs, found)):
        pytest.skip("the compiler has no watchers for memory")
    watching = {"LD_PRELOAD": ":".join(found), "ASAN_OPTIONS": "detect_leaks=0"}
    done = subprocess.run(
        [sys.executable, "-c", f"{_SCRIPT}{script}\nprint({QUIET!r})", str(library), str(folder)],
        env={**os.environ, **watching},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.strip() == QUIET, done.stderr[-4000:]
