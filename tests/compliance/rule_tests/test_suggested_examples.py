"""Suggested examples notice the mistakes that a rule's own examples do not."""

from __future__ import annotations

import pytest

from compliance.rule_tests.mutants import surviving_mutants
from compliance.rule_tests.suggested_examples import SuggestedExample, suggested_examples
from event_schemas import builtin_schema
from rules_dsl.rulebook import Loaded, load_text

SCHEMA = builtin_schema()
LIMIT = """\
rule no-large-wagers
  "Nobody bets more than $50."
  cite "House rule 13"
  when wager_placed
  require amount <= $50
  otherwise say "{player} bet {amount}."
  example complies
    20:00:00 wager_placed seat=1 amount=$25 player=P1
  example violates
    20:00:00 wager_placed seat=1 amount=$75 player=P1   <- here
"""
BURN = """\
rule new-dealer-burns
  "A new dealer burns a card."
  cite "House rule 12"
  when first card_dealt since dealer_arrived
  require card_burned within 5 minutes earlier
  otherwise say "No card was burned."
  example complies
    20:00:00 dealer_arrived dealer=D7
    20:00:04 card_burned
    20:00:09 card_dealt to=player seat=1 card=9S
  example violates
    20:00:00 dealer_arrived dealer=D7
    20:00:09 card_dealt to=player seat=1 card=9S   <- here
"""


def loaded(text: str) -> Loaded:
    found = load_text(text, SCHEMA)
    assert found.diagnostics == ()
    return found


def suggested(text: str) -> tuple[SuggestedExample, ...]:
    book = loaded(text)
    (rule,) = book.rulebook.rules
    report = surviving_mutants(rule, book.rulebook, SCHEMA, book.sources)
    assert report.survivors
    return suggested_examples(rule, report.survivors, book.rulebook, SCHEMA)


@pytest.mark.parametrize("text", [LIMIT, BURN])
def test_with_the_suggested_examples_every_mutant_is_noticed(text: str) -> None:
    lines = [line for example in suggested(text) for line in example.lines]
    book = loaded(text + "\n".join(lines) + "\n")
    (rule,) = book.rulebook.rules
    report = surviving_mutants(rule, book.rulebook, SCHEMA, book.sources)
    assert [mutant.description for mutant in report.survivors] == []


def test_a_limit_gets_an_example_on_either_side_of_it() -> None:
    text = "\n".join(line for example in suggested(LIMIT) for line in example.lines)
    assert "example complies\n    20:00:00 wager_placed seat=1 amount=$50" in text
    assert "example violates\n    20:00:00 wager_placed seat=1 amount=$51" in text


def test_the_usual_day_is_not_written() -> None:
    assert not any(" on 2000" in line for example in suggested(LIMIT) for line in example.lines)
