"""The result on a terminal: what is violated comes first, all else in a line each."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.compliance.checked_logs import night
from tests.compliance.small_rulebook import answer

RULES = """
rulebook "Small rules" time zone "America/New_York"

rule burn
  "A card is burned before each is dealt."
  cite N.J.A.C. 19:47-2.6(c), N.J.A.C. 19:47-2.6(d), N.J.A.C. 19:47-2.6(e)
  severity critical
  when card_dealt
  require card_burned since round_started
  otherwise say "no card was burned"

rule cut
  "The cards are cut."
  cite "Example"
  severity minor
  when cards_shuffled
  require cards_cut later

rule old
  "A rule of the past."
  cite "Example"
  in force from 1990-01-01 until 1991-01-01
  when card_dealt
  require card is known

rule shoe
  "A shoe has decks."
  cite "Example"
  when shoe_loaded
  require decks_total is at least 1

rule round
  "A round begins once."
  cite "Example"
  when round_started
  require no round_started earlier
"""
LOG = """
T1 0:00 round_started
T1 0:01 card_dealt to=player seat=1
T1 0:02 card_dealt to=player seat=2
T1 0:03 card_dealt to=player seat=3
T1 0:04 card_dealt to=player seat=4
T1 0:05 cards_shuffled
"""


@pytest.fixture
def shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> list[str]:
    rules = tmp_path / "small.rules"
    rules.write_text(RULES, encoding="utf-8")
    log = night(tmp_path / "night.jsonl", LOG)
    _, out, _ = answer(capsys, "check", log, "--rules", rules, "--workers", "1")
    return [line.strip() for line in out.splitlines()]


def starting(shown: list[str], text: str) -> int:
    """The number of the line that begins with a text."""
    return next(number for number, line in enumerate(shown) if line.startswith(text))


def test_what_is_violated_stands_above_everything_else(shown: list[str]) -> None:
    places = [
        starting(shown, text) for text in ("✕ 4 violations of 1 rule", "… open", "✓ complied")
    ]
    assert places == sorted(places)


def test_a_violated_rule_has_its_counts_and_first_citations(shown: list[str]) -> None:
    line = shown[starting(shown, "critical")]
    assert line.startswith("critical  burn  4 times  N.J.A.C. 19:47-2.6(c); N.J.A.C. 19:47-2.6(d)")
    assert line.endswith("and others")


def test_only_the_first_findings_are_shown_and_the_rest_is_counted(shown: list[str]) -> None:
    assert sum("No card was burned" in line for line in shown) == 3
    assert "and 1 more" in shown


def test_what_is_open_is_named_with_its_reason(shown: list[str]) -> None:
    assert shown[starting(shown, "… open") + 1].startswith("cut  Open: cards_shuffled")


@pytest.mark.parametrize("status", ["complied", "not exercised", "not in force"])
def test_what_needs_no_look_takes_one_line(shown: list[str], status: str) -> None:
    assert sum(status in line for line in shown if "rule" in line and "rules" not in line) == 1


def test_the_first_line_says_the_verdict_and_the_last_one_how_much_was_looked_at(
    shown: list[str],
) -> None:
    assert shown[0] == "✕ Verdict: 4 violations of 1 rule."
    assert shown[-1] == "4 violations of 1 rule: 6 checks of 3 rules; 2 of 5 rules never applied."


def test_text_can_be_written_to_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rules = tmp_path / "small.rules"
    rules.write_text(RULES, encoding="utf-8")
    log = night(tmp_path / "night.jsonl", LOG)
    out = tmp_path / "result.txt"
    answer(capsys, "check", log, "--rules", rules, "--workers", "1", "-o", out)
    assert "✕ 4 violations" in out.read_text("utf-8")


def test_lost_records_are_told_with_what_hangs_on_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rules = tmp_path / "small.rules"
    rules.write_text(RULES, encoding="utf-8")
    log = night(tmp_path / "night.jsonl", LOG)
    lines = log.read_text("utf-8").splitlines()
    log.write_text("\n".join([*lines[:4], "{", *lines[5:], ""]), encoding="utf-8")
    _, out, _ = answer(capsys, "check", log, "--rules", rules, "--workers", "1")
    assert "1 record is known to be lost" in out
