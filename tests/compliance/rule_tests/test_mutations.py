"""Promises about the mistakes that are tried in a rule: each is there, and none without effect."""

from __future__ import annotations

import pytest

from compliance.rule_tests.mutants import Mutant, mutants_of
from event_schemas import builtin_schema
from rules_dsl import core
from rules_dsl.rulebook import load_text
from rules_dsl.traverse import all_parts
from tests.rules_dsl.constructs import CONSTRUCTS

HEAD = 'rule r\n  "Title."\n  cite N.J.A.C. 19:47-2.6(c)\n'
ROUND = "interval round from round_started to round_ended\n"


def mutants(text: str) -> list[Mutant]:
    found = load_text(text, builtin_schema(), "the.rules")
    assert not found.errors, [error.message for error in found.errors]
    rule = found.rulebook.rules[-1]
    return list(mutants_of(rule, found.rulebook, builtin_schema(), found.sources))


def descriptions(clauses: str, before: str = "") -> list[str]:
    return [mutant.description for mutant in mutants(f"{before}{HEAD}{clauses}")]


# ---- which mistakes are tried --------------------------------------------------------------


@pytest.mark.parametrize(
    ("require", "description"),
    [
        ("to is player", "`=` becomes `!=` in `to is player`"),
        ("seat < 3", "`<` becomes `<=` in `seat < 3`"),
        ("seat < 3", "`<` becomes `>=` in `seat < 3`"),
        ("seat >= 3", "`>=` becomes `>` in `seat >= 3`"),
        ("seat >= 3", "`3` becomes `4` in `seat >= 3`"),
        ("seat >= 3", "`3` becomes `2` in `seat >= 3`"),
        ("to is player", "`player` becomes `dealer` in `to is player`"),
        ("rank of card is ace", "`ace` becomes `two` in `rank of card is ace`"),
        (
            "to is one of (player, dealer)",
            "`player` becomes `banker` in `to is one of (player, dealer)`",
        ),
        (
            "to is one of (player, dealer)",
            "`dealer` is left out of `to is one of (player, dealer)`",
        ),
        ("seat is between 2 and 5", "the lower end is left out of `seat is between 2 and 5`"),
        ("card is known", "`card is known` becomes its opposite"),
        ("face_up", "`face_up` becomes its opposite"),
        ("not face_up", "`not face_up` becomes its opposite"),
        ("face_up and seat is 1", "`seat is 1` is left out of `face_up and seat is 1`"),
        ("face_up or seat is 1", "`face_up` is left out of `face_up or seat is 1`"),
        ("face_up", "`require face_up` is left out"),
        (
            "at least 10 card_burned earlier",
            "`at least 10` becomes `at least 11` in `at least 10 card_burned earlier`",
        ),
        (
            "at least 10 card_burned earlier",
            "`at least 10` becomes `exactly 10` in `at least 10 card_burned earlier`",
        ),
        ("card_burned earlier", "`card_burned earlier` becomes its opposite"),
        (
            "card_dealt where seat is 1, earlier",
            "`seat is 1` is left out of `card_dealt where seat is 1, earlier`",
        ),
        (
            "card_dealt with same seat, earlier",
            "`same seat` is left out of `card_dealt with same seat, earlier`",
        ),
        (
            "card_dealt where seat is 1, earlier",
            "`card_dealt where seat is 1, earlier` looks `so far` instead of `earlier`",
        ),
        (
            "card_burned since dealer_arrived",
            "`since` `dealer_arrived` is left out of `card_burned since dealer_arrived`",
        ),
        (
            "card_burned since dealer_arrived",
            "`dealer_arrived` becomes `card_burned` in `card_burned since dealer_arrived`",
        ),
        (
            "card_burned before cards_shuffled",
            "`before` `cards_shuffled` is left out of `card_burned before cards_shuffled`",
        ),
        (
            "card_burned within 30 minutes earlier",
            "`within` `30 minutes` is left out of `card_burned within 30 minutes earlier`",
        ),
        (
            "card_burned at least 30 minutes earlier",
            "`30 minutes` becomes `31 minutes` in `card_burned at least 30 minutes earlier`",
        ),
        (
            "card_burned in the round",
            "`in the round` is left out of `card_burned in the round`",
        ),
        (
            "any of (card_burned, card_exposed) earlier",
            "`card_exposed` is left out of `any of (card_burned, card_exposed) earlier`",
        ),
        (
            "first card_burned.round earlier is 1",
            "`first` becomes `last` in `first card_burned.round earlier`",
        ),
        (
            "sum of card_burned.cards_total earlier is 1",
            "`sum` becomes `count` in `sum of card_burned.cards_total earlier`",
        ),
        (
            "count of distinct card_dealt.seat latest per seat, earlier is 1",
            "`latest` becomes `earliest` in `card_dealt.seat latest per seat, earlier`",
        ),
        (
            "count of card_dealt latest per seat, earlier is 1",
            "`per seat` is left out of `card_dealt latest per seat, earlier`",
        ),
        (
            "card_dealt.seat so far goes clockwise from 1",
            "`clockwise` becomes `counterclockwise` in "
            "`card_dealt.seat so far goes clockwise from 1`",
        ),
        (
            "card_dealt.seat so far goes clockwise from 1",
            "`from` `1` is left out of `card_dealt.seat so far goes clockwise from 1`",
        ),
    ],
)
def test_a_mistake_in_a_requirement_is_tried(require: str, description: str) -> None:
    assert description in descriptions(f"  when card_dealt\n  require {require}\n", ROUND)


@pytest.mark.parametrize(
    ("clauses", "description"),
    [
        (
            "  when first card_dealt since dealer_arrived\n  require face_up\n",
            "`first` and `since` `dealer_arrived` are left out",
        ),
        (
            "  when card_dealt where to is player\n  require face_up\n",
            "`to is player` is left out of `card_dealt where to is player`",
        ),
        (
            "  for each table, seat\n  when card_dealt\n  require face_up\n",
            "`seat` is left out of `for each table, seat`",
        ),
        (
            "  for each round\n  when card_dealt\n  require face_up\n",
            "`round` is left out of `for each round`",
        ),
        (
            "  when card_dealt\n  only if to is player\n  require face_up\n",
            "the condition `to is player` is left out",
        ),
        (
            "  when card_dealt\n  require face_up\n"
            "  except under N.J.A.C. 19:47-2.7 when to is player\n",
            "the exception under N.J.A.C. 19:47-2.7 is left out",
        ),
        (
            "  when card_dealt\n  require face_up\n"
            "  except under N.J.A.C. 19:47-2.7 when to is player\n"
            "    but not under N.J.A.C. 19:47-2.8 when seat is 1\n",
            "the limit under N.J.A.C. 19:47-2.8 of the exception under N.J.A.C. 19:47-2.7 "
            "is left out",
        ),
        (
            "  in force from 1982-09-15\n  when card_dealt\n  require face_up\n",
            "the first day in force, 1982-09-15, becomes 1982-09-16",
        ),
        (
            "  in force from 1982-09-15 until 1990-01-01\n  when card_dealt\n  require face_up\n",
            "the end of the edition, 1990-01-01, becomes 1989-12-31",
        ),
        (
            "  when card_dealt\n  edition from 1982-09-15 until 1990-01-01\n    require face_up\n"
            "  edition from 1990-01-01\n    forbid face_up\n",
            "the change of the law on 1990-01-01 moves to 1990-01-02",
        ),
        (
            "  when card_dealt\n  require wager_paid where amount = stake * 3 to 2, earlier\n",
            "`3 to 2` becomes `4 to 2` in `stake * 3 to 2`",
        ),
        (
            "  when wager_placed\n  require amount >= $25\n",
            "`$25` becomes `$26` in `amount >= $25`",
        ),
    ],
)
def test_a_mistake_in_another_clause_is_tried(clauses: str, description: str) -> None:
    assert description in descriptions(clauses, ROUND)


TABLE = """\
table draws "when the banker draws"
  banker \\ third | none 0
  3              | D    S
"""


def test_each_cell_of_a_table_is_changed_in_the_rules_that_read_it() -> None:
    clauses = '  when card_dealt\n  require draws(3, card_number) is "D"\n'
    found = [m for m in mutants(f"{TABLE}{HEAD}{clauses}") if "table" in m.description]
    assert [(m.description, m.line) for m in found] == [
        ("`D` becomes `S` in the table `draws`, row `3`, column `none`", 3),
        ("`S` becomes `D` in the table `draws`, row `3`, column `0`", 3),
    ]


def test_a_table_that_the_rule_does_not_read_is_left_alone() -> None:
    clauses = "  when card_dealt\n  require face_up\n"
    assert not any("table" in words for words in descriptions(clauses, TABLE))


def test_two_mutants_never_have_the_same_description() -> None:
    clauses = "  when card_dealt\n  require face_up or (face_up and seat is 1)\n"
    found = descriptions(clauses)
    assert len(found) == len(set(found))


def test_no_mutant_equals_the_rule() -> None:
    for construct in CONSTRUCTS.values():
        book = construct.loaded()
        rule = book.rulebook.rules[0]
        for mutant in mutants_of(rule, book.rulebook, builtin_schema(), book.sources):
            same_tables = mutant.rulebook.tables == book.rulebook.tables
            assert not (mutant.mutated == rule and same_tables), mutant.description


def test_the_place_of_a_mistake_is_given() -> None:
    (mutant,) = [m for m in mutants(f"{HEAD}  when card_dealt\n  require seat >= 3\n")
                 if "`4`" in m.description]  # fmt: skip
    assert (mutant.rule, mutant.file, mutant.line, mutant.column) == ("r", "the.rules", 5, 19)


# ---- one mistake at one written place ------------------------------------------------------

TWO_EDITIONS = """\
  when card_dealt
  require face_up
  edition from 1982-09-15 until 1990-01-01
    require seat is 1
  edition from 1990-01-01
"""


def texts(mutant: Mutant, kind: str) -> list[str]:
    """The values of a kind that the changed rule holds, in order."""
    consts = [part for part in all_parts(mutant.mutated) if isinstance(part, core.Const)]
    return [const.text for const in consts if const.kind == kind]


@pytest.mark.parametrize(
    "text",
    [
        f"define low = seat < 3\n{HEAD}  when card_dealt\n  require low or (low and face_up)\n",
        f"{HEAD}  when card_dealt\n  let low = seat < 3\n  require low or (low and face_up)\n",
        f"events low are card_dealt where seat < 3\n{HEAD}  when card_dealt\n"
        "  require low earlier and no low later\n",
    ],
    ids=["define", "let", "events"],
)
def test_all_copies_of_a_written_word_are_changed_together(text: str) -> None:
    found = [m for m in mutants(text) if m.description.startswith("`3` becomes `4`")]
    assert [texts(m, "seat") for m in found] == [["4", "4"]]


def test_copies_with_different_arguments_are_copies_of_the_same_word() -> None:
    text = (
        f"define near(s) = seat - s < 3\n{HEAD}  when card_dealt\n"
        "  require near(1) or (face_up and near(2))\n"
    )
    found = [m for m in mutants(text) if m.description.startswith("`<` becomes `<=`")]
    assert [
        [part.sign for part in all_parts(m.mutated) if isinstance(part, core.Compare)]
        for m in found
    ] == [["<=", "<="]]


def test_a_copy_inside_another_copy_is_changed_too() -> None:
    text = (
        f"define beside(s) = s + 1\n{HEAD}  when card_dealt\n  require seat < beside(beside(5))\n"
    )
    found = [m for m in mutants(text) if m.description.startswith("`1` becomes `2`")]
    assert [sorted(texts(m, "number") + texts(m, "seat")) for m in found] == [["2", "2", "5"]]


def test_the_same_words_at_two_places_are_changed_one_at_a_time() -> None:
    text = f"{HEAD}  when card_dealt\n  require seat < 3 or (face_up and seat < 3)\n"
    found = [m for m in mutants(text) if m.description.startswith("`3` becomes `4`")]
    assert [texts(m, "seat") for m in found] == [["4", "3"], ["3", "4"]]


def test_a_clause_of_all_editions_is_left_out_of_all_of_them() -> None:
    (mutant,) = [
        m for m in mutants(HEAD + TWO_EDITIONS) if m.description.startswith("`require face_up`")
    ]
    assert mutant.description == "`require face_up` is left out"
    assert [len(edition.requirements) for edition in mutant.mutated.editions] == [1, 0]


def test_a_clause_of_one_edition_is_left_out_of_it_and_the_edition_named() -> None:
    found = descriptions(TWO_EDITIONS)
    assert "`require seat is 1` is left out, in the edition from 1982-09-15" in found


# ---- mistakes that make no difference ------------------------------------------------------


@pytest.mark.parametrize(
    ("clauses", "words"),
    [
        ("  when card_dealt\n  require card_burned earlier\n", "instead of"),
        ("  when card_dealt\n  require no card_burned earlier\n", "exactly 0"),
        ("  when card_dealt\n  require card_burned earlier\n", "at least 0"),
        ("  for each round\n  when card_dealt\n  require card_burned in the round\n", "`in the"),
        (
            "  for each table, seat\n  when card_dealt\n"
            "  require card_dealt with same seat earlier\n",
            "`same seat` is left out",
        ),
        ("  when card_dealt\n  require card_dealt latest per seat, earlier\n", "`per seat`"),
        ("  when card_dealt\n  require any of (player_card, card_burned) earlier\n", "`type`"),
        (
            "  when card_dealt\n  edition from 1982-09-15 until 1990-01-01\n    require face_up\n"
            "  edition from 1990-01-01\n    forbid face_up\n",
            "the first day in force, 1990-01-01",
        ),
    ],
    ids=[
        "the trigger cannot be found itself",
        "no count is below nought",
        "at least nought is nothing",
        "the slice is the interval already",
        "the slice has the same key already",
        "whether there is one, not which",
        "tests of the type",
        "an edition in the shadow of the one before",
    ],
)
def test_a_mistake_without_effect_is_not_tried(clauses: str, words: str) -> None:
    before = f"{ROUND}events player_card are card_dealt where to is player\n"
    assert not [text for text in descriptions(clauses, before) if words in text]


def test_what_a_section_demands_is_not_changed_in_each_of_its_rules() -> None:
    section = 'section "S"\n  applies when option game is blackjack\n'
    found = descriptions("  when card_dealt\n  require face_up\n", section)
    assert not [text for text in found if "option game" in text]
