"""Each kind of value has one reader and one writer, and they agree."""

from datetime import date, timedelta
from fractions import Fraction

import pytest

from event_schemas import (
    CARDS,
    DURATION,
    FLAG,
    MONEY,
    NUMBER,
    PERCENT,
    PLAIN_KINDS,
    RANK,
    SEAT,
    SUIT,
    TEXT,
    Card,
    Kind,
    Rank,
    ValueProblem,
    builtin_schema,
    enum_kind,
    format_value,
    from_log,
    parse_value,
)
from event_schemas.enums import ROLE
from event_schemas.kinds import expected

AS_WRITTEN = {
    "number": "17",
    "money": "$25.50",
    "odds": "3 to 2",
    "duration": "1 hour 30 minutes",
    "time": "2024-03-09T20:15:00-05:00",
    "date": "1982-09-15",
    "card": "10H",
    "rank": "ace",
    "suit": "hearts",
    "seat": "7",
    "text": "D7",
    "flag": "true",
    "cards": "9S 10H JOKER",
    "percent": "5%",
}


@pytest.mark.parametrize("kind", PLAIN_KINDS.values(), ids=str)
def test_every_kind_writes_what_it_read(kind: Kind) -> None:
    text = AS_WRITTEN[kind.name]
    assert format_value(kind, parse_value(kind, text)) == text


@pytest.mark.parametrize("kind", PLAIN_KINDS.values(), ids=str)
def test_a_value_that_was_read_passes_through_a_log_unchanged(kind: Kind) -> None:
    value = parse_value(kind, AS_WRITTEN[kind.name])
    assert from_log(kind, value) == value


@pytest.mark.parametrize("kind", [k for k in PLAIN_KINDS.values() if k != TEXT], ids=str)
def test_nonsense_is_refused_with_a_sentence(kind: Kind) -> None:
    with pytest.raises(ValueProblem) as problem:
        parse_value(kind, "nonsense!")
    assert problem.value.message.endswith(".")


@pytest.mark.parametrize("kind", PLAIN_KINDS.values(), ids=str)
def test_a_log_value_of_another_shape_is_refused(kind: Kind) -> None:
    with pytest.raises(ValueProblem):
        from_log(kind, {"a": "table"})
    assert expected(kind)


def test_numbers_stay_exact() -> None:
    assert parse_value(NUMBER, "0.1") == Fraction(1, 10)
    assert from_log(NUMBER, 0.25) == Fraction(1, 4)
    assert from_log(NUMBER, 4.0) == 4


def test_a_flag_is_not_a_number() -> None:
    with pytest.raises(ValueProblem, match="yes or no"):
        from_log(NUMBER, True)


def test_a_seat_may_be_written_as_tools_write_columns_with_gaps() -> None:
    assert from_log(SEAT, 3.0) == 3


@pytest.mark.parametrize(
    "seat", [0, -1, True, 2.5, 0.0, -1.0, float("nan"), float("inf"), "3.0", "left"]
)
def test_seats_are_whole_numbers_from_one(seat: object) -> None:
    with pytest.raises(ValueProblem, match="seat number"):
        from_log(SEAT, seat)


def test_a_length_of_time_in_a_log_is_whole_seconds() -> None:
    assert from_log(DURATION, 90) == timedelta(seconds=90)


def test_a_number_may_be_the_name_of_a_table() -> None:
    assert from_log(TEXT, 12) == "12"


def test_a_percentage_says_that_it_is_one() -> None:
    assert parse_value(PERCENT, "5 percent") == parse_value(PERCENT, "0.05") == Fraction(1, 20)
    assert format_value(PERCENT, Fraction(1, 40)) == "2.5%"
    assert parse_value(PERCENT, format_value(PERCENT, Fraction(1, 300))) == Fraction(1, 300)
    with pytest.raises(ValueProblem, match="is not a percentage"):
        parse_value(PERCENT, "5")


def test_ranks_and_suits_are_suggested_when_misspelt() -> None:
    assert parse_value(RANK, "A") is Rank.ACE
    with pytest.raises(ValueProblem) as rank:
        parse_value(RANK, "qeen")
    with pytest.raises(ValueProblem) as suit:
        parse_value(SUIT, "harts")
    assert (rank.value.suggestion, suit.value.suggestion) == ("queen", "hearts")


def test_flags_are_read_from_yes_and_no() -> None:
    assert [parse_value(FLAG, word) for word in ("yes", "no", "True", "false")] == [
        *(True, False, True, False)
    ]


def test_a_list_of_cards_may_be_text_or_a_list() -> None:
    assert from_log(CARDS, ["9S", Card.parse("10H")]) == from_log(CARDS, "9S, 10H")


def test_a_moment_is_not_a_date() -> None:
    assert parse_value(PLAIN_KINDS["date"], "1982-09-15") == date(1982, 9, 15)
    with pytest.raises(ValueProblem):
        from_log(PLAIN_KINDS["date"], "2024-03-09T20:15:00-05:00")


def test_money_problems_reach_the_reader_unchanged() -> None:
    with pytest.raises(ValueProblem, match="cannot hold money exactly"):
        from_log(MONEY, 0.1)


def test_a_misspelt_word_of_an_enum_gets_a_suggestion() -> None:
    with pytest.raises(ValueProblem) as problem:
        parse_value(enum_kind(ROLE), "Floor Person")
    assert problem.value.suggestion == "floorperson"
    assert "is not a role" in problem.value.message
    with pytest.raises(ValueProblem, match="one of system"):
        from_log(enum_kind(ROLE), 3)


def test_roles_are_ordered_from_the_lowest_to_the_highest() -> None:
    order = builtin_schema().enums["role"].values
    ranks = ["player", "dealer", "floorperson", "pit_boss", "casino_shift_manager"]
    assert builtin_schema().enums["role"].ordered
    assert sorted(ranks, key=order.index) == ranks
