"""What a field that the log does not record leaves undecided, and what it does not."""

from __future__ import annotations

import pytest

from tests.compliance.reference_run import checks, verdicts, witnesses

# A card of which nobody knows how it lay stands between a burn and the cut.
CLOUDED = """
    20:00 card_dealt to=player face_up=yes
    20:01 card_burned
    20:02 card_dealt to=player
    20:03 cards_cut
"""


@pytest.mark.parametrize(
    "condition",
    [
        "card_burned since (card_dealt where face_up is yes)",
        "no card_burned since (card_dealt where face_up is yes)",
        "every card_burned since (card_dealt where face_up is yes) has reason is known",
        "count of card_burned since (card_dealt where face_up is yes) is 1",
        "last card_burned.place since (card_dealt where face_up is yes) is none",
        "exactly 0 card_burned since (card_dealt where face_up is yes)",
    ],
)
def test_a_since_that_may_have_begun_later_decides_nothing(condition: str) -> None:
    assert verdicts(f"when cards_cut\nrequire {condition}", CLOUDED) == ["undetermined"]


def test_a_value_in_doubt_is_not_known() -> None:
    value = "last card_burned.ts since (card_dealt where face_up is yes)"
    assert verdicts(f"when cards_cut\nrequire {value} is known", CLOUDED) == ["violated"]
    assert verdicts(f"when cards_cut\nrequire {value} is missing", CLOUDED) == ["complied"]


def test_a_sure_event_after_the_doubtful_one_settles_the_since() -> None:
    rule = "when cards_cut\nrequire card_burned since (card_dealt where face_up is yes)"
    log = """
        20:00 card_dealt to=player
        20:01 card_dealt to=player face_up=yes
        20:02 card_burned
        20:03 cards_cut
    """
    assert verdicts(rule, log) == ["complied"]


def test_what_comes_after_every_event_in_doubt_is_surely_since_then() -> None:
    since = "since (card_dealt where face_up is yes)"
    log = f"{CLOUDED}\n20:04 recut_ordered\n20:05 cards_cut"
    assert verdicts(f"when cards_cut\nrequire recut_ordered {since}", log)[-1] == "complied"
    assert verdicts(f"when cards_cut\nrequire no recut_ordered {since}", log)[-1] == "violated"
    assert verdicts(f"when cards_cut\nrequire no stub_counted {since}", log)[-1] == "complied"


def test_a_doubtful_since_names_the_sure_event_the_one_in_doubt_and_what_lies_between() -> None:
    rule = "when cards_cut\nrequire card_burned since (card_dealt where face_up is yes)"
    (check,) = checks(rule, CLOUDED)
    assert witnesses(check) == {("e1", "since"), ("e2", "unclear"), ("e3", "since")}


def test_a_before_that_may_end_earlier_decides_nothing() -> None:
    rule = "when cards_cut\nrequire card_burned before (card_dealt where face_up is yes)"
    log = """
        20:00 cards_cut
        20:01 card_dealt to=player
        20:02 card_burned
        20:03 card_dealt to=player face_up=yes
    """
    assert verdicts(rule, log) == ["undetermined"]


@pytest.mark.parametrize(
    ("condition", "verdict"),
    [
        ("card_burned before (card_dealt where face_up is yes)", "complied"),
        ("no card_burned before (card_dealt where face_up is yes)", "violated"),
        ("at least 2 card_burned before (card_dealt where face_up is yes)", "undetermined"),
        ("at least 3 card_burned before (card_dealt where face_up is yes)", "violated"),
        ("first card_burned.cards_total before (card_dealt where face_up is yes) = 1", "complied"),
        ("count of card_burned before (card_dealt where face_up is yes) is 1", "undetermined"),
    ],
)
def test_a_before_that_may_end_later_leaves_only_what_follows_in_doubt(
    condition: str, verdict: str
) -> None:
    log = """
        20:00 cards_cut
        20:01 card_burned cards_total=1
        20:02 card_dealt to=player
        20:03 card_burned cards_total=2
        20:04 card_dealt to=player face_up=yes
    """
    assert verdicts(f"when cards_cut\nrequire {condition}", log) == [verdict]


def test_seats_in_the_wrong_order_stay_so_whatever_is_not_recorded_later() -> None:
    rule = "when cards_cut\nrequire card_dealt.seat earlier goes clockwise"
    log = """
        20:00 card_dealt to=player seat=1
        20:01 card_dealt to=player seat=3
        20:02 card_dealt to=player seat=2
        20:03 card_dealt to=player
        20:04 cards_cut
    """
    assert verdicts(rule, log) == ["violated"]


def test_first_since_an_event_in_doubt_is_undetermined() -> None:
    rule = "when first cards_cut since (card_dealt where face_up is yes)\nrequire by is known"
    assert verdicts(rule, "20:00 card_dealt to=player\n20:01 cards_cut by=D1") == ["undetermined"]


def test_an_earlier_candidate_in_doubt_makes_first_undetermined() -> None:
    rule = "when first card_dealt where face_up is yes, since cards_cut\nrequire by is known"
    log = "20:00 cards_cut\n20:01 card_dealt to=player\n20:02 card_dealt to=player face_up=yes by=D"
    assert verdicts(rule, log) == ["undetermined", "undetermined"]


# Three burns: one for an irregularity, one for another reason, one of which the reason is unknown.
BURNS = """
    20:00 card_burned reason=irregularity cards_total=1
    20:01 card_burned reason=new_dealer cards_total=2
    20:02 card_burned cards_total=4
    20:03 cards_cut
"""
WANTED = "card_burned where reason is irregularity, earlier"


@pytest.mark.parametrize(
    ("condition", "verdict"),
    [
        (f"at least 1 {WANTED}", "complied"),
        (f"at least 2 {WANTED}", "undetermined"),
        (f"at least 3 {WANTED}", "violated"),
        (f"at most 0 {WANTED}", "violated"),
        (f"at most 1 {WANTED}", "undetermined"),
        (f"at most 2 {WANTED}", "complied"),
        (f"exactly 0 {WANTED}", "violated"),
        (f"exactly 1 {WANTED}", "undetermined"),
        (f"exactly 2 {WANTED}", "undetermined"),
        (f"exactly 3 {WANTED}", "violated"),
        (f"count of {WANTED} is 1", "undetermined"),
        (f"every {WANTED} has cards_total <= 4", "complied"),
        (f"every {WANTED} has cards_total <= 3", "undetermined"),
        (f"every {WANTED} has cards_total > 1", "violated"),
        (f"some {WANTED} has cards_total is 1", "complied"),
        (f"some {WANTED} has cards_total is 2", "violated"),
        (f"some {WANTED} has cards_total is 4", "undetermined"),
        ("first card_burned.cards_total where reason is irregularity, earlier is 1", "complied"),
        ("last card_burned.cards_total where reason is irregularity, earlier is 1", "undetermined"),
        ("sum of card_burned.cards_total where reason is irregularity, earlier > 0", "complied"),
        ("sum of card_burned.cards_total where reason is irregularity, earlier > 5", "violated"),
        (
            "sum of card_burned.cards_total where reason is irregularity, earlier > 1",
            "undetermined",
        ),
        ("sum of card_burned.cards_total earlier is 7", "complied"),
    ],
)
def test_an_event_that_may_match_leaves_only_its_own_share_in_doubt(
    condition: str, verdict: str
) -> None:
    assert verdicts(f"when cards_cut\nrequire {condition}", BURNS) == [verdict]


@pytest.mark.parametrize(
    ("condition", "verdict"),
    [
        ("sum of card_burned.cards_total earlier is 1", "undetermined"),
        ("count of card_burned earlier is 2", "complied"),
        ("largest of card_burned.cards_total earlier is 1", "undetermined"),
        ("count of distinct card_burned.cards_total earlier is 1", "undetermined"),
        ("last card_burned.cards_total earlier is 1", "undetermined"),
        ("first card_burned.cards_total earlier is 1", "complied"),
        ("every card_burned earlier has cards_total is 1", "undetermined"),
        ("every card_burned earlier has cards_total is 2", "violated"),
    ],
)
def test_a_value_that_is_not_recorded_is_never_zero_and_never_the_last_one_seen(
    condition: str, verdict: str
) -> None:
    log = "20:00 card_burned cards_total=1\n20:01 card_burned\n20:02 cards_cut"
    assert verdicts(f"when cards_cut\nrequire {condition}", log) == [verdict]


@pytest.mark.parametrize(
    ("log", "verdict"),
    [
        ("20:00 wager_placed seat=1 amount=$5\n20:01 wager_placed seat=1 amount=$10", "complied"),
        ("20:00 wager_placed seat=1 amount=$5\n20:01 wager_placed amount=$10", "undetermined"),
        ("20:00 wager_placed amount=$5\n20:01 wager_placed seat=1 amount=$10", "undetermined"),
        ("20:00 wager_placed amount=$10\n20:01 wager_placed seat=1 amount=$10", "complied"),
        ("20:00 wager_placed seat=1 amount=$10\n20:01 wager_placed amount=$5", "undetermined"),
        ("20:00 wager_placed seat=1 amount=$10\n20:01 wager_placed seat=2 amount=$5", "violated"),
    ],
)
def test_latest_per_seat_with_a_seat_that_is_not_recorded(log: str, verdict: str) -> None:
    rule = "when cards_cut\nrequire every wager_placed latest per seat earlier has amount >= $10"
    assert verdicts(rule, f"{log}\n20:09 cards_cut") == [verdict]


def test_two_half_recorded_keys_that_cannot_agree_do_not_cloud_each_other() -> None:
    rule = """when cards_cut
        require every wager_placed latest per seat and per hand earlier has amount >= $10"""
    log = """
        20:00 wager_placed seat=1 hand=1 amount=$5
        20:01 wager_placed seat=2 amount=$10
        20:02 cards_cut
    """
    assert verdicts(rule, log) == ["violated"]


@pytest.mark.parametrize(
    ("condition", "verdict"),
    [
        ("card_dealt.seat earlier goes clockwise", "undetermined"),
        ("the seat clockwise of 1 among card_dealt.seat earlier is 2", "undetermined"),
        ("blackjack_total of card_dealt.card earlier is 9", "undetermined"),
    ],
)
def test_order_and_totals_need_every_value(condition: str, verdict: str) -> None:
    log = "20:00 card_dealt to=player seat=2 card=9S\n20:01 card_dealt to=player\n20:02 cards_cut"
    assert verdicts(f"when cards_cut\nrequire {condition}", log) == [verdict]


def test_an_unknown_option_is_not_no() -> None:
    rule = "when cards_cut\nrequire option {} is yes"
    assert verdicts(rule.format("resplit_aces"), "20:00 cards_cut") == ["undetermined"]
    assert verdicts(rule.format("surrender"), "20:00 cards_cut") == ["violated"]
    known = {"resplit_aces": True}
    assert verdicts(rule.format("resplit_aces"), "20:00 cards_cut", options=known) == ["complied"]


def test_an_election_that_cannot_be_read_leaves_the_option_unknown() -> None:
    rule = "when cards_cut\nrequire option decks is 6"
    log = """
        20:00 option_elected option_name=decks value=6
        20:01 cards_cut
        20:02 option_elected option_name=decks value=several
        20:03 cards_cut
    """
    assert verdicts(rule, log) == ["complied", "undetermined"]
