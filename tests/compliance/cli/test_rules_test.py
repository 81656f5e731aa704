"""`compliance rules test`: what failed, where, what was expected and what the checks say."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.compliance.small_rulebook import RULES, answer, json_answer, line, write

WRONG = RULES.replace(
    "  example complies\n    20:00:00 recut_ordered by=F1 by_role=floorperson",
    "  example complies\n    20:00:00 recut_ordered by=D7 by_role=dealer",
)
"""The first example of the second rule says that it complies, but it does not."""


def test_examples_that_come_out_as_expected_exit_0(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = answer(capsys, "rules", "test", write(tmp_path))
    assert (code, err) == (0, "")
    first = line("  example complies")
    lines = f"line {first}, {first + 4}, {first + 7}"
    assert f"✓ burn-by-each-new-dealer  3 examples ({lines})" in out.splitlines()
    assert out.splitlines()[-1] == "✓ 9 examples passed, 0 failed (4 rules)."


def test_a_failed_example_exits_1_and_is_shown_with_its_line_and_events(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write(tmp_path, WRONG)
    code, out, _ = answer(capsys, "rules", "test", path)
    lines = [line.strip() for line in out.splitlines()]
    event = line("recut_ordered by=D7", WRONG)
    start = lines.index(f"✗ {path}:{event - 1}: example complies")
    assert code == 1
    assert lines[start + 1 : start + 6] == [
        "expected  complies",
        f"happened  nothing complies: the rule violates at line {event} (recut_ordered)",
        f"check     violated at line {event}",
        "not met: require by_role is at least floorperson",
        f"trigger  line {event}  20:00:00  recut_ordered by=D7 by_role=dealer",
    ]


def test_passed_examples_are_spelt_out_only_for_a_named_rule(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write(tmp_path)
    passed = f'✓ {path}:{line("no card burned")}: example violates "no card burned"'
    assert passed not in answer(capsys, "rules", "test", path)[1]
    out = answer(capsys, "rules", "test", path, "--rule", "burn-by-each-new-dealer")[1]
    assert passed in out
    assert "recut-by-a-supervisor" not in out


def test_rule_may_be_given_several_times(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["--rule", "recut-by-a-supervisor", "--rule", "burn-by-each-new-dealer"]
    data = json_answer(capsys, "rules", "test", write(tmp_path), *words)
    assert data["passed"] == 5


def test_an_unknown_rule_exits_2_with_the_nearest_name(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, _, err = answer(capsys, "rules", "test", write(tmp_path), "--rule", "recut-by-supervisor")
    assert code == 2
    assert "Did you mean recut-by-a-supervisor?" in err


def test_bad_rules_exit_3_and_run_no_example(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write(tmp_path, RULES.replace("when recut_ordered", "when recut_orderd"))
    code, out, err = answer(capsys, "rules", "test", path)
    assert (code, out) == (3, "")
    assert "There is no event `recut_orderd`" in err


def test_a_condition_that_no_example_exercises_is_named_but_does_not_fail(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    start = RULES.index("  example excused")
    path = write(tmp_path, RULES[:start] + RULES[RULES.index("\nrule recut") :])
    code, out, _ = answer(capsys, "rules", "test", path)
    shown = [line.strip() for line in out.splitlines()]
    place = f"{path}:{line('  except under')}:44"
    gap = shown.index(f"{place}: burn-by-each-new-dealer: never true")
    assert shown[gap + 1] == "option alternative_procedure is yes"
    assert code == 0


def test_mutants_that_survive_exit_1_and_are_listed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write(tmp_path)
    code, out, _ = answer(capsys, "rules", "test", path, "--mutants")
    assert code == 1
    assert "Changes of the rules that no example notices" in out
    assert any(line.startswith(f"{path}:") and "becomes" in line for line in out.splitlines())


def test_without_mutants_there_is_no_word_of_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write(tmp_path)
    assert json_answer(capsys, "rules", "test", path)["mutants"] is None
    assert "noticed" not in answer(capsys, "rules", "test", path)[1].splitlines()[-1]


def test_the_summary_counts_the_mutants_that_can_make_no_difference(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    note = '  note "equivalent mutant: `require card is known` is left out: an example says so"\n'
    weak = RULES[: RULES.rindex("  example violates")]
    path = write(
        tmp_path, weak.replace("  require card is known\n", f"  require card is known\n{note}")
    )
    out = answer(capsys, "rules", "test", path, "--mutants")[1]
    assert "; 1 can make no difference (4 rules)." in out.splitlines()[-1]


def test_of_many_examples_only_the_first_lines_are_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    more = "  example violates\n    20:00:00 card_dealt to=player   <- here\n"
    path = write(tmp_path, RULES + more * 3)
    first = line("The card is not known") + 1
    out = answer(capsys, "rules", "test", path)[1]
    lines = f"line {first}, {first + 2}, {first + 4}, …"
    assert f"✓ double-exposure-ended  5 examples ({lines})" in out.splitlines()


def test_a_rule_without_examples_is_listed_as_such(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write(tmp_path, RULES[: RULES.rindex("  example complies")])
    assert "— double-exposure-ended  no example" in answer(capsys, "rules", "test", path)[1]


OWN = """use "nj"

rule house-burn
  "A card is burned before each round."
  cite "House manual 3"
  when round_started
  require card_burned earlier
  otherwise say "no card was burned"
  example complies
    20:00:00 card_burned
    20:00:01 round_started round=1
  example violates
    20:00:01 round_started round=1   <- here
"""


def test_the_bundled_law_that_a_file_uses_is_not_tested_with_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write(tmp_path, OWN)
    code, out, err = answer(capsys, "rules", "test", path, "--write")
    assert code == 0, err
    assert "Wrote 1 example into" in out
    assert out.splitlines()[-1].endswith("(1 rule).")
    assert path.read_text("utf-8").startswith(OWN)
    assert path.read_text("utf-8").count("example") == OWN.count("example") + 1


def test_a_rule_of_the_bundled_law_is_tested_where_it_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write(tmp_path, OWN)
    out = answer(capsys, "rules", "test", path, "--rule", "dealer-stops-at-17")[1]
    assert "dealer-stops-at-17" in out


def test_without_any_example_it_is_said_that_one_is_needed_first(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write(tmp_path, OWN[: OWN.index("  example")])
    out = answer(capsys, "rules", "test", path, "--suggest")[1]
    assert "write one that complies and one that violates" in out
