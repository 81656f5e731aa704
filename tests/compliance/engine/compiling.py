"""Compiles the engine for tests, and runs cases with a library other than the installed one."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import compliance.engine
from compliance.engine.build import own_compiler
from tests.tree import ROOT

SOURCE = Path(compliance.engine.__file__).parent / "source" / "engine.c"
NO_COMPILER = own_compiler() is None
PRELUDE = """
import sys
from pathlib import Path
from compliance.engine import library
library.FILE = Path(sys.argv[1])
"""


def run_with(library: Path, cases: str, environment: Mapping[str, str] | None = None) -> str:
    """What a program prints that judges with a library of its own; all that it said if it fails."""
    done = subprocess.run(
        [sys.executable, "-c", PRELUDE + cases, str(library)],
        env={**os.environ, **(environment or {})},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stdout.strip() if not done.returncode else done.stdout + done.stderr
