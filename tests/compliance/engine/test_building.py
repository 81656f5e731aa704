"""The engine is compiled wherever the project is installed, or the installation says why not."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from compliance.engine import build, library
from event_schemas import builtin_schema
from rules_dsl.bundled import bundled_rulebook
from rules_dsl.cache import RulebookCache
from rules_dsl.rulebook import load
from tests.compliance.engine.compiling import NO_COMPILER, SOURCE, run_with
from tests.tree import ROOT, project_files

SENTENCE = (
    "The engine cannot be compiled: there is no C compiler (cc, gcc, clang, or the one that CC "
    "names) and ziglang is not installed."
)
needs_a_compiler = pytest.mark.skipif(NO_COMPILER, reason="needs a C compiler")

needs_pip = pytest.mark.skipif(not find_spec("pip"), reason="the environment has no pip")


def hook() -> build.CustomBuildHook:
    return build.CustomBuildHook(str(ROOT), {}, None, None, "", "wheel")  # type: ignore[arg-type]


@pytest.fixture
def no_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CC", "no-such-compiler")


def test_the_engine_of_this_installation_can_be_loaded() -> None:
    assert library.FILE.exists()
    assert library.library().judge_log


@needs_a_compiler
def test_the_source_compiles_without_any_warning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(build, "FLAGS", (*build.FLAGS, "-Wall", "-Wextra", "-Werror"))
    build.compiled(SOURCE, tmp_path / "engine.so")
    assert [path.name for path in tmp_path.iterdir()] == ["engine.so"]


@needs_a_compiler
def test_what_does_not_compile_is_told_in_one_sentence_and_leaves_the_old_one(
    tmp_path: Path,
) -> None:
    wrong, target = tmp_path / "wrong.c", tmp_path / "engine.so"
    wrong.write_text("int nothing(", encoding="utf-8")
    target.write_bytes(b"the old one")
    with pytest.raises(SystemExit, match=r"^The engine cannot be compiled: .*wrong\.c.*error"):
        build.compiled(wrong, target)
    assert target.read_bytes() == b"the old one"


@needs_a_compiler
def test_a_machine_with_a_compiler_needs_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CC", raising=False)
    assert hook().dependencies() == [*build.WORKED_OUT_WITH]


@needs_a_compiler
def test_the_compiler_that_is_named_is_taken_with_its_options(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    own = build.own_compiler()
    assert own is not None
    monkeypatch.setenv("CC", f"{own[0]} -m64")
    assert build.own_compiler() == [own[0], "-m64"]


@pytest.mark.usefixtures("no_compiler")
def test_without_a_compiler_the_build_asks_for_one() -> None:
    assert hook().dependencies() == [*build.WORKED_OUT_WITH, "ziglang>=0.13"]


@pytest.mark.usefixtures("no_compiler")
def test_without_a_compiler_the_one_that_was_asked_for_compiles(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Stands for the real one: it writes down how it was called.
    package = tmp_path / "ziglang"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "__main__.py").write_text(
        "import sys; from pathlib import Path\n"
        "Path(sys.argv[sys.argv.index('-o') + 1]).write_text(' '.join(sys.argv[1:]))\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    build.compiled(SOURCE, tmp_path / "engine.so")
    words = (tmp_path / "engine.so").read_text().split()
    assert words[0] == "cc"
    assert {*build.FLAGS, "-mcpu=baseline", str(SOURCE)} <= set(words)


@pytest.mark.usefixtures("no_compiler")
def test_without_any_compiler_one_sentence_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(build, "find_spec", lambda name: None)
    with pytest.raises(SystemExit) as stopped:
        build.compiled(SOURCE, tmp_path / "engine.so")
    assert stopped.value.code == SENTENCE
    assert list(tmp_path.iterdir()) == []


# ---- the rulebook ----------------------------------------------------------------------------

ONLY_WHAT_WAS_ASKED_FOR = """
import re, runpy, sys, tomllib
from pathlib import Path
module, target, *wanted = sys.argv[1:]
for package in tomllib.loads(Path("pyproject.toml").read_text())["project"]["dependencies"]:
    if (name := re.split("[<>=]", package)[0]) not in wanted:
        sys.modules[name] = None
sys.argv[1:] = [target]
runpy.run_module(module, run_name="__main__")
"""


def test_the_rulebook_is_worked_out_with_the_packages_that_are_asked_for(tmp_path: Path) -> None:
    words = [build.WORKED_OUT_BY, str(tmp_path / "made"), *build.WORKED_OUT_WITH]
    subprocess.run([sys.executable, "-c", ONLY_WHAT_WAS_ASKED_FOR, *words], cwd=ROOT, check=True)
    cache = RulebookCache(tmp_path / "the user's", precompiled=tmp_path / "made")
    loaded = load([bundled_rulebook()], builtin_schema(), cache)
    assert cache.part(loaded.key, "rulebook")
    assert not (tmp_path / "the user's").exists()


def test_a_rulebook_that_cannot_be_worked_out_leaves_no_older_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / build.RULEBOOK).mkdir(parents=True)
    (tmp_path / build.RULEBOOK / "of-other-rules.plan").touch()
    monkeypatch.setattr(build, "WORKED_OUT_BY", "no_such_module")
    assert "no_such_module" in build.rulebook_worked_out(tmp_path)
    assert not (tmp_path / build.RULEBOOK).exists()


# ---- whole installations ---------------------------------------------------------------------


def copy_of_the_project(folder: Path) -> Path:
    """The project as it comes from its repository: nothing is compiled."""
    for name in project_files():
        if not name.startswith("tests/"):
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, folder / name)
    assert not list(folder.glob("compliance/engine/*.so"))
    return folder


def wheel_of(project: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """A wheel, made where no C compiler is found."""
    return subprocess.run(
        [sys.executable, "-m", "pip", "wheel", "--no-deps", *words, "-w", "made", "."],
        env={**os.environ, "CC": "no-such-compiler"},
        cwd=project,
        capture_output=True,
        text=True,
        check=False,
    )


@needs_pip
@pytest.mark.skipif(bool(find_spec("ziglang")), reason="here is another compiler")
def test_an_installation_without_any_compiler_fails_with_the_sentence(tmp_path: Path) -> None:
    done = wheel_of(copy_of_the_project(tmp_path), "--no-build-isolation")
    assert done.returncode != 0
    assert SENTENCE in done.stdout + done.stderr
    assert not list(tmp_path.glob("made/*"))


@needs_pip
@pytest.mark.long
def test_an_installation_fetches_a_compiler_where_there_is_none(tmp_path: Path) -> None:
    done = wheel_of(copy_of_the_project(tmp_path))
    assert done.returncode == 0, done.stdout + done.stderr
    [wheel] = tmp_path.glob("made/*.whl")
    assert "py3-none-" in wheel.name
    assert "-any" not in wheel.name
    shutil.unpack_archive(wheel, tmp_path / "inside", "zip")
    [engine] = tmp_path.glob("inside/compliance/engine/*.so")
    assert engine.name == library.FILE.name
    cases = """
from tests.property.test_engines_agree import disagreement, whole, with_lost_records
for seed in range(300):
    assert disagreement(whole(seed)) is None, seed
    assert disagreement(with_lost_records(seed)) is None, seed
print("the same")
"""
    assert run_with(engine, cases) == "the same"
