"""Compiles the engine when the project is installed or a wheel is made.

The result knows nothing of Python, so one file serves every version of it. Where the machine has no
C compiler, the build asks for `ziglang` from the package registry, which is one. The headers that
Python and C share are written anew each time, from their descriptions in Python.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

HERE = Path("compliance", "engine")
COMPILERS = ("cc", "gcc", "clang")
DESCRIPTIONS = {"nodes.h": HERE.parent / "plan" / "nodes.py", "layout.h": HERE / "layout.py"}
"""The headers that are generated, each printed by its description."""
ZIG = "ziglang>=0.13"
FLAGS = ("-O3", "-std=gnu11", "-fPIC", "-shared")
FLAGS_OF_ZIG = ("-mcpu=baseline", "-g0")
"""Unlike others it compiles for the very machine that it runs on, unless it is told not to."""


class CustomBuildHook(BuildHookInterface):  # type: ignore[type-arg]
    """What hatchling runs before it packs the project."""

    def dependencies(self) -> list[str]:
        """What the build needs beside hatchling: a compiler, where the machine has none."""
        return [] if own_compiler() else [ZIG]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile, and say that the wheel is for this kind of machine."""
        platform = sysconfig.get_platform()
        target = Path(self.root, HERE, f"engine-{platform.replace('.', '_')}.so")
        compiled(Path(self.root, HERE, "source", "engine.c"), target)
        build_data["artifacts"].append(f"/{HERE.as_posix()}/{target.name}")
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-{platform.replace('-', '_').replace('.', '_')}"


def own_compiler() -> list[str] | None:
    """The machine's own C compiler: the one that CC names, with its options, or a usual one."""
    named = shlex.split(os.environ.get("CC", ""))
    for words in [named] if named else [[name] for name in COMPILERS]:
        found = shutil.which(words[0])
        if found:
            return [found, *words[1:]]
    return None


def compiled(source: Path, target: Path) -> None:
    """Compile one file, or stop with one sentence."""
    compiler = own_compiler()
    if compiler is None and find_spec("ziglang"):
        compiler = [sys.executable, "-m", "ziglang", "cc", *FLAGS_OF_ZIG]
    if compiler is None:
        raise SystemExit(
            "The engine cannot be compiled: there is no C compiler (cc, gcc, clang, or the one "
            "that CC names) and ziglang is not installed."
        )
    # Under another name first: who runs the old one meanwhile is not disturbed.
    new = target.with_suffix(".new")
    with tempfile.TemporaryDirectory() as headers:
        write_headers(Path(headers))
        words = [*compiler, *FLAGS, "-I", headers, "-o", str(new), str(source)]
        done = subprocess.run(words, capture_output=True, text=True, check=False)  # noqa: S603
    if done.returncode:
        said = done.stderr.strip().splitlines() or ["the compiler said nothing"]
        wrong = next((line for line in said if "error" in line), said[0])
        raise SystemExit(f"The engine cannot be compiled: {wrong}")
    new.replace(target)


def write_headers(folder: Path) -> None:
    """Write the headers that are generated to a folder."""
    root = Path(__file__).parents[2]
    for name, description in DESCRIPTIONS.items():
        # By itself, because nothing that it could import is installed yet.
        words = [sys.executable, "-P", str(root / description)]
        printed = subprocess.run(words, capture_output=True, check=True)  # noqa: S603
        (folder / name).write_bytes(printed.stdout)
