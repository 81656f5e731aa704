"""`compliance rules list`: every rule of a rulebook with what one asks first."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.compliance.small_rulebook import RULES, answer, json_answer, write


def test_a_row_holds_name_title_citation_severity_kind_dates_and_examples(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = answer(capsys, "rules", "list", write(tmp_path))[1]
    row = next(line for line in out.splitlines() if line.startswith("burn-by-each-new-dealer"))
    cells = [cell.strip() for cell in row.split("  ") if cell.strip()]
    assert cells == [
        "burn-by-each-new-dealer",
        "A dealer new to the table burns a card before dealing.",
        "N.J.A.C. 19:47-2.6(c)",
        "from 1982-09-15",
        "major",
        "violation",
        "3",
    ]


def test_a_rule_that_ended_shows_until_when_it_held(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = answer(capsys, "rules", "list", write(tmp_path))[1]
    assert "from 1990-01-01 until 1995-01-01" in out


def test_rules_are_listed_in_the_order_of_the_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rules = json_answer(capsys, "rules", "list", write(tmp_path))["rules"]
    names = [line.split()[1] for line in RULES.splitlines() if line.startswith("rule ")]
    assert [rule["name"] for rule in rules] == names


def test_without_a_path_the_bundled_rulebook_is_listed(capsys: pytest.CaptureFixture[str]) -> None:
    rules = json_answer(capsys, "rules", "list")["rules"]
    assert "burn-by-each-new-dealer" in {rule["name"] for rule in rules}


def test_bad_rules_exit_3(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write(tmp_path, RULES.replace("when recut_ordered", "when recut_orderd"))
    assert answer(capsys, "rules", "list", path)[0] == 3
