"""A sound log comes back as it was, and the same log always shows the same defects."""

from __future__ import annotations

from datetime import date
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from compliance.integrity import examine
from compliance.log.layout import empty_frame
from compliance.simulate.night import GAMES, TablePlan, play_night
from compliance.simulate.table import Place
from compliance.simulate.writing import log_records
from compliance.table_log.coded_texts import coded, uncoded
from compliance.table_log.lost_rows import without_lost_rows
from tests.compliance.integrity.small_tables import SCHEMA, frame_of_lines


def night(game: str, seed: int, rounds: int) -> list[dict[str, Any]]:
    place = Place("C1", "P1", "T1", game)
    chapters = play_night(TablePlan(place, date(2008, 3, 8), seed, None, rounds))
    return list(log_records(place, chapters))


def lines(records: list[dict[str, Any]]) -> list[str]:
    return [msgspec.json.encode(record).decode() for record in records]


@pytest.mark.parametrize("game", sorted(GAMES))
@settings(max_examples=6, deadline=None)
@given(seed=st.integers(0, 10_000), rounds=st.integers(1, 40))
def test_a_clean_night_comes_back_unchanged_and_without_defects(
    game: str, seed: int, rounds: int
) -> None:
    frame = frame_of_lines(lines(night(game, seed, rounds)))
    before = frame.clone()
    result = examine(SCHEMA, frame)
    assert result.defects == ()
    assert result.frame is frame
    assert frame.equals(before)


@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 10_000))
def test_records_that_come_again_change_nothing_but_the_defects(seed: int) -> None:
    random = Random(seed)
    records = night("minibaccarat", 3, 4)
    clean = frame_of_lines(lines(records))
    again = sorted([*records, *random.choices(records, k=20)], key=lambda record: record["seq"])
    result = examine(SCHEMA, frame_of_lines(lines(again)))
    assert result.frame.drop("line").equals(clean.drop("line"))
    assert {defect.kind.value for defect in result.defects} == {"retransmission"}


def damaged(random: Random, records: list[dict[str, Any]]) -> list[str]:
    """A night with records that are lost, come again, or are about others."""
    for _ in range(10):
        number = random.randrange(len(records))
        other = random.choice(records)["id"]
        damage = random.choice(({}, {"seq": 5}, {"corrects": other}, {"voids": other}))
        records.insert(number, random.choice(records) | damage)
        del records[random.randrange(len(records))]
    return lines(records)


@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 10_000))
def test_a_damaged_log_shows_the_same_defects_in_order_every_time(seed: int) -> None:
    text = damaged(Random(seed), night("minibaccarat", 3, 4))
    first, second = (examine(SCHEMA, frame_of_lines(text)) for _ in range(2))
    assert first.defects == second.defects
    assert first.frame.equals(second.frame)
    assert [defect.seq for defect in first.defects] == sorted(d.seq for d in first.defects)
    assert without_lost_rows(SCHEMA, first.frame)["id"].is_unique().all()
    assert first.frame["seq"].is_sorted()


@pytest.mark.parametrize("game", ["blackjack", "minibaccarat"])
@settings(max_examples=10, deadline=None)
@given(seed=st.integers(0, 10_000))
def test_texts_held_as_lists_change_neither_the_events_nor_the_defects(
    game: str, seed: int
) -> None:
    frame = frame_of_lines(damaged(Random(seed), night(game, seed % 7, 12)))
    plain, small = examine(SCHEMA, frame), examine(SCHEMA, coded(frame))
    assert small.defects == plain.defects
    assert uncoded(small.frame).equals(plain.frame)


def test_a_table_without_events_has_no_defects() -> None:
    assert examine(SCHEMA, empty_frame()).defects == ()
