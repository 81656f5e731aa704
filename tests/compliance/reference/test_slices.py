"""What a rule sees together: its table, its player, its round, its pit, its casino."""

from __future__ import annotations

import pytest

from tests.compliance.reference_run import checks, verdicts, witnesses

ROUND = "interval round from round_started to round_ended"


def test_tables_and_casinos_of_the_same_name_are_kept_apart() -> None:
    rule = "when cards_cut\nrequire card_burned earlier"
    log = """
        20:00 card_burned table=T1 casino=C1
        20:01 cards_cut table=T1 casino=C2
        20:02 cards_cut table=T2 casino=C1
        20:03 cards_cut table=T1 casino=C1
    """
    found = {c.trigger.event_id: c.verdict.value for c in checks(rule, log)}
    assert found == {"e2": "violated", "e3": "violated", "e4": "complied"}


def test_an_event_whose_type_lacks_the_key_belongs_to_every_slice() -> None:
    rule = "for each player\nwhen coupon_used\nrequire cards_shuffled earlier"
    log = "20:00 cards_shuffled\n20:01 coupon_used player=P1\n20:02 coupon_used player=P2"
    assert verdicts(rule, log) == ["complied", "complied"]


def test_a_check_names_the_slice_it_is_about() -> None:
    rule = "for each player, wager\nwhen coupon_used\nrequire amount is known"
    (check,) = checks(rule, "20:00 coupon_used player=P1 wager=tie")
    assert check.slice == {"player": "P1", "wager": "tie"}


def test_a_trigger_without_its_key_is_undetermined() -> None:
    rule = "for each player\nwhen coupon_used\nrequire no coupon_used earlier"
    log = "20:00 coupon_used"
    (check,) = checks(rule, log)
    assert check.verdict.value == "undetermined"
    assert check.slice == {"player": "not recorded"}


@pytest.mark.parametrize(
    ("condition", "verdict"),
    [
        ("at most 2 coupon_used earlier", "complied"),
        ("at least 1 coupon_used earlier", "complied"),
        ("at most 1 coupon_used earlier", "undetermined"),
        ("at least 2 coupon_used earlier", "undetermined"),
        ("no coupon_used earlier", "violated"),
    ],
)
def test_an_event_without_its_key_may_belong_to_any_slice(condition: str, verdict: str) -> None:
    rule = f"for each player\nwhen coupon_used where player is known\nrequire {condition}"
    log = "20:00 coupon_used player=P1\n20:01 coupon_used\n20:02 coupon_used player=P1"
    assert verdicts(rule, log)[-1] == verdict


def test_an_uncertain_event_is_named_as_unclear() -> None:
    rule = "for each player\nwhen cards_cut\nrequire no coupon_used earlier"
    (check,) = checks(rule, "20:00 coupon_used\n20:01 cards_cut player=P1")
    assert check.verdict.value == "undetermined"
    assert witnesses(check) == {("e1", "unclear")}


def test_every_player_gives_one_check_for_each_player_seen_so_far() -> None:
    rule = "for each every player\nwhen cards_shuffled\nrequire no coupon_used earlier"
    log = """
        20:00 coupon_used player=P2
        20:01 coupon_used player=P1
        20:02 player_seated player=P3
        20:03 cards_shuffled
        20:04 coupon_used player=P4
    """
    found = checks(rule, log)
    assert [c.slice["player"] for c in found] == ["P2", "P1"]
    assert [witnesses(c) for c in found] == [{("e1", "found")}, {("e2", "found")}]


def test_every_player_checks_nothing_before_anyone_is_seen() -> None:
    rule = "for each every player\nwhen cards_shuffled\nrequire no coupon_used earlier"
    assert verdicts(rule, "20:00 cards_shuffled\n20:01 coupon_used") == []


def test_two_keys_must_both_agree() -> None:
    rule = "for each seat, hand\nwhen decision\nrequire no decision earlier"
    log = """
        20:00 decision kind=hit seat=1 hand=1
        20:01 decision kind=hit seat=1 hand=2
        20:02 decision kind=hit seat=2 hand=1
        20:03 decision kind=hit seat=1 hand=1
    """
    assert verdicts(rule, log) == ["complied", "complied", "complied", "violated"]


def test_a_key_that_differs_decides_even_where_the_other_is_missing() -> None:
    rule = "for each seat, hand\nwhen decision where hand is known\nrequire no decision earlier"
    log = "20:00 decision kind=hit seat=1\n20:01 decision kind=hit seat=2 hand=1"
    assert verdicts(rule, log)[-1] == "complied"


def test_a_round_slice_is_closed_by_the_rounds_end() -> None:
    rule = "for each round\nwhen cards_cut\nrequire card_burned later"
    log = "20:00 round_started\n20:01 cards_cut"
    assert verdicts(rule, log, ROUND) == ["open"]
    ended = log + "\n20:02 round_ended\n20:03 card_burned"
    assert verdicts(rule, ended, ROUND) == ["violated"]


def test_an_event_outside_every_round_is_not_checked_for_each_round() -> None:
    rule = "for each round\nwhen cards_cut\nrequire card_burned earlier"
    assert verdicts(rule, "20:00 cards_cut", ROUND) == []


def test_a_casino_slice_orders_tables_by_time() -> None:
    rule = "for each casino\nwhen cards_cut\nrequire card_burned earlier"
    log = "20:00 cards_cut table=T1\n20:01 card_burned table=T2\n20:02 cards_cut table=T1"
    found = {c.trigger.event_id: c.verdict.value for c in checks(rule, log)}
    assert found == {"e1": "violated", "e3": "complied"}


def test_at_one_instant_a_casino_slice_orders_by_the_tables_name() -> None:
    rule = "for each casino\nwhen cards_cut\nrequire card_burned earlier"
    assert verdicts(rule, "20:00 cards_cut table=T2\n20:00 card_burned table=T1") == ["complied"]
    assert verdicts(rule, "20:00 card_burned table=T2\n20:00 cards_cut table=T1") == ["violated"]


def test_pits_are_kept_apart() -> None:
    rule = "for each pit\nwhen cards_cut\nrequire no card_burned earlier"
    log = """
        20:00 card_burned table=T1 pit=A
        20:01 cards_cut table=T2 pit=A
        20:02 cards_cut table=T3 pit=B
    """
    found = {c.trigger.event_id: c.verdict.value for c in checks(rule, log)}
    assert found == {"e2": "violated", "e3": "complied"}
