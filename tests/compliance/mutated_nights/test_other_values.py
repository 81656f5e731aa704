"""Another value of a field is near the right one, fits its kind, and is never the same."""

from __future__ import annotations

from compliance.mutated_nights.other_values import other_values
from event_schemas import builtin_schema

SCHEMA = builtin_schema()
WAGERS = [
    {"type": "wager_placed", "ts": 1, "seat": 2, "wager": "blackjack", "amount": 1000},
    {"type": "wager_placed", "ts": 2, "seat": 5, "wager": "insurance", "amount": 500},
]


def others(record: dict[str, object], field: str) -> list[tuple[str, object]]:
    return list(other_values(SCHEMA, [record], 0, field))


def test_money_becomes_a_little_more_far_more_and_less() -> None:
    changed = list(other_values(SCHEMA, WAGERS, 0, "amount"))
    assert changed == [("other amount", amount) for amount in (1500, 54000, 500)]


def test_a_seat_becomes_one_that_is_played_at() -> None:
    assert list(other_values(SCHEMA, WAGERS, 0, "seat")) == [("other seat", 5)]


def test_a_word_becomes_one_that_occurs_nearby_first() -> None:
    changed = list(other_values(SCHEMA, WAGERS, 0, "wager"))
    assert changed[0] == ("other word", "insurance")
    assert ("other word", "blackjack") not in changed


def test_the_role_becomes_a_lower_and_a_higher_one() -> None:
    shuffled = {"type": "cards_shuffled", "ts": 1, "by_role": "dealer"}
    assert others(shuffled, "by_role") == [("other role", "player"), ("other role", "floorperson")]


def test_a_flag_is_turned_round() -> None:
    dealt = {"type": "card_dealt", "ts": 1, "face_up": True}
    assert others(dealt, "face_up") == [("other value", False)]


def test_a_card_becomes_one_of_another_rank() -> None:
    assert others({"type": "card_dealt", "ts": 1, "card": "9S"}, "card") == [("other value", "AS")]


def test_odds_become_better() -> None:
    paid = {"type": "wager_paid", "ts": 1, "odds": "3 to 2"}
    assert others(paid, "odds") == [("other value", "4 to 2")]


def test_what_is_not_recorded_is_not_changed() -> None:
    assert others({"type": "card_dealt", "ts": 1}, "card") == []


def test_when_and_where_it_happened_is_left_to_other_mutations() -> None:
    assert others({"type": "card_dealt", "ts": 1}, "ts") == []
