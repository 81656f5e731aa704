"""Casinos that name their tables and number their events alike are kept apart."""

from __future__ import annotations

from pathlib import Path

from tests.compliance.checked_logs import book, checked, night, outcome

BOOK = book("""
rulebook "two casinos" time zone "America/New_York"

rule burn-first
  "A new dealer burns a card before dealing."
  cite "the house rules"
  when first card_dealt since dealer_arrived
  require card_burned since dealer_arrived
  otherwise say "no card was burned"
""")

UNBURNED = """
T1 0:00 dealer_arrived dealer=D7
T1 0:09 card_dealt to=player seat=1 card=9S
"""


def test_equal_ids_of_two_casinos_are_two_findings(tmp_path: Path) -> None:
    here = night(tmp_path / "here.jsonl", UNBURNED, casino="C1")
    there = night(tmp_path / "there.jsonl", UNBURNED, casino="C1")
    there.write_text(there.read_text().replace('"casino": "C1"', '"casino": "C2"'))
    findings = outcome(checked([here, there], BOOK), "burn-first").findings
    assert [found.where["casino"] for found in findings] == ["C1", "C2"]
    assert len({found.fingerprint for found in findings}) == 2
