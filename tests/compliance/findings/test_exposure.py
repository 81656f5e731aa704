"""What was at stake after a breach: counted until it was cured, and never more than is recorded."""

from __future__ import annotations

from pathlib import Path

import pytest

from reports.surroundings import Exposure
from rules_dsl import core
from tests.compliance.checked_logs import book, checked, night, outcome

HEAD = """\
rulebook "Small" time zone "America/New_York"
interval round from round_started to any of (round_ended, round_voided)
"""
BURN = """
rule burn
  "A new dealer burns a card."
  cite N.J.A.C. 19:47-2.6(c)
  severity major
  when first card_dealt since dealer_arrived
  require card_burned where face_up is no, since dealer_arrived
"""
RECUT = """
rule recut
  "Only a supervisor orders a recut."
  cite N.J.A.C. 19:47-2.5(f)
  severity minor
  when recut_ordered
  require by_role is at least floorperson
"""
CUT = """
rule cut
  "After a shuffle the cards are cut."
  cite N.J.A.C. 19:47-2.5(b)
  severity minor
  when cards_shuffled
  require cards_cut before card_dealt
"""
INSURANCE = """
rule insurance
  "Insurance comes before any third card."
  cite N.J.A.C. 19:47-2.9(b)
  severity major
  for each round
  when insurance_placed
  require no card_dealt where card_number is 3, earlier
"""

NIGHT = """
T1 0:00 dealer_arrived dealer=D7
T1 0:10 round_started round=1
T1 0:11 wager_placed seat=1 player=P1 amount=$10 wager=blackjack
T1 0:12 wager_placed seat=2 player=P2 amount=$20 wager=blackjack
T1 0:20 card_dealt to=player seat=1 card=9S
T1 0:21 card_dealt to=player seat=2 card=8S
T1 0:40 round_ended round=1
T1 1:00 round_started round=2
T1 1:01 wager_placed seat=1 player=P1 amount=$5 wager=blackjack
T1 1:05 card_dealt to=player seat=1 card=2S
T1 1:20 card_burned face_up=yes
T1 2:20 card_burned face_up=no
T1 2:30 round_ended round=2
T1 3:00 round_started round=3
T1 3:01 wager_placed seat=1 player=P9 amount=$500 wager=blackjack
T1 3:30 round_ended round=3
"""


def exposure(tmp_path: Path, rules: str, text: str, rule: str) -> Exposure:
    """What was at stake after the only breach of a rule."""
    run = checked([night(tmp_path / "night.jsonl", text)], _book(rules))
    (found,) = outcome(run, rule).findings
    assert found.exposure is not None
    return found.exposure


def _book(rules: str) -> core.Rulebook:
    return book(HEAD + rules)


def test_it_ends_with_the_event_that_the_duty_asked_for(tmp_path: Path) -> None:
    found = exposure(tmp_path, BURN, NIGHT, "burn")
    assert (found.cured, found.until, found.seconds) == (True, "card_burned", 120)


def test_it_counts_the_whole_round_of_the_breach_and_those_until_the_cure(tmp_path: Path) -> None:
    found = exposure(tmp_path, BURN, NIGHT, "burn")
    counts = (found.rounds, found.hands, found.patrons, found.wagered_cents)
    assert counts == (2, 3, 2, 3_500)


def test_without_a_cure_it_ends_when_the_duty_begins_anew(tmp_path: Path) -> None:
    text = NIGHT.replace("T1 2:20 card_burned face_up=no", "T1 2:20 dealer_arrived dealer=D8")
    found = exposure(tmp_path, BURN, text, "burn")
    assert (found.cured, found.until, found.seconds) == (False, "the next dealer_arrived", 120)


def test_without_a_cure_or_a_new_beginning_it_ends_with_the_log(tmp_path: Path) -> None:
    text = NIGHT.replace("T1 2:20 card_burned face_up=no\n", "")
    found = exposure(tmp_path, BURN, text, "burn")
    assert (found.cured, found.until, found.rounds) == (False, "the end of the log", 3)


def test_what_is_forbidden_cannot_be_cured_and_counts_to_the_end_of_its_round(
    tmp_path: Path,
) -> None:
    text = """
        T1 0:10 round_started round=1
        T1 0:15 wager_placed seat=1 player=P1 amount=$10 wager=blackjack
        T1 0:20 card_dealt to=player seat=1 card=9S card_number=3
        T1 0:30 insurance_placed seat=1 player=P1 amount=$5
        T1 0:50 round_ended round=1
        T1 1:10 round_started round=2
    """
    found = exposure(tmp_path, INSURANCE, text, "insurance")
    assert (found.cured, found.until, found.seconds) == (False, "the end of the round", 20)
    assert (found.rounds, found.wagered_cents) == (1, 1_500)


def test_outside_a_round_a_wrong_value_is_over_at_once(tmp_path: Path) -> None:
    found = exposure(tmp_path, RECUT, "T1 0:10 recut_ordered by_role=dealer", "recut")
    assert (found.until, found.seconds) == ("the event itself", 0)


DECKS = """
interval cards from decks_received to table_closed

rule decks
  "Whole decks come to the table."
  cite N.J.A.C. 19:46-1.17(a)
  severity major
  for each cards
  when decks_received
  require cards_total is decks_total * 52
"""
SHORT_DECK = NIGHT.replace(
    "T1 0:00 dealer_arrived dealer=D7", "T1 0:00 decks_received decks_total=1 cards_total=51"
)


def test_a_thing_that_is_wrong_counts_as_long_as_the_interval_of_its_rule(tmp_path: Path) -> None:
    text = SHORT_DECK + "T1 4:00 table_closed\nT1 5:00 round_started round=4\n"
    found = exposure(tmp_path, DECKS, text, "decks")
    assert (found.until, found.rounds) == ("the end of the cards", 3)


def test_an_interval_that_is_still_going_on_counts_to_the_end_of_the_log(tmp_path: Path) -> None:
    found = exposure(tmp_path, DECKS, SHORT_DECK, "decks")
    assert (found.until, found.rounds) == ("the end of the log", 3)


def test_a_deadline_that_passed_ends_with_the_round_in_which_it_passed(tmp_path: Path) -> None:
    text = """
        T1 0:00 cards_shuffled
        T1 0:10 round_started
        T1 0:20 card_dealt to=player seat=1 card=9S
        T1 0:50 round_ended
        T1 2:00 cards_cut
    """
    found = exposure(tmp_path, CUT, text, "cut")
    assert (found.cured, found.until, found.seconds) == (False, "the end of the round", 50)


@pytest.mark.parametrize(
    ("recorded", "lacking", "field"),
    [
        ("amount=$20 ", "", "wagered_cents"),
        ("player=P2 ", "", "patrons"),
        ("to=player seat=2", "to=player", "hands"),
    ],
)
def test_what_is_not_recorded_is_absent_and_not_zero(
    tmp_path: Path, recorded: str, lacking: str, field: str
) -> None:
    found = exposure(tmp_path, BURN, NIGHT.replace(recorded, lacking), "burn")
    assert getattr(found, field) is None


def test_a_table_without_rounds_has_no_number_of_rounds(tmp_path: Path) -> None:
    text = "\n".join(line for line in NIGHT.splitlines() if "round_" not in line)
    found = exposure(tmp_path, BURN, text, "burn")
    assert found.rounds is None
    assert found.cured


def test_a_finding_names_the_dealer_and_round_of_its_time(tmp_path: Path) -> None:
    run = checked([night(tmp_path / "night.jsonl", NIGHT)], _book(BURN))
    (found,) = outcome(run, "burn").findings
    assert (found.where["dealer"], found.where["round"]) == ("D7", "1")


def test_no_dealer_is_named_while_two_are_at_the_table(tmp_path: Path) -> None:
    text = "T1 0:00 dealer_arrived dealer=D5\n" + NIGHT.strip()
    text += "\nT1 4:00 dealer_departed dealer=D5"
    run = checked([night(tmp_path / "night.jsonl", text)], _book(BURN))
    (found,) = outcome(run, "burn").findings
    assert "dealer" not in found.where


def test_a_rulebook_without_rounds_measures_what_it_can(tmp_path: Path) -> None:
    head = 'rulebook "Small" time zone "America/New_York"\n'
    head += "interval shoe from shoe_loaded to table_closed\n"
    run = checked([night(tmp_path / "night.jsonl", NIGHT)], book(head + BURN))
    (found,) = outcome(run, "burn").findings
    assert found.exposure is not None
    assert (found.exposure.rounds, found.exposure.cured) == (None, True)
    assert found.exposure.wagered_cents == 500
