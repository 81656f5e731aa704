"""Rounds without an end, and results that come after the end of their round, are found."""

from __future__ import annotations

import pytest

from compliance.integrity import DefectKind
from reports.verdicts import Severity
from tests.compliance.integrity.small_tables import Record, an, found, only


def begins(number: int | None = None) -> Record:
    return an("round_started", **({} if number is None else {"round": number}))


def ends(number: int | None = None) -> Record:
    return an("round_ended", **({} if number is None else {"round": number}))


def paid(number: int | None = None) -> Record:
    return an("wager_paid", **({} if number is None else {"round": number}))


def test_a_round_that_begins_inside_another_shows_that_an_end_is_missing() -> None:
    defect = only(DefectKind.ROUND_WITHOUT_END, begins(1), begins(2), ends(2))
    assert defect.event_id == "e1"
    assert "round_started e2 (log.jsonl, line 2)" in defect.sentence


def test_a_voided_round_has_an_end() -> None:
    assert found(begins(), an("round_voided"), begins(), ends()) == []


def test_the_last_round_of_a_log_may_be_open() -> None:
    assert found(begins(1), ends(1), begins(2)) == []


def test_a_log_that_records_no_ends_is_not_judged() -> None:
    assert found(begins(1), begins(2), paid(1)) == []


@pytest.mark.parametrize("result", ["wager_paid", "wager_collected"])
def test_a_result_after_the_end_of_the_round_that_it_names_is_late(result: str) -> None:
    late = an(result, round=1)
    defect = only(DefectKind.LATE_RESULT, begins(1), ends(1), begins(2), late, ends(2))
    assert (defect.event_id, defect.about, defect.severity) == ("e4", ("e2",), Severity.MINOR)


def test_a_result_without_a_number_is_late_where_no_round_is_open() -> None:
    assert found(begins(), paid(), ends(), paid(), begins(), paid()) == [("late-result", "e4")]


def test_a_result_without_a_number_belongs_to_the_open_round_of_a_numbered_log() -> None:
    assert found(begins(1), paid(), ends(1), begins(2), paid(), ends(2)) == []


def test_a_result_without_a_number_is_late_between_the_rounds_of_a_numbered_log() -> None:
    assert found(begins(1), ends(1), paid(), begins(2), ends(2)) == [("late-result", "e3")]


def test_round_numbers_may_begin_again() -> None:
    assert found(begins(1), ends(1), begins(1), paid(1), ends(1)) == []


def test_wagers_are_settled_lawfully_after_a_round_was_voided() -> None:
    assert found(begins(1), an("round_voided", round=1), paid(1)) == []


def test_a_result_of_a_round_that_began_before_the_log_is_not_judged() -> None:
    assert found(paid(7), begins(8), paid(7), ends(8)) == []


@pytest.mark.parametrize("change", ["cards_shuffled", "shoe_loaded"])
def test_a_late_result_after_the_shoe_was_changed_is_graver(change: str) -> None:
    log = (begins(1), ends(1), an(change), begins(2), paid(1), ends(2))
    defect = only(DefectKind.RESULT_AFTER_SHOE_CHANGE, *log)
    assert (defect.event_id, defect.severity) == ("e5", Severity.MAJOR)


def test_a_shoe_that_is_changed_inside_a_round_makes_no_result_late() -> None:
    assert found(begins(1), an("shoe_loaded"), paid(1), ends(1)) == []
