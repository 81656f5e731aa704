"""`compliance rules explain`: one rule in words, as a formula, and where it stands in law."""

from __future__ import annotations

from pathlib import Path

import pytest

from compliance.rule_tests.text_timeline import timelines
from event_schemas import builtin_schema
from rules_dsl.explaining.explain import explain
from rules_dsl.rulebook import load
from tests.compliance.small_rulebook import RULES, answer, json_answer, write

NAME = "burn-by-each-new-dealer"
TWO_EDITIONS = """\
rule a-card-goes-to-somebody
  "Cards went to players before 1990, and go to the dealer since."
  cite N.J.A.C. 19:47-2.6(c)
  severity minor
  when card_dealt
  edition from 1980-01-01 until 1990-01-01
    require to is player
    example complies
      20:00:00 card_dealt to=player
  edition from 1990-01-01
    require to is dealer
    example complies
      20:00:00 card_dealt to=dealer
"""


def test_the_explanation_holds_title_english_formula_citation_and_dates(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write(tmp_path)
    rulebook = load([path], builtin_schema()).rulebook
    expected = explain(rulebook.rules[0], rulebook, builtin_schema())
    code, out, err = answer(capsys, "rules", "explain", NAME, path)
    assert (code, err) == (0, "")
    assert out.startswith(f"{NAME}\nA dealer new to the table burns a card before dealing.\n")
    assert expected.english in out
    assert "Law       N.J.A.C. 19:47-2.6(c)" in out.splitlines()
    assert "In force  from 1982-09-15" in out.splitlines()
    for line in expected.formula.splitlines():
        assert line in out


def test_formula_shows_the_formula_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write(tmp_path)
    rulebook = load([path], builtin_schema()).rulebook
    expected = explain(rulebook.rules[0], rulebook, builtin_schema()).formula
    out = answer(capsys, "rules", "explain", NAME, path, "--formula")[1]
    assert out.rstrip("\n") == expected.rstrip("\n")


def test_on_a_day_only_the_edition_of_that_day_is_explained(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write(tmp_path)
    words = ["rules", "explain", "double-exposure-ended", path, "--on"]
    assert "card_dealt" in answer(capsys, *words, "1992-01-01", "--formula")[1]
    assert "No edition of this rule is in force on 2001-01-01" in answer(
        capsys, *words, "2001-01-01"
    )[1]  # fmt: skip


def test_the_explanation_ends_with_a_log_that_complies_and_one_that_violates(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write(tmp_path)
    rulebook = load([path], builtin_schema()).rulebook
    complying, violating = timelines(rulebook.rules[0], rulebook, builtin_schema())
    out = answer(capsys, "rules", "explain", NAME, path)[1]
    assert out.endswith(f"\n\n{complying.text}\n\n{violating.text}\n")


def test_on_a_day_the_logs_play_under_the_law_of_that_day(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write(tmp_path, TWO_EDITIONS)
    words = ["rules", "explain", "a-card-goes-to-somebody", path]
    before = json_answer(capsys, *words, "--on", "1985-01-01")["timelines"]
    after = json_answer(capsys, *words, "--on", "1995-01-01")["timelines"]
    assert "to=player" in before[0]["lines"][0]
    assert "to=dealer" in after[0]["lines"][0]


def test_on_a_day_without_law_there_is_no_log_to_show(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["rules", "explain", "double-exposure-ended", write(tmp_path), "--on", "2001-01-01"]
    assert json_answer(capsys, *words)["timelines"] == []


def test_a_day_that_is_none_exits_2(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["rules", "explain", NAME, write(tmp_path), "--on", "yesterday"]
    code, _, err = answer(capsys, *words)
    assert code == 2
    assert "yesterday" in err


def test_without_a_path_the_bundled_rulebook_is_meant(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = answer(capsys, "rules", "explain", NAME)
    assert code == 0
    assert out.startswith(NAME)


def test_an_unknown_rule_exits_2_with_the_nearest_name(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, _, err = answer(capsys, "rules", "explain", "burn-by-new-dealer", write(tmp_path))
    assert code == 2
    assert f"Did you mean {NAME}?" in err


def test_bad_rules_exit_3(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write(tmp_path, RULES.replace("when recut_ordered", "when recut_orderd"))
    assert answer(capsys, "rules", "explain", NAME, path)[0] == 3
