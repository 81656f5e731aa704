"""Four truth values: it holds, it fails, a field is missing, or the log ends before it is known."""

from __future__ import annotations

from itertools import product

import pytest

from compliance.judgement.circumstances import Absent
from compliance.reference.answers import (
    Answer,
    Seen,
    conjunction,
    disjunction,
    first_absent,
    negation,
)
from tests.compliance.reference_run import verdicts

T, F, M, O = True, False, Absent.MISSING, Absent.OPEN  # noqa: E741
VALUES = (T, F, M, O)

AND = {
    (T, T): T, (T, F): F, (T, M): M, (T, O): O,
    (F, T): F, (F, F): F, (F, M): F, (F, O): F,
    (M, T): M, (M, F): F, (M, M): M, (M, O): O,
    (O, T): O, (O, F): F, (O, M): O, (O, O): O,
}  # fmt: skip
OR = {
    (T, T): T, (T, F): T, (T, M): T, (T, O): T,
    (F, T): T, (F, F): F, (F, M): M, (F, O): O,
    (M, T): T, (M, F): M, (M, M): M, (M, O): O,
    (O, T): T, (O, F): O, (O, M): O, (O, O): O,
}  # fmt: skip
NOT = {T: F, F: T, M: M, O: O}

# The same four values as conditions at a cut of which the position is 1 and the seat not recorded.
WRITTEN = {T: "position is 1", F: "position is 2", M: "seat is 1", O: "card_burned later"}
VERDICT = {T: "complied", F: "violated", M: "undetermined", O: "open"}
LOG = "20:00 cards_cut position=1"

pairs = pytest.mark.parametrize(("left", "right"), list(product(VALUES, VALUES)))


@pairs
def test_and_follows_its_table(left: object, right: object) -> None:
    assert conjunction([Answer(left), Answer(right)]).value is AND[left, right]


@pairs
def test_or_follows_its_table(left: object, right: object) -> None:
    assert disjunction([Answer(left), Answer(right)]).value is OR[left, right]


@pytest.mark.parametrize("value", VALUES)
def test_not_follows_its_table(value: object) -> None:
    assert negation(Answer(value)).value is NOT[value]


@pairs
def test_a_written_and_follows_the_table(left: bool | Absent, right: bool | Absent) -> None:
    rule = f"when cards_cut\nrequire ({WRITTEN[left]}) and ({WRITTEN[right]})"
    assert verdicts(rule, LOG) == [VERDICT[AND[left, right]]]


@pairs
def test_a_written_or_follows_the_table(left: bool | Absent, right: bool | Absent) -> None:
    rule = f"when cards_cut\nrequire ({WRITTEN[left]}) or ({WRITTEN[right]})"
    assert verdicts(rule, LOG) == [VERDICT[OR[left, right]]]


@pytest.mark.parametrize("value", VALUES)
def test_a_written_not_follows_the_table(value: bool | Absent) -> None:
    rule = f"when cards_cut\nrequire not ({WRITTEN[value]})"
    assert verdicts(rule, LOG) == [VERDICT[NOT[value]]]


@pairs
def test_if_then_is_not_the_one_or_the_other(left: bool | Absent, right: bool | Absent) -> None:
    rule = f"when cards_cut\nrequire if {WRITTEN[left]} then ({WRITTEN[right]})"
    assert verdicts(rule, LOG) == [VERDICT[OR[NOT[left], right]]]


@pytest.mark.parametrize("value", VALUES)
def test_forbid_is_require_not(value: bool | Absent) -> None:
    assert verdicts(f"when cards_cut\nforbid {WRITTEN[value]}", LOG) == [VERDICT[NOT[value]]]


def test_an_empty_and_holds_and_an_empty_or_fails() -> None:
    assert conjunction([]).value is True
    assert disjunction([]).value is False


def test_a_condition_on_an_event_that_is_not_there_counts_as_missing() -> None:
    nothing = Answer(Absent.NOTHING)
    assert conjunction([nothing]).value is M
    assert negation(nothing).value is M
    rule = "when cards_cut\nrequire first card_dealt.face_up earlier"
    assert verdicts(rule, LOG) == ["undetermined"]


def test_what_fails_is_the_only_witness_of_a_failed_and() -> None:
    failing = Answer(False, frozenset({Seen(1, "found")}))
    holding = Answer(True, frozenset({Seen(2, "found")}))
    assert conjunction([failing, holding]).witnesses == {Seen(1, "found")}


def test_what_holds_is_the_only_witness_of_an_or() -> None:
    failing = Answer(False, frozenset({Seen(1, "found")}))
    holding = Answer(True, frozenset({Seen(2, "found")}))
    assert disjunction([failing, holding]).witnesses == {Seen(2, "found")}


def test_all_parts_witness_what_could_not_be_decided() -> None:
    unclear = Answer(M, frozenset({Seen(1, "unclear")}))
    holding = Answer(True, frozenset({Seen(2, "found")}))
    assert conjunction([unclear, holding]).witnesses == {
        Seen(1, "unclear"),
        Seen(2, "found"),
    }


def test_the_end_of_the_log_comes_before_a_missing_field_and_that_before_nothing() -> None:
    nothing, missing, still_open = (Answer(a) for a in (Absent.NOTHING, M, O))
    assert first_absent([nothing, missing, still_open]) is O
    assert first_absent([nothing, missing, Answer(3)]) is M
    assert first_absent([nothing, Answer(3)]) is Absent.NOTHING
    assert first_absent([Answer(3)]) is None


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ("previous dealer_arrived.dealer is none", "complied"),
        ("previous dealer_arrived.dealer is not none", "violated"),
        ('previous dealer_arrived.dealer is "D1"', "violated"),
        ('previous dealer_arrived.dealer is not "D1"', "complied"),
        ("previous cards_cut.position > 1", "undetermined"),
        ("previous cards_cut.position + 1 is none", "complied"),
        ("seat is missing", "complied"),
        ("position is missing", "violated"),
        ("seat is known", "violated"),
        ("position is known", "complied"),
        ("previous dealer_arrived.dealer is known", "violated"),
        ("previous dealer_arrived.dealer is missing", "violated"),
        ("next dealer_arrived.dealer is known", "open"),
        ("position / 0 is 1", "undetermined"),
        ("seat is about 1 give or take 1", "undetermined"),
    ],
)
def test_nothing_missing_and_open_are_three_different_things(condition: str, expected: str) -> None:
    assert verdicts(f"when cards_cut\nrequire {condition}", LOG) == [expected]
