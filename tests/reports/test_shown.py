"""What a report shows: cards in words, bars that can be compared, times that people would say."""

from __future__ import annotations

import pytest

from event_schemas.lost_record import NO_LIMIT
from reports.cards import drawn
from reports.charts import MOST_BARS, by_hour, charts
from reports.html import render_html
from reports.run_hash import run_hash
from reports.shown import steps
from reports.surroundings import Timeline
from reports.verdicts import FindingKind
from reports.wording import lasting, lost_records, told_of_loss
from reports.zone import Clock
from tests.reports.many_findings import many
from tests.reports.sample import TIMELINE, burn_outcome, full_run, run_of, shown, unburned


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("9S", "9 of spades"),
        ("10H", "10 of hearts"),
        ("AD", "ace of diamonds"),
        ("QC", "queen of clubs"),
    ],
)
def test_a_card_has_a_name_in_words(text: str, words: str) -> None:
    assert drawn(text).words == words


@pytest.mark.parametrize("text", ["JOKER", "1S", "9X", "<b>", ""])
def test_what_is_no_card_of_the_pack_stays_what_it_is(text: str) -> None:
    assert (drawn(text).words, drawn(text).suit) == (text, "")


def test_the_longest_bar_fills_the_chart_and_bars_add_up() -> None:
    found = many(1, 300).findings(FindingKind.VIOLATION)
    for chart in (*charts(found), by_hour(found, Clock("America/New_York"))):
        assert sum(bar.number for bar in chart.bars) == 300
        drawn_bars = [bar for bar in chart.bars if bar.segments]
        longest = max(drawn_bars, key=lambda bar: bar.number)
        assert sum(part.length for part in longest.segments) == pytest.approx(100, abs=0.01)


def test_too_many_bars_are_put_together_as_a_number() -> None:
    table = charts(many(1, 300).findings(FindingKind.VIOLATION))[1]
    assert len(table.bars) == MOST_BARS
    assert table.bars[-1].name == "139 other tables"
    assert table.bars[-1].segments == ()


def test_hours_are_those_of_the_casino_from_morning_to_morning() -> None:
    chart = by_hour([unburned()], Clock("Europe/Berlin"))
    assert [bar.name for bar in chart.bars][:2] == ["06", "07"]
    assert [bar.name for bar in chart.bars if bar.number] == ["02"]


def test_a_gap_stands_where_the_missing_event_was_looked_for() -> None:
    found = unburned().model_copy(update={"timeline": TIMELINE})
    lines = steps(found, Clock())
    kinds = [line.missing or line.skipped or (line.event and line.event.type) for line in lines]
    assert kinds == [
        *("dealer_departed", "dealer_arrived", "no card_burned", "card_dealt", "card_dealt"),
        *(16, "hand_shown"),
    ]


def test_a_gap_in_the_log_is_a_break_with_the_number_of_lost_records() -> None:
    before, *others = TIMELINE.events
    gap = shown("", "19:59:55", "lost_record", 1041).model_copy(update={"lost": 2, "skipped": 3})
    timeline = Timeline(events=(before, gap, *others))
    found = unburned().model_copy(update={"timeline": timeline})
    lines = steps(found, Clock())
    assert [(line.lost, line.skipped) for line in lines[1:3]] == [("", 3), ("2 records lost", 0)]
    assert lines[2].event is None
    assert "<strong>2 records lost</strong>" in render_html(run_of(burn_outcome(found)))


def test_a_gap_of_any_number_of_records_names_none() -> None:
    assert lost_records(1) == "1 record lost"
    assert lost_records(NO_LIMIT) == "records lost"


@pytest.mark.parametrize(
    ("lost", "undecided", "words"),
    [
        (0, 0, ""),
        (1, 0, "1 record is known to be lost, but no check hangs on it"),
        (2, 0, "2 records are known to be lost, but no check hangs on them"),
        (1, 3, "1 record is known to be lost: 3 checks could not be decided because of it"),
    ],
)
def test_what_is_lost_is_told_with_what_follows_from_it(
    lost: int, undecided: int, words: str
) -> None:
    assert told_of_loss(lost, undecided) == words


def test_the_day_is_said_again_when_it_changes_on_the_casinos_clock() -> None:
    before, after = TIMELINE.events[:2]
    late = after.model_copy(update={"ts": before.ts.replace(hour=23, minute=59)})
    timeline = Timeline(events=(before, late))
    found = unburned().model_copy(update={"timeline": timeline})
    assert [line.new_day for line in steps(found, Clock("America/New_York"))] == [True, False]
    assert [line.new_day for line in steps(found, Clock("Asia/Kathmandu"))] == [True, False]
    assert [line.new_day for line in steps(found, Clock("UTC"))] == [True, False]
    assert [line.new_day for line in steps(found, Clock("America/Halifax"))] == [True, True]


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0, "0 seconds"),
        (1, "1 second"),
        (59, "59 seconds"),
        (90, "1 minute 30 seconds"),
        (3_600, "1 hour"),
        (5_400, "1 hour 30 minutes"),
        (3_599, "59 minutes 59 seconds"),
        (90_061, "25 hours 1 minute"),
    ],
)
def test_a_length_of_time_is_said_as_people_say_it(seconds: int, words: str) -> None:
    assert lasting(seconds) == words


def test_the_hash_of_a_run_changes_with_anything_that_it_says() -> None:
    run = full_run()
    assert run_hash(run) == run_hash(full_run())
    assert run_hash(run) != run_hash(run.model_copy(update={"notes": ("another",)}))
    first = run.outcomes[0]
    fewer = first.model_copy(update={"findings": first.findings[:1]})
    assert run_hash(run) != run_hash(
        run.model_copy(update={"outcomes": (fewer, *run.outcomes[1:])})
    )
