"""Which events a check names as its evidence: exactly those that decide it."""

from __future__ import annotations

import pytest

from tests.compliance.reference_run import checks, witnesses

LOG = """
    20:00 dealer_arrived dealer=D1
    20:01 card_burned reason=new_dealer
    20:02 card_burned reason=irregularity
    20:03 card_dealt to=player seat=1 card=9S
    20:04 card_dealt to=player seat=3 card=8S
    20:05 cards_cut position=1
    20:06 card_burned reason=new_shoe
    20:07 card_dealt to=player seat=2 card=7S
    20:08 round_ended
"""


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ("card_burned earlier", {("e3", "found")}),
        ("card_burned later", {("e7", "found")}),
        ("no card_burned earlier", {("e3", "found")}),
        ("no round_voided earlier", set()),
        ("at least 2 card_burned earlier", {("e2", "found"), ("e3", "found")}),
        ("at most 1 card_burned earlier", {("e2", "found"), ("e3", "found")}),
        ("exactly 2 card_burned earlier", {("e2", "found"), ("e3", "found")}),
        ("card_burned where reason is new_dealer, earlier", {("e2", "found")}),
        ("card_burned since dealer_arrived", {("e3", "found"), ("e1", "since")}),
        ("no round_voided since dealer_arrived", {("e1", "since")}),
        ("card_burned before round_ended", {("e7", "found"), ("e9", "before")}),
        ("no round_voided before round_ended", {("e9", "before")}),
        ("first card_dealt.seat earlier is 1", {("e4", "found")}),
        ("last card_dealt.seat earlier is 1", {("e5", "found")}),
        ("next card_dealt.seat is 2", {("e8", "found")}),
        ("count of card_burned earlier is 2", {("e2", "counted"), ("e3", "counted")}),
        (
            "blackjack_total of card_dealt.card earlier is 17",
            {("e4", "counted"), ("e5", "counted")},
        ),
        ("card_dealt.seat earlier goes clockwise", {("e4", "counted"), ("e5", "counted")}),
        (
            "the seat clockwise of 1 among card_dealt.seat earlier is 3",
            {("e4", "counted"), ("e5", "counted")},
        ),
        (
            "every card_dealt earlier has seat >= 1",
            {("e4", "found"), ("e5", "found")},
        ),
        ("every card_dealt earlier has seat is 3", {("e4", "found")}),
        ("seat is 1", {("e6", "lacks seat")}),
        ("position is 1", set()),
    ],
)
def test_the_witnesses_are_the_events_that_decide(
    condition: str, expected: set[tuple[str, str]]
) -> None:
    (check,) = checks(f"when cards_cut\nrequire {condition}", LOG)
    assert witnesses(check) == expected


def test_the_trigger_is_named_apart_and_not_as_found() -> None:
    (check,) = checks("when cards_cut\nrequire cards_cut so far", LOG)
    assert (check.trigger.event_id, check.trigger.part) == ("e6", "trigger")
    assert witnesses(check) == set()


def test_first_since_names_the_event_that_it_looks_back_to() -> None:
    rule = "when first cards_cut since dealer_arrived\nrequire seat is 1"
    (check,) = checks(rule, LOG)
    assert witnesses(check) == {("e6", "lacks seat")}
    clouded = "when first cards_cut since dealer_arrived\nonly if seat is 1\nrequire position is 1"
    (check,) = checks(clouded, LOG)
    assert witnesses(check) == {("e1", "since"), ("e6", "lacks seat")}


def test_a_violation_names_only_the_requirements_that_failed() -> None:
    rule = "when cards_cut\nrequire card_burned earlier\nrequire no card_dealt earlier"
    (check,) = checks(rule, LOG)
    assert witnesses(check) == {("e5", "found")}


def test_an_excuse_adds_its_own_witnesses() -> None:
    rule = """when cards_cut
        require no card_dealt earlier
        except under "Authority" when dealer_arrived earlier"""
    (check,) = checks(rule, LOG)
    assert check.verdict.value == "excused"
    assert witnesses(check) == {("e5", "found"), ("e1", "found")}


def test_witnesses_stand_in_the_order_of_the_log() -> None:
    rule = "when cards_cut\nrequire count of any of (card_dealt, card_burned) earlier is 0"
    (check,) = checks(rule, LOG)
    assert [w.event_id for w in check.witnesses] == ["e2", "e3", "e4", "e5"]


def test_a_witness_shows_its_line() -> None:
    (check,) = checks("when cards_cut\nrequire no card_dealt earlier", LOG)
    assert check.witnesses[0].line_text == "card_dealt to=player seat=3 card=8S"
