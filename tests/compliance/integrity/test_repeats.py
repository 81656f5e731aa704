"""A record that comes again is counted once; one that tells something else is a conflict."""

from __future__ import annotations

from compliance.integrity import DefectKind
from reports.verdicts import Severity
from tests.compliance.integrity.small_tables import (
    an,
    at,
    dealt,
    examined,
    found,
    ids,
    lost,
    only,
)


def test_the_same_record_again_is_left_out() -> None:
    result = examined(dealt(seq=1), dealt(seq=1), dealt("KH", seq=2))
    assert ids(result) == ["e1", "e2"]


def test_a_retransmission_is_a_repaired_minor_defect_with_both_lines() -> None:
    defect = only(DefectKind.RETRANSMISSION, dealt(seq=1), dealt(seq=1))
    assert defect.repaired
    assert defect.severity is Severity.MINOR
    assert "log.jsonl, line 1" in defect.sentence
    assert "log.jsonl, line 2" in defect.sentence


def test_a_record_that_comes_three_times_is_one_defect() -> None:
    defect = only(DefectKind.RETRANSMISSION, *[dealt(seq=1)] * 3)
    assert "again 2 times" in defect.sentence


def test_a_block_that_comes_again_is_one_defect() -> None:
    block = [dealt(seq=number) for number in (1, 2, 3)]
    defect = only(DefectKind.RETRANSMISSION, *block, *block)
    assert "3 records in a row" in defect.sentence


def test_two_blocks_apart_are_two_defects() -> None:
    log = [dealt(seq=number) for number in (1, 2, 3)]
    assert found(*log, log[0], log[2]) == [("retransmission", "e1"), ("retransmission", "e3")]


def test_a_repeat_under_a_new_sequence_number_leaves_no_gap() -> None:
    again = dealt(id="e1", ts=at(seconds=1), seq=2)
    result = examined(dealt(seq=1), again, dealt(seq=3))
    assert [defect.kind for defect in result.defects] == [DefectKind.RETRANSMISSION]
    assert ids(result) == ["e1", "e3"]


def test_of_a_record_that_came_again_with_another_content_only_the_type_is_known() -> None:
    result = examined(dealt("9S", seq=1), dealt("KH", seq=1))
    (defect,) = result.defects
    assert (defect.kind, defect.repaired) == (DefectKind.ID_CONFLICT, False)
    assert ids(result) == []
    (gone,) = lost(result)
    assert (gone.seq, gone.times, gone.may_be) == (1, 1, frozenset({"card_dealt"}))


def test_a_field_that_only_one_of_two_records_has_makes_them_different() -> None:
    assert found(dealt(seq=1), dealt(seq=1, seat=3)) == [("id-conflict", "e1")]


def test_an_id_that_conflicts_twice_is_one_defect() -> None:
    defect = only(DefectKind.ID_CONFLICT, *(dealt(card, seq=1) for card in ("9S", "KH", "2C")))
    assert "line 2, log.jsonl, line 3" in defect.sentence


def test_equal_events_with_their_own_ids_are_no_repeats() -> None:
    assert found(an("player_seated"), an("player_seated")) == []
