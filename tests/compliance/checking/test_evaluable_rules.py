"""What a source does not record is no breach: the manifest decides which rules are evaluable."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from compliance.checking.clauses_to_open import clauses_to_open
from compliance.log.manifest import Manifest
from compliance.table_check.rule_walk import Need
from compliance.table_check.settings import Manifests
from reports.model import ClauseStatement
from reports.verdicts import ClauseStatus, RuleStatus
from tests.compliance.checked_logs import SCHEMA, book, checked, night, outcome

BURN = """
rulebook "Small rules" time zone "America/New_York"

interval round from round_started to round_ended

interpretation how "How a card is burned"
  cite "Example"
  reading one "One card." default
  reading two "Two cards."

profile strict "Two cards"
  choose reading how is two

rule burn
  "A dealer new to the table burns a card before dealing."
  cite "Example"
  when first card_dealt since dealer_arrived
  require card_burned since dealer_arrived
  except under "Bulletin 5" when supervisor_confirmed earlier
  otherwise say "dealt in a round of {previous round_started.round} without burning a card"

rule wager-in-the-round
  "Wagers are placed in a round."
  cite "Example"
  for each table, player
  when any of (wager_placed, wager_increased)
  require round_started so far in the round

rule card-to-a-seat
  "Every card goes to a seat."
  cite "Example"
  when card_dealt
  require seat is at least 1

rule by-reading
  "As it is read."
  cite "Example"
  when card_dealt
  require if reading how is two then rule_changed earlier else card_burned earlier or seat is 1
"""
NO_BURN = """
T1 0:00 dealer_arrived dealer=D1
T1 0:01 card_dealt to=player seat=1
"""


def manifest(casino: str | None = None, **records: object) -> Manifest:
    fields = {
        name: frozenset(SCHEMA.events[name].fields) if listed == "all" else frozenset(listed)  # type: ignore[call-overload]
        for name, listed in records.items()
    }
    return Manifest(fields, "Acme shoe", casino)


def everything_but(*left_out: str) -> Manifest:
    return manifest(**{name: "all" for name in SCHEMA.events if name not in left_out})


def status(tmp_path: Path, rule: str, *manifests: Manifest, **more: Any) -> tuple[str, str]:
    log = night(tmp_path / "night.jsonl", NO_BURN)
    said = Manifests({item.casino: item for item in manifests})
    found = outcome(checked([log], book(BURN), manifests=said, **more), rule)
    return found.status.value, found.reason


def test_a_rule_whose_events_are_not_recorded_is_not_evaluable_and_has_no_findings(
    tmp_path: Path,
) -> None:
    log = night(tmp_path / "night.jsonl", NO_BURN)
    said = Manifests({None: everything_but("card_burned")})
    found = outcome(checked([log], book(BURN), manifests=said), "burn")
    assert found.status is RuleStatus.NOT_EVALUABLE
    assert found.reason == "The source does not record card_burned."
    assert found.findings == ()


def test_what_is_recorded_is_judged(tmp_path: Path) -> None:
    assert status(tmp_path, "burn", everything_but())[0] == "violated"


def test_an_exception_that_is_not_recorded_may_have_excused_a_breach(tmp_path: Path) -> None:
    found = status(tmp_path, "burn", everything_but("supervisor_confirmed"))
    assert found[0] == "undetermined"
    assert found[1].startswith(
        "Undetermined where it hangs on supervisor_confirmed, which is not recorded."
    )


def test_an_exception_that_is_not_recorded_does_not_stop_a_rule_from_being_kept(
    tmp_path: Path,
) -> None:
    burned = NO_BURN.replace("T1 0:01", "T1 0:00 card_burned\nT1 0:01")
    log = night(tmp_path / "night.jsonl", burned)
    said = Manifests({None: everything_but("supervisor_confirmed")})
    found = outcome(checked([log], book(BURN), manifests=said), "burn")
    assert (found.status, found.counts.complied) == (RuleStatus.COMPLIED, 1)


def test_what_never_happens_excuses_nobody(tmp_path: Path) -> None:
    said = replace(
        everything_but("supervisor_confirmed"), never=frozenset({"supervisor_confirmed"})
    )
    assert status(tmp_path, "burn", said)[0] == "violated"


def test_an_event_that_never_happens_did_not_happen(tmp_path: Path) -> None:
    said = replace(everything_but("card_burned"), never=frozenset({"card_burned"}))
    assert status(tmp_path, "burn", said)[0] == "violated"


def test_one_side_of_an_or_is_enough(tmp_path: Path) -> None:
    """The card went to seat 1, so nobody asks for the burned card."""
    assert status(tmp_path, "by-reading", everything_but("card_burned"))[0] == "complied"


def test_a_rule_of_which_no_check_could_be_decided_is_not_evaluable(tmp_path: Path) -> None:
    log = night(tmp_path / "night.jsonl", NO_BURN.replace("seat=1", "seat=2"))
    said = Manifests({None: everything_but("card_burned")})
    found = outcome(checked([log], book(BURN), manifests=said), "by-reading")
    assert found.status is RuleStatus.NOT_EVALUABLE
    assert found.reason == "The source does not record card_burned."
    assert found.counts.total == 0


def test_what_is_not_evaluable_for_want_of_a_lost_record_alone_is_undetermined(
    tmp_path: Path,
) -> None:
    log = night(tmp_path / "night.jsonl", "T1 0:00 dealer_arrived\nT1 0:01 card_dealt to=player")
    lines = log.read_text().splitlines()
    log.write_text("\n".join([lines[0], lines[1].replace('"seq": 2', '"seq": 3')]) + "\n")
    said = Manifests({None: everything_but("supervisor_confirmed")})
    found = outcome(checked([log], book(BURN), manifests=said), "burn")
    assert found.status is RuleStatus.UNDETERMINED


def test_what_opens_the_most_clauses_comes_first() -> None:
    burn, deal = Need("card_burned"), Need("card_dealt", "seat")
    wanted = {
        "a": frozenset({burn}),
        "b": frozenset({burn}),
        "c": frozenset({deal}),
        "d": frozenset({burn, deal}),
    }
    statements = [
        ClauseStatement(clause=name, says="x", status=ClauseStatus.NOT_EVALUABLE, rules=rules)
        for name, rules in (("1", ("a",)), ("2", ("b",)), ("3", ("c",)), ("4", ("a", "c")))
    ]
    found = clauses_to_open(wanted, statements)
    assert [(item.record, item.clauses, item.rules) for item in found] == [
        ("card_burned and the field seat of card_dealt", 4, ("d",)),
        ("card_burned", 2, ("a", "b")),
        ("the field seat of card_dealt", 1, ("c",)),
    ]


def test_the_trigger_must_be_recorded(tmp_path: Path) -> None:
    found = status(tmp_path, "burn", everything_but("card_dealt"))
    assert found == ("not_evaluable", "The source does not record card_dealt.")


def test_a_field_that_is_not_recorded_is_named_with_its_event(tmp_path: Path) -> None:
    said = manifest(card_dealt=["to", "card"])
    found = status(tmp_path, "card-to-a-seat", said)
    assert found == ("not_evaluable", "The source does not record the field seat of card_dealt.")


def test_what_only_the_message_names_is_not_needed(tmp_path: Path) -> None:
    assert status(tmp_path, "burn", everything_but("round_started"))[0] == "violated"


@pytest.mark.parametrize("left_out", ["round_ended", "round_started"])
def test_an_interval_needs_its_beginning_and_its_end(tmp_path: Path, left_out: str) -> None:
    text = "T1 0:00 round_started round=1\nT1 0:01 wager_placed player=P1\nT1 0:02 round_ended"
    kept = "\n".join(line for line in text.splitlines() if left_out not in line)
    said = Manifests({None: everything_but(left_out)})
    log = night(tmp_path / "night.jsonl", kept)
    found = outcome(checked([log], book(BURN), manifests=said), "wager-in-the-round")
    assert found.status is RuleStatus.NOT_EVALUABLE
    assert found.reason == f"The source does not record {left_out}."


def test_of_several_triggers_one_is_enough_and_the_others_are_named(tmp_path: Path) -> None:
    log = night(tmp_path / "night.jsonl", "T1 0:00 wager_placed player=P1")
    said = Manifests({None: everything_but("wager_increased")})
    found = outcome(checked([log], book(BURN), manifests=said), "wager-in-the-round")
    assert found.status is RuleStatus.VIOLATED
    assert found.reason == "Not checked at wager_increased, which the source does not record."


def test_the_key_of_a_slice_must_be_recorded(tmp_path: Path) -> None:
    said = manifest(
        wager_placed=["seat"], wager_increased="all", round_started="all", round_ended="all"
    )
    found = status(tmp_path, "wager-in-the-round", said)
    assert found[1] == "The source does not record the field player of wager_placed."


def test_only_the_chosen_reading_counts(tmp_path: Path) -> None:
    said = everything_but("rule_changed")
    assert status(tmp_path, "by-reading", said)[0] == "complied"
    assert status(tmp_path, "by-reading", said, profile="strict")[0] == "not_evaluable"


def test_a_manifest_for_one_casino_leaves_the_others_alone(tmp_path: Path) -> None:
    logs = [night(tmp_path / f"{name}.jsonl", NO_BURN, casino=name) for name in ("C1", "C2")]
    said = Manifests({"C1": manifest("C1", card_dealt="all", dealer_arrived="all")})
    found = outcome(checked(logs, book(BURN), manifests=said), "burn")
    assert found.status is RuleStatus.VIOLATED
    assert {item.where["casino"] for item in found.findings} == {"C2"}
    assert found.reason.startswith("C1: The source does not record card_burned")


def test_without_a_manifest_a_breach_stays_a_breach_and_the_doubt_is_said(tmp_path: Path) -> None:
    found = status(tmp_path, "burn")
    assert found[0] == "violated"
    assert "Nowhere in the log: card_burned. No manifest says" in found[1]


def test_without_a_manifest_a_field_that_is_never_filled_is_named(tmp_path: Path) -> None:
    log = night(tmp_path / "night.jsonl", "T1 0:01 card_dealt to=player")
    found = outcome(checked([log], book(BURN)), "card-to-a-seat")
    assert found.status is RuleStatus.UNDETERMINED
    assert found.reason.startswith("Nowhere in the log: the field seat of card_dealt.")


def test_without_a_manifest_it_is_said_why_a_rule_was_not_exercised(tmp_path: Path) -> None:
    found = status(tmp_path, "wager-in-the-round")
    assert found == (
        "not_exercised",
        "Nowhere in the log: wager_increased and wager_placed. No manifest says whether the "
        "source records that.",
    )


def test_a_run_without_a_manifest_says_so(tmp_path: Path) -> None:
    log = night(tmp_path / "night.jsonl", NO_BURN)
    assert any("No manifest" in note for note in checked([log], book(BURN)).notes)
    said = Manifests({None: everything_but()})
    assert not any(
        "No manifest" in note for note in checked([log], book(BURN), manifests=said).notes
    )


def test_a_manifest_for_a_casino_that_is_not_in_the_log_is_pointed_out(tmp_path: Path) -> None:
    log = night(tmp_path / "night.jsonl", NO_BURN)
    said = Manifests({"BAY": manifest("BAY", card_dealt="all")})
    notes = checked([log], book(BURN), manifests=said).notes
    assert any("about BAY, which the log is not" in note for note in notes)


def test_times_outside_of_the_manifests_zone_are_pointed_out(tmp_path: Path) -> None:
    log = night(tmp_path / "night.jsonl", NO_BURN)
    far = Manifest({}, "Acme shoe", None, "Europe/Vienna")
    notes = checked([log], book(BURN), manifests=Manifests({None: far})).notes
    assert any("The times of C1 are not all written with the offset" in note for note in notes)


def test_a_manifest_that_the_log_denies_is_pointed_out_with_the_line(tmp_path: Path) -> None:
    log = night(tmp_path / "night.jsonl", NO_BURN)
    said = replace(everything_but("dealer_arrived"), never=frozenset({"dealer_arrived"}))
    notes = checked([log], book(BURN), manifests=Manifests({None: said})).notes
    assert any("dealer_arrived" in note and "night.jsonl, line 1 has one" in note for note in notes)
