"""The events shown around a breach: few, in order, with the witnesses and the place of the gap."""

from __future__ import annotations

from pathlib import Path

from compliance.findings.breach_context import TIMELINES
from compliance.findings.timelines import AFTER, MOST_EVENTS
from reports.surroundings import Timeline
from tests.compliance.checked_logs import book, checked, night, outcome
from tests.compliance.findings.test_exposure import BURN, CUT, HEAD, INSURANCE

COUNT = """
rule few
  "Few cards before the round ends."
  cite N.J.A.C. 19:47-2.6(c)
  severity major
  for each round
  when round_ended
  require count of card_dealt earlier is at most 2
"""


def timeline(tmp_path: Path, rules: str, text: str, rule: str) -> Timeline:
    """The timeline of the only breach of a rule."""
    run = checked([night(tmp_path / "night.jsonl", text)], book(HEAD + rules))
    (found,) = outcome(run, rule).findings
    assert found.timeline is not None
    return found.timeline


def dealt(number: int) -> str:
    """A line of a card that was dealt."""
    return f"T1 1:{number:02d} card_dealt to=player seat=1 card=9S"


def test_it_goes_from_before_the_first_witness_to_a_few_events_after(tmp_path: Path) -> None:
    lines = ["T1 0:00 table_opened", "T1 0:10 shoe_loaded", "T1 0:20 dealer_arrived dealer=D7"]
    lines += [dealt(number) for number in range(10)]
    shown = timeline(tmp_path, BURN, "\n".join(lines), "burn").events
    assert [event.type for event in shown[:3]] == ["shoe_loaded", "dealer_arrived", "card_dealt"]
    assert len(shown) == 3 + AFTER


def test_witnesses_and_trigger_are_marked_and_the_rest_is_not(tmp_path: Path) -> None:
    lines = ["T1 0:20 dealer_arrived dealer=D7", "T1 0:30 round_started", dealt(1), dealt(2)]
    shown = timeline(tmp_path, BURN, "\n".join(lines), "burn").events
    assert [event.part for event in shown] == ["since", "", "trigger", ""]


def test_a_missing_event_is_a_gap_between_its_bounds(tmp_path: Path) -> None:
    lines = ["T1 0:20 dealer_arrived dealer=D7", "T1 0:30 round_started", dealt(1), dealt(2)]
    found = timeline(tmp_path, BURN, "\n".join(lines), "burn")
    # Another card may have been burned, but not one such as the rule asks for.
    assert found.missing == "no card_burned as the rule asks"
    assert (found.missing_from, found.missing_to) == (1, 2)


def test_what_should_have_come_later_is_a_gap_before_what_ended_the_time(tmp_path: Path) -> None:
    found = timeline(tmp_path, CUT, f"T1 0:00 cards_shuffled\n{dealt(1)}\n{dealt(2)}", "cut")
    assert found.missing == "no cards_cut"
    assert (found.missing_from, found.missing_to) == (1, 1)


def test_what_cured_a_breach_later_stands_on_its_timeline(tmp_path: Path) -> None:
    text = f"T1 0:00 dealer_arrived dealer=D7\n{dealt(0)}\nT1 1:30 card_burned face_up=no"
    found = timeline(tmp_path, BURN, text, "burn")
    assert [event.type for event in found.events if event.part == "cure"] == ["card_burned"]


def test_what_is_forbidden_is_no_gap(tmp_path: Path) -> None:
    text = """
        T1 0:10 round_started
        T1 0:20 card_dealt to=player seat=1 card=9S card_number=3
        T1 0:30 insurance_placed seat=1 player=P1 amount=$5
    """
    assert timeline(tmp_path, INSURANCE, text, "insurance").missing == ""


def test_a_long_stretch_is_left_out_and_counted(tmp_path: Path) -> None:
    lines = ["T1 0:00 dealer_arrived dealer=D7"]
    lines += [f"T1 0:{number:02d} announcement phrase=no_more_bets" for number in range(1, 50)]
    shown = timeline(tmp_path, BURN, "\n".join([*lines, dealt(0)]), "burn").events
    assert sum(event.skipped for event in shown) + len(shown) == 51
    assert len(shown) < 10


def test_no_timeline_is_longer_than_a_page(tmp_path: Path) -> None:
    lines = ["T1 0:00 round_started", *(dealt(number) for number in range(50))]
    text = "\n".join([*lines, "T1 2:00 round_ended"])
    shown = timeline(tmp_path, COUNT, text, "few").events
    assert len(shown) <= MOST_EVENTS
    assert shown[-1].part.startswith("trigger")
    assert sum(event.skipped for event in shown) + len(shown) == 52


def test_cards_are_told_apart_from_other_fields(tmp_path: Path) -> None:
    shown = timeline(tmp_path, CUT, f"T1 0:00 cards_shuffled\n{dealt(1)}", "cut").events
    assert shown[1].cards == ("9S",)
    assert shown[1].text == "seat 1, to player"


def test_only_the_first_findings_of_a_rule_carry_a_timeline(tmp_path: Path) -> None:
    lines = []
    for table in ("T1", "T2"):
        for number in range(TIMELINES):
            minute = 2 * number + (table == "T2")
            lines.append(f"{table} {minute}:00 dealer_arrived dealer=D{number}")
            lines.append(f"{table} {minute}:10 card_dealt to=player seat=1 card=9S")
    run = checked([night(tmp_path / "night.jsonl", "\n".join(lines))], book(HEAD + BURN))
    found = outcome(run, "burn").findings
    assert len(found) == 2 * TIMELINES
    assert [item.timeline is not None for item in found] == [True] * TIMELINES + [False] * TIMELINES
