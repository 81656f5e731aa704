"""A rulebook of four rules, short enough to know by heart, and a way to run the command on it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from compliance.cli import main

RULES = """\
rulebook "Small rules" time zone "America/New_York"

rule burn-by-each-new-dealer
  "A dealer new to the table burns a card before dealing."
  cite N.J.A.C. 19:47-2.6(c)
  in force from 1982-09-15
  severity major
  when first card_dealt since dealer_arrived
  require card_burned since dealer_arrived
  except under N.J.A.C. 13:69F-2.5(k) when option alternative_procedure is yes
  otherwise say "{previous dealer_arrived.dealer} dealt {card} without burning a card"
  remedy "Call a supervisor."
  example complies
    20:00:00 dealer_arrived dealer=D7
    20:00:04 card_burned
    20:00:09 card_dealt to=player seat=1 card=9S
  example violates "no card burned"
    20:00:00 dealer_arrived dealer=D7
    20:00:09 card_dealt to=player seat=1 card=9S   <- here
  example excused
    given option alternative_procedure is yes
    20:00:00 dealer_arrived dealer=D7
    20:00:09 card_dealt to=player seat=1 card=9S   <- here

rule recut-by-a-supervisor
  "Only a supervisor orders a recut."
  cite N.J.A.C. 19:47-2.5(f)
  severity minor
  when recut_ordered
  require by_role is at least floorperson
  otherwise say "{by} ordered a recut"
  example complies
    20:00:00 recut_ordered by=F1 by_role=floorperson
  example violates
    20:00:00 recut_ordered by=D7 by_role=dealer   <- here

rule shuffle-is-followed-by-a-cut
  "After a shuffle the cards are cut."
  cite N.J.A.C. 19:47-2.5(b)
  severity minor
  when cards_shuffled
  require cards_cut before card_dealt
  otherwise say "The shuffled cards were not cut"
  example complies
    20:00:00 cards_shuffled
    20:00:10 cards_cut
    20:00:20 card_dealt to=player
  example violates
    20:00:00 cards_shuffled   <- here
    20:00:20 card_dealt to=player

rule double-exposure-ended
  "A rule of the past."
  cite N.J.A.C. 19:47-2.20
  in force from 1990-01-01 until 1995-01-01
  severity critical
  when card_dealt
  require card is known
  otherwise say "The card is not known"
  example complies
    20:00:00 card_dealt to=player card=9S
  example violates
    20:00:00 card_dealt to=player   <- here
"""


def line(text: str, rules: str = RULES) -> int:
    """The number of the first line of the rules that holds a text."""
    return next(n for n, words in enumerate(rules.splitlines(), start=1) if text in words)


def write(folder: Path, text: str | None = None, name: str = "small.rules") -> Path:
    """Write a rule file and return its path."""
    path = folder / name
    path.write_text(RULES if text is None else text, encoding="utf-8")
    return path


def answer(capsys: pytest.CaptureFixture[str], *words: object) -> tuple[int, str, str]:
    """Run the command in this process; its exit code, standard output and standard error."""
    capsys.readouterr()
    code = main([str(word) for word in words])
    out, err = capsys.readouterr()
    return code, out, err


def json_answer(capsys: pytest.CaptureFixture[str], *words: object) -> Any:
    """Run the command with `--format json` and read what it says."""
    return json.loads(answer(capsys, *words, "--format", "json")[1])
