"""Runs the attacks while the address and undefined-behaviour sanitizers watch all compiled code.

    .venv/bin/python -m tests.attacks.watched

compiles the engine and the reader of Parquet pages with the watchers in them, and runs this folder
with these. Words after the command go to pytest. House templates are left out: no compiled code of
ours has a part in them, and their limit of memory leaves no room for the watchers.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

import compliance
from compliance.engine.build import PARTS, own_compiler, write_headers

FLAGS: Final = (
    *("-O1", "-g", "-std=gnu11", "-fPIC", "-shared"),
    *("-fsanitize=address,undefined", "-fno-sanitize-recover=all"),
)
WATCHERS: Final = ("libasan.so", "libubsan.so")
FOLDER: Final = "WATCHED_CODE"
"""Where the watched libraries lie, in the environment; conftest.py takes them from there."""
WHAT: Final = ("tests/attacks", "--ignore=tests/attacks/test_templates.py", "-q", "-x")


def main() -> int:
    """Compile, and run; the code of pytest, or of the watcher that saw something."""
    compiler = own_compiler()
    if compiler is None:
        print("This needs a C compiler.", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory() as folder:
        write_headers(Path(folder))
        for package, name in PARTS:
            source = Path(compliance.__file__).parent / package / "source" / f"{name}.c"
            target = Path(folder, f"{name}.so")
            words = [*compiler, *FLAGS, "-I", folder, "-o", str(target), str(source)]
            subprocess.run(words, check=True)
        environment = {
            FOLDER: folder,
            "LD_PRELOAD": ":".join(_library(compiler, name) for name in WATCHERS),
            # Python itself keeps memory to its end: only wrong access is asked for.
            "ASAN_OPTIONS": "detect_leaks=0:allocator_may_return_null=1",
            # Small things, too, lie by themselves, so that reading beyond them is seen.
            "PYTHONMALLOC": "malloc",
        }
        words = [sys.executable, "-m", "pytest", *(sys.argv[1:] or WHAT)]
        return subprocess.run(words, env={**os.environ, **environment}, check=False).returncode


def _library(compiler: list[str], name: str) -> str:
    words = [*compiler, f"-print-file-name={name}"]
    return subprocess.run(words, capture_output=True, text=True, check=True).stdout.strip()


if __name__ == "__main__":
    sys.exit(main())
