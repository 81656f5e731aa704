"""How a log falls into the runs of an interval."""

from __future__ import annotations

import pytest

from compliance.judgement.circumstances import Absent
from compliance.reference.evaluate import Evaluator
from compliance.reference.runs import ends_run, run_for
from tests.compliance.reference_run import scene, verdicts

ROUND = "interval round from round_started to any of (round_ended, round_voided)"
SHOE = "interval shoe from cards_shuffled to cards_shuffled"
OPEN_HAND = "interval open_hand from (card_dealt where face_up is yes) to round_ended"
UNTIL_OPEN = "interval closed_hand from round_started to (card_dealt where face_up is yes)"
_SIGNS = {True: "#", False: ".", Absent.MISSING: "?", Absent.OPEN: "o"}


def run(log: str, declaration: str, at: int, which: str = "this") -> str:
    """A run seen from an event, one sign for each event of the log: # surely in it, ? in doubt,
    o not decided yet, and + at the end if it still goes on."""
    whole = scene(log, declaration)
    found = run_for(whole, declaration.split()[1], which, at, Evaluator(whole).matches)
    return "".join(_SIGNS[inside] for inside in found.belongs) + "+" * found.growing


def test_a_run_goes_from_its_opening_to_its_closing_event() -> None:
    log = """
        20:00 card_burned
        20:01 round_started
        20:02 card_burned
        20:03 round_ended
        20:04 card_burned
    """
    assert [run(log, ROUND, at) for at in range(5)] == [".....", ".###.", ".###.", ".###.", "....."]


def test_a_run_without_end_lasts_to_the_end_of_the_log_and_is_not_closed() -> None:
    assert run("20:00 round_started\n20:01 card_burned", ROUND, 0) == "##+"


def test_a_second_start_ends_the_run_just_before_it() -> None:
    log = """
        20:00 round_started
        20:01 card_burned
        20:02 round_started
        20:03 round_voided
    """
    assert [run(log, ROUND, at) for at in range(4)] == ["##..", "##..", "..##", "..##"]


def test_an_end_without_a_start_closes_nothing() -> None:
    assert run("20:00 round_ended\n20:01 round_ended", ROUND, 1) == ".."


def test_one_event_may_end_a_run_and_begin_the_next() -> None:
    log = "20:00 cards_shuffled\n20:01 card_burned\n20:02 cards_shuffled\n20:03 card_burned"
    assert [run(log, SHOE, at) for at in range(4)] == ["###.", "###.", "###.", "..##+"]


def test_an_event_between_two_runs_counts_to_the_one_that_it_ends() -> None:
    rule = "when cards_shuffled\nrequire card_burned earlier in the shoe"
    log = "20:00 cards_shuffled\n20:01 card_burned\n20:02 cards_shuffled"
    assert verdicts(rule, log, SHOE) == ["violated", "complied"]


def test_seen_from_such_an_event_the_next_run_is_the_one_that_it_begins() -> None:
    rule = (
        "when cards_shuffled\nonly if cards_shuffled earlier\nrequire card_burned in the next shoe"
    )
    log = "20:00 cards_shuffled\n20:02 cards_shuffled\n20:03 card_burned"
    assert verdicts(rule, log, SHOE) == ["complied"]


def test_seen_from_the_run_that_it_begins_the_previous_one_is_the_one_it_ends() -> None:
    rule = "when cards_cut\nrequire card_burned in the previous shoe"
    log = "20:00 cards_shuffled\n20:01 card_burned\n20:02 cards_shuffled\n20:03 cards_cut"
    assert verdicts(rule, log, SHOE) == ["complied"]


def test_runs_of_one_table_do_not_see_the_events_of_another() -> None:
    log = """
        20:00 round_started table=T1
        20:01 round_ended table=T2
        20:02 round_started table=T2
        20:03 card_burned table=T1
    """
    assert run(log, ROUND, 0) == "####+"


def test_what_happens_at_another_table_lies_between_two_events_of_a_run_or_outside() -> None:
    log = """
        20:00 card_burned table=T2
        20:01 round_started table=T1
        20:02 card_burned table=T2
        20:03 round_ended table=T1
        20:04 card_burned table=T2
        20:05 card_burned table=T1
    """
    assert run(log, ROUND, 1) == ".###.."


def test_a_start_that_lacks_its_field_begins_a_run_in_doubt() -> None:
    log = "20:00 card_dealt to=player\n20:01 card_burned\n20:02 round_ended"
    assert [run(log, OPEN_HAND, at) for at in range(3)] == ["???", "???", "???"]


def test_a_sure_start_ends_the_doubt_about_an_earlier_one() -> None:
    log = "20:00 card_dealt to=player\n20:01 card_dealt to=player face_up=yes\n20:02 round_ended"
    assert [run(log, OPEN_HAND, at) for at in range(3)] == ["?..", ".##", ".##"]


def test_a_second_start_in_doubt_leaves_only_what_came_before_it_in_doubt() -> None:
    log = """
        20:00 card_dealt to=player face_up=yes
        20:01 card_burned
        20:02 card_dealt to=player
        20:03 card_burned
        20:04 round_ended
    """
    assert run(log, OPEN_HAND, 3) == "??###"
    assert run(log, OPEN_HAND, 1) == "##???"


def test_an_end_that_lacks_its_field_leaves_only_what_follows_in_doubt() -> None:
    log = """
        20:00 round_started
        20:01 card_dealt to=player
        20:02 card_burned
        20:03 card_dealt to=player face_up=yes
    """
    assert run(log, UNTIL_OPEN, 0) == "##??"
    assert run(log, UNTIL_OPEN, 2) == "????"


def test_the_next_run_is_sure_whether_or_not_this_one_has_ended() -> None:
    log = """
        20:00 round_started
        20:01 cards_cut
        20:02 card_dealt to=player
        20:03 round_started
        20:04 card_burned
    """
    assert run(log, UNTIL_OPEN, 1, "next") == "...##+"


def test_the_next_run_is_in_doubt_where_its_beginning_is() -> None:
    log = """
        20:00 cards_cut
        20:01 card_dealt to=player
        20:02 card_burned
        20:03 card_dealt to=player face_up=yes
        20:04 round_ended
        20:05 card_burned
    """
    assert run(log, OPEN_HAND, 0, "next") == ".????."


def test_the_previous_run_is_sure_where_both_beginnings_are() -> None:
    log = """
        20:00 round_started
        20:01 card_burned
        20:02 card_dealt to=player
        20:03 round_started
        20:04 cards_cut
    """
    assert run(log, UNTIL_OPEN, 4, "previous") == "###.."


def test_the_previous_run_is_in_doubt_where_this_one_may_have_begun_twice() -> None:
    log = """
        20:00 card_dealt to=player face_up=yes
        20:01 round_ended
        20:02 card_dealt to=player face_up=yes
        20:03 card_dealt to=player
        20:04 cards_cut
    """
    assert run(log, OPEN_HAND, 4, "previous") == "???.."


def test_a_beginning_that_the_rest_of_the_log_decides_is_open() -> None:
    declaration = "interval late from (card_dealt where (card_burned later)) to round_ended"
    log = "20:00 card_dealt to=player\n20:01 cards_cut"
    assert run(log, declaration, 1) == "oo+"
    assert run(log + "\n20:02 card_burned", declaration, 1) == "###+"


@pytest.mark.parametrize(
    "scope", ["in the open_hand", "earlier in the open_hand", "so far in the open_hand"]
)
def test_inside_a_run_in_doubt_nothing_is_decided(scope: str) -> None:
    rule = f"when cards_cut\nrequire no card_burned {scope}"
    log = "20:00 card_dealt to=player\n20:01 card_burned\n20:02 cards_cut\n20:03 round_ended"
    assert verdicts(rule, log, OPEN_HAND) == ["undetermined"]


def test_a_slice_that_may_not_exist_is_undetermined() -> None:
    rule = "for each open_hand\nwhen cards_cut\nrequire no card_burned earlier"
    log = "20:00 card_dealt to=player\n20:01 card_burned\n20:02 cards_cut"
    assert verdicts(rule, log, OPEN_HAND) == ["undetermined"]


@pytest.mark.parametrize(
    ("log", "expected"),
    [
        ("20:00 round_started\n20:01 round_ended", ["complied"]),
        ("20:00 round_started\n20:01 round_voided", ["complied"]),
        ("20:00 round_ended", []),
        ("20:00 round_started\n20:01 round_started", []),
        ("20:00 round_started\n20:01 round_ended\n20:02 round_ended", ["complied"]),
    ],
)
def test_when_ends_fires_at_proper_ends_only(log: str, expected: list[str]) -> None:
    assert verdicts("when round ends\nrequire ts is known", log, ROUND) == expected


def test_a_doubtful_end_makes_when_ends_undetermined() -> None:
    log = "20:00 card_dealt to=player\n20:01 round_ended"
    assert verdicts("when open_hand ends\nrequire ts is known", log, OPEN_HAND) == ["undetermined"]


def test_the_first_event_of_a_log_can_end_nothing() -> None:
    whole = scene("20:00 cards_shuffled", SHOE)
    assert ends_run(whole, "shoe", 0, Evaluator(whole).matches).value is False
