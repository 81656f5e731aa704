"""What a manifest says cannot happen is looked for nowhere; where the log shows it, nobody believes
the manifest.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from compliance.checking.nights import Nights
from compliance.log.manifest import Impossible, Manifest
from compliance.table_check.impossible_events import possible_rules
from compliance.table_check.settings import Manifests
from reports.model import Run
from reports.verdicts import RuleStatus
from tests.compliance.checked_logs import SCHEMA, book, checked, night, outcome
from tests.compliance.reference_run import events
from tests.property.both_engines import checks_of_engine, checks_of_reference

RULES = book(
    """
rulebook "Small rules" time zone "America/New_York"

interval round from round_started to round_ended

rule paid-or-given-up
  "Every card is followed by a payment in its round, unless the hand was given up."
  cite "Example"
  when round_ended
  require wager_paid in the round or decision where kind is surrender, in the round

rule no-hit
  "Nobody asks for a card."
  cite "Example"
  when round_ended
  require no decision where kind is one of (hit, double), in the round

rule second-decision
  "After a hand is given up nothing is paid."
  cite "Example"
  when decision where kind is surrender
  require no wager_paid later in the round

rule given-up-in-the-casino
  "Somewhere a hand was given up before."
  cite "Example"
  for each casino
  when round_ended
  require decision where kind is surrender, earlier
"""
)
KNOWN = {name: frozenset(event.fields) for name, event in SCHEMA.events.items()}
SHOE = Manifest({name: fields for name, fields in KNOWN.items() if name != "decision"}, "Shoe")
SURRENDER: Impossible = ("decision", "kind", "surrender")
ROUND = """
T1 0:00 round_started round=1
T1 0:01 card_dealt to=player seat=1
T1 0:02 round_ended round=1
"""


def run(folder: Path, text: str, manifest: Manifest, earlier: Nights | None = None) -> Run:
    log = night(folder / "night.jsonl", text)
    return checked([log], RULES, earlier, manifests=Manifests({None: manifest}))


def test_without_a_word_an_event_that_is_not_recorded_leaves_doubt(tmp_path: Path) -> None:
    found = run(tmp_path, ROUND, SHOE)
    assert outcome(found, "paid-or-given-up").counts.violated == 0
    assert outcome(found, "given-up-in-the-casino").status is RuleStatus.NOT_EVALUABLE


def test_what_cannot_happen_leaves_no_doubt(tmp_path: Path) -> None:
    found = run(tmp_path, ROUND, replace(SHOE, impossible=frozenset({SURRENDER})))
    assert outcome(found, "paid-or-given-up").counts.violated == 1
    assert outcome(found, "given-up-in-the-casino").counts.violated == 1


def test_other_words_of_the_same_field_still_may_have_happened(tmp_path: Path) -> None:
    found = run(tmp_path, ROUND, replace(SHOE, impossible=frozenset({SURRENDER})))
    assert outcome(found, "no-hit").counts.complied == 0
    assert "decision" in outcome(found, "no-hit").reason


def test_all_words_that_a_phrase_asks_for_must_be_impossible(tmp_path: Path) -> None:
    hit: Impossible = ("decision", "kind", "hit")
    double: Impossible = ("decision", "kind", "double")
    one = run(tmp_path, ROUND, replace(SHOE, impossible=frozenset({hit})))
    both = run(tmp_path, ROUND, replace(SHOE, impossible=frozenset({hit, double})))
    assert outcome(one, "no-hit").counts.complied == 0
    assert outcome(both, "no-hit").counts.complied == 1


def test_a_rule_about_what_cannot_happen_has_no_occasion(tmp_path: Path) -> None:
    without = run(tmp_path, ROUND, SHOE)
    assert outcome(without, "second-decision").status is RuleStatus.NOT_EVALUABLE
    found = run(tmp_path, ROUND, replace(SHOE, impossible=frozenset({SURRENDER})))
    assert outcome(found, "second-decision").status is RuleStatus.NOT_EXERCISED


@pytest.mark.parametrize("nights", [None, Nights()])
def test_a_manifest_that_the_log_speaks_against_accuses_nobody(
    tmp_path: Path, nights: Nights | None
) -> None:
    """The round that is shown was given up: to look for that nowhere would make it a breach."""
    text = ROUND.replace("T1 0:02", "T1 0:01 decision kind=surrender seat=1\nT1 0:02")
    said = replace(SHOE, fields=KNOWN, impossible=frozenset({SURRENDER}))
    found = run(tmp_path, text, said, nights)
    assert outcome(found, "paid-or-given-up").counts.violated == 0
    assert outcome(found, "given-up-in-the-casino").counts.violated == 0
    (note,) = (note for note in found.notes if "Correct the manifest" in note)
    assert "decision where kind is surrender, or it never happens; but" in note
    assert "night.jsonl, line 3 has one" in note


def test_a_record_that_is_lost_was_none_of_what_cannot_happen(tmp_path: Path) -> None:
    log = night(tmp_path / "night.jsonl", ROUND)
    first, card, last = log.read_text().splitlines()
    log.write_text("\n".join((first, card, last.replace('"seq": 3', '"seq": 4'))) + "\n")
    types = {"round_started", "round_ended", "card_dealt", "decision"}
    recorded = {name: fields for name, fields in KNOWN.items() if name in types}
    plain = Manifest(recorded, "Shoe", never=frozenset({"wager_paid"}))
    sure = replace(plain, impossible=frozenset({SURRENDER}))
    counts = [
        outcome(checked([log], RULES, manifests=Manifests({None: said})), "paid-or-given-up").counts
        for said in (plain, sure)
    ]
    assert [count.violated for count in counts] == [0, 1]


def test_the_reference_says_the_same_of_what_is_left_of_the_rules() -> None:
    left = possible_rules(RULES, SCHEMA, frozenset({SURRENDER})).rulebook
    log = events("""
        20:00:00 round_started round=1
        20:00:01 lost_record may_be="decision round_ended"
        20:00:02 decision kind=hit seat=1
        20:00:03 round_ended round=1
        20:00:04 round_started round=2
        20:00:05 lost_record may_be="decision"
        20:00:06 round_ended round=2
    """)
    found = checks_of_engine(left, SCHEMA, log)
    assert found == checks_of_reference(left, SCHEMA, log)
    assert {check.verdict.value for check in found} == {"violated", "undetermined"}
