"""A lost record stands in a table's frame as a row without content, and comes back as an event."""

from __future__ import annotations

from datetime import timedelta

import polars as pl

from compliance.log.manifest import inferred_manifest
from compliance.table_log.coded_texts import coded, recoded, uncoded
from compliance.table_log.frame import FrameEvents
from compliance.table_log.lost_rows import (
    LOST_COLUMNS,
    LostRow,
    lost_type,
    with_lost_rows,
    without_lost_rows,
)
from event_schemas.lost_record import LOST_RECORD, NO_LIMIT, LostRecord
from tests.compliance.integrity.small_tables import SCHEMA, START, an, dealt, frame_of

DEALT = frozenset({"card_dealt"})
FRAME = frame_of(dealt(seq=5), dealt(seq=9, seat=3), an("round_ended", seq=10))
LOST = (
    LostRow(0, 4, 1, DEALT),
    LostRow(1, 6, 2, frozenset({"wager_paid", "card_dealt"}), "log.jsonl", 2),
    LostRow(1, 8, 1, frozenset(), not_elected=frozenset({"soft_17", "game"})),
    LostRow(3, 11, NO_LIMIT, DEALT),
)


def whole() -> pl.DataFrame:
    return with_lost_rows(SCHEMA, FRAME, LOST, FRAME.clear())


def at(seconds: int) -> object:
    return START + timedelta(seconds=seconds)


def test_lost_rows_stand_at_their_places_without_any_content() -> None:
    frame = whole()
    assert frame["seq"].to_list() == [4, 5, 6, 8, 9, 10, 11]
    rows = frame.filter(pl.col("type") == lost_type(SCHEMA))
    assert set(rows["id"]) == {""}
    fields = [name for name in FRAME.columns if ":" in name]
    assert all(rows[name].null_count() == len(rows) for name in fields)
    assert rows["lost_may_be"].to_list() == [
        "card_dealt",
        "card_dealt wager_paid",
        "",
        "card_dealt",
    ]
    assert rows["lost_times"].to_list() == [1, 2, 1, NO_LIMIT]
    assert rows["lost_not_elected"].to_list() == ["", "", "game soft_17", ""]


def test_a_lost_record_happened_between_its_neighbours() -> None:
    events = [event for event in FrameEvents(SCHEMA, whole()) if isinstance(event, LostRecord)]
    assert [(event.ts, event.until) for event in events] == [
        (at(5), at(5)),
        (at(5), at(9)),
        (at(5), at(9)),
        (at(10), at(10)),
    ]


def test_what_is_lost_at_the_seam_happened_after_the_last_record_of_the_earlier_log() -> None:
    frame = with_lost_rows(SCHEMA, FRAME[1:], [LostRow(0, 6, 3, DEALT)], FRAME[:1])
    first = FrameEvents(SCHEMA, frame)[0]
    assert isinstance(first, LostRecord)
    assert (first.ts, first.until) == (at(5), at(9))


def test_a_clock_that_was_put_back_does_not_make_a_lost_record_end_before_it_begins() -> None:
    frame = frame_of(
        dealt(seq=1, ts=START.isoformat()), dealt(seq=3, ts="2024-03-09T19:00:00-05:00")
    )
    lost = FrameEvents(SCHEMA, with_lost_rows(SCHEMA, frame, [LostRow(1, 2, 1, DEALT)], frame[:0]))
    assert isinstance(lost[1], LostRecord)
    assert (lost[1].ts, lost[1].until) == (START, START)


def test_events_are_the_same_one_by_one_and_all_together() -> None:
    for frame in (whole(), coded(whole()), uncoded(coded(whole()))):
        events = FrameEvents(SCHEMA, frame)
        assert [events[place] for place in range(len(events))] == list(events)
        assert [event.type for event in events].count(LOST_RECORD) == len(LOST)
        known = [event for event in events if not isinstance(event, LostRecord)]
        assert known == list(FrameEvents(SCHEMA, FRAME))


def test_a_lost_record_can_be_shown_as_evidence() -> None:
    shown = FrameEvents(SCHEMA, whole()).witness(2, "unclear")
    assert (shown.type, shown.seq, shown.event_id, shown.part) == (LOST_RECORD, 6, "", "unclear")


def test_lists_of_texts_go_with_lost_rows() -> None:
    frame = with_lost_rows(SCHEMA, coded(FRAME), LOST, FRAME.clear())
    again = pl.DataFrame([recoded(column) for column in frame.iter_columns()])
    assert list(FrameEvents(SCHEMA, again)) == list(FrameEvents(SCHEMA, whole()))


def test_what_is_known_of_lost_records_is_no_field_of_events() -> None:
    assert inferred_manifest(SCHEMA, [whole()]) == inferred_manifest(SCHEMA, [FRAME])


def test_without_lost_rows_a_frame_is_as_if_nothing_had_been_lost() -> None:
    assert without_lost_rows(SCHEMA, whole()).equals(FRAME)
    assert without_lost_rows(SCHEMA, FRAME) is FRAME
    assert not set(LOST_COLUMNS) & set(FRAME.columns)
