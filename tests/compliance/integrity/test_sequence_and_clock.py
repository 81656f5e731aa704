"""Lost and doubly used sequence numbers, and clocks that jump, are found where they happen."""

from __future__ import annotations

import pytest

from compliance.integrity import DefectKind, examine
from compliance.integrity.defects import LISTED
from tests.compliance.integrity.small_tables import (
    SCHEMA,
    an,
    at,
    dealt,
    examined,
    found,
    frame_of,
    ids,
    lost,
    only,
)


def test_a_gap_says_from_where_to_where_and_how_many_are_missing() -> None:
    defect = only(DefectKind.SEQ_GAP, dealt(seq=1), dealt(seq=5))
    assert defect.sentence.startswith("3 events are missing (sequence numbers 2 to 4)")
    assert (defect.event_id, defect.about) == ("e5", ("2", "4"))


def test_a_log_may_begin_with_any_number() -> None:
    assert found(dealt(seq=700), dealt(seq=701)) == []


def test_a_record_that_was_left_out_on_purpose_is_not_missing() -> None:
    frame = frame_of(dealt(seq=2), dealt(seq=5), dealt(seq=6))
    assert examine(SCHEMA, frame, left_out=(1, 3, 4, 7, 9)).defects == ()
    (defect,) = examine(SCHEMA, frame, left_out=(4,)).defects
    assert defect.sentence.startswith("1 event is missing (sequence number 3)")


def test_numbers_that_are_no_counter_are_one_defect() -> None:
    defect = only(DefectKind.SEQ_GAP, *(dealt(seq=10 * number) for number in range(1, 40)))
    assert "do not go up by one" in defect.sentence


def test_numbers_that_come_twice_do_not_make_a_counter_of_what_is_none() -> None:
    twice = [
        dealt(seq=10 * number, id=f"{number}-{copy}") for number in range(1, 40) for copy in (1, 2)
    ]
    gaps = [item for item in examined(*twice).defects if item.kind is DefectKind.SEQ_GAP]
    assert ["do not go up by one" in item.sentence for item in gaps] == [True]


def test_a_log_with_gaps_everywhere_names_the_first_and_counts_the_rest() -> None:
    numbers = [number for number in range(1, 4 * (LISTED + 5)) if number % 4]
    defects = examined(*(an("player_seated", seq=number) for number in numbers)).defects
    assert len(defects) == LISTED + 1
    assert "4 more defects" in defects[-1].sentence


def test_of_two_events_with_one_number_it_is_not_known_which_happened() -> None:
    result = examined(dealt(seq=1), dealt(seq=2), dealt("KH", seq=2, id="other"), dealt(seq=3))
    (defect,) = result.defects
    assert (defect.kind, defect.event_id, defect.repaired) == (
        DefectKind.SEQ_REPEATED,
        "e2",
        False,
    )
    assert ids(result) == ["e1", "e3"]
    (gone,) = lost(result)
    assert (gone.seq, gone.times, gone.may_be) == (2, 2, frozenset({"card_dealt"}))


@pytest.mark.parametrize(("second", "kinds"), [(8, []), (7.9, ["clock-back"])])
def test_a_clock_may_go_back_by_two_seconds(second: float, kinds: list[str]) -> None:
    log = (dealt(seq=10), dealt(seq=11, ts=at(seconds=second)))
    assert [kind for kind, _ in found(*log)] == kinds


def test_the_same_moment_written_in_another_zone_is_no_jump() -> None:
    assert found(dealt(ts="2024-03-09T20:00:00-05:00"), dealt(ts="2024-03-10T01:00:00+00:00")) == []


def test_a_correction_may_bear_the_sequence_number_of_what_it_corrects() -> None:
    log = (dealt(seq=1), dealt(seq=2), dealt("KH", seq=1, id="new", corrects="e1"))
    assert found(*log) == [("correction", "new")]


def test_a_correction_may_bear_the_time_of_what_it_corrects() -> None:
    kinds = found(dealt(), dealt(ts=at(hours=1)), dealt("KH", ts=at(seconds=1), corrects="e1"))
    assert kinds == [("correction", "e3")]


LATER = at(hours=13)


def test_a_leap_in_an_open_table_is_found() -> None:
    defect = only(DefectKind.CLOCK_FORWARD, an("table_opened"), dealt(), dealt(ts=LATER))
    assert defect.event_id == "e3"
    assert "12 h 59 min 58 s" in defect.sentence


@pytest.mark.parametrize(
    "before",
    [
        [dealt()],
        [an("table_opened"), an("table_closed")],
        [an("table_opened"), an("round_started"), an("table_idle_started")],
    ],
    ids=["not known to be open", "closed", "idle"],
)
def test_a_long_pause_of_a_table_that_is_not_in_use_is_none(
    before: list[dict[str, object]],
) -> None:
    assert found(*before, an("player_seated", ts=LATER)) == []


def test_a_new_opening_after_half_a_day_is_no_leap() -> None:
    assert found(an("table_opened"), an("table_opened", ts=LATER)) == []
