"""Promises about the tree as a whole: what lies where, how long it is, and what it never says."""

from __future__ import annotations

import re
import tomllib

import pytest

from tests.tree import ROOT, project_files, text_of

TOP_LEVEL = {
    "pyproject.toml",
    "compliance",
    "rules_dsl",
    "event_schemas",
    "reports",
    "tests",
    "README.md",
    "LICENSE",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "docs",
    ".ci",
    ".gitignore",
}
MODULE_LINES = 400
DATA_MODULES = {"rules_dsl/core.py", "rules_dsl/syntax.py"}
"""Modules that are one long list of declarations, named by their path."""

# Written in two halves, so that this file keeps the promises too.
MACHINE_PATH = re.compile(r"(?<![\w.~-])/(?:ro" + r"ot|wo" + r"rk|ho" + r"me|Us" + r"ers)/\w")
REGISTRY_HOST = re.compile(
    r"pypi\.o" + r"rg|pythonho" + r"sted|npm" + r"js|registry\.y" + r"arnpkg|index-u" + r"rl\s*="
)
LEFT_OVER = re.compile(r"\b(?:TO" + r"DO|FIX" + r"ME|XX" + r"X|HA" + r"CK)\b")
ARCHITECTURE = "docs/architecture.md"
NAMED_PATH = re.compile(r"`(?!\.venv)((?:[\w.-]+/)+[\w.-]*|[\w-]+\.(?:md|toml))`")
"""What stands between backticks and is a path of the tree: with a slash in it, or at its top."""
LOCK_FILES = {"uv.lock", "package-lock.json", "poetry.lock", "yarn.lock", "Pipfile.lock"}


@pytest.fixture(scope="module")
def files() -> list[str]:
    if not (ROOT / ".git").exists():
        pytest.skip("not a git checkout, so its files cannot be told from others")
    return project_files()


def _lines_with(pattern: re.Pattern[str], files: list[str]) -> list[str]:
    return [
        f"{name}:{number}: {line.strip()}"
        for name in files
        for number, line in enumerate(text_of(name).splitlines(), start=1)
        if pattern.search(line)
    ]


def test_the_top_level_holds_only_the_agreed_names(files: list[str]) -> None:
    assert {name.split("/")[0] for name in files} <= TOP_LEVEL


def test_no_file_names_a_path_of_some_machine(files: list[str]) -> None:
    assert _lines_with(MACHINE_PATH, files) == []


def test_no_file_names_a_package_registry(files: list[str]) -> None:
    assert _lines_with(REGISTRY_HOST, files) == []


def test_no_file_puts_work_off(files: list[str]) -> None:
    assert _lines_with(LEFT_OVER, files) == []


def test_no_lock_file_that_names_hosts_is_kept(files: list[str]) -> None:
    assert not [name for name in files if name.split("/")[-1] in LOCK_FILES]


def test_the_locked_packages_have_hashes_and_no_hosts() -> None:
    text = text_of(".ci/requirements.txt")
    requirements = [line for line in text.splitlines() if line and line[0] not in " #"]
    assert requirements
    assert all(re.match(r"[a-z0-9-]+==\S+ (; .+ )?\\$", line) for line in requirements)
    assert "://" not in text


def test_a_module_fits_on_a_few_screens(files: list[str]) -> None:
    lengths = {
        name: len(text_of(name).splitlines())
        for name in files
        if name.endswith(".py") and name not in DATA_MODULES
    }
    assert {name: lines for name, lines in lengths.items() if lines > MODULE_LINES} == {}


def test_no_module_has_a_name_that_says_nothing(files: list[str]) -> None:
    vague = {"utils", "util", "helpers", "common", "misc", "manager"}
    assert not [name for name in files if vague & set(re.split(r"[/.]", name))]


def test_the_checker_is_made_of_packages_alone(files: list[str]) -> None:
    loose = [name for name in files if re.fullmatch(r"compliance/[^/]+", name)]
    assert loose == ["compliance/__init__.py", "compliance/py.typed"]


@pytest.mark.parametrize("page", [ARCHITECTURE, "CONTRIBUTING.md"])
def test_every_path_that_a_page_for_developers_names_exists(page: str) -> None:
    named = NAMED_PATH.findall(text_of(page))
    assert named
    assert [path for path in named if not (ROOT / path).exists()] == []


def test_the_architecture_page_and_the_contracts_know_the_same_floors() -> None:
    contracts = tomllib.loads(text_of("pyproject.toml"))["tool"]["importlinter"]["contracts"]
    (floors,) = [item["layers"] for item in contracts if item.get("containers")]
    table = text_of(ARCHITECTURE).split("## The floors of compliance", 1)[1].split("\n\n")[2]
    told = re.findall(r"`compliance/(\w+)(?:/|\.py)`", table)
    assert told == _in_order_of(told, [re.findall(r"\w+", floor) for floor in floors])


def _in_order_of(names: list[str], floors: list[list[str]]) -> list[str]:
    """The same names from the top floor to the lowest; on a floor they may stand in any order."""
    place = {name: number for number, floor in enumerate(floors) for name in floor}
    assert sorted(names) == sorted(place)
    return sorted(names, key=place.__getitem__)
