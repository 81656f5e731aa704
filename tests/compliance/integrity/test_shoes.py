"""No shoe gives a card more often than its decks hold it, or more cards than they have."""

from __future__ import annotations

import pytest

from compliance.integrity import DefectKind
from event_schemas.cards import full_deck
from tests.compliance.integrity.small_tables import Record, an, dealt, found, only

LOADED = an("shoe_loaded", decks_total=1)
WHOLE_DECK = [dealt(str(card)) for card in full_deck()]


def test_a_whole_deck_is_possible() -> None:
    assert found(LOADED, *WHOLE_DECK) == []


def test_a_card_that_comes_twice_out_of_one_deck_is_found_at_its_second_time() -> None:
    defect = only(DefectKind.CARD_TOO_OFTEN, LOADED, dealt("9S"), dealt("KH"), dealt("9S"))
    assert defect.event_id == "e4"
    assert defect.sentence.startswith("The 9S comes for the 2nd time out of 1 deck")


def test_a_burned_card_counts_like_a_dealt_one() -> None:
    assert found(LOADED, an("card_burned", card="9S"), dealt("9S")) == [("card-too-often", "e3")]


def test_a_shoe_is_one_defect_however_many_cards_come_too_often() -> None:
    twice = [dealt("9S"), dealt("KH")]
    defect = only(DefectKind.CARD_TOO_OFTEN, LOADED, *twice, *twice)
    assert "1 more card too often" in defect.sentence


def test_the_fifty_third_card_of_a_deck_is_found() -> None:
    unseen = an("card_dealt", to="player", face_up=False)
    defect = only(DefectKind.SHOE_OVERRUN, LOADED, *[unseen] * 53)
    assert defect.event_id == "e54"


def test_cards_burned_together_count_one_by_one() -> None:
    burned = an("card_burned", cards_total=9)
    assert found(LOADED, *[burned] * 5) == []
    assert found(LOADED, *[burned] * 6) == [("shoe-overrun", "e7")]


def test_a_deck_with_a_joker_has_fifty_three_cards() -> None:
    assert found(LOADED, *WHOLE_DECK, dealt("JOKER")) == []


@pytest.mark.parametrize("event", ["cards_shuffled", "shoe_loaded"])
def test_after_a_shuffle_or_a_new_shoe_the_cards_may_come_again(event: str) -> None:
    options = {"decks": 1}
    assert found(LOADED, dealt("9S"), an(event), dealt("9S"), options=options) == []


@pytest.mark.parametrize("decks", [1, 2])
def test_the_decks_may_be_known_from_the_options(decks: int) -> None:
    log = (an("cards_shuffled"), dealt("9S"), dealt("9S"))
    assert bool(found(*log, options={"decks": decks})) is (decks == 1)


def test_the_decks_may_be_elected_in_the_log() -> None:
    elected = an("option_elected", option_name="decks", value="1")
    log = (elected, an("cards_shuffled"), dealt("9S"), dealt("9S"))
    assert found(*log) == [("card-too-often", "e4")]


def test_decks_that_nobody_knows_are_not_judged() -> None:
    assert found(an("cards_shuffled"), *[dealt("9S")] * 9) == []


def test_cards_before_the_first_shuffle_of_a_log_are_not_judged() -> None:
    log = (dealt("9S"), dealt("9S"), an("cards_shuffled"), dealt("9S"))
    assert found(*log, options={"decks": 1}) == []


@pytest.mark.parametrize(
    ("loaded", "options"),
    [
        (LOADED | {"source": "continuous_shuffler"}, {}),
        (LOADED, {"shuffler": "continuous"}),
    ],
)
def test_a_machine_that_takes_cards_back_is_not_judged(
    loaded: Record, options: dict[str, object]
) -> None:
    assert found(loaded, dealt("9S"), dealt("9S"), options=options) == []


def test_two_decks_in_turn_are_told_apart_by_their_names() -> None:
    options = {"two_decks": True, "decks": 1}
    log = (an("cards_shuffled"), dealt("9S", deck="A"), dealt("9S", deck="B"))
    assert found(*log, options=options) == []
    assert found(*log, dealt("9S", deck="A"), options=options) == [("card-too-often", "e4")]


def test_two_decks_in_turn_without_names_are_not_judged() -> None:
    log = (an("cards_shuffled"), dealt("9S"), dealt("9S"))
    assert found(*log, options={"two_decks": True, "decks": 1}) == []


def test_a_card_that_only_came_again_as_a_retransmission_is_not_counted_twice() -> None:
    log = (LOADED, dealt("9S", seq=2), dealt("9S", seq=2))
    assert found(*log) == [("retransmission", "e2")]


def test_a_misread_card_that_was_corrected_is_not_counted() -> None:
    log = (LOADED, dealt("9S"), dealt("9S"), dealt("8S", corrects="e3"))
    assert found(*log) == [("correction", "e4")]
