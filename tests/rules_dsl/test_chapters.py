"""A chapter of the law ends, and the rules that stand in nothing else end with it."""

from __future__ import annotations

import pytest

from event_schemas import builtin_schema
from rules_dsl import core
from rules_dsl.rulebook import load_text

SCHEMA = builtin_schema()
RULES = """
chapter "N.J.A.C. 19:47" until 2012-01-01 "adopted anew"
chapter "N.J.A.C. 19:46" until 2011-06-01

rule shuffled-first
  "Cards are shuffled before they go into the shoe."
  cite {cite}
  {force}
  when shoe_loaded
  require cards_shuffled earlier
  otherwise say "the cards were not shuffled"
  example complies
    20:00:00 cards_shuffled
    20:00:01 shoe_loaded
  example violates
    20:00:01 shoe_loaded   <- here
"""


def edition(cite: str, force: str = "in force from 1979-01-05") -> core.Edition:
    loaded = load_text(RULES.format(cite=cite, force=force), SCHEMA)
    assert not loaded.errors, loaded.errors
    return loaded.rulebook.rules[0].editions[0]


@pytest.mark.parametrize(
    ("cite", "until"),
    [
        ("N.J.A.C. 19:47-2.5(a)", "2012-01-01"),
        ("N.J.A.C. 19:46-1.17(a), N.J.A.C. 19:47-2.5(a)", "2012-01-01"),
        ("N.J.A.C. 19:46-1.17(a)", "2011-06-01"),
        ("N.J.A.C. 19:47-2.5(a), N.J.A.C. 13:69F-2.5(a)", None),
        ("N.J.A.C. 19:47A-2.5(a)", None),
        ("N.J.A.C. 19:47-36.2(a) (proposed)", None),
        ('"House rule 7"', None),
    ],
)
def test_an_edition_ends_with_the_last_of_its_chapters(cite: str, until: str | None) -> None:
    assert edition(cite).until == until


def test_why_it_ended_is_told() -> None:
    assert edition("N.J.A.C. 19:47-2.5(a)").ended == "N.J.A.C. 19:47 ended: adopted anew"
    assert edition("N.J.A.C. 19:46-1.17(a)").ended == "N.J.A.C. 19:46 ended"


def test_an_earlier_end_of_its_own_stays() -> None:
    found = edition("N.J.A.C. 19:47-2.5(a)", "in force from 1979-01-05 until 1999-01-01")
    assert (found.until, found.ended) == ("1999-01-01", "")


def test_a_rule_cannot_begin_after_the_end_of_its_chapter() -> None:
    text = RULES.format(cite="N.J.A.C. 19:47-2.5(a)", force="in force from 2012-01-01")
    loaded = load_text(text, SCHEMA)
    assert [problem.code for problem in loaded.errors] == ["bad-date"]
    assert "had ended (2012-01-01)" in loaded.errors[0].message


def test_a_chapter_ends_on_a_day_that_there_is() -> None:
    loaded = load_text('chapter "N.J.A.C. 19:47" until 2012-02-30\n', SCHEMA)
    assert [problem.code for problem in loaded.errors] == ["bad-date"]
