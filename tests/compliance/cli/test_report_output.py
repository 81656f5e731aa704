"""A report that tells only the first findings in full comes with a table of all of them."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from compliance.cli.chosen_outputs import ChosenOutput
from compliance.cli.report_output import write_run
from tests.reports.many_findings import many


@pytest.mark.parametrize("form", ["html", "pdf"])
def test_the_table_of_all_findings_lies_beside_a_shortened_report(
    form: str, tmp_path: Path
) -> None:
    write_run(many(rules=2, findings=30), [ChosenOutput(form, tmp_path / f"night.{form}")])
    with (tmp_path / "night-findings.csv").open(encoding="utf-8-sig", newline="") as file:
        assert len(list(csv.DictReader(file))) == 60


def test_the_table_replaces_an_older_one_and_nothing_else(tmp_path: Path) -> None:
    report, table = tmp_path / "night.html", tmp_path / "night-findings.csv"
    table.write_text("my own notes\n")
    for findings in (30, 40):
        write_run(many(rules=2, findings=findings), [ChosenOutput("html", report)])
    assert table.read_text() == "my own notes\n"
    with (tmp_path / "night-findings-2.csv").open(encoding="utf-8-sig", newline="") as file:
        assert len(list(csv.DictReader(file))) == 80
    assert len(list(tmp_path.iterdir())) == 3


def test_very_many_rules_broken_a_few_times_also_come_with_the_table(tmp_path: Path) -> None:
    write_run(many(rules=90, findings=10), [ChosenOutput("html", tmp_path / "night.html")])
    assert (tmp_path / "night-findings.csv").exists()


@pytest.mark.parametrize("form", ["html", "pdf", "json"])
def test_a_report_that_tells_everything_stands_alone(form: str, tmp_path: Path) -> None:
    write_run(many(rules=2, findings=2), [ChosenOutput(form, tmp_path / f"night.{form}")])
    assert [path.name for path in tmp_path.iterdir()] == [f"night.{form}"]
