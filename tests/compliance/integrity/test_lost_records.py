"""What a lost record can have been: never less than what it was, and no more than need be."""

from __future__ import annotations

from datetime import date
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from compliance.integrity import examine_next, seam
from compliance.integrity.lost_records import BETWEEN_ROUNDS, CHANGES
from compliance.integrity.round_borders import BORDERS
from compliance.integrity.shoes import NEW_LIFE
from compliance.simulate.night import GAMES, TablePlan, play_night
from compliance.simulate.table import Place
from compliance.simulate.writing import log_records
from compliance.table_log.lost_rows import without_lost_rows
from compliance.values.elected_options import ELECTIONS
from tests.compliance.integrity.damaged_logs import Line, blotted, examined_tables, lost_of
from tests.compliance.integrity.small_tables import SCHEMA, Record, an, examined, frame_of, lost

DAYS = (date(1996, 5, 4), date(2008, 3, 8), date(2012, 7, 7))
LOST = "?"
REQUIRED: dict[str, dict[str, Any]] = {
    "option_elected": {"option_name": "decks", "value": "6"},
    **{name: {"subject": "decks"} for name in ("rule_changed", "notice_posted", "patrons_told")},
    **{name: {"subject": "decks"} for name in ("commission_notified", "surveillance_notified")},
    **{name: {"dealer": "D1"} for name in ("dealer_arrived", "dealer_departed")},
}


def table(*types: str) -> list[Line]:
    """A table's log in one word for each record: `start 7`, `deal 7`, `end 7`, other types."""
    words = {"start": "round_started", "deal": "card_dealt", "end": "round_ended"}
    lines: list[Line] = []
    for number, text in enumerate(types, start=1):
        if text == LOST:
            lines.append(LOST)
            continue
        name, _, of_round = text.partition(" ")
        fields: dict[str, Any] = {"seq": number, **REQUIRED.get(name, {})}
        if of_round:
            fields["round"] = int(of_round)
        if name == "deal":
            fields["to"] = "player"
        lines.append(an(words.get(name, name), **fields))
    return lines


def may_be(*types: str) -> frozenset[str]:
    """What the only lost record of a log can have been."""
    (only,) = lost_of(table(*types))
    return only.may_be


SEVEN = ("start 7", "deal 7", "end 7")
NINE = ("start 9", "deal 9", "end 9")


def test_a_record_inside_of_a_round_neither_begins_nor_ends_one() -> None:
    found = may_be(*SEVEN, "start 8", LOST, "deal 8", "end 8")
    assert not found & {*BORDERS}
    assert "wager_placed" in found


def test_what_happens_between_rounds_is_not_lost_inside_of_one() -> None:
    found = may_be(*SEVEN, "start 8", LOST, "deal 8", "end 8")
    assert not found & {name for group in BETWEEN_ROUNDS for name in group}


def test_what_the_log_shows_inside_of_a_round_may_be_lost_there_with_all_that_is_like_it() -> None:
    found = may_be("start 7", "deal 7", "dealer_departed", "end 7", "start 8", LOST, "end 8")
    assert {"dealer_arrived", "dealer_departed"} <= found
    assert "cards_shuffled" not in found


def test_a_notice_may_be_lost_anywhere() -> None:
    assert "surveillance_notified" in may_be(*SEVEN, "start 8", LOST, "end 8")


def test_between_a_round_and_the_next_nothing_is_lost_that_begins_or_ends_one() -> None:
    found = may_be(*SEVEN, LOST, "start 8", "end 8")
    assert not found & {*BORDERS}
    assert "cards_shuffled" in found


def test_the_end_of_a_round_that_has_none_may_be_lost() -> None:
    found = may_be(*SEVEN, "start 8", "deal 8", LOST, *NINE)
    assert {"round_ended", "round_voided"} <= found
    assert "round_started" not in found


def test_the_beginning_of_a_round_that_has_none_may_be_lost() -> None:
    found = may_be(*SEVEN, LOST, "deal 8", "end 8", *NINE)
    assert "round_started" in found
    assert "round_ended" not in found


def test_the_only_record_lost_beside_a_round_without_an_end_was_that_end() -> None:
    kept = (*SEVEN, "start 8", "deal 8", LOST, *NINE)
    assert may_be(*kept) == {"round_ended", "round_voided"}
    assert may_be(*SEVEN, LOST, "deal 8", "end 8", *NINE) == {"round_started"}


def test_two_records_lost_where_an_end_and_a_beginning_are_missing_were_these_two() -> None:
    log = (*SEVEN, "start 8", "deal 8", LOST, LOST, "deal 9", "end 9")
    assert may_be(*log) == {*BORDERS}
    assert "wager_placed" in may_be(*log[:5], LOST, *log[5:])


@pytest.mark.parametrize("border", ["start", "end"])
def test_a_border_without_a_number_is_that_of_the_round_beside_it(border: str) -> None:
    eight = tuple(border if text == f"{border} 8" else text for text in ("start 8", "end 8"))
    assert not may_be(*SEVEN, *eight, LOST, *NINE) & {*BORDERS}
    assert not may_be(*SEVEN, *eight, "start 9", LOST, "end 9") & {*BORDERS}


def test_a_border_without_a_number_tells_nothing_if_a_round_may_be_lost_beside_it() -> None:
    log = (*SEVEN, "start", LOST, LOST, "deal 9", "end 9", "start 10", LOST, "end 10")
    assert {*BORDERS} <= lost_of(table(*log))[-1].may_be


@pytest.mark.parametrize(
    "log",
    [
        ("start 6", *SEVEN, "start 8", "deal 8", LOST, *NINE),
        (*SEVEN, "start 8", "deal 8", LOST, LOST, *NINE),
        (*SEVEN, "start 8", LOST, "deal 9", "end 9"),
        ("start 8", "deal 8", LOST, *NINE),
    ],
    ids=["not-kept", "two-lost", "both-missing", "nothing-shown"],
)
def test_a_round_without_an_end_says_no_more_than_that_it_may_be_lost(
    log: tuple[str, ...],
) -> None:
    assert {"round_ended", "round_voided", "wager_placed"} <= may_be(*log)


def test_where_a_number_of_rounds_is_left_out_a_whole_round_may_be_lost() -> None:
    found = may_be(*SEVEN, LOST, *NINE)
    assert {*BORDERS} <= found


def test_after_the_last_round_another_may_begin() -> None:
    found = may_be(*SEVEN, LOST)
    assert "round_started" in found
    assert "round_ended" not in found


def test_of_two_records_after_the_last_round_one_may_end_another() -> None:
    assert {*BORDERS} <= may_be(*SEVEN, LOST, LOST)


def test_before_round_one_no_round_ends() -> None:
    assert not may_be(LOST, "start 1", "end 1", "start 2", "end 2") & {*BORDERS}
    assert "round_ended" in may_be("table_opened", LOST, "start 5", "end 5", "start 6", "end 6")


@pytest.mark.parametrize(
    "log",
    [
        ("start 7", "end 7", "start 7", LOST, "deal 7", "end 7", "start 8"),
        ("start 7", "end 7", "round_voided 7", "start 8", LOST, "deal 8", "end 8"),
        ("start 7", "end 7", "start 9", "end 9", "start 8", LOST, "deal 8"),
        ("start 7", "end 7", "start 9", "end 9", "start 10", LOST, "deal 10"),
        ("start 7", "deal 7", "end 7", "deal 7", "start 8", LOST, "deal 8"),
        ("start 7", "end 7", "end", "start 8", LOST, "deal 8", "end 8"),
        ("start 7", "start", "end 7", "start 8", LOST, "deal 8", "end 8"),
        ("card_burned", "start", LOST, "deal", "end"),
    ],
    ids=["again", "two-ends", "back", "leap", "late", "second-end", "second-start", "unnumbered"],
)
def test_a_table_that_does_not_count_its_rounds_so_may_lose_their_borders(
    log: tuple[str, ...],
) -> None:
    assert {*BORDERS} <= may_be(*log)


def test_an_election_is_not_lost_alone_between_two_rounds() -> None:
    assert not may_be(*SEVEN, LOST, "start 8", "end 8") & {*ELECTIONS}


@pytest.mark.parametrize("word", CHANGES)
def test_an_election_may_be_lost_where_the_log_speaks_of_a_change(word: str) -> None:
    assert {*ELECTIONS} <= may_be(*SEVEN, word, LOST, "start 8", "end 8")


def test_an_election_may_be_among_several_lost_records() -> None:
    assert {*ELECTIONS} <= may_be(*SEVEN, LOST, LOST, "start 8", "end 8")


def test_a_missing_border_is_not_one_of_several_records_that_may_tell_of_an_election() -> None:
    assert not may_be(*SEVEN, LOST, LOST, "deal 8", "end 8", *NINE) & {*ELECTIONS}
    assert {*ELECTIONS} <= may_be(*SEVEN, LOST, LOST, LOST, "deal 8", "end 8", *NINE)


def test_an_election_may_be_lost_before_the_first_round() -> None:
    assert {*ELECTIONS} <= may_be("dealer_arrived", LOST, *SEVEN)


def test_a_table_that_elects_without_a_word_may_lose_elections_anywhere() -> None:
    log = (*SEVEN, "option_elected", "start 8", "end 8", LOST, *NINE)
    assert {*ELECTIONS} <= may_be(*log)


def test_an_election_is_not_lost_where_neither_neighbour_speaks_of_a_change() -> None:
    told = ("option_elected", "notice_posted")
    assert "option_elected" not in may_be(*told, "dealer_arrived", LOST, "card_burned", *SEVEN)
    assert "option_elected" in may_be(*told, LOST, "card_burned", *SEVEN)
    assert "option_elected" in may_be("card_burned", LOST, *told, *SEVEN)
    assert "option_elected" in may_be(*told, "dealer_arrived", LOST, LOST, "card_burned", *SEVEN)
    assert "option_elected" in may_be(LOST, "dealer_arrived", *told, *SEVEN)


def test_records_lost_elsewhere_in_a_pause_are_no_neighbours_of_an_election() -> None:
    told = ("option_elected", "notice_posted")
    pause = ("dealer_arrived", LOST, "card_burned", "dealer_departed", LOST, "card_burned")
    found = lost_of(table(*told, *SEVEN, *pause, "start 8", "end 8"))
    assert len(found) == 2
    assert not any("option_elected" in event.may_be for event in found)


def test_an_election_is_not_lost_beside_a_notice_where_a_table_opens_with_elections_in_a_row() -> (
    None
):
    elected = ("option_elected", "option_elected", "option_elected")
    assert "option_elected" in may_be("option_elected", LOST, "option_elected", *SEVEN)
    assert "option_elected" in may_be(*elected, LOST, "notice_posted", *SEVEN)
    notices = ("notice_posted", LOST, "notice_posted")
    assert "option_elected" not in may_be(*elected, *notices, *SEVEN)
    alone = ("option_elected", "notice_posted")
    assert "option_elected" in may_be(*elected, *notices, *alone, *SEVEN)


def test_an_election_may_be_lost_anywhere_before_the_first_round_if_another_stands_alone() -> None:
    alone = ("notice_posted", "dealer_arrived", "option_elected", "dealer_departed")
    assert "option_elected" in may_be(*alone, "dealer_arrived", LOST, "card_burned", *SEVEN)


SHUFFLE = ("shuffle_started", "cards_shuffled", "cards_cut")


def test_new_cards_are_not_lost_alone_at_a_table_that_tells_more_of_them() -> None:
    shown = (*SEVEN, *SHUFFLE, "start 8", "end 8")
    more = (*NINE, *SHUFFLE, "start 10", "end 10")
    assert not may_be(*shown, LOST, *more) & {*NEW_LIFE}
    assert {*NEW_LIFE} <= may_be(*shown, "shuffle_started", LOST, *more)
    assert {*NEW_LIFE} <= may_be(*shown, LOST, LOST, *more)
    assert {*NEW_LIFE} <= may_be("card_burned", LOST, *shown)
    assert {*NEW_LIFE} <= may_be(*shown, LOST, "table_closed")


def test_cards_that_are_not_dealt_any_more_may_be_shuffled_alone() -> None:
    assert {*NEW_LIFE} <= may_be(*SEVEN, *SHUFFLE, "start 8", "end 8", LOST, *NINE)


def test_against_its_habits_a_table_may_have_lost_anything() -> None:
    (only,) = lost_of(table("start 7", LOST, "deal 7", "end 7"))
    assert not only.may_be & {*BORDERS, *ELECTIONS}
    assert only.whatever_the_habits().may_be == frozenset(SCHEMA.events)


def test_against_its_habits_a_table_may_elect_an_option_twice_and_another_game() -> None:
    told = ("option_elected", "notice_posted")
    (only,) = lost_of(table(*SEVEN, *told, LOST, *NINE))
    assert only.not_elected == {"decks", "game"}
    assert only.whatever_the_habits().not_elected == frozenset()


@pytest.mark.parametrize(
    ("before", "after", "shown"),
    [
        ("blackjack", "blackjack", True),
        ("original", "original", True),
        ("blackjack", "original", False),
        ("banker", "banker", False),
        ("blackjack", "insurance", False),
    ],
    ids=["blackjack", "red-dog", "another-game", "shared-by-games", "no-main-wager"],
)
def test_the_same_game_goes_on_for_certain_only_where_main_wagers_show_it(
    before: str, after: str, shown: bool
) -> None:
    def wagered(number: int, kind: str) -> Record:
        return an("wager_placed", seq=number, round=number, wager=kind, amount=500)

    lines: list[Line] = [
        an("round_started", seq=1, round=1),
        wagered(2, before),
        LOST,
        an("round_ended", seq=4, round=1),
        wagered(5, after),
    ]
    (only,) = lost_of(lines)
    assert "game" in only.not_elected
    assert ("game" in only.whatever_the_habits().not_elected) is shown


def test_how_a_table_opens_does_not_tell_how_it_gets_new_cards_between_rounds() -> None:
    assert {*NEW_LIFE} <= may_be(*SHUFFLE, *SEVEN, LOST, "start 8", "end 8")


@pytest.mark.parametrize("shuffle", [(), ("cards_shuffled",)], ids=["never", "alone"])
def test_new_cards_may_be_lost_alone_unless_the_log_shows_how_they_are_told(
    shuffle: tuple[str, ...],
) -> None:
    assert {*NEW_LIFE} <= may_be(*SEVEN, *shuffle, "start 8", "end 8", LOST, *NINE)


def test_only_what_the_source_records_can_be_lost() -> None:
    recorded = frozenset({"card_dealt", "round_started", "round_ended", "wager_placed"})
    log = table(*SEVEN, "start 8", LOST, "end 8")
    (only,) = lost(examined_tables(log, recorded=recorded)["T1"])
    assert only.may_be == {"card_dealt", "wager_placed"}


def test_the_last_rounds_of_an_earlier_night_speak_for_the_next() -> None:
    numbered = [record | {"seq": record["seq"] + 3} for record in records("start 8", "end 8")]
    first = frame_of(*records(*SEVEN))
    kept = seam(SCHEMA, first, first, None)
    later = frame_of(*[record | {"seq": record["seq"] + 1} for record in numbered])
    (only,) = lost(examine_next(SCHEMA, kept, later))
    assert only.seq == 4
    assert not only.may_be & {*BORDERS, *ELECTIONS}


def records(*types: str) -> list[Record]:
    return [line for line in table(*types) if not isinstance(line, str)]


# ---- simulated nights ----------------------------------------------------------------------------


def night(game: str, seed: int, rounds: int) -> list[Record]:
    place = Place("C1", "P1", "T1", game)
    chapters = play_night(TablePlan(place, DAYS[seed % len(DAYS)], seed, None, rounds))
    return list(log_records(place, chapters))


@pytest.mark.parametrize("game", sorted(GAMES))
@settings(max_examples=25, deadline=None)
@given(
    seed=st.integers(0, 100_000),
    rounds=st.integers(1, 25),
    share=st.sampled_from((0.003, 0.03, 0.3)),
)
def test_what_was_lost_is_never_ruled_out(game: str, seed: int, rounds: int, share: float) -> None:
    whole = night(game, seed, rounds)
    chance = Random(seed)
    gone = {place for place in range(len(whole)) if chance.random() < share}
    if len(gone) == len(whole):
        return
    types = {record["seq"]: record["type"] for record in whole}
    elected = {record["seq"]: record.get("option_name") for record in whole}
    result = examined_tables(blotted(whole, gone))["T1"]
    found = lost(result)
    assert sum(event.times for event in found) == len(gone)
    assert len(without_lost_rows(SCHEMA, result.frame)) + len(gone) == len(whole)
    for event in found:
        true = {types[number] for number in range(event.seq, event.seq + event.times)}
        assert true <= event.may_be, (event.seq, true - event.may_be)
        options = {elected[number] for number in range(event.seq, event.seq + event.times)}
        assert not event.not_elected & (options - {"game"}), (event.seq, options)


def test_a_lawful_log_without_loss_has_no_lost_record() -> None:
    assert lost(examined(*records(*SEVEN, "start 8", "end 8"))) == []


@pytest.mark.parametrize("game", sorted(GAMES))
def test_nearly_all_lost_records_are_known_to_be_neither_elections_nor_borders(game: str) -> None:
    """How much the narrowing is worth: without it every one of them could be anything."""
    found = []
    for seed in range(6):
        whole = night(game, seed, 25)
        gone = {place for place in range(len(whole)) if Random(place).random() < 0.01}
        found += lost(examined_tables(blotted(whole, gone))["T1"])
    assert sum(not event.may_be & {*ELECTIONS} for event in found) > 0.8 * len(found)
    assert sum(not event.may_be & {*BORDERS} for event in found) > 0.8 * len(found)
