"""What a lost record surely did not elect: what its pause elects already, and another game."""

from __future__ import annotations

from typing import Any

import pytest

from compliance.integrity import examine_next, seam
from tests.compliance.integrity.damaged_logs import Line, lost_of
from tests.compliance.integrity.small_tables import SCHEMA, Record, an, frame_of, lost

LOST = "?"
ROUND_1 = ("start 1", "end 1")
ROUND_2 = ("start 2", "end 2")


def table(*words: str, first: int = 1) -> list[Line]:
    """A table's log in one word for each record: `start 1`, `end 1`, `decks=6` for an election,
    `opened blackjack`, other types."""
    lines: list[Line] = []
    for number, word in enumerate(words, start=first):
        name, _, more = word.partition(" ")
        option, _, value = name.partition("=")
        fields: dict[str, Any] = {"seq": number}
        if word == LOST:
            lines.append(LOST)
        elif name in ("start", "end"):
            lines.append(an(f"round_{name}ed", round=int(more), **fields))
        elif name == "opened":
            lines.append(an("table_opened", **({"game": more} if more else {}), **fields))
        elif value:
            lines.append(an("option_elected", option_name=option, value=value, **fields))
        else:
            lines.append(an(name, **fields))
    return lines


def not_elected(*words: str) -> list[set[str]]:
    """For each lost record of a log the options that it did not elect."""
    return [set(record.not_elected) for record in lost_of(table(*words))]


def records(*words: str, first: int = 1) -> list[Record]:
    return [line for line in table(*words, first=first) if not isinstance(line, str)]


def test_what_a_record_of_the_same_pause_elects_was_not_elected_by_the_lost_one() -> None:
    log = ("decks=6", "boxes=7", LOST, "soft_17=hit", *ROUND_1)
    assert not_elected(*log) == [{"decks", "boxes", "soft_17"}]


def test_an_opened_table_elects_its_game() -> None:
    assert not_elected("opened blackjack", LOST, *ROUND_1) == [{"game"}]
    assert not_elected("opened", LOST, *ROUND_1) == [set()]


def test_what_another_pause_elects_may_be_elected_again() -> None:
    log = ("decks=6", *ROUND_1, "soft_17=hit", LOST, *ROUND_2)
    assert not_elected(*log) == [{"soft_17", "game"}]


def test_what_was_elected_before_the_table_closed_may_be_elected_again() -> None:
    log = (*ROUND_1, "decks=6", "table_closed", LOST, *ROUND_2)
    assert not_elected(*log) == [set()]


def test_where_two_records_are_lost_in_a_pause_each_may_have_elected_anything() -> None:
    assert not_elected("decks=6", LOST, LOST, *ROUND_1) == [set()]
    assert not_elected("decks=6", LOST, "boxes=7", LOST, *ROUND_1) == [set(), set()]


@pytest.mark.parametrize(
    "twice",
    [
        ("soft_17=hit", "soft_17=stand"),
        ("soft_17=hit", "soft_17=hit"),
        ("game=baccarat", "opened blackjack"),
        ("opened blackjack", "opened blackjack"),
    ],
)
def test_a_table_that_elects_an_option_twice_in_a_pause_may_have_done_so_anywhere(
    twice: tuple[str, ...],
) -> None:
    assert not_elected(*twice, *ROUND_1, "decks=6", LOST, *ROUND_2) == [{"game"}]
    assert not_elected("decks=6", LOST, *ROUND_1, *twice, *ROUND_2) == [set()]


def test_that_a_table_opens_for_the_game_that_was_elected_is_no_second_election() -> None:
    log = ("game=blackjack", "decks=6", LOST, "opened blackjack", *ROUND_1)
    assert not_elected(*log) == [{"game", "decks"}]


# ---- the game ------------------------------------------------------------------------------------


def test_between_two_rounds_no_other_game_begins() -> None:
    assert not_elected("opened blackjack", *ROUND_1, LOST, *ROUND_2) == [{"game"}]
    assert not_elected("opened blackjack", *ROUND_1, LOST, LOST, *ROUND_2) == [{"game"}]


def test_before_the_first_round_any_game_may_be_elected() -> None:
    assert not_elected("card_burned", LOST, *ROUND_1) == [set()]


def test_where_three_records_are_lost_the_table_may_have_got_another_game() -> None:
    assert not_elected("opened blackjack", *ROUND_1, LOST, LOST, LOST, *ROUND_2) == [set()]


def test_where_the_table_closes_it_may_open_for_another_game() -> None:
    assert not_elected("opened blackjack", *ROUND_1, "table_closed", LOST, *ROUND_2) == [set()]


def test_a_table_that_changed_its_game_without_closing_may_have_done_so_anywhere() -> None:
    log = (*ROUND_1, "game=baccarat", "start 2", "end 2", LOST, "start 3", "end 3")
    assert not_elected(*log) == [set()]
    closed = (*ROUND_1, "table_closed", "game=baccarat", *ROUND_2, LOST, "start 3", "end 3")
    assert not_elected(*closed) == [{"game"}]


# ---- joined logs ---------------------------------------------------------------------------------


def test_what_an_earlier_log_elected_may_be_elected_again() -> None:
    first = frame_of(*records("decks=6", "boxes=7"))
    later = frame_of(*records("soft_17=hit", *ROUND_1, first=4))
    (only,) = lost(examine_next(SCHEMA, seam(SCHEMA, first, first, None), later))
    assert only.seq == 3
    assert only.not_elected == {"soft_17"}
