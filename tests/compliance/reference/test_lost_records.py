"""What a lost record leaves in doubt, construct by construct, and what it cannot change."""

from __future__ import annotations

import pytest

from tests.compliance.reference_run import checks, verdicts, witnesses

ROUND = "interval round from round_started to round_ended"
LOST_BURN = '20:01 lost_record until=20:03 may_be="card_burned"'


# ---- what is certain stays a breach


def test_a_second_surrender_stays_a_breach_whatever_else_is_lost() -> None:
    rule = """
        for each seat
        when decision where kind is surrender
        require no decision where kind is surrender, earlier
    """
    log = """
        20:00 decision seat=1 kind=surrender
        20:01 lost_record until=20:05 may_be="decision round_ended card_dealt" times=40
        20:05 decision seat=1 kind=surrender
    """
    assert verdicts(rule, log) == ["complied", "violated"]


def test_an_amount_above_the_limit_stays_a_breach_whatever_else_is_lost() -> None:
    rule = "when wager_placed\nrequire amount is at most $500"
    log = """
        20:00 lost_record may_be="wager_placed limits_changed" times=3
        20:01 wager_placed amount=$501
    """
    assert verdicts(rule, log) == ["violated"]


def test_a_sum_above_the_limit_stays_a_breach_for_what_is_lost_was_no_negative_amount() -> None:
    log = """
        20:00 wager_placed amount=$400
        20:01 lost_record may_be="wager_placed" times=9
        20:02 wager_placed amount=$200
        20:03 round_ended
    """
    total = "when round_ended\nrequire sum of wager_placed.amount earlier is {}"
    assert verdicts(total.format("at most $500"), log) == ["violated"]
    assert verdicts(total.format("at least $600"), log) == ["complied"]
    assert verdicts(total.format("at most $600"), log) == ["undetermined"]
    assert verdicts(total.format("at least $601"), log) == ["undetermined"]


def test_a_breach_after_the_hole_stays_one_where_a_sure_event_bounds_it() -> None:
    rule = "when first card_dealt since dealer_arrived\nrequire card_burned since dealer_arrived"
    log = """
        20:00 lost_record may_be="card_burned dealer_arrived card_dealt"
        20:01 dealer_arrived dealer=D1
        20:02 card_dealt to=player
    """
    assert verdicts(rule, log) == ["violated"]


# ---- what it may match


@pytest.mark.parametrize(
    ("may_be", "verdict"),
    [
        ("card_burned", "undetermined"),
        ("card_burned cards_cut", "undetermined"),
        ("decision", "violated"),
    ],
)
def test_it_may_match_what_it_can_have_been_and_nothing_else(may_be: str, verdict: str) -> None:
    log = f'20:00 lost_record may_be="{may_be}"\n20:01 card_dealt to=player'
    assert verdicts("when card_dealt\nrequire card_burned earlier", log) == [verdict]


def test_its_condition_is_not_asked() -> None:
    log = '20:00 lost_record may_be="card_burned"\n20:01 card_dealt to=player'
    rule = "when card_dealt\nrequire no card_burned where face_up is yes and face_up is no, earlier"
    assert verdicts(rule, log) == ["undetermined"]


def test_it_is_no_trigger_and_no_key() -> None:
    rule = "for each table, every player\nwhen cards_shuffled\nrequire wager_placed earlier"
    log = """
        20:00 wager_placed player=P1
        20:01 lost_record may_be="cards_shuffled wager_placed"
        20:02 cards_shuffled
    """
    assert [check.slice for check in checks(rule, log)] == [{"player": "P1"}]


def test_it_belongs_to_every_slice_of_its_table() -> None:
    rule = "for each seat\nwhen decision\nrequire wager_placed earlier"
    log = """
        20:00 lost_record may_be="wager_placed"
        20:01 decision seat=1 kind=hit
        20:02 decision seat=2 kind=hit
    """
    assert verdicts(rule, log) == ["undetermined", "undetermined"]
    assert verdicts(rule, log.replace("decision seat=2", "decision table=T2 seat=2")) == [
        "undetermined",
        "violated",
    ]


def test_the_log_is_not_known_for_longer_because_of_it() -> None:
    rule = "when cards_cut\nrequire card_burned within 1 minute"
    log = '20:00 cards_cut\n20:05 lost_record may_be="decision"'
    assert verdicts(rule, log) == ["open"]


# ---- lengths of time


@pytest.mark.parametrize(
    ("window", "verdict"),
    [
        ("within 4 minutes earlier", "undetermined"),
        ("within 3 minutes earlier", "undetermined"),
        ("within 2 minutes earlier", "undetermined"),
        ("within 1 minute earlier", "violated"),
        ("at least 2 minutes earlier", "undetermined"),
        ("at least 4 minutes earlier", "undetermined"),
        ("at least 5 minutes earlier", "violated"),
    ],
)
def test_a_length_of_time_is_measured_to_any_moment_between_its_neighbours(
    window: str, verdict: str
) -> None:
    log = f"{LOST_BURN}\n20:05 cards_cut"
    assert verdicts(f"when cards_cut\nrequire card_burned {window}", log) == [verdict]


# ---- how many, and every


@pytest.mark.parametrize(
    ("condition", "verdict"),
    [
        ("at least 1 card_burned earlier", "complied"),
        ("at least 4 card_burned earlier", "undetermined"),
        ("at least 5 card_burned earlier", "violated"),
        ("at most 4 card_burned earlier", "complied"),
        ("exactly 1 card_burned earlier", "undetermined"),
        ("no card_burned earlier", "violated"),
        ("every card_burned earlier has face_up is no", "undetermined"),
        ("every card_burned earlier has face_up is yes", "violated"),
        ("count of card_burned earlier is at least 1", "complied"),
        ("count of card_burned earlier is less than 5", "complied"),
        ("count of card_burned earlier is 3", "undetermined"),
        ("count of card_burned earlier is not 5", "complied"),
        ("count of card_burned earlier is none", "violated"),
        ("count of card_burned earlier is not none", "complied"),
        ("count of card_burned earlier + 1 is at least 2", "complied"),
        ("6 - count of card_burned earlier is more than 1", "complied"),
        ("count of card_burned earlier - count of card_burned earlier is at most 3", "complied"),
        ("2 * count of card_burned earlier is at least 1", "undetermined"),
        ("larger(count of card_burned earlier, 9) is 9", "undetermined"),
        ("at least (count of card_burned earlier) cards_cut so far", "undetermined"),
        ("count of card_burned earlier is about 2 give or take 9", "undetermined"),
        ("count of distinct card_burned.cards_total earlier is at most 4", "complied"),
        ("count of distinct card_burned.cards_total earlier is at most 3", "undetermined"),
        ("sum of card_burned.cards_total earlier is at least 1", "undetermined"),
        ("largest of card_burned.cards_total earlier is at least 1", "undetermined"),
        ("first card_burned.cards_total earlier is 2", "complied"),
        ("last card_burned.cards_total earlier is 2", "undetermined"),
        ("every card_burned latest per place, earlier has face_up is no", "undetermined"),
    ],
)
def test_three_lost_records_count_for_none_up_to_three(condition: str, verdict: str) -> None:
    log = """
        20:00 card_burned face_up=no cards_total=2 place=discard_rack
        20:01 lost_record until=20:03 may_be="card_burned" times=3
        20:03 cards_cut
    """
    assert verdicts(f"when cards_cut\nrequire {condition}", log) == [verdict]


def test_the_lost_record_is_named_where_it_leaves_the_number_in_doubt() -> None:
    log = f"20:00 card_burned\n{LOST_BURN}\n20:03 cards_cut"
    (check,) = checks("when cards_cut\nrequire at least 2 card_burned earlier", log)
    assert witnesses(check) == {("e1", "found"), ("e2", "unclear")}
    (check,) = checks("when cards_cut\nrequire every card_burned earlier has face_up is no", log)
    assert ("e2", "unclear") in witnesses(check)


def test_the_latest_of_a_seat_may_be_lost_whatever_the_seat() -> None:
    rule = "when cards_cut\nrequire every wager_placed latest per seat, earlier has amount > $1"
    log = """
        20:00 wager_placed seat=1 amount=$5
        20:01 lost_record may_be="wager_placed"
        20:02 wager_placed seat=2 amount=$1
        20:03 cards_cut
    """
    assert verdicts(rule, log) == ["violated"]
    assert verdicts(rule.replace("> $1", "< $5"), log) == ["undetermined"]


def test_an_amount_that_is_not_recorded_is_taken_not_to_be_negative_either() -> None:
    rule = "when cards_cut\nrequire sum of wager_placed.amount earlier is at most $5"
    log = "20:00 wager_placed amount=$6\n20:01 wager_placed\n20:02 cards_cut"
    assert verdicts(rule, log) == ["violated"]
    assert verdicts(rule.replace("$5", "$6"), log) == ["undetermined"]


def test_a_value_that_is_not_recorded_may_be_one_more_or_one_that_is_there_already() -> None:
    rule = "when cards_cut\nrequire count of distinct wager_placed.seat earlier is at most {}"
    log = "20:00 wager_placed seat=1\n20:01 wager_placed\n20:02 cards_cut"
    assert verdicts(rule.format(2), log) == ["complied"]
    assert verdicts(rule.format(1), log) == ["undetermined"]
    assert verdicts(rule.format(0), log) == ["violated"]


# ---- known and missing


@pytest.mark.parametrize(
    "value",
    [
        "last card_burned.cards_total earlier",
        "count of card_burned earlier",
        "last card_dealt.seat since card_burned",
        "(if card_burned earlier then 1 else 2)",
    ],
)
def test_a_value_that_a_lost_record_may_make_known_is_neither_known_nor_missing(value: str) -> None:
    log = f"20:00 card_dealt to=player seat=1\n{LOST_BURN}\n20:04 cards_cut"
    assert verdicts(f"when cards_cut\nrequire {value} is known", log) == ["undetermined"]
    assert verdicts(f"when cards_cut\nrequire {value} is missing", log) == ["undetermined"]


@pytest.mark.parametrize(
    "clauses",
    [
        "for each round\nwhen card_dealt\nrequire count of decision later is missing",
        "when card_dealt\nrequire count of decision in the round is missing",
    ],
)
def test_so_is_a_value_from_a_run_that_a_lost_record_may_end(clauses: str) -> None:
    log = """
        20:00 round_started
        20:01 card_dealt to=player
        20:02 lost_record may_be="round_ended"
        20:03 decision kind=hit
        20:04 round_ended
    """
    assert verdicts(clauses, log, ROUND) == ["undetermined"]


def test_so_is_a_value_from_an_option_that_may_have_been_elected() -> None:
    rule = "when cards_cut\nrequire (if option soft_17 is hit then 1 else 2) is missing"
    log = '20:00 lost_record may_be="option_elected"\n20:01 cards_cut'
    assert verdicts(rule, log) == ["undetermined"]
    assert verdicts(rule, "20:01 cards_cut") == ["complied"]


def test_a_field_that_is_not_recorded_stays_missing_beside_a_lost_record() -> None:
    log = f"{LOST_BURN}\n20:04 cards_cut"
    assert verdicts("when cards_cut\nrequire seat is missing", log) == ["complied"]
    other = "last decision.seat earlier"
    log = f"20:00 decision kind=hit\n{LOST_BURN}\n20:04 cards_cut"
    assert verdicts(f"when cards_cut\nrequire {other} is missing", log) == ["complied"]
    assert verdicts(f"when cards_cut\nrequire {other} is known", log) == ["violated"]
