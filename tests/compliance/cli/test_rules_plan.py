"""`compliance rules explain --plan`: how the engine runs a rule, and what rules share."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from compliance.plan.builder import build_plan
from compliance.plan.graph import Graph
from compliance.plan.node_texts import _ASKS, _SAID, NodeTexts
from compliance.plan.nodes import KIND_OF
from compliance.plan.text import _Speaker, plan_lines
from event_schemas import builtin_schema
from rules_dsl.bundled import bundled_rulebook
from rules_dsl.rulebook import load
from tests.compliance.cli.test_json_keys import documented, keys
from tests.compliance.small_rulebook import answer, json_answer, write

HEAD = '"Example."\n  cite "Example"\n'


def plan_of(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], clauses: str, more: str = ""
) -> dict[str, Any]:
    path = write(tmp_path, f"{more}\nrule asked\n  {HEAD}{clauses}")
    (edition,) = json_answer(capsys, "rules", "explain", "asked", path, "--plan")["editions"]
    return dict(edition)


def test_conditions_are_sorted_into_events_keys_and_pairs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    clauses = (
        "  when wager_paid\n  require wager_placed where medium is coupon and seat is trigger.seat"
        " and amount is at most trigger.amount, earlier\n"
    )
    (step,) = plan_of(tmp_path, capsys, clauses)["steps"]
    assert step["asks"] == "at least 1"
    assert step["events"] == "wager_placed where medium(e) = coupon"
    assert step["keys"] == ["seat(e₁) = seat(e₀)"]
    assert step["pairs"] == ["amount(e₁) ≤ amount(e₀)"]
    assert step["where"] == "before e₀"


@pytest.mark.parametrize(
    ("require", "asks"),
    [
        ("hour(ts) is at least 9", "hour(ts(e₀)) ≥ 9"),
        ("poker_class of card_dealt.card so far is straight", "[2] = straight"),
        ('id is "x"', "id(e₀) = x"),
        ("option decks is 6 or seat is missing", "option decks at e₀ = 6 or seat(e₀) is missing"),
        ("every card_dealt so far has seat is 1", "every one has seat(e₁) = 1"),
        ("not (seat is 1)", "not (seat(e₀) = 1)"),
    ],
)  # fmt: skip
def test_every_question_is_said_in_words(
    require: str, asks: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plan = plan_of(tmp_path, capsys, f"  when card_dealt\n  require {require}\n")
    assert plan["steps"][0]["asks"] == asks


def test_what_a_question_asks_in_turn_stands_below_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    clauses = (
        "  when card_dealt\n  require count of wager_placed where (wager_paid within 5 minutes"
        " later), earlier in the round is 2\n"
    )
    interval = "interval round from round_started to round_ended"
    steps = plan_of(tmp_path, capsys, clauses, interval)["steps"]
    assert [(step["depth"], step["number"], step["asks"]) for step in steps] == [
        (0, 1, "[2] = 2"),
        (1, 2, "count of them"),
        (2, 3, "at least 1"),
    ]
    assert [step["where"] for step in steps[1:]] == [
        "before e₀, in this round",
        "after e₁, within 5 minutes",
    ]
    assert steps[1]["pairs"] == ["[3]"]


def test_rules_that_look_for_the_same_events_are_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = f"rule other\n  {HEAD}  when cards_cut\n  require card_burned where reason is new_shoe"
    clauses = "  when card_dealt\n  require card_burned where reason is new_shoe, since cards_cut\n"
    (step,) = plan_of(tmp_path, capsys, clauses, f"{other}, earlier\n")["steps"]
    assert step["same_events"] == ["other"]
    assert (step["kept"], step["same_answer"]) == (False, [])


def test_rules_that_take_the_same_answer_are_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    clauses = "  when card_dealt\n  require card_burned earlier\n"
    more = clauses.replace("card_dealt", "card_dealt where seat is 1")
    plan = plan_of(tmp_path, capsys, clauses, f"rule other\n  {HEAD}{clauses}")
    assert (plan["steps"][0]["kept"], plan["steps"][0]["same_answer"]) == (True, ["other"])
    assert plan["trigger"].endswith("found once together with other")
    plan = plan_of(tmp_path, capsys, more, f"rule other\n  {HEAD}{clauses}")
    assert plan["steps"][0]["same_answer"] == ["other"]
    assert plan["trigger"] == "card_dealt where seat(e₀) = 1"


def test_the_text_shows_what_is_looked_for_and_where(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    clauses = "  when wager_paid\n  require wager_placed with same seat, earlier\n"
    path = write(tmp_path, f"rule asked\n  {HEAD}{clauses}")
    code, out, err = answer(capsys, "rules", "explain", "asked", path, "--plan")
    assert (code, err) == (0, "")
    assert out.endswith(
        "  1. require: at least 1\n"
        "     events wager_placed\n"
        "     key    seat(e₁) = seat(e₀)\n"
        "     where  before e₀\n"
    )


@pytest.mark.parametrize("name", sorted(KIND_OF))
def test_every_kind_of_node_has_words(name: str) -> None:
    structural = {"pattern", "edge", "events", "interval", "items", "numbers", "lookout", "memo",
                  "exemption", "election", "slicing", "triggers", "edition"}  # fmt: skip
    assert (name in {**_SAID, **_ASKS}) != (name in structural)


@pytest.mark.long
def test_every_rule_of_the_law_has_a_plan_in_words() -> None:
    schema = builtin_schema()
    rulebook = load([bundled_rulebook()], schema).rulebook
    graph = Graph(build_plan(rulebook, schema))
    for edition in graph.plan.editions:
        plan = _Speaker(NodeTexts(graph, rulebook, schema), edition).plan()
        numbers = [step.number for step in plan.steps]
        assert len(set(numbers)) == len(numbers)
        assert all(step.asks for step in plan.steps)
        assert list(plan_lines(plan))


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
