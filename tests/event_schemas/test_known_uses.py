"""The records that well-known rules of the law depend on can be written in this vocabulary."""

from typing import Any

import pytest

from event_schemas import Event, builtin_schema, event_from_record

RECORDS: dict[str, list[dict[str, Any]]] = {
    "a new dealer burns a card": [
        {"type": "dealer_arrived", "dealer": "D7"},
        {"type": "card_burned", "face_up": False, "reason": "new_dealer"},
        {"type": "card_dealt", "to": "player", "seat": 1, "hand": 1, "card": "9S", "face_up": True},
    ],
    "insurance comes before the third card": [
        {"type": "insurance_placed", "seat": 2, "player": "P4", "amount": "$12.50"},
    ],
    "a supervisor orders a recut": [
        {"type": "cards_shuffled", "method": "manual"},
        {"type": "cut_offered", "seat": 3, "player": "P1"},
        {"type": "cut_refused", "seat": 3, "player": "P1"},
        {
            "type": "cards_cut",
            "by": "P2",
            "by_role": "player",
            "seat": 4,
            "player": "P2",
            "position": 120,
            "cards_total": 416,
        },
        {"type": "recut_ordered", "by": "F1", "by_role": "floorperson"},
    ],
    "vigorish is collected before the reshuffle": [
        {"type": "vigorish_marked", "player": "P1", "seat": 5, "amount": 500, "rate": "5%"},
        {"type": "vigorish_collected", "player": "P1", "seat": 5, "amount": 500},
    ],
    "baccarat's hands get their cards": [
        {"type": "card_dealt", "to": "player", "card": "4H"},
        {"type": "card_dealt", "to": "banker", "card": "10C"},
        {"type": "point_total_announced", "to": "banker", "total": 3},
    ],
    "a rule changes with notice": [
        {"type": "notice_posted", "subject": "soft_17"},
        {"type": "patrons_told", "subject": "soft_17"},
        {"type": "commission_notified", "subject": "soft_17", "written": True},
        {"type": "rule_changed", "subject": "soft_17", "old_value": "stand", "new_value": "hit"},
        {"type": "option_elected", "option_name": "soft_17", "value": "hit"},
    ],
    "the banker of chemin de fer wagers": [
        {"type": "banker_selected", "seat": 3, "player": "P9", "amount": "$200"},
        {"type": "wager_placed", "seat": 3, "player": "P9", "wager": "banker", "amount": 20000},
    ],
    "the stub is counted": [{"type": "stub_counted", "cards_counted": 4}],
    "a blackjack is paid": [
        {
            "type": "wager_paid",
            "seat": 2,
            "hand": 1,
            "wager": "blackjack",
            "stake": 1000,
            "amount": 1200,
            "odds": "6 to 5",
        },
    ],
    "a poker deck is used for two hours at most": [
        {"type": "deck_placed_in_play", "deck": "A"},
        {"type": "deck_sequenced", "deck": "A", "by": "D1", "by_role": "dealer"},
        {"type": "deck_removed", "deck": "A"},
    ],
}


@pytest.mark.parametrize("use", RECORDS)
def test_the_vocabulary_can_say_it(use: str) -> None:
    for seq, record in enumerate(RECORDS[use]):
        base = {"id": str(seq), "ts": "2024-03-09T20:00:00Z", "seq": seq}
        event = event_from_record(builtin_schema(), base | {"casino": "C", "table": "T"} | record)
        assert isinstance(event, Event), event
        assert set(record) - {"type"} == set(event.fields)
