"""Compiles the first look when the project is installed or a wheel is made.

The result knows nothing of Python, so one file serves every version of it. Without a C compiler the
project is installed all the same: the columnar engine then judges every check.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sysconfig
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

HERE = Path("compliance", "first_look")
COMPILERS = ("cc", "gcc", "clang")
FLAGS = ("-O3", "-std=gnu11", "-fPIC", "-shared", "-fvisibility=default")


class CustomBuildHook(BuildHookInterface):  # type: ignore[type-arg]
    """What hatchling runs before it packs the project."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile, and say that the wheel is for this kind of machine."""
        platform = sysconfig.get_platform()
        target = Path(self.root, HERE, f"first_look-{platform.replace('.', '_')}.so")
        problem = compiled(Path(self.root, HERE, "source", "first_look.c"), target)
        if problem:
            self.app.display_warning(f"no compiled first look: {problem}")
            return
        build_data["artifacts"].append(f"/{HERE.as_posix()}/{target.name}")
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-{platform.replace('-', '_').replace('.', '_')}"


def compiled(source: Path, target: Path) -> str:
    """Compile one file; why that was not possible, or nothing."""
    named = os.environ.get("CC")
    compiler = next(filter(None, map(shutil.which, [named] if named else COMPILERS)), None)
    if compiler is None:
        return "there is no C compiler (cc, gcc, clang, or the one that CC names)"
    # Under another name first: who runs the old one meanwhile is not disturbed.
    new = target.with_suffix(".new")
    words = [compiler, *FLAGS, "-o", str(new), str(source)]
    done = subprocess.run(words, capture_output=True, text=True, check=False)  # noqa: S603
    if done.returncode:
        return done.stderr.strip().splitlines()[0] if done.stderr.strip() else "the compiler failed"
    new.replace(target)
    return ""
