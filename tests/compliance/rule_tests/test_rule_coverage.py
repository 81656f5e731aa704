"""Promises about condition coverage: what no example tests is named, and nothing else is."""

from __future__ import annotations

import pytest

from compliance.rule_tests.rule_coverage import Unexercised, condition_coverage
from event_schemas import builtin_schema
from rules_dsl.rulebook import load_text

HEAD = 'rule r\n  "Title."\n  cite N.J.A.C. 19:47-2.6(c)\n'
DEALT = "    20:00:00 card_dealt to=player seat=1 card=9S\n"
HERE = "    20:00:00 card_dealt to=player seat=1 card=9S <- here\n"


def gaps(text: str, rules: list[str] | None = None) -> list[Unexercised]:
    loaded = load_text(text, builtin_schema(), "the.rules")
    assert not loaded.errors, [error.message for error in loaded.errors]
    return condition_coverage(loaded.rulebook, builtin_schema(), loaded.sources, rules)


def missing(text: str) -> list[tuple[str, str]]:
    return [(gap.text, gap.missing) for gap in gaps(text)]


# ---- what is reported ----------------------------------------------------------------------


def test_a_condition_that_was_never_true_is_reported() -> None:
    text = f"{HEAD}  when card_dealt\n  require to is dealer\n  example violates\n{HERE}"
    assert missing(text) == [("to is dealer", "never true")]


def test_a_condition_that_was_never_false_is_reported() -> None:
    text = f"{HEAD}  when card_dealt\n  require to is player\n  example complies\n{DEALT}"
    assert missing(text) == [("to is player", "never false")]


def test_a_condition_that_was_both_is_not_reported() -> None:
    dealer = "    20:00:00 card_dealt to=dealer <- here\n"
    examples = f"  example complies\n{DEALT}  example violates\n{dealer}"
    assert missing(f"{HEAD}  when card_dealt\n  require to is player\n{examples}") == []


def test_an_exception_that_was_never_needed_is_reported_as_never_evaluated() -> None:
    text = (
        f"{HEAD}  when card_dealt\n  require to is player\n"
        f"  except under N.J.A.C. 19:47-2.7 when seat is 1\n  example complies\n{DEALT}"
    )
    assert ("seat is 1", "never evaluated") in missing(text)


def test_a_condition_that_could_never_be_decided_was_neither_true_nor_false() -> None:
    text = f"{HEAD}  when card_dealt\n  require hand is 1\n  example undetermined\n{DEALT}"
    assert missing(text) == [("hand is 1", "never true"), ("hand is 1", "never false")]


def test_the_place_of_the_condition_is_given() -> None:
    text = f"{HEAD}  when card_dealt\n  require to is player\n  example complies\n{DEALT}"
    (gap,) = gaps(text)
    assert (gap.rule, gap.file, gap.line, gap.column) == ("r", "the.rules", 5, 11)


@pytest.mark.parametrize(
    ("clauses", "condition"),
    [
        ("  when card_dealt where seat is 1\n  require card is known\n", "seat is 1"),
        ("  when card_dealt\n  only if seat is 1\n  require card is known\n", "seat is 1"),
        ("  when card_dealt\n  require card_dealt where seat is 1, so far\n", "seat is 1"),
        ("  when card_dealt\n  require every card_dealt so far has seat is 1\n", "seat is 1"),
        ("  when card_dealt\n  require 1 = (if seat is 1 then 1 else 2)\n", "seat is 1"),
        ("  when card_dealt\n  require not seat is 1\n", "seat is 1"),
        (
            "  when card_dealt\n  forbid card is known\n"
            "  except under N.J.A.C. 19:47-2.7 when seat is 1\n",
            "seat is 1",
        ),
        (
            "  when card_dealt\n  forbid card is known\n"
            "  except under N.J.A.C. 19:47-2.7 when to is player\n"
            "    but not under N.J.A.C. 19:47-2.8 when seat is 1\n",
            "seat is 1",
        ),
    ],
    ids=["where", "only if", "phrase", "has", "if", "not", "exception", "limit"],
)
def test_conditions_are_found_wherever_they_stand(clauses: str, condition: str) -> None:
    assert (condition, "never false") in missing(f"{HEAD}{clauses}  example complies\n{DEALT}")


@pytest.mark.parametrize(
    "condition",
    [
        "card is known",
        "face_up",
        "seat is about 1 give or take 2",
        "card_dealt so far",
        "every card_dealt so far has (seat is 1)",
        "card_dealt.seat so far goes clockwise",
        "is_soft of card_dealt.card so far",
    ],
)
def test_every_sort_of_condition_is_watched(condition: str) -> None:
    log = "    20:00:00 card_dealt to=player seat=1 card=AS face_up=yes\n"
    text = f"{HEAD}  when card_dealt\n  require {condition}\n  example complies\n{log}"
    assert (condition, "never false") in missing(text)


def test_the_two_ends_of_a_range_are_told_apart() -> None:
    text = f"{HEAD}  when card_dealt\n  require seat is between 2 and 5\n  example violates\n{HERE}"
    assert missing(text) == [
        ("seat is between 2 and 5 (at least)", "never true"),
        ("seat is between 2 and 5 (at most)", "never false"),
    ]


def test_the_fields_of_with_same_are_told_apart() -> None:
    text = (
        f"{HEAD}  when card_dealt\n  require card_burned with same round and same dealer, earlier\n"
        "  example violates\n    20:00:00 card_burned round=1 dealer=D7\n"
        "    20:00:01 card_dealt to=player round=1 dealer=D8 <- here\n"
    )
    phrase = "card_burned with same round and same dealer, earlier"
    assert (f"{phrase} (same round)", "never false") in missing(text)
    assert (f"{phrase} (same dealer)", "never true") in missing(text)


# ---- what is not reported ------------------------------------------------------------------


def test_a_test_of_the_type_that_comes_from_a_group_is_not_reported() -> None:
    text = (
        f"events player_card are card_dealt where to is player\n{HEAD}  when cards_shuffled\n"
        "  require any of (player_card, card_burned) earlier\n  example violates\n"
        "    20:00:00 cards_shuffled <- here\n"
    )
    assert [text for text, _ in missing(text)] == [
        "any of (player_card, card_burned) earlier",
        "to is player",
    ]


def test_two_events_of_one_slice_need_not_differ_in_its_key() -> None:
    text = (
        f"{HEAD}  for each table, player\n  when wager_placed\n"
        "  require card_dealt with same player, earlier\n"
        "  example complies\n    20:00:00 card_dealt to=player player=P1\n"
        "    20:00:01 wager_placed player=P1\n"
        "  example violates\n    20:00:00 card_dealt to=player player=P2\n"
        "    20:00:01 wager_placed player=P1 <- here\n"
    )
    assert missing(text) == []


def test_a_field_that_is_always_recorded_need_not_be_missing() -> None:
    text = f"{HEAD}  when card_dealt\n  require to is known\n  example complies\n{DEALT}"
    assert missing(text) == []


def test_a_count_that_cannot_be_negative_need_not_be() -> None:
    text = f"{HEAD}  when card_dealt\n  require at least 0 card_burned earlier\n"
    assert missing(f"{text}  example complies\n{DEALT}") == []


# ---- several rules -------------------------------------------------------------------------

SECTION = 'section "S"\n  applies when option game is blackjack\n  given option game is blackjack\n'


def _rule(name: str, examples: str) -> str:
    return (
        f'rule {name}\n  "Title."\n  cite N.J.A.C. 19:47-2.6(c)\n  when card_dealt\n'
        f"  require to is known\n{examples}"
    )


def test_what_a_section_demands_is_reported_once_for_all_its_rules() -> None:
    examples = f"  example complies\n{DEALT}"
    found = gaps(f"{SECTION}{_rule('a', examples)}{_rule('b', examples)}")
    assert [(gap.rule, gap.text, gap.missing) for gap in found] == [
        ("a", "option game is blackjack", "never false")
    ]


def test_what_a_section_demands_is_tested_by_any_of_its_rules() -> None:
    silent = f"  example silent\n    given option game is baccarat\n{DEALT}"
    complies = f"  example complies\n{DEALT}"
    text = f"{SECTION}{_rule('a', complies)}{_rule('b', silent)}"
    assert gaps(text, ["a"]) == []


def test_only_the_rules_asked_for_are_reported() -> None:
    rules = [f"{HEAD.replace('rule r', f'rule {name}')}  when card_dealt\n  require to is player\n"
             f"  example complies\n{DEALT}" for name in ("a", "b")]  # fmt: skip
    assert [gap.rule for gap in gaps("".join(rules), ["b"])] == ["b"]
