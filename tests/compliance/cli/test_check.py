"""`compliance check` on whole logs: what it finds, what it writes, and how it exits."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from compliance.demo import MANIFEST, NIGHT


def compliance(*words: str | Path, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "compliance.cli", *map(str, words)],
        cwd=cwd,
        capture_output=True,
        text=True,
        check=False,
    )


def checked(*words: str | Path, cwd: Path) -> dict[str, Any]:
    answer = compliance("check", *words, "--format", "json", cwd=cwd)
    assert answer.returncode in (0, 1, 5), answer.stderr
    found: dict[str, Any] = json.loads(answer.stdout)
    return found


def violated(run: dict[str, Any]) -> dict[str, int]:
    return {
        outcome["rule"]: outcome["counts"]["violated"]
        for outcome in run["outcomes"]
        if outcome["kind"] == "violation" and outcome["counts"]["violated"]
    }


@pytest.fixture(scope="module")
def lawful(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A short lawful night at four tables, one for each simulated game."""
    folder = tmp_path_factory.mktemp("lawful")
    answer = compliance(
        "simulate", "-o", "night", "--tables", "4", "--rounds", "25", "--workers", "1", cwd=folder
    )
    assert answer.returncode == 0, answer.stderr
    return folder


def test_a_lawful_night_is_clean(lawful: Path) -> None:
    answer = compliance("check", "night", "--workers", "1", cwd=lawful)
    assert answer.returncode == 0, answer.stdout
    assert "No violation found" in answer.stdout


def test_the_number_of_processes_does_not_matter(lawful: Path) -> None:
    one = checked("night", "--workers", "1", cwd=lawful)
    two = checked("night", "--workers", "2", cwd=lawful)
    assert one == two


def test_the_order_of_the_files_does_not_matter(lawful: Path) -> None:
    files = sorted((lawful / "night").iterdir())
    forwards = checked(*files, "--workers", "1", cwd=lawful)
    backwards = checked(*reversed(files), "--workers", "1", cwd=lawful)
    assert forwards == backwards


def test_the_demo_night_shows_its_breaches_and_its_defect(tmp_path: Path) -> None:
    run = checked(NIGHT, "--workers", "1", "--manifest", MANIFEST, cwd=tmp_path)
    assert "burn-by-each-new-dealer" in violated(run)
    assert len(violated(run)) == 7
    assert run["quarantined"] == 1
    kinds = {outcome["kind"] for outcome in run["outcomes"]}
    assert "data_defect" in kinds


def test_only_the_tables_asked_for_are_checked(tmp_path: Path) -> None:
    run = checked(NIGHT, "--workers", "1", "--table", "BJ-12", cwd=tmp_path)
    assert run["scope"]["tables"] == ["BJ-12"]


def test_a_log_cut_by_time_says_so_in_its_result(tmp_path: Path) -> None:
    cut = checked(NIGHT, "--workers", "1", "--from", "2008-03-08T20:00:00-05:00", cwd=tmp_path)
    assert "Only what happened from 2008-03-08 20:00:00 -05:00 on" in cut["notes"][0]
    whole = checked(NIGHT, "--workers", "1", cwd=tmp_path)
    assert not any("Only what happened" in note for note in whole["notes"])


def test_violations_exit_with_one_and_the_report_is_written(tmp_path: Path) -> None:
    answer = compliance("check", NIGHT, "--format", "html", "-o", "night.html", cwd=tmp_path)
    assert answer.returncode == 1
    assert "Boardwalk Palace" in (tmp_path / "night.html").read_text("utf-8")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["missing.jsonl"], "missing.jsonl"),
        ([str(NIGHT), "--from", "yesterday"], "--from"),
        ([str(NIGHT), "--profile", "strict"], "profile"),
        ([str(NIGHT), "--options", "missing.toml"], "missing.toml"),
    ],
)
def test_bad_input_is_one_sentence_and_exits_with_two(
    words: list[str], sentence: str, tmp_path: Path
) -> None:
    answer = compliance("check", *words, cwd=tmp_path)
    assert answer.returncode == 2
    assert sentence in answer.stderr
    assert "Traceback" not in answer.stderr
