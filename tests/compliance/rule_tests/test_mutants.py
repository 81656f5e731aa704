"""Promises about mutants: a mistake in a rule is noticed by its examples, or it is reported."""

from __future__ import annotations

import time

import pytest

from compliance.rule_tests.mutants import MutantReport, mutants_of, surviving_mutants
from compliance.rule_tests.mutations.example_run import ExampleRun
from event_schemas import builtin_schema
from rules_dsl.rulebook import Loaded, load_text
from tests.rules_dsl.constructs import CONSTRUCTS, Construct

HEAD = 'rule r\n  "Title."\n  cite N.J.A.C. 19:47-2.6(c)\n'
TABLE = """\
table draws "when the banker draws"
  banker \\ third | none 0
  3              | D    S
"""


def loaded(text: str) -> Loaded:
    found = load_text(text, builtin_schema(), "the.rules")
    assert not found.errors, [error.message for error in found.errors]
    return found


def report(text: str) -> MutantReport:
    book = loaded(text)
    return surviving_mutants(book.rulebook.rules[-1], book.rulebook, builtin_schema(), book.sources)


# ---- noticing ------------------------------------------------------------------------------

BURN = f"""\
{HEAD}  when first card_dealt since dealer_arrived
  require card_burned since dealer_arrived
"""
BURN_EXAMPLES = """\
  example complies
    20:00:00 dealer_arrived dealer=D7
    20:00:04 card_burned
    20:00:09 card_dealt to=player
    20:00:10 card_dealt to=player
  example complies "two cards burned"
    20:00:00 dealer_arrived dealer=D7
    20:00:04 card_burned
    20:00:05 card_burned
    20:00:09 card_dealt to=player
  example violates "burned by the dealer before"
    20:00:00 dealer_arrived dealer=D7
    20:00:04 card_burned
    20:00:05 dealer_arrived dealer=D8
    20:00:09 card_dealt to=player <- here
  example violates "burned between two cards dealt to the same new dealer"
    20:00:00 dealer_arrived dealer=D7
    20:00:05 card_dealt to=player <- here
    20:00:06 card_burned
    20:00:09 card_dealt to=player
"""


def test_a_rule_with_good_examples_has_no_survivors() -> None:
    found = report(BURN + BURN_EXAMPLES)
    assert [mutant.description for mutant in found.survivors] == []
    assert found.killed == found.total > 10


def test_a_mistake_that_no_example_notices_survives() -> None:
    weak = "  example complies\n    20:00:00 card_dealt to=player\n"
    found = report(f"{HEAD}  when card_dealt\n  require to is known\n{weak}")
    assert "`require to is known` is left out" in [m.description for m in found.survivors]


def test_a_mutant_is_noticed_when_another_event_triggers() -> None:
    examples = (
        "  example violates\n    20:00:00 card_dealt to=player <- here\n"
        "    20:00:01 card_dealt to=dealer\n"
    )
    found = report(f"{HEAD}  when card_dealt\n  require to is dealer\n{examples}")
    assert "`=` becomes `!=` in `to is dealer`" not in [m.description for m in found.survivors]


def test_a_mutant_of_a_table_is_noticed() -> None:
    examples = "  example complies\n    20:00:00 card_dealt to=player card_number=0\n"
    found = report(
        f'{TABLE}{HEAD}  when card_dealt\n  require draws(3, card_number) is "S"\n{examples}'
    )
    survivors = [m.description for m in found.survivors if "table" in m.description]
    assert survivors == ["`D` becomes `S` in the table `draws`, row `3`, column `none`"]


@pytest.mark.parametrize("construct", CONSTRUCTS.values(), ids=CONSTRUCTS)
def test_every_mutant_can_be_evaluated(construct: Construct) -> None:
    book = construct.loaded()
    found = surviving_mutants(book.rulebook.rules[0], book.rulebook, builtin_schema(), book.sources)
    assert found.total > 1


@pytest.mark.parametrize("construct", CONSTRUCTS.values(), ids=CONSTRUCTS)
def test_an_example_that_never_comes_by_a_change_would_not_have_noticed_it(
    construct: Construct,
) -> None:
    book = construct.loaded()
    rule, schema = book.rulebook.rules[0], builtin_schema()
    runs = [ExampleRun.of(example, rule, book.rulebook, schema) for example in rule.examples]
    for mutant in mutants_of(rule, book.rulebook, schema, book.sources):
        for run in runs:
            if mutant.spots is not None and run.reached.isdisjoint(mutant.spots):
                assert not run.notices(mutant.mutated, mutant.rulebook, None), mutant.description


def test_all_mutants_of_a_rule_are_tried_in_well_under_a_second() -> None:
    example = "  example violates\n" + "".join(
        f"    20:00:{second:02d} card_dealt to=player seat={second % 3 + 1} hand=1 <- here\n"
        for second in range(8)
    )
    clauses = (
        "  when card_dealt\n"
        "  require (count of card_dealt with same seat and same hand, earlier is at least 10)\n"
        "    and card_burned since (dealer_arrived where by_role is at least floorperson)\n"
        "    and no card_dealt where (seat is between 1 and 5 and to is dealer), earlier\n"
    )
    book = loaded(HEAD + clauses + example * 5)
    begin = time.process_time()
    found = surviving_mutants(book.rulebook.rules[0], book.rulebook, builtin_schema(), book.sources)
    assert time.process_time() - begin < 1
    assert found.total >= 40


# ---- notes on equivalent mutants -----------------------------------------------------------

WEAK = """\
  when card_dealt
  require to is known
  example complies
    20:00:00 card_dealt to=player
"""
LEFT_OUT = "`require to is known` is left out"


def _with_note(note: str) -> MutantReport:
    return report(f'{HEAD}{WEAK}  note "{note}"\n')


def test_a_note_with_a_reason_excuses_a_survivor() -> None:
    found = _with_note(f"equivalent mutant: {LEFT_OUT}: every log records it")
    assert [mutant.description for mutant in found.equivalent] == [LEFT_OUT]
    assert LEFT_OUT not in [mutant.description for mutant in found.survivors]


def test_a_note_without_a_reason_excuses_nothing() -> None:
    found = _with_note(f"equivalent mutant: {LEFT_OUT}: ")
    assert LEFT_OUT in [mutant.description for mutant in found.survivors]


def test_a_note_that_fits_no_survivor_is_reported_as_stale() -> None:
    found = _with_note("equivalent mutant: `face_up` becomes its opposite: it was here once")
    assert found.stale_notes == ("`face_up` becomes its opposite: it was here once",)


def test_another_note_is_no_excuse_and_not_stale() -> None:
    assert _with_note("a remark").stale_notes == ()


def test_the_caller_may_name_equivalent_mutants_too() -> None:
    book = loaded(HEAD + WEAK)
    rule = book.rulebook.rules[0]
    found = surviving_mutants(rule, book.rulebook, builtin_schema(), book.sources, [LEFT_OUT])
    assert [mutant.description for mutant in found.equivalent] == [LEFT_OUT]


def test_killed_survivors_and_equivalent_ones_add_up() -> None:
    found = _with_note(f"equivalent mutant: {LEFT_OUT}: every log records it")
    assert found.killed + len(found.survivors) + len(found.equivalent) == found.total
