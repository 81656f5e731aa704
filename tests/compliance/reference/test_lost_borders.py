"""What a lost record leaves in doubt at the ends of stretches, in options and across tables."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from compliance.reference.groups import groups
from compliance.values.event_texts import event_line, witness
from event_schemas import LostRecord
from tests.compliance.reference_run import SCHEMA, checks, events, verdicts, witnesses

ROUND = "interval round from round_started to round_ended"
LOST_BURN = '20:01 lost_record until=20:03 may_be="card_burned"'


# ---- ends of stretches, triggers, runs


def test_a_since_may_begin_at_a_lost_record() -> None:
    rule = "when cards_cut\nrequire {} since dealer_arrived"
    log = """
        20:00 card_burned
        20:01 lost_record may_be="dealer_arrived"
        20:02 decision kind=hit
        20:03 cards_cut
    """
    assert verdicts(rule.format("card_burned"), log) == ["undetermined"]
    assert verdicts(rule.format("decision"), log) == ["complied"]
    (check,) = checks(rule.format("card_burned"), log)
    assert ("e2", "since") in witnesses(check)


@pytest.mark.parametrize(
    ("may_be", "part"), [("dealer_arrived", "since"), ("card_dealt", "unclear")]
)
def test_the_first_event_since_another_is_in_doubt_behind_a_lost_one(
    may_be: str, part: str
) -> None:
    rule = "when first card_dealt since dealer_arrived\nrequire face_up is yes"
    log = f"""
        20:00 dealer_arrived dealer=D1
        20:01 lost_record may_be="{may_be}"
        20:02 card_dealt to=player face_up=no
    """
    (check,) = checks(rule, log)
    assert check.verdict.value == "undetermined"
    assert ("e2", part) in witnesses(check)


def test_a_lost_record_that_may_end_a_run_leaves_what_follows_in_doubt_and_is_named() -> None:
    rule = "when card_dealt\nrequire wager_placed earlier in the round"
    log = """
        20:00 round_started
        20:01 wager_placed
        20:02 lost_record may_be="round_ended"
        20:03 card_dealt to=player
    """
    (check,) = checks(rule, log, ROUND)
    assert check.verdict.value == "undetermined"
    assert witnesses(check) == {("e2", "unclear"), ("e3", "unclear")}
    assert verdicts(rule, log.replace("round_ended", "decision"), ROUND) == ["complied"]


def test_a_rule_for_each_round_names_the_lost_record_that_may_end_the_round() -> None:
    rule = "for each round\nwhen card_dealt\nrequire wager_placed earlier"
    log = """
        20:00 round_started
        20:01 lost_record may_be="round_ended"
        20:02 card_dealt to=player
    """
    (check,) = checks(rule, log, ROUND)
    assert check.verdict.value == "undetermined"
    assert ("e2", "unclear") in witnesses(check)


def test_the_end_of_a_run_that_may_have_ended_before_names_the_lost_record() -> None:
    rule = "when round ends\nrequire card_dealt in the round"
    log = """
        20:00 lost_record may_be="round_ended"
        20:01 round_started
        20:02 lost_record may_be="round_ended"
        20:03 round_ended
    """
    (check,) = checks(rule, log, ROUND)
    assert check.verdict.value == "undetermined"
    assert witnesses(check) == {("e3", "unclear")}


def test_of_several_lost_records_one_may_begin_the_run_and_others_lie_in_the_one_before() -> None:
    rule = "when decision\nrequire no card_dealt in the previous round"
    log = """
        20:00 round_started
        20:01 lost_record may_be="card_dealt round_started" times={}
        20:02 decision kind=hit
    """
    assert verdicts(rule, log.format(2), ROUND) == ["undetermined"]
    assert verdicts(rule, log.format(1), ROUND) == ["complied"]


def test_while_the_rest_of_the_log_may_put_it_out_of_the_run_the_check_is_open() -> None:
    turn = "interval turn from round_started to (hand_shown where (cards_shuffled later))"
    rule = "for each turn\nwhen decision\nrequire no card_burned within 1 minute"
    log = """
        20:00:00 round_started
        20:00:10 decision kind=hit
        20:00:20 hand_shown
        20:00:30 lost_record may_be="card_burned"
        20:02:00 decision kind=hit
    """
    assert verdicts(rule, log, turn)[0] == "open"
    assert verdicts(rule, f"{log}\n20:03 cards_shuffled", turn)[0] == "complied"


def test_seats_in_the_wrong_order_stay_so_and_the_right_order_is_in_doubt() -> None:
    rule = "when cards_cut\nrequire card_dealt.seat earlier goes clockwise from 1"
    log = """
        20:00 card_dealt to=player seat=2
        20:01 lost_record may_be="card_dealt"
        20:02 card_dealt to=player seat={}
        20:03 cards_cut
    """
    assert verdicts(rule, log.format(1)) == ["violated"]
    assert verdicts(rule, log.format(3)) == ["undetermined"]


def test_a_hand_with_a_lost_card_is_worth_nothing_that_is_known() -> None:
    rule = "when cards_cut\nrequire blackjack_total of card_dealt.card earlier is at least 1"
    log = (
        '20:00 card_dealt to=player card=KS\n20:01 lost_record may_be="card_dealt"\n20:02 cards_cut'
    )
    assert verdicts(rule, log) == ["undetermined"]


# ---- options


ELECTION = 'option_elected option_name=soft_17 value="{}"'


@pytest.mark.parametrize(
    ("may_be", "verdict"),
    [("option_elected", "undetermined"), ("table_opened", "complied"), ("decision", "complied")],
)
def test_an_option_is_not_known_behind_a_lost_election(may_be: str, verdict: str) -> None:
    log = f'20:00 {ELECTION.format("hit")}\n20:01 lost_record may_be="{may_be}"\n20:02 cards_cut'
    rule = "when cards_cut\nrequire option soft_17 is hit"
    (check,) = checks(rule, log)
    assert check.verdict.value == verdict
    assert witnesses(check) == ({("e2", "unclear")} if verdict == "undetermined" else set())
    known = "when cards_cut\nrequire option soft_17 is known"
    assert verdicts(known, log) == [verdict]


def test_the_next_recorded_election_settles_it_once_it_takes_effect() -> None:
    rule = "when cards_cut\nrequire option soft_17 is stand"
    log = f"""
        20:00 {ELECTION.format("hit")}
        20:01 lost_record may_be="option_elected"
        20:02 {ELECTION.format("stand")} effective_at=2000-01-01T20:04:00-05:00
        20:03 cards_cut
        20:04 cards_cut
    """
    assert verdicts(rule, log) == ["undetermined", "complied"]


def test_an_election_before_the_hole_that_takes_effect_after_it_settles_nothing() -> None:
    rule = "when cards_cut\nrequire option soft_17 is stand"
    log = f"""
        20:00 {ELECTION.format("stand")} effective_at=2000-01-01T20:02:00-05:00
        20:01 lost_record may_be="option_elected"
        20:03 cards_cut
    """
    assert verdicts(rule, log) == ["undetermined"]


def test_a_lost_opening_of_the_table_leaves_the_game_unknown() -> None:
    rule = "when cards_cut\nrequire option game is blackjack"
    log = """
        20:00 table_opened game=blackjack
        20:01 lost_record may_be="table_opened"
        20:02 cards_cut
    """
    assert verdicts(rule, log) == ["undetermined"]


# ---- exceptions


def test_nothing_is_excused_where_nothing_may_have_needed_an_excuse() -> None:
    rule = """
        when cards_cut
        require card_burned earlier
        except under "Law" when position is 1
    """
    assert verdicts(rule, f"{LOST_BURN}\n20:04 cards_cut position=1") == ["undetermined"]
    assert verdicts(rule, "20:04 cards_cut position=1") == ["excused"]


# ---- several tables


ACROSS = """
    20:00 dealer_arrived dealer=D1
    20:01 decision kind=hit table=T2
    20:02 decision kind=hit table=T2
    20:00 lost_record until=20:03 may_be="card_burned"
    20:03 dealer_arrived dealer=D2
    20:04 decision kind=hit table=T2
"""


def test_across_tables_a_lost_record_stands_wherever_it_may_have_been() -> None:
    (group,) = groups(events(ACROSS), "casino")
    assert [event.id for event in group] == ["e1", "e4", "e2", "e4", "e3", "e4", "e5", "e6"]


def test_without_neighbours_at_its_table_it_may_have_been_anywhere() -> None:
    log = '20:00 decision kind=hit table=T2\n20:01 lost_record may_be="card_burned"'
    (group,) = groups(events(log), "casino")
    assert [event.id for event in group] == ["e2", "e1", "e2"]


def test_a_lost_record_is_seen_in_the_pit_of_its_table_or_in_any_if_none_is_recorded() -> None:
    log = """
        20:00 decision kind=hit pit=A
        20:01 lost_record may_be="card_burned"
        20:02 decision kind=hit pit=B table=T2
        20:03 lost_record may_be="card_burned" table=T3
    """
    seen = [{event.id for event in group} for group in groups(events(log), "pit")]
    assert seen == [{"e1", "e2", "e4"}, {"e3", "e4"}]


def test_a_lost_record_that_stands_at_several_places_is_named_once() -> None:
    rule = "for each casino\nwhen decision\nrequire count of card_burned earlier is 0"
    last = checks(rule, ACROSS)[-1]
    assert [w.event_id for w in last.witnesses] == ["e4"]


def test_what_happens_elsewhere_beside_a_lost_end_of_a_round_may_be_in_the_round() -> None:
    rule = "for each casino\nwhen round_started\nrequire no decision in the round"
    log = """
        20:00 round_started
        20:01 decision kind=hit table=T2
        20:00 lost_record until=20:02 may_be="card_dealt"
    """
    whole = f"{log}\n20:03 round_ended"
    assert verdicts(rule, whole, ROUND) == ["violated"]
    assert verdicts(rule, log, ROUND) == ["open"]


# ---- evidence


def test_a_lost_record_is_evidence_in_words() -> None:
    (record,) = events('20:14:07 lost_record until=20:14:09 may_be="decision" table=BA01')
    assert isinstance(record, LostRecord)
    shown = witness(replace(record, seq=196), SCHEMA, "unclear")
    assert (shown.type, shown.event_id, shown.part) == ("lost_record", "e1", "unclear")
    assert shown.line_text == "record 196 of BA01 between 20:14:07 and 20:14:09 is lost"


def test_several_lost_records_are_told_by_their_first_and_last_number() -> None:
    (record,) = events('20:14:07 lost_record until=20:14:09 may_be="decision" times=4')
    assert (
        event_line(record, SCHEMA) == "records 1 to 4 of T1 between 20:14:07 and 20:14:09 are lost"
    )


def test_its_times_are_those_of_the_clock_at_the_table() -> None:
    (record,) = events('20:14:07 lost_record until=20:14:09 may_be="decision"')
    assert isinstance(record, LostRecord)
    abroad = replace(record, until=record.until.astimezone(tz=None) + timedelta(seconds=1))
    assert "between 20:14:07 and 20:14:10" in event_line(abroad, SCHEMA)
