"""The compiled part is there wherever it can be, and missed nowhere."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import compliance.first_look
from compliance.first_look import library
from compliance.first_look.build import COMPILERS, compiled

SOURCE = Path(compliance.first_look.__file__).parent / "source" / "first_look.c"
NO_COMPILER = not any(map(shutil.which, COMPILERS))


@pytest.mark.skipif(NO_COMPILER, reason="needs a C compiler")
def test_where_there_is_a_compiler_the_first_look_was_compiled() -> None:
    assert library.FILE.exists()
    assert library.library() is not None


@pytest.mark.skipif(NO_COMPILER, reason="needs a C compiler")
def test_the_source_compiles_without_any_warning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "compliance.first_look.build.FLAGS",
        ("-O2", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC"),
    )
    assert compiled(SOURCE, tmp_path / "look.so") == ""
    assert (tmp_path / "look.so").exists()


def test_without_a_compiler_one_sentence_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CC", "no-such-compiler")
    problem = compiled(SOURCE, tmp_path / "look.so")
    assert problem == "there is no C compiler (cc, gcc, clang, or the one that CC names)"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(NO_COMPILER, reason="needs a C compiler")
def test_what_does_not_compile_is_told_and_leaves_nothing_behind(tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.c"
    wrong.write_text("int nothing(", encoding="utf-8")
    assert "wrong.c" in compiled(wrong, tmp_path / "look.so")
    assert not (tmp_path / "look.so").exists()


def test_it_can_be_switched_off() -> None:
    asked = "from compliance.first_look.library import library; print(library())"
    said = subprocess.run(
        [sys.executable, "-c", asked],
        env={**os.environ, library.SWITCH: "off"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert said.stdout.strip() == "None"
