"""Events that had elected the same are asked once for all, and every verdict stays what it is."""

from __future__ import annotations

from datetime import datetime, timedelta
from random import Random

import pytest

from compliance.engine import judging
from event_schemas import Event
from reports.verdicts import Verdict
from rules_dsl import core
from rules_dsl.rulebook import load_text
from tests.property.both_engines import checks_of_engine, checks_of_reference, counts_of_engine
from tests.property.damaged_logs import damaged
from tests.property.random_logs import SCHEMA, ZONE

RULES = """
rule alike
  "Tables with one number of decks pay alike."
  cite "Example"
  for each {across}
  when card_dealt
  let decks_here = option decks
  let pay_option_here = option same_suit_pay_option
  require {phrase} card_dealt
      where option decks is decks_here
          and option same_suit_pay_option is {other}pay_option_here,
      {window}
  otherwise say "{{decks_here}} {{pay_option_here}}"
"""
FEW, MANY = (2, 6, 8), range(1, 90)
"""Choices that make a few groups, and more than the engine tells apart."""


def rules(random: Random) -> core.Rulebook:
    text = RULES.format(
        across=random.choice(("casino", "casino", "table")),
        phrase=random.choice(("no", "exactly 30", "at least 3", "at most 40")),
        other=random.choice(("not ", "")),
        window=random.choice(("earlier", "later", "since cards_shuffled", "so far")),
    )
    loaded = load_text(text, SCHEMA)
    assert not loaded.errors, loaded.errors
    return loaded.rulebook


def events(random: Random, size: int) -> list[Event]:
    """Cards dealt at four tables that now and then elect something else."""
    moment = datetime(2000, 1, 1, 20, tzinfo=ZONE)
    numbers: dict[str, int] = {}
    choices = random.choice((FEW, FEW, FEW, MANY))
    elects = random.choice((0.02, 0.1, 0.5))
    found = []
    for number in range(size):
        moment += timedelta(seconds=random.choice((0, 1, 5)))
        table = random.choice(("T1", "T2", "T3", "T4"))
        numbers[table] = numbers.get(table, 0) + 1
        kind = "card_dealt"
        fields: dict[str, object] = {"to": "player"}
        if random.random() < elects:
            name = random.choice(("decks", "same_suit_pay_option"))
            kind, fields = "option_elected", {"option_name": name, "value": random.choice(choices)}
        elif random.random() < 0.01:
            kind, fields = "cards_shuffled", {}
        found.append(Event(f"e{number}", moment, numbers[table], "C1", table, kind, fields))
    return found


@pytest.mark.parametrize("seed", range(24))
def test_what_was_elected_narrows_the_search_and_changes_no_verdict(seed: int) -> None:
    random = Random(seed)
    book, log = rules(random), events(random, random.choice((60, 150, 300)))
    if seed % 2:
        log = damaged(random, log)
    expected = checks_of_reference(book, SCHEMA, log)
    assert checks_of_engine(book, SCHEMA, log) == expected
    counts = counts_of_engine(book, SCHEMA, log)
    assert sum(counts.values()) == len(expected)
    for verdict, number in counts.items():
        assert number == sum(check.verdict == verdict for check in expected)


def test_cards_at_tables_that_elected_the_same_need_not_be_looked_at_one_by_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """3,000 cards lie before the last one; each may be looked at by few others."""
    monkeypatch.setattr(judging, "MOST_STEPS", 1_000)
    monkeypatch.setattr(judging, "MOST_STEPS_AN_EVENT", 20)
    text = RULES.format(across="casino", phrase="no", other="not ", window="earlier")
    moment = datetime(2000, 1, 1, 20, tzinfo=ZONE)
    log = [
        Event(f"e{n}", moment, n, "C1", f"T{n % 4}", "card_dealt", {"to": "player"})
        for n in range(3_000)
    ]
    for n, option in enumerate(("decks", "same_suit_pay_option") * 4):
        fields = {"option_name": option, "value": 6 if option == "decks" else 1}
        log[n] = Event(f"o{n}", moment, n, "C1", f"T{n // 2}", "option_elected", fields)
    counts = counts_of_engine(load_text(text, SCHEMA).rulebook, SCHEMA, log)
    assert counts[Verdict.COMPLIED] == 2_992
