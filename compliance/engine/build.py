"""Compiles the engine, and works the bundled rulebook out, when the project is installed or packed.

The engine knows nothing of Python, so one file serves every version of it. Where the machine has no
C compiler, the build asks for `ziglang` from the package registry, which is one.

The rulebook spares the first check of every user some seconds. If it cannot be worked out here, the
build goes on without it: it is then worked out at the first use, and kept in the user's own cache.
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

PARTS = (("engine", "engine"), ("log", "pages"))
"""What is compiled: the package that it belongs to, and its name."""
COMPILERS = ("cc", "gcc", "clang")
DESCRIPTIONS = {"nodes.h": Path("plan", "nodes.py"), "layout.h": Path("engine", "layout.py")}
"""The headers that Python and C share, each printed by its description in Python."""
ZIG = "ziglang>=0.13"
RULEBOOK = Path("rules_dsl", "precompiled")
WORKED_OUT_BY = "compliance.checking.precompiled_rulebook"
WORKED_OUT_WITH = ("lark", "msgspec", "pydantic")
"""All that this needs of the packages that the project itself depends on."""
FLAGS = ("-O3", "-std=gnu11", "-fPIC", "-shared")
FLAGS_OF_ZIG = ("-mcpu=baseline", "-g0")
"""Unlike others it compiles for the very machine that it runs on, unless it is told not to."""


class CustomBuildHook(BuildHookInterface):  # type: ignore[type-arg]
    """What hatchling runs before it packs the project."""

    def dependencies(self) -> list[str]:
        """What the build needs beside hatchling; a compiler only where the machine has none."""
        return [*WORKED_OUT_WITH] if own_compiler() else [*WORKED_OUT_WITH, ZIG]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile, and say that the wheel is for this kind of machine."""
        platform = sysconfig.get_platform()
        for package, name in PARTS:
            here = Path("compliance", package)
            target = here / f"{name}-{platform.replace('.', '_')}.so"
            compiled(Path(self.root, here, "source", f"{name}.c"), Path(self.root, target))
            build_data["artifacts"].append(f"/{target.as_posix()}")
        problem = rulebook_worked_out(Path(self.root))
        if problem:
            self.app.display_warning(f"The rulebook is worked out at its first use: {problem}")
        build_data["artifacts"].append(f"/{RULEBOOK.as_posix()}/*")
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-{platform.replace('-', '_').replace('.', '_')}"


def rulebook_worked_out(root: Path) -> str:
    """Put the entry of the bundled rulebook into the tree; what went wrong, if anything did."""
    shutil.rmtree(root / RULEBOOK, ignore_errors=True)
    words = [sys.executable, "-m", WORKED_OUT_BY, str(RULEBOOK)]
    done = subprocess.run(words, cwd=root, capture_output=True, text=True, check=False)  # noqa: S603
    said = done.stderr.strip().splitlines() or ["Python said nothing"]
    return said[-1] if done.returncode else ""


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
    for name, description in DESCRIPTIONS.items():
        # By itself, because nothing that it could import is installed yet.
        words = [sys.executable, "-P", str(Path(__file__).parents[1] / description)]
        printed = subprocess.run(words, capture_output=True, check=True)  # noqa: S603
        (folder / name).write_bytes(printed.stdout)
