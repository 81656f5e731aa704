"""Corrections are applied at the place of the original; what cannot be followed is reported."""

from __future__ import annotations

from compliance.integrity import DefectKind
from compliance.table_log.frame import FrameEvents
from event_schemas import Event
from tests.compliance.integrity.small_tables import (
    SCHEMA,
    Record,
    an,
    dealt,
    examined,
    found,
    ids,
    only,
)


def events(*records: Record) -> list[Event]:
    return list(FrameEvents(SCHEMA, examined(*records).frame))


def test_a_correction_takes_the_place_and_time_of_the_original() -> None:
    first, second = events(dealt("9S"), dealt("2C"), dealt("KH", corrects="e1"))
    assert (first.id, first.seq, first.ts.second) == ("e3", 1, 1)
    assert str(first.get("card")) == "KH"
    assert second.id == "e2"


def test_a_correction_replaces_every_field() -> None:
    (event,) = events(dealt(seat=3), dealt(corrects="e1"))
    assert event.get("seat") is None


def test_a_correction_is_reported_with_both_ids() -> None:
    defect = only(DefectKind.CORRECTION, dealt(), dealt("KH", corrects="e1"))
    assert (defect.event_id, defect.about, defect.repaired) == ("e2", ("e1",), True)
    assert "card_dealt e1 (log.jsonl, line 1)" in defect.sentence
    assert "card_dealt e2 (log.jsonl, line 2)" in defect.sentence


def test_a_cancelled_event_and_its_cancellation_are_not_checked() -> None:
    result = examined(dealt(), dealt("2C"), dealt(voids="e1"))
    assert ids(result) == ["e2"]
    assert [defect.kind for defect in result.defects] == [DefectKind.CANCELLATION]


def test_a_cancellation_of_another_type_stays_as_an_event_of_its_own() -> None:
    assert ids(examined(dealt(), an("supervisor_called", voids="e1"))) == ["e2"]


def test_a_correction_of_an_unknown_record_is_reported_and_left_as_it_stands() -> None:
    result = examined(dealt(), dealt("KH", corrects="nobody"))
    assert ids(result) == ["e1", "e2"]
    assert [defect.kind for defect in result.defects] == [DefectKind.CORRECTION_UNCLEAR]


def test_of_a_chain_of_corrections_the_last_one_counts_and_all_are_reported() -> None:
    log = (dealt("9S"), dealt("2C"), dealt("KH", corrects="e1"), dealt("3D", corrects="e3"))
    assert [(event.id, event.seq) for event in events(*log)] == [("e4", 1), ("e2", 2)]
    assert found(*log) == [("correction", "e3"), ("correction", "e4")]


def test_a_very_long_chain_is_followed() -> None:
    chain = [dealt("KH", corrects=f"e{number}") for number in range(1, 3000)]
    assert ids(examined(dealt(), *chain)) == ["e3000"]


def test_corrections_in_a_circle_are_reported_and_left_as_they_stand() -> None:
    log = (dealt(corrects="e2"), dealt(corrects="e1"), dealt(corrects="e3"), dealt(corrects="e1"))
    assert ids(examined(*log)) == ["e1", "e2", "e3", "e4"]
    assert found(*log) == [("correction-unclear", f"e{number}") for number in (1, 2, 3, 4)]


def test_a_cancelled_correction_leaves_the_original_standing() -> None:
    assert ids(examined(dealt("9S"), dealt("KH", corrects="e1"), dealt(voids="e2"))) == ["e1"]


def test_a_corrected_cancellation_leaves_what_it_cancelled_standing() -> None:
    assert ids(examined(dealt("9S"), dealt(voids="e1"), dealt("KH", corrects="e2"))) == ["e1", "e3"]


def test_of_two_corrections_of_one_record_the_last_one_counts_and_the_other_is_reported() -> None:
    log = (dealt("9S"), dealt("KH", corrects="e1"), dealt("2C", corrects="e1"))
    assert ids(examined(*log)) == ["e3"]
    assert found(*log) == [("correction-unclear", "e2"), ("correction", "e3")]


def test_a_record_that_corrects_and_cancels_at_once_is_not_applied() -> None:
    log = (dealt("9S"), dealt("KH"), dealt("2C", corrects="e1", voids="e2"))
    assert ids(examined(*log)) == ["e1", "e2", "e3"]
    assert found(*log) == [("correction-unclear", "e3")]
