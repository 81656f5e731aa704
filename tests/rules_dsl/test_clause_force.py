"""The days on which a clause is law: its own dates, or those of the texts that print it."""

from __future__ import annotations

import pytest

from rules_dsl.clauses import Clause, Text
from rules_dsl.clauses.force import Force, force, holds

OLD = Text("old", "1", "", "1996-01-01")
MIDDLE = Text("middle", "2", "", "1999-01-01")
NEW = Text("new", "3", "", "2010-06-01", formerly={"13:69F-2.5": "19:47-2.5"})
FRESH = Text("fresh", "4", "", "2011-11-07", begins="2011-11-07")


def clause(
    *texts: str,
    since: str | None = None,
    until: str | None = None,
    section: str = "19:47-2.5",
    paragraph: str = "(a)",
) -> Clause:
    number = section + paragraph
    return Clause(number, texts, section, "", "", "", "duty", since=since, until=until)


def days(*clauses: Clause) -> list[Force]:
    return force(clauses, [OLD, MIDDLE, NEW, FRESH])


def test_a_section_of_one_text_is_taken_as_it_is() -> None:
    assert days(clause("old")) == [(None, None)]


def test_a_text_holds_until_the_next_one_that_prints_the_section() -> None:
    assert days(clause("old"), clause("new")) == [(None, "2010-06-01"), ("2010-06-01", None)]


def test_a_text_without_the_section_ends_nothing() -> None:
    other = clause("middle", section="19:47-2.6")
    assert days(clause("old"), other) == [(None, None), (None, None)]


def test_what_came_between_two_texts_holds_from_its_own_day() -> None:
    assert days(clause("old"), clause("new", since="2007-03-19"))[1] == ("2007-03-19", None)


def test_what_an_older_text_says_too_is_left_to_its_row() -> None:
    both = days(clause("old", since="1982-09-15"), clause("new", since="1982-09-15"))
    assert both == [("1982-09-15", "2010-06-01"), ("2010-06-01", None)]


def test_what_an_older_text_with_gaps_does_not_print_holds_from_its_own_day() -> None:
    lost = clause("new", since="1982-09-15", paragraph="(b)")
    assert days(clause("old"), lost)[1] == ("1982-09-15", None)


def test_the_parts_of_a_paragraph_are_one_paragraph() -> None:
    split = clause("new", since="1982-09-15", paragraph="(a)#2")
    assert days(clause("old"), split)[1] == ("2010-06-01", None)


def test_an_end_of_its_own_comes_before_the_next_text() -> None:
    assert days(clause("old", until="1999-01-04"), clause("new"))[0] == (None, "1999-01-04")


def test_a_clause_of_two_texts_holds_through_both() -> None:
    assert days(clause("middle", "old"), clause("new"))[0] == (None, "2010-06-01")


def test_a_section_with_a_new_number_takes_over_from_the_old_one() -> None:
    moved = days(clause("old"), clause("new", section="13:69F-2.5"))
    assert moved == [(None, "2010-06-01"), ("2010-06-01", None)]


def test_a_text_that_was_new_as_a_whole_holds_from_its_beginning() -> None:
    assert days(clause("fresh")) == [("2011-11-07", None)]


@pytest.mark.parametrize(
    ("first", "last", "expected"),
    [
        ("1995-01-01", "1995-12-31", False),
        ("1995-01-01", "1996-01-01", True),
        ("1998-12-31", "1999-02-01", True),
        ("1999-01-01", "1999-02-01", False),
        (None, None, True),
    ],
)
def test_the_last_day_of_a_log_counts_and_the_day_of_the_end_does_not(
    first: str | None, last: str | None, expected: bool
) -> None:
    assert holds(("1996-01-01", "1999-01-01"), first, last) is expected
