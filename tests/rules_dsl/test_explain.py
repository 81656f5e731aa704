"""Promises about explanations: every construct has its wording, and nothing is left unsaid."""

from __future__ import annotations

from datetime import date
from typing import get_args

import pytest

from event_schemas import builtin_schema
from rules_dsl import core
from rules_dsl.explaining.explain import Explanation, explain
from rules_dsl.explaining.formula import formula_of_edition
from rules_dsl.rulebook import load_text
from rules_dsl.traverse import all_parts
from tests.rules_dsl.constructs import CONSTRUCTS, Construct

HEAD = 'rulebook "R"\ninterval round from round_started to round_ended\n'
RULE = 'rule r\n  "Title."\n  cite N.J.A.C. 19:47-2.6(c)\n'


def explained(clauses: str, on: date | None = None) -> Explanation:
    loaded = load_text(f"{HEAD}{RULE}{clauses}", builtin_schema())
    assert not loaded.errors, [error.message for error in loaded.errors]
    return explain(loaded.rulebook.rules[0], loaded.rulebook, builtin_schema(), on)


def line(explanation: Explanation, beginning: str) -> str:
    found = [text for text in explanation.english.splitlines() if text.startswith(beginning)]
    assert len(found) == 1, explanation.english
    return found[0]


# ---- every construct -----------------------------------------------------------------------


@pytest.mark.parametrize("construct", CONSTRUCTS.values(), ids=CONSTRUCTS)
def test_a_construct_is_said_in_english(construct: Construct) -> None:
    loaded = construct.loaded()
    explanation = explain(loaded.rulebook.rules[0], loaded.rulebook, builtin_schema())
    assert construct.english in explanation.english


@pytest.mark.parametrize("construct", CONSTRUCTS.values(), ids=CONSTRUCTS)
def test_a_construct_is_written_as_a_formula(construct: Construct) -> None:
    assert construct.formula in formula_of_edition(construct.rule().editions[0])


@pytest.fixture(scope="module")
def explained_parts() -> set[type[core.Core]]:
    """The kinds of part that the constructs consist of."""
    return {type(part) for item in CONSTRUCTS.values() for part in all_parts(item.rule())}


@pytest.mark.parametrize("node", get_args(core.Expr), ids=lambda node: str(node.__name__))
def test_every_part_of_the_core_form_is_among_the_constructs(
    node: type[core.Core], explained_parts: set[type[core.Core]]
) -> None:
    assert node in explained_parts


# ---- the frame of the rule -----------------------------------------------------------------


def test_the_dates_of_each_edition_are_said_with_its_last_day() -> None:
    explanation = explained(
        '  when card_dealt\n  edition "old" from 1982-09-15 until 1990-01-01\n    require face_up\n'
        "  edition from 1990-01-01\n    forbid face_up\n"
    )
    old, new = explanation.editions
    assert old.english.startswith("“old”, in force from 1982-09-15 to 1989-12-31, the last day")
    assert new.english.startswith("In force from 1990-01-01 (N.J.A.C. 19:47-2.6(c)).")


def test_a_rule_without_dates_is_in_force_at_all_times() -> None:
    assert line(explained("  when card_dealt\n  require face_up\n"), "In force at all times")


def test_on_a_day_only_the_edition_in_force_is_explained() -> None:
    clauses = (
        "  when card_dealt\n  edition from 1982-09-15 until 1990-01-01\n    require face_up\n"
        "  edition from 1990-01-01\n    forbid face_up\n"
    )
    (edition,) = explained(clauses, date(1989, 12, 31)).editions
    assert edition.since == date(1982, 9, 15)


def test_a_day_on_which_the_rule_is_not_in_force_is_named() -> None:
    explanation = explained(
        "  in force from 1982-09-15\n  when card_dealt\n  require face_up\n", date(1980, 1, 1)
    )
    assert explanation.english == "No edition of this rule is in force on 1980-01-01."


def test_the_slice_says_when_a_key_is_taken_from_other_events() -> None:
    explanation = explained(
        "  for each table, every player, round\n  when cards_shuffled\n"
        "  require sum of vigorish_marked.amount so far is $0\n"
    )
    assert (
        line(explanation, "The rule is applied")
        == "The rule is applied separately to each table, each player seen so far and each round."
    )


def test_a_rule_across_tables_says_so() -> None:
    explanation = explained("  for each casino\n  when rule_changed\n  require by is known\n")
    assert line(explanation, "The rule is applied").endswith("each casino with all its tables.")


def test_an_exception_is_said_with_its_authority_and_its_limit() -> None:
    explanation = explained(
        "  when card_dealt\n  require face_up\n"
        "  except under N.J.A.C. 19:47-2.7 when option shuffle is bart_carter\n"
        "    but not under N.J.A.C. 19:47-2.8 when to is dealer\n"
    )
    assert (
        "Exception, under N.J.A.C. 19:47-2.7, if the table's option “shuffle” is bart carter.\n"
        "  This exception does not count, under N.J.A.C. 19:47-2.8, "
        "if this event's recipient (to) is dealer." in explanation.english
    )


def test_an_exception_stands_in_the_formula_with_its_limit() -> None:
    explanation = explained(
        "  when card_dealt\n  require face_up\n"
        "  except under N.J.A.C. 19:47-2.7 when option shuffle is bart_carter\n"
        "    but not under N.J.A.C. 19:47-2.8 when to is dealer\n"
    )
    assert "(face_up(e₀) ∨ (shuffle@e₀ = bart_carter ∧ ¬(to(e₀) = dealer)))" in explanation.formula  # noqa: RUF001


def test_an_indicator_is_said_to_be_no_breach() -> None:
    explanation = explained("  kind indicator\n  when card_dealt\n  require face_up\n")
    assert explanation.english.endswith("a pattern worth a look, no breach in itself.")


def test_several_requirements_become_a_list() -> None:
    explanation = explained("  when card_dealt\n  require face_up\n  require card is known\n")
    assert (
        "Required are all of these:\n"
        "  - this event's face up (face_up) must be yes\n"
        "  - this event's card must be recorded\n" in explanation.english
    )


def test_a_long_condition_becomes_a_list_with_deeper_lists_indented() -> None:
    explanation = explained(
        "  when rule_changed\n"
        "  require notice_posted with same subject at least 30 minutes earlier\n"
        "    and (patrons_told with same subject, at least 30 minutes earlier\n"
        "      or commission_notified with same subject, at least 30 minutes earlier)\n"
    )
    assert (
        "Required: all of these must hold:\n"
        "  - there must be a “notice posted” (notice_posted) at least 30 minutes before this event "
        "with the same subject as this event\n"
        "  - at least one of these must hold:\n"
        "      - there is a “patrons told” (patrons_told)" in explanation.english
    )


def test_the_exact_name_of_an_event_is_given_once() -> None:
    explanation = explained(
        "  when first card_dealt since dealer_arrived\n  require card_burned since dealer_arrived\n"
    )
    said, _, _ = explanation.english.partition("Needs from the log")
    assert said.count("“dealer arrived” (dealer_arrived)") == 1
    assert said.count("“dealer arrived”") == 2


# ---- verdicts ------------------------------------------------------------------------------


def test_a_rule_that_looks_back_is_never_open() -> None:
    explanation = explained("  when card_dealt\n  require card_burned earlier\n")
    assert line(explanation, "Open:").startswith("Open: it is never left open")


@pytest.mark.parametrize(
    ("slice_", "phrase", "end"),
    [
        ("table", "card_burned before cards_shuffled", "the next “cards shuffled”"),
        ("table", "card_burned within 30 minutes later", "the time limit of 30 minutes has passed"),
        ("table", "card_burned in the round", "the round has ended"),
        ("table", "card_burned in the next round", "the next round has ended"),
        ("round", "card_burned later", "the round has ended"),
    ],
)
def test_what_an_open_check_waits_for_is_named(slice_: str, phrase: str, end: str) -> None:
    explanation = explained(f"  for each {slice_}\n  when card_dealt\n  require {phrase}\n")
    assert line(explanation, "Open:") == f"Open: the check stays open if the log ends before {end}."


def test_looking_ahead_without_an_end_is_pointed_out() -> None:
    explanation = explained("  when card_dealt\n  require card_burned later\n")
    assert "no end is set to looking for “card burned”" in line(explanation, "Open:")


def test_fields_that_a_log_may_lack_make_a_check_undetermined() -> None:
    explanation = explained("  when card_dealt\n  require seat is 1 and to is player\n")
    assert line(explanation, "Undetermined:").endswith(
        "something that the log does not record: the seat of a “card dealt”."
    )


def test_an_option_without_default_makes_a_check_undetermined() -> None:
    explanation = explained("  when card_dealt\n  require option game is blackjack\n")
    assert line(explanation, "Undetermined:").endswith("the table's option “game”.")


def test_asking_whether_a_field_is_recorded_never_makes_a_check_undetermined() -> None:
    explanation = explained("  when card_dealt\n  require card is known\n")
    assert line(explanation, "Undetermined:").startswith("Undetermined: it is never undetermined")


@pytest.mark.parametrize("exception", [True, False])
def test_excused_is_spoken_of_only_where_there_is_an_exception(exception: bool) -> None:
    clause = "  except under N.J.A.C. 19:47-2.7 when to is dealer\n" if exception else ""
    explanation = explained(f"  when card_dealt\n  require face_up\n{clause}")
    assert ("Excused:" in explanation.english) is exception


def test_the_fields_that_a_rule_needs_are_listed_by_event() -> None:
    explanation = explained(
        "  for each table, player\n  when wager_placed\n"
        "  require card_dealt where (card is known), earlier and ts is known\n"
    )
    assert explanation.editions[0].needs == {
        "card_dealt": ["card", "player"],
        "wager_placed": ["player"],
    }


def test_an_interval_is_explained_where_it_is_used() -> None:
    explanation = explained("  when card_dealt\n  require card_burned in the round\n")
    assert (
        "A round runs from a “round started” (round_started) to the next "
        "“round ended” (round_ended), both included." in explanation.english
    )


def test_a_remedy_and_notes_are_told_but_not_what_is_for_authors_of_rules() -> None:
    explanation = explained(
        '  when card_dealt\n  require face_up\n  remedy "Call a supervisor."\n'
        '  note "The law is silent here."\n  note "equivalent mutant: x: y"\n'
    )
    assert explanation.english.endswith("Remedy: Call a supervisor.\nNote: The law is silent here.")


def test_a_list_of_which_nothing_may_hold_says_so() -> None:
    explanation = explained(
        "  when card_dealt\n  forbid card_exposed with same seat, earlier in the round\n"
        "    or irregularity with same seat, earlier in the round\n"
    )
    assert (
        "Required: none of these may hold:\n"
        "  - there is a “card exposed” (card_exposed) before this event in the same round with the "
        "same seat as this event\n" in explanation.english
    )


# ---- values that occur more than once ------------------------------------------------------

TWICE = (
    "  when wager_placed\n"
    "  let played = sum of wager_paid.amount where wager is original, earlier\n"
    "  require played is at least $5 and amount is at most played\n"
)


def test_a_long_value_that_occurs_twice_is_explained_once() -> None:
    assert (
        "Value 1, in what follows, is the sum of the amount of all “wager paid” (wager_paid) "
        "events before this event whose wager is original.\n"
        "Required: value 1 must be at least $5 and this event's amount must be at most value 1.\n"
        in explained(TWICE).english
    )


def test_a_long_value_that_occurs_twice_is_written_once_in_the_formula() -> None:
    assert explained(TWICE).formula == (
        "v₁ ≔ sum(amount(e₁) | ◆< e₁. (wager_paid(e₁) ∧ wager(e₁) = original))\n"
        "∀ table: □ e₀. (wager_placed(e₀) → (v₁ ≥ $5 ∧ amount(e₀) ≤ v₁))"
    )


def test_a_value_that_depends_on_an_inner_event_is_not_pulled_out() -> None:
    explanation = explained(
        "  when cards_shuffled\n"
        "  require every card_dealt earlier has\n"
        "    (count of card_dealt with same seat and same hand, earlier is at least 1\n"
        "      or count of card_dealt with same seat and same hand, earlier is 0)\n"
    )
    assert "Value 1" not in explanation.english


# ---- layout of formulas --------------------------------------------------------------------


def test_the_formula_says_slice_dates_and_trigger() -> None:
    explanation = explained(
        "  in force from 1982-09-15 until 1990-01-01\n  for each table, seat, round\n"
        "  when card_dealt\n  require face_up\n"
    )
    assert explanation.formula == (
        "∀ table, seat, run of round: □ e₀. "
        "((1982-09-15 ≤ date(e₀) < 1990-01-01 ∧ card_dealt(e₀)) → face_up(e₀))"
    )


def test_first_since_an_event_of_the_same_type_does_not_rule_that_event_out() -> None:
    explanation = explained(
        "  when first card_dealt since (card_dealt where to is dealer)\n  require face_up\n"
    )
    assert (
        "(¬[e′: card_dealt(e′)] ∨ [e₁: card_dealt(e₁) ∧ to(e₁) = dealer]) S< e₁."  # noqa: RUF001
        in explanation.formula
    )


def test_brackets_of_a_formula_that_runs_over_several_lines_are_balanced() -> None:
    explanation = explained(
        "  when rule_changed\n"
        "  require notice_posted with same subject at least 30 minutes earlier\n"
        "    and (patrons_told with same subject, at least 30 minutes earlier\n"
        "      or commission_notified with same subject, at least 30 minutes earlier)\n"
    )
    text = explanation.formula.replace("[30 minutes, ∞)", "")
    assert "\n" in text
    assert text.count("(") == text.count(")")
