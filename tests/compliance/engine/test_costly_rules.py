"""A rule whose work grows much faster than the log ends without a verdict; no other rule does."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest

from compliance.cli import main
from compliance.engine import judging

RULES = """
rule nobody-ever-wagered-much-more
  "No wager follows one that was much lower than one before it."
  cite "House rule 1"
  severity minor
  for each table
  when wager_placed
  require no wager_placed as other where
      (wager_placed where amount is more than other.amount + $500, earlier), earlier
  otherwise say "a wager at seat {seat}"

rule wagers-are-ten-dollars
  "A wager is at least ten dollars, as the last one of every player was."
  cite "House rule 2"
  severity minor
  for each table
  when wager_placed
  require every wager_placed latest per player, so far has amount is at least $10
  otherwise say "the wager of {amount} at seat {seat} is too low"
"""
START = datetime(2010, 3, 6, 20, tzinfo=timezone(timedelta(hours=-5)))


def _log(folder: Path, *, low: int) -> Path:
    """300 wagers of 40 players, one of which is too low."""
    events = [
        {
            "id": f"e{number}",
            "ts": (START + timedelta(seconds=number)).isoformat(),
            "seq": number + 1,
            "casino": "Sandbar",
            "table": "BJ01",
            "type": "wager_placed",
            "seat": number % 7 + 1,
            "player": f"P{number % 40}",
            "amount": "5.00" if number == low else "25.00",
            "wager": "blackjack",
        }
        for number in range(300)
    ]
    log = folder / "night.jsonl"
    log.write_text("".join(json.dumps(event) + "\n" for event in events))
    return log


def _checked(folder: Path) -> Mapping[str, Any]:
    rules, result = folder / "house.rules", folder / "result.json"
    rules.write_text(RULES)
    words = ["--rules", str(rules), "--format", "json", "--output", str(result)]
    assert main(["check", str(_log(folder, low=100)), *words]) in (0, 1, 5)
    return {each["rule"]: each for each in json.loads(result.read_text())["outcomes"]}


def test_a_rule_within_its_limits_is_judged(tmp_path: Path) -> None:
    outcomes = _checked(tmp_path)
    assert outcomes["nobody-ever-wagered-much-more"]["counts"]["complied"] == 300


def test_a_rule_that_is_too_costly_is_not_decided_and_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(judging, "MOST_STEPS", 20_000)
    monkeypatch.setattr(judging, "MOST_STEPS_AN_EVENT", 1)
    outcomes = _checked(tmp_path)
    costly = outcomes["nobody-ever-wagered-much-more"]
    assert costly["status"] == "undetermined"
    assert "everything at BJ01 (the rule is too costly" in costly["reason"]
    assert costly["counts"]["complied"] == 0
    # From the low wager on, until the same player makes the next one 40 wagers later.
    assert outcomes["wagers-are-ten-dollars"]["counts"]["violated"] == 40
    assert outcomes["wagers-are-ten-dollars"]["counts"]["complied"] == 260
