"""Where records are lost: at holes in a table's numbers, and where lines cannot be read."""

from __future__ import annotations

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from compliance.integrity import Damage, ExaminedTable, examine, examine_next, records_lost, seam
from compliance.log.lost_lines import LostLine
from compliance.table_log.lost_rows import without_lost_rows
from tests.compliance.integrity.damaged_logs import Line, blotted, examined_tables, lost_at, lost_of
from tests.compliance.integrity.small_tables import (
    SCHEMA,
    Record,
    an,
    dealt,
    examined,
    frame_of,
    ids,
    lost,
)


def of(table: str, *numbers: int) -> list[Record]:
    """Records of a table with these numbers."""
    return [dealt(seq=number, table=table, id=f"{table}-{number}") for number in numbers]


BROKEN = an("card_dealt", seq=4, to="nobody", id="broken")
CLOCK = tuple(range(100, 3000, 100))


def test_a_hole_in_the_numbers_is_one_place_with_as_many_lost_records() -> None:
    found = lost(examined(dealt(seq=1), dealt(seq=5), dealt(seq=6)))
    assert [(event.seq, event.times) for event in found] == [(2, 3)]


def test_a_record_that_a_mapping_left_out_is_not_lost() -> None:
    frame = frame_of(dealt(seq=1), dealt(seq=4))
    assert lost(examine(SCHEMA, frame, left_out=(2, 3))) == []
    assert [event.seq for event in lost(examine(SCHEMA, frame, left_out=(2,)))] == [3]


def test_numbers_that_are_no_counter_lose_nothing() -> None:
    assert lost(examined(*(dealt(seq=number) for number in CLOCK))) == []


def test_a_line_with_its_number_and_type_fills_its_hole() -> None:
    (only,) = lost_of([*of("T1", 1, 2, 3), BROKEN, *of("T1", 5)])
    assert (only.seq, only.times, only.may_be) == (4, 1, frozenset({"card_dealt"}))


def test_a_line_with_a_word_that_is_no_type_may_be_of_any_type() -> None:
    (only,) = lost_of([*of("T1", 1, 2, 3), BROKEN | {"type": "card_delt"}, *of("T1", 5)])
    assert len(only.may_be) > 100


def test_a_known_line_parts_a_larger_hole() -> None:
    found = lost_of([*of("T1", 1, 2), BROKEN, *of("T1", 7)])
    places = [(event.seq, event.times, len(event.may_be) == 1) for event in found]
    assert places == [(3, 1, False), (4, 1, True), (5, 2, False)]


def test_a_known_line_after_the_last_record_shows_what_is_missing_before_it() -> None:
    assert lost_at([*of("T1", 1, 2), BROKEN]) == [(3, 1), (4, 1)]


def test_a_damaged_copy_of_a_record_that_is_there_takes_nothing_away() -> None:
    assert lost_at([*of("T1", 1, 2), of("T1", 2)[0] | {"to": "nobody"}, *of("T1", 3)]) == []


def test_a_line_with_a_number_that_another_record_has_is_lost_beside_it() -> None:
    assert lost_at([*of("T1", 3, 4), BROKEN, *of("T1", 5)]) == [(4, 1)]


def test_an_unreadable_line_leaves_a_table_alone_whose_numbers_are_whole() -> None:
    files: list[Line] = [*of("T1", 1, 2), *of("T2", 1), "?", *of("T1", 3), *of("T2", 3)]
    assert lost_at(files) == []
    (only,) = lost_of(files, table="T2")
    assert (only.seq, only.times) == (2, 1)
    row = examined_tables(files)["T2"].frame.row(1, named=True)
    assert (row["file"], row["line"]) == ("1.jsonl", 4)


def test_an_unreadable_line_may_be_of_each_table_whose_last_record_stands_before_it() -> None:
    files: list[Line] = [*of("T1", 1, 2), *of("T2", 1), "?", "?", *of("T2", 2)]
    assert lost_at(files) == [(3, 2)]
    assert lost_at(files, table="T2") == []


def test_a_table_with_a_later_file_of_whole_numbers_lost_nothing_at_the_end_of_the_first() -> None:
    assert lost_at([*of("T1", 1, 2), "?"], of("T1", 3)) == []


def test_an_unreadable_line_before_the_first_record_counts_unless_that_is_number_one() -> None:
    assert lost_at(["?", *of("T1", 1, 2)]) == []
    assert lost_at(["?", *of("T1", 2, 3)]) == [(1, 1)]
    assert lost_at(["?", "?", "?", *of("T1", 8, 9)]) == [(5, 3)]


def test_a_file_without_records_of_a_table_says_nothing_of_it() -> None:
    assert lost_at(of("T1", 1, 2), [*of("T2", 1), "?"]) == []


def test_where_numbers_show_no_holes_a_line_stands_at_its_place_in_the_file() -> None:
    numbers = of("T1", *CLOCK)
    found = lost_of([*numbers[:3], "?", "?", *numbers[3:]])
    assert [(event.seq, event.times, event.may_be == frozenset()) for event in found] == [
        (301, 2, False)
    ]


def test_a_line_in_a_file_out_of_order_may_stand_anywhere_between_its_neighbours() -> None:
    numbers = of("T1", *CLOCK)
    found = lost_at([numbers[0], "?", numbers[3], numbers[1], numbers[2], *numbers[4:]])
    assert found == [(101, 1), (201, 1), (301, 1)]


def test_a_line_that_names_its_table_in_a_file_without_others_stands_between_the_files() -> None:
    numbers = of("T1", *CLOCK)
    bad = '{"casino":"C1","table":"T1","type":"card_dealt","to'
    (only,) = lost_of(numbers[:5], [bad, *of("T2", 1)], numbers[5:])
    assert (only.seq, only.may_be) == (501, frozenset({"card_dealt"}))


def test_numbers_stay_a_counter_when_most_lines_were_set_aside() -> None:
    records = of("T1", *range(1, 61))
    lines = [row if row["seq"] % 3 == 0 else row | {"to": "nobody"} for row in records]
    assert sum(times for _, times in lost_at(lines)) == 40


@settings(deadline=None)
@given(
    # With more, numbers that are gone could make it seem that they never counted anything.
    size=st.integers(1, 22),
    tables=st.integers(1, 3),
    blots=st.sets(st.integers(0, 21)),
    deleted=st.booleans(),
)
def test_what_is_there_and_what_is_lost_is_the_whole_log(
    size: int, tables: int, blots: set[int], deleted: bool
) -> None:
    """Lines that are gone show as holes; what is blotted shows at the ends of a table as well."""
    counts = [0] * tables
    records = []
    for place in range(size):
        counts[place % tables] += 1
        records += of(f"T{place % tables + 1}", counts[place % tables])
    kept = [record for place, record in enumerate(records) if place not in blots]
    for name in {record["table"] for record in kept}:
        numbers = [record["seq"] for record in kept if record["table"] == name]
        whole = max(record["seq"] for record in records if record["table"] == name)
        lines = kept if deleted else blotted(records, blots)
        result = examined_tables(lines)[name]
        assert numbers_of(result) == numbers
        gone = [n for event in lost(result) for n in range(event.seq, event.seq + event.times)]
        last, first = max(numbers), min(numbers)
        if deleted:
            assert sorted([*numbers, *gone]) == list(range(first, last + 1))
        else:
            # Of a line without a name it is not known whether it was this table's.
            assert {*numbers, *gone} >= set(range(1, whole + 1))
            assert sorted(n for n in gone if first < n < last) == sorted(
                set(range(first, last)) - set(numbers)
            )


def numbers_of(result: ExaminedTable) -> list[int]:
    """The numbers of the records that are there."""
    return without_lost_rows(SCHEMA, result.frame)["seq"].to_list()


# ---- how many --------------------------------------------------------------------------------


def total(*files: list[Line], unreadable: int) -> int:
    return records_lost((table.loss for table in examined_tables(*files).values()), unreadable)


def test_a_line_without_a_name_counts_once_however_many_tables_it_may_belong_to() -> None:
    lines: list[Line] = [*of("T1", 1), *of("T2", 1), *of("T3", 1), "?"]
    assert total(lines, unreadable=1) == 1


def test_a_line_that_may_be_a_missing_number_is_not_counted_again() -> None:
    lines: list[Line] = [*of("T1", 1), *of("T2", 1), "?", *of("T1", 3), *of("T3", 1), "?"]
    assert total(lines, unreadable=2) == 2


def test_holes_count_beside_the_lines_that_name_their_table() -> None:
    assert total([*of("T1", 1, 3), BROKEN, *of("T1", 7)], unreadable=1) == 4


# ---- nights --------------------------------------------------------------------------------------


def night(*numbers: int) -> list[Record]:
    return [dealt(seq=number) for number in numbers]


@pytest.mark.parametrize(("second", "expected"), [((4, 5), []), ((6, 7), [(4, 2)])])
def test_numbers_lost_between_two_nights_are_lost_in_the_second(
    second: tuple[int, ...], expected: list[tuple[int, int]]
) -> None:
    first = frame_of(*night(1, 3))
    kept = seam(SCHEMA, first, examine(SCHEMA, first).frame, None)
    result = examine_next(SCHEMA, kept, frame_of(*night(*second)))
    assert [(event.seq, event.times) for event in lost(result)] == expected


def test_a_line_at_the_beginning_of_a_night_counts_if_numbers_leave_room_for_it() -> None:
    first = frame_of(*night(1, 2, 3))
    kept = seam(SCHEMA, first, first, None)
    damage = Damage([LostLine("log.jsonl", 1, 1, 1)])
    near, far = (
        frame_of(*night(*numbers)).with_columns(pl.col("line") + 1) for numbers in ((4, 5), (5, 6))
    )
    assert lost(examine_next(SCHEMA, kept, near, damage=damage)) == []
    (only,) = lost(examine_next(SCHEMA, kept, far, damage=damage))
    assert (only.seq, only.times) == (4, 1)


def test_a_correction_tells_what_contradicting_records_left_open() -> None:
    right = dealt("2C", seq=4, id="right", corrects="e2")
    result = examined(dealt(seq=1), dealt("9S", seq=2), dealt("KH", seq=2), dealt(seq=3), right)
    assert lost(result) == []
    assert ids(result) == ["e1", "right", "e3"]


@pytest.mark.parametrize("about", ["corrects", "voids"])
def test_what_an_unreadable_line_corrects_or_cancels_is_lost_with_it(about: str) -> None:
    broken = BROKEN | {about: "T1-2", "type": "card_burned"}
    found = lost_of([*of("T1", 1, 2, 3), broken, *of("T1", 5)])
    assert [event.seq for event in found] == [2, 4]
    assert found[0].may_be == {"card_dealt", "card_burned"}


def test_many_events_with_one_number_are_taken_in_the_order_of_the_log() -> None:
    records = [an("round_started", seq=n // 3, id=f"e{n}") for n in range(3, 63)]
    assert lost(examined(*records)) == []
