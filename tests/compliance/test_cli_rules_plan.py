"""`compliance rules explain --plan`: how the fast engine runs a rule, and where it is slow."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.compliance.small_rulebook import answer, json_answer, write
from tests.compliance.test_cli_json_keys import documented, keys

HEAD = '"Example."\n  cite "Example"\n'


def plan_of(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], clauses: str, more: str = ""
) -> dict[str, Any]:
    path = write(tmp_path, f"{more}\nrule asked\n  {HEAD}{clauses}")
    (edition,) = json_answer(capsys, "rules", "explain", "asked", path, "--plan")["editions"]
    return dict(edition)


def always(plan: dict[str, Any]) -> list[str]:
    return [place["name"] for place in plan["slow"] if place["only_if"] is None]


def sometimes(plan: dict[str, Any]) -> list[str]:
    return [place["name"] for place in plan["slow"] if place["only_if"] is not None]


def test_conditions_are_sorted_into_alone_keys_and_pairs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    clauses = (
        "  when wager_paid\n  require wager_placed where medium is coupon and seat is trigger.seat"
        " and amount is at most trigger.amount, earlier\n"
    )
    (step,) = plan_of(tmp_path, capsys, clauses)["steps"]
    assert step["alone"] == ["medium(e) = coupon"]
    assert step["keys"] == ["seat(e₁) = seat(e₀)"]
    assert step["pairs"] == ["amount(e₁) ≤ amount(e₀)"]


def test_what_is_sorted_search_alone_is_never_slow(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plan = plan_of(tmp_path, capsys, "  when card_dealt\n  require card_burned earlier\n")
    assert always(plan) == []
    assert sometimes(plan) == ["evidence"]


@pytest.mark.parametrize(
    ("require", "name"),
    [
        ("hour(ts) is at least 9", "days and hours"),
        ("poker_class of card_dealt.card so far is straight", "poker hands"),
        ('id is "x"', "event ids"),
        ("card_dealt where seat is less than trigger.seat, earlier", "conditions on two events"),
        ("every card_dealt so far has seat is 1", "each event of the window"),
    ],
)
def test_what_is_always_slow_is_said(
    require: str, name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plan = plan_of(tmp_path, capsys, f"  when card_dealt\n  require {require}\n")
    assert always(plan) == [name]


@pytest.mark.parametrize(
    ("clauses", "more", "name"),
    [
        ("when card_dealt\n  require round_started earlier in the round", "round", "runs in doubt"),
        ("when card_dealt\n  require card_burned within 5 minutes earlier", "", "clock set back"),
        ("when card_dealt\n  require option decks is 6", "", "options that change"),
        ("when card_dealt\n  require card_dealt with same seat, earlier", "", "keys too wide"),
    ],
)
def test_what_is_slow_only_in_some_logs_is_said_with_its_cause(
    clauses: str, more: str, name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    interval = "interval round from (round_started where round is 1) to round_ended"
    plan = plan_of(tmp_path, capsys, f"  {clauses}\n", interval if more else "")
    assert name in sometimes(plan)


def test_rules_that_ask_the_same_are_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = f"rule other\n  {HEAD}  when cards_cut\n  require card_burned where reason is new_shoe"
    clauses = "  when card_dealt\n  require card_burned where reason is new_shoe, earlier\n"
    (step,) = plan_of(tmp_path, capsys, clauses, f"{other}, earlier\n")["steps"]
    assert step["same_events"] == ["other"]
    assert step["same_search"] == []


def test_rules_with_the_same_trigger_share_the_whole_search(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    clauses = "  when card_dealt\n  require card_burned earlier\n"
    plan = plan_of(tmp_path, capsys, clauses, f"rule other\n  {HEAD}{clauses}")
    assert plan["steps"][0]["same_search"] == ["other"]
    assert plan["trigger"].endswith("found once together with other")


def test_the_text_marks_each_slow_place(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write(
        tmp_path, f"rule asked\n  {HEAD}  when card_dealt\n  require hour(ts) is at least 9\n"
    )
    code, out, err = answer(capsys, "rules", "explain", "asked", path, "--plan")
    assert (code, err) == (0, "")
    assert "  Slow in any log\n    ! one by one in Python: days and hours\n" in out


def test_on_a_day_only_the_plan_of_that_day_is_shown(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["rules", "explain", "double-exposure-ended", write(tmp_path), "--plan", "--on"]
    assert "Edition in force from 1990-01-01 until 1995-01-01" in answer(
        capsys, *words, "1992-01-01"
    )[1]  # fmt: skip
    assert "No edition of this rule is in force" in answer(capsys, *words, "2001-01-01")[1]


def test_the_documented_keys_of_a_plan_are_those_of_the_answer(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    clauses = (
        "  when wager_paid\n  require wager_placed where medium is coupon and seat is trigger.seat"
        " and amount is at most trigger.amount, earlier\n"
    )
    path = write(tmp_path, f"rule asked\n  {HEAD}{clauses}rule other\n  {HEAD}{clauses}")
    found = set(keys(json_answer(capsys, "rules", "explain", "asked", path, "--plan")))
    assert found == documented("rules explain --plan")
