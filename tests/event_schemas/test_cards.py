"""Cards are read and written by their short names."""

import pytest

from event_schemas import JOKER, Card, Rank, Suit
from event_schemas.cards import full_deck


@pytest.mark.parametrize("card", [*full_deck(), JOKER], ids=str)
def test_every_card_reads_back_from_its_own_name(card: Card) -> None:
    assert Card.parse(str(card)) == card


def test_ten_may_be_written_with_one_letter() -> None:
    assert Card.parse("TH") == Card.parse("10h") == Card(Rank.TEN, Suit.HEARTS)


def test_hearts_and_diamonds_are_red_and_the_joker_has_no_color() -> None:
    assert [Card.parse(name).color for name in ("2H", "2D", "2S", "2C", "JOKER")] == [
        *("red", "red", "black", "black"),
        None,
    ]


def test_face_cards_count_ten_and_the_ace_counts_one() -> None:
    assert [rank.pips for rank in (Rank.ACE, Rank.NINE, Rank.TEN, Rank.KING)] == [1, 9, 10, 10]
    assert Rank.KING.number == 13


@pytest.mark.parametrize("text", ["", "1S", "11H", "9X", "S9", "ace of spades"])
def test_what_is_not_a_card_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(ValueError, match="is not a card; write the rank and the suit"):
        Card.parse(text)


def test_a_card_without_a_suit_cannot_be_made() -> None:
    with pytest.raises(ValueError, match="both a rank and a suit"):
        Card(Rank.ACE, None)
