"""Compiles the engine when the project is installed or a wheel is made.

The result knows nothing of Python, so one file serves every version of it. Where the machine has no
C compiler, the build asks for `ziglang` from the package registry, which is one.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
import sysconfig
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

PARTS = (("engine", "engine"), ("log", "pages"))
"""What is compiled: the package that it belongs to, and its name."""
COMPILERS = ("cc", "gcc", "clang")
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
        for package, name in PARTS:
            here = Path("compliance", package)
            target = here / f"{name}-{platform.replace('.', '_')}.so"
            compiled(Path(self.root, here, "source", f"{name}.c"), Path(self.root, target))
            build_data["artifacts"].append(f"/{target.as_posix()}")
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
    words = [*compiler, *FLAGS, "-o", str(new), str(source)]
    done = subprocess.run(words, capture_output=True, text=True, check=False)  # noqa: S603
    if done.returncode:
        said = done.stderr.strip().splitlines() or ["the compiler said nothing"]
        wrong = next((line for line in said if "error" in line), said[0])
        raise SystemExit(f"The engine cannot be compiled: {wrong}")
    new.replace(target)
