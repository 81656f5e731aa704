"""Where a source records only some events of a type, what is not in the log accuses nobody."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from compliance.checking.check_log import check_log
from compliance.checking.nights import Nights
from compliance.log.manifest import Manifest
from compliance.table_check.settings import Manifests, Settings
from reports.model import RuleOutcome, Run
from reports.verdicts import RuleStatus
from tests.compliance.checked_logs import SCHEMA, book, checked, night, outcome

RULES = """
rulebook "Small rules" time zone "America/New_York"

interval round from round_started to round_ended

rule burn
  "A dealer new to the table burns a card before dealing."
  cite "Example"
  when first card_dealt since dealer_arrived
  require card_burned since dealer_arrived

rule not-twice
  "No more than one card is burned in a round."
  cite "Example"
  when card_dealt
  require at most 1 card_burned in the round

rule seat
  "Every card goes to a seat."
  cite "Example"
  when card_dealt
  require seat is at least 1

rule burned-in-the-pit
  "A card is burned somewhere in the casino before a round ends."
  cite "Example"
  for each casino
  when round_ended
  require card_burned earlier
"""
ALL = Manifest({name: frozenset(event.fields) for name, event in SCHEMA.events.items()}, "Shoe")
DEALT = """
T1 0:00 dealer_arrived dealer=D1
T1 0:01 round_started round=1
T1 0:02 card_dealt to=player seat=1
T1 0:03 round_ended round=1
"""


def result(tmp_path: Path, text: str, *in_part: str) -> Run:
    said = Manifests({None: replace(ALL, partly=frozenset(in_part))})
    return checked([night(tmp_path / "night.jsonl", text)], book(RULES), manifests=said)


def found(tmp_path: Path, text: str, rule: str, *in_part: str) -> RuleOutcome:
    return outcome(result(tmp_path, text, *in_part), rule)


def test_an_event_that_is_not_there_may_have_happened(tmp_path: Path) -> None:
    assert found(tmp_path, DEALT, "burn").status is RuleStatus.VIOLATED
    in_doubt = found(tmp_path, DEALT, "burn", "card_burned")
    assert in_doubt.status is RuleStatus.UNDETERMINED
    assert "card_burned of T1 between 20:00:01 and 20:00:02 is not always recorded" in str(in_doubt)


def test_an_event_that_is_there_is_enough(tmp_path: Path) -> None:
    burned = DEALT.replace("T1 0:01", "T1 0:00 card_burned\nT1 0:01")
    assert found(tmp_path, burned, "burn", "card_burned").status is RuleStatus.COMPLIED


def test_a_count_is_at_least_what_is_there(tmp_path: Path) -> None:
    twice = DEALT.replace("T1 0:02", "T1 0:01 card_burned\nT1 0:01 card_burned\nT1 0:02")
    assert found(tmp_path, twice, "not-twice", "card_burned").status is RuleStatus.VIOLATED
    assert found(tmp_path, DEALT, "not-twice", "card_burned").status is RuleStatus.UNDETERMINED


def test_a_trigger_that_is_there_is_judged(tmp_path: Path) -> None:
    assert found(tmp_path, DEALT, "seat", "card_dealt").status is RuleStatus.COMPLIED


@pytest.mark.parametrize("border", ["dealer_arrived", "card_dealt"])
def test_what_a_stretch_begins_with_may_have_come_again(tmp_path: Path, border: str) -> None:
    burned = DEALT.replace("T1 0:01", "T1 0:00 card_burned\nT1 0:01")
    assert found(tmp_path, burned, "burn", border).status is RuleStatus.UNDETERMINED


def test_a_rule_across_tables_is_not_evaluable(tmp_path: Path) -> None:
    across = found(tmp_path, DEALT, "burned-in-the-pit", "card_burned")
    assert across.status is RuleStatus.NOT_EVALUABLE
    assert across.reason == "The source does not always record card_burned."


def test_what_is_not_recorded_is_not_lost(tmp_path: Path) -> None:
    run = result(tmp_path, DEALT, "card_burned")
    assert (run.lost_records, run.undecided_by_loss) == (0, 0)


def test_nights_join_up(tmp_path: Path) -> None:
    """The night is cut between the dealer's arrival and the first card."""
    said = Manifests({None: replace(ALL, partly=frozenset({"card_burned"}))})
    first, *rest = DEALT.strip().splitlines()
    parts = [night(tmp_path / "1.jsonl", first), tmp_path / "2.jsonl"]
    night(parts[1], "\n".join(rest), first=2)
    nights: Nights | None = Nights()
    for part in parts:
        joined = check_log([part], Settings(book(RULES), SCHEMA, manifests=said), nights)
        nights = joined.nights
    assert joined.run is not None
    assert outcome(joined.run, "burn").status is RuleStatus.UNDETERMINED
