"""`compliance rules check`: where, what, the line with a caret, what to do, and the right code."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.compliance.small_rulebook import RULES, answer, json_answer, write


def test_sound_rules_exit_0(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = answer(capsys, "rules", "check", write(tmp_path))
    assert (code, err) == (0, "")
    assert out.splitlines()[-1] == "✓ 4 rules in 1 file: no problem found."


def test_an_error_is_shown_with_place_caret_suggestion_and_page(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write(tmp_path, RULES.replace("require card_burned", "require card_burnt"))
    code, out, _ = answer(capsys, "rules", "check", path)
    lines = out.splitlines()
    first = next(i for i, line in enumerate(lines) if " error: " in line)
    assert code == 3
    assert lines[first] == f"{path}:9:11: error: There is no event `card_burnt`. [unknown-event]"
    assert lines[first + 1] == " 9 |   require card_burnt since dealer_arrived"
    assert lines[first + 2] == "   |           ^^^^^^^^^^"
    assert lines[first + 3] == "   = did you mean `card_burned`?"
    assert lines[first + 4] == "   = `compliance help unknown-event` explains it"


def test_rules_that_cannot_be_used_are_counted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write(tmp_path, RULES.replace("require card_burned", "require card_burnt"))
    code, out, _ = answer(capsys, "rules", "check", path)
    assert code == 3
    assert "✗ 4 rules in 1 file, 1 of them cannot be used: 1 error" in out


def test_warnings_alone_exit_0_but_3_under_strict(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write(tmp_path, RULES[: RULES.rindex("  example violates")])
    assert json_answer(capsys, "rules", "check", path)["warnings"] == 1
    assert answer(capsys, "rules", "check", path)[0] == 0
    assert answer(capsys, "rules", "check", path, "--strict")[0] == 3


def test_a_missing_path_exits_2(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = answer(capsys, "rules", "check", tmp_path / "none.rules")
    assert code == 2
    assert "There is no file or folder" in err


def test_a_folder_without_rules_exits_2(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = answer(capsys, "rules", "check", tmp_path)
    assert code == 2
    assert "There is no rule file (*.rules)" in err


def test_several_files_and_folders_are_checked_together(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "more").mkdir()
    one = write(tmp_path)
    write(tmp_path / "more", RULES.split("rule ", 2)[0] + "", name="empty.rules")
    data = json_answer(capsys, "rules", "check", one, tmp_path / "more")
    assert (data["files"], data["rules"]) == (2, 4)


def test_rules_may_speak_of_the_events_of_a_schema_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    schema = tmp_path / "house.toml"
    schema.write_text('name = "house"\n[events.bell_rung]\ndoc = "The bell was rung."\n')
    path = write(tmp_path, RULES.replace("when recut_ordered", "when bell_rung"))
    assert "no event `bell_rung`" in answer(capsys, "rules", "check", path)[1]
    assert "no event `bell_rung`" not in answer(
        capsys, "rules", "check", path, "--schema", schema
    )[1]  # fmt: skip


def test_control_characters_in_a_rule_file_do_not_reach_the_terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write(tmp_path, RULES.replace("require card_burned", "require \x1b[2Jcard_burned"))
    code, out, _ = answer(capsys, "rules", "check", path)
    assert code == 3
    assert "\x1b" not in out


COSTLY = """
rule nobody-wagered-much-more
  "No wager follows one that was much higher."
  cite "House rule 1"
  severity minor
  for each table
  when wager_placed as mine
  require no wager_placed as other where other.amount is more than mine.amount + $50, earlier
  otherwise say "a wager at seat {seat}"
"""


def test_a_rule_that_cannot_be_near_linear_is_told_with_its_order_of_growth(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write(tmp_path, RULES + COSTLY)
    code, out, _ = answer(capsys, "rules", "check", path)
    line = next(n for n, text in enumerate((RULES + COSTLY).splitlines(), 1) if "as other" in text)
    assert code == 0
    assert "The work of 1 rule can grow with the square of a table's events" in out
    assert f"nobody-wagered-much-more: {path}, line {line}, column 11" in out
    found = json_answer(capsys, "rules", "check", path)["growth"]
    assert [(each["rule"], each["order"], each["line"]) for each in found] == [
        ("nobody-wagered-much-more", 2, line)
    ]
