"""What the README and the pages about the command and Python say, done in a clean environment."""

from __future__ import annotations

import json
import re
import resource
from pathlib import Path

import pytest

from tests.docs.followed import follow
from tests.installation.conftest import Installation, blocks
from tests.tree import project_files, text_of

PAGES = ["README.md", "docs/command-line.md", "docs/output-formats.md"]
NIGHTS = "boardwalk.nights"
"""Commands about folders of nights stand for any nights."""


def commands(page: str) -> list[str]:
    return [
        line
        for block in blocks(page, "sh")
        for line in block.splitlines()
        if line.startswith("compliance ") and NIGHTS not in line
    ]


@pytest.mark.parametrize("page", PAGES)
def test_every_command_of_a_page_does_what_it_says(page: str, installation: Installation) -> None:
    installation.run("compliance check night.jsonl -q -o night.json -o later.json")
    lines = commands(page)
    assert lines
    for line in lines:
        done = installation.run(line)
        assert done.returncode in (0, 1), f"{line}\n{done.stdout}{done.stderr}"


@pytest.mark.parametrize("page", ["README.md", "docs/python.md"])
def test_the_python_of_a_page_runs_from_top_to_bottom(
    page: str, installation: Installation
) -> None:
    program = "\n".join(blocks(page, "python"))
    (installation.folder / "page.py").write_text(program, encoding="utf-8")
    done = installation.run("python page.py")
    assert done.returncode == 0, done.stderr
    assert (installation.folder / "night.html").exists()


@pytest.mark.parametrize("page", ["docs/first-rule.md"])
def test_a_tutorial_comes_out_as_it_says_from_the_installation(
    page: str, installation: Installation, tmp_path: Path
) -> None:
    def run(command: str) -> tuple[int, str]:
        done = installation.run(command, cwd=tmp_path)
        return done.returncode, done.stdout + done.stderr

    assert follow(page, tmp_path, run, rules="first.rules") > 5


def test_the_rule_of_the_readme_is_the_bundled_one_and_its_finding_that_of_the_demo(
    installation: Installation,
) -> None:
    (rule,) = blocks("README.md", "rules")
    name = rule.split()[1]
    files = [file for file in project_files() if file.startswith("rules_dsl/rulebooks/nj/")]
    assert any(rule in text_of(file) for file in files)
    (finding,) = blocks("README.md", "text")
    shown = installation.run("compliance demo").stdout
    assert name in finding
    assert finding in re.sub(r"^  ", "", shown, flags=re.M)


def test_the_coverage_that_the_readme_states_is_counted(installation: Installation) -> None:
    told = json.loads(installation.run("compliance rules coverage --format json").stdout)
    rules = json.loads(installation.run("compliance rules list --format json").stdout)["rules"]
    text = " ".join(text_of("README.md").split())
    for sentence in (
        f"has {len(rules):,} rules",
        f"Of {told['clauses']:,} clauses",
        f"a log can show {told['checkable']:,}",
        f"{told['covered']:,} of these have a rule, {told['uncovered']:,} have none yet",
    ):
        assert sentence in text


def test_an_installation_has_no_developer_tools_and_no_extras(installation: Installation) -> None:
    listed = installation.run("pip list --format json").stdout
    names = {item["name"].lower() for item in json.loads(listed)}
    assert "table-compliance" in names
    assert names & {"pytest", "ruff", "mypy", "hypothesis", "typst", "xlsxwriter"} == set()
    done = installation.run("compliance check night.jsonl -o night.pdf")
    assert (done.returncode, "pip install typst" in done.stderr) == (2, True)


def test_help_comes_with_the_installation(installation: Installation) -> None:
    assert installation.run("compliance help unknown-event").stdout.startswith("unknown-event: ")
    done = installation.run("compliance check night.jsonl --rules wrong.rules")
    assert done.returncode == 3
    code = re.search(r"`compliance help ([a-z-]+)`", done.stderr)
    assert code is not None
    assert installation.run(f"compliance help {code.group(1)}").returncode == 0


def processor_time(installation: Installation, command: str) -> float:
    """The least of three runs: what else runs on the machine only adds to it."""
    taken = []
    for _ in range(3):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = installation.run(command)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        assert done.returncode in (0, 1, 5), done.stderr
        taken.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return min(taken)


@pytest.mark.parametrize("command", ["compliance demo", "compliance check forty.jsonl"])
def test_a_first_answer_takes_a_few_times_what_loading_the_libraries_takes(
    command: str, installation: Installation
) -> None:
    """A second where the libraries take a fifth of one; machines differ, the ratio hardly does."""
    night = (installation.folder / "night.jsonl").read_text("utf-8").splitlines(keepends=True)
    (installation.folder / "forty.jsonl").write_text("".join(night[:40]), encoding="utf-8")
    libraries = processor_time(installation, "python -c 'import polars, pydantic, jinja2'")
    assert processor_time(installation, command) < 5.5 * libraries
