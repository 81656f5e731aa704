"""Money, odds, moments and lengths of time are exact, and read back as they are written."""

from datetime import UTC, date, datetime, timedelta
from fractions import Fraction
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from event_schemas import (
    format_duration,
    format_money,
    format_odds,
    format_time,
    parse_date,
    parse_duration,
    parse_money,
    parse_odds,
    parse_time,
)
from event_schemas.money import money_from_log


@pytest.mark.parametrize(
    ("text", "cents"),
    [("$25", 2500), ("$1,250.50", 125050), ("25.00", 2500), ("$0.5", 50), ("-$3", -300)],
)
def test_money_is_read_as_cents(text: str, cents: int) -> None:
    assert parse_money(text) == cents


def test_money_is_written_without_cents_when_it_is_whole() -> None:
    assert [format_money(cents) for cents in (2500, 2550, 125050, -300)] == [
        *("$25", "$25.50", "$1,250.50", "-$3")
    ]


@given(st.integers(-(10**12), 10**12))
def test_money_reads_back_as_it_is_written(cents: int) -> None:
    assert parse_money(format_money(cents)) == cents


@pytest.mark.parametrize("text", ["", "$", "12,50", "$1.234", "twenty", "1,2345"])
def test_what_is_not_money_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(ValueError, match="is not an amount of money; write it as in"):
        parse_money(text)


def test_a_float_is_refused_as_money_because_it_is_not_exact() -> None:
    with pytest.raises(ValueError, match="cannot hold money exactly"):
        money_from_log(25.0)


def test_text_that_could_be_dollars_or_cents_is_refused() -> None:
    with pytest.raises(ValueError, match="whether it is dollars or cents"):
        money_from_log("2500")


def test_a_flag_is_not_money() -> None:
    with pytest.raises(ValueError, match="yes or no"):
        money_from_log(True)


@pytest.mark.parametrize("text", ["3 to 2", "3:2", "3 TO 2", "1.5 to 1", "6 to 4"])
def test_odds_are_read_in_both_spellings(text: str) -> None:
    assert parse_odds(text) == Fraction(3, 2)


@given(st.fractions(min_value=0, max_value=10_000))
def test_odds_read_back_as_they_are_written(odds: Fraction) -> None:
    assert parse_odds(format_odds(odds)) == odds


@pytest.mark.parametrize("text", ["3", "3/2", "three to two", "3 to 0"])
def test_what_is_not_odds_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(ValueError, match="is not odds; write them as in 3 to 2"):
        parse_odds(text)


def test_a_moment_keeps_the_offset_that_the_log_gave_it() -> None:
    moment = parse_time("2024-03-09T20:15:00-05:00")
    assert moment.utcoffset() == timedelta(hours=-5)
    assert format_time(moment) == "2024-03-09T20:15:00-05:00"


def test_a_moment_keeps_the_zone_that_the_log_names() -> None:
    text = "2024-07-09T20:15:00-04:00[America/New_York]"
    assert parse_time(text).tzinfo == ZoneInfo("America/New_York")
    assert format_time(parse_time(text)) == text


def test_a_moment_without_an_offset_is_refused() -> None:
    with pytest.raises(ValueError, match="has no offset from UTC"):
        parse_time("2024-03-09T20:15:00")


@pytest.mark.parametrize("text", ["yesterday", "", "2024-13-01T00:00:00Z"])
def test_what_is_not_a_moment_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(ValueError, match="is not a time; write it as in"):
        parse_time(text)


def test_an_unknown_zone_is_refused_by_name() -> None:
    with pytest.raises(ValueError, match='"Mars/Olympus" is not the name of a time zone'):
        parse_time("2024-03-09T20:15:00-05:00[Mars/Olympus]")


@given(st.datetimes(timezones=st.just(UTC)))
def test_moments_read_back_as_they_are_written(moment: datetime) -> None:
    assert parse_time(format_time(moment)) == moment


def test_a_date_is_a_day_without_a_time() -> None:
    assert parse_date("1982-09-15") == date(1982, 9, 15)
    with pytest.raises(ValueError, match="is not a date"):
        parse_date("15 September 1982")


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("30 minutes", 1800),
        ("2 hours", 7200),
        ("90 seconds", 90),
        ("1 day", 86400),
        ("1 hour 30 minutes", 5400),
        ("1.5 hours", 5400),
    ],
)
def test_lengths_of_time_are_read_from_words(text: str, seconds: int) -> None:
    assert parse_duration(text) == timedelta(seconds=seconds)


@given(st.integers(0, 10**9))
def test_lengths_of_time_read_back_as_they_are_written(milliseconds: int) -> None:
    length = timedelta(milliseconds=milliseconds)
    assert parse_duration(format_duration(length)) == length


@pytest.mark.parametrize("text", ["", "30", "soon", "2 moons", "1 hour and a bit"])
def test_what_is_not_a_length_of_time_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(ValueError, match="is not a length of time; write it as in"):
        parse_duration(text)
