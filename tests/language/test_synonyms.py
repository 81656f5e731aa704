"""Where the language has two ways to write something, both mean exactly the same.

The formatter chooses one of them, so the rule files of `good/` cannot show the other.
"""

from __future__ import annotations

import pytest

from event_schemas import builtin_schema
from rules_dsl import core
from rules_dsl.rulebook import load_text

SCHEMA = builtin_schema()
RULE = """
interval round from round_started to round_ended
rule one
  "A rule with one condition."
  cite "Language, synonyms"
  when cards_cut
  require {condition}
"""

PAIRS = [
    ("position is 10", "position = 10"),
    ("position is not 10", "position != 10"),
    ("position is at least 10", "position >= 10"),
    ("position is at least 10", "position is 10 or more"),
    ("position is at least 10", "position is 10 or above"),
    ("position is at most 10", "position <= 10"),
    ("position is at most 10", "position is 10 or less"),
    ("position is at most 10", "position is 10 or fewer"),
    ("position is at most 10", "position is 10 or below"),
    ("position is more than 10", "position > 10"),
    ("position is less than 10", "position < 10"),
    ("position is 2 * 3", "position is 2 times 3"),
    ("position is 6 / 3", "position is 6 divided by 3"),
    ("some card_dealt earlier", "card_dealt earlier"),
    ("card_dealt before round_started", "card_dealt before the next round_started"),
    ("card_dealt since round_started", "card_dealt since the last round_started"),
    ("cards_cut with same seat earlier", "cards_cut with the same seat earlier"),
    (
        "cards_cut with same seat and same player earlier",
        "cards_cut with the same seat and the same player earlier",
    ),
    ("card_dealt within 1 minute", "card_dealt within 1 minute later"),
    ("card_dealt earlier in the round", "card_dealt in the round earlier"),
    ("no card_dealt where to is dealer, earlier", "no card_dealt earlier, where to is dealer"),
    ("more than 2 card_dealt earlier", "more than (2) card_dealt earlier"),
    ("position is between 1 and 5", "position >= 1 and position <= 5"),
    ("position is one of (1, 5)", "position is 1 or position is 5"),
    ("position is not one of (1, 5)", "not (position is 1 or position is 5)"),
    ("if position is 1 then seat is 2", "not position is 1 or seat is 2"),
    ("position is 1 and seat is 2", "(position is 1) and ((seat is 2))"),
    ("seat is 1 or seat is 2 and position is 3", "seat is 1 or (seat is 2 and position is 3)"),
    ("seat is 1 and seat is 2 or position is 3", "(seat is 1 and seat is 2) or position is 3"),
    ("not seat is 1 and position is 3", "(not seat is 1) and position is 3"),
    ("position is 1 + 2 * 3", "position is 1 + (2 * 3)"),
    ("position is 9 - 2 - 3", "position is (9 - 2) - 3"),
    ("position is 8 / 2 * 3", "position is (8 / 2) * 3"),
    ("position + 1 rounded up to 5 is 5", "((position + 1) rounded up to 5) is 5"),
]


def resolved(condition: str) -> core.Expr:
    """The condition in its core form."""
    loaded = load_text(RULE.format(condition=condition), SCHEMA)
    assert loaded.errors == ()
    return loaded.rulebook.rules[0].editions[0].requirements[0].condition


@pytest.mark.parametrize(("one", "other"), PAIRS, ids=lambda text: text.replace(" ", "_"))
def test_two_spellings_have_one_meaning(one: str, other: str) -> None:
    assert resolved(one) == resolved(other)


def test_the_comparison_of_meanings_can_tell_two_conditions_apart() -> None:
    assert resolved("position is 10") != resolved("position is 11")
    assert resolved("card_dealt earlier") != resolved("card_dealt so far")
    assert resolved("position is (1 + 2) * 3") != resolved("position is 1 + 2 * 3")
