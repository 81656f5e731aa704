"""The exported JSON Schema accepts and refuses the same records as the product does."""

from typing import Any

import pytest
from jsonschema import Draft202012Validator

from event_schemas import Event, builtin_schema, event_from_record, export

SCHEMA = builtin_schema()
BASE = {"id": "1", "ts": "2024-03-09T20:15:00Z", "seq": 1, "casino": "C", "table": "T"}
GOOD: list[dict[str, Any]] = [
    {"type": "card_dealt", "to": "player", "seat": 1, "card": "10H", "face_up": None},
    {"type": "wager_paid", "stake": 2500, "amount": "$37.50", "odds": "3 to 2"},
    {"type": "hand_shown", "cards": ["AS", "JOKER"]},
    {"type": "vigorish_marked", "rate": "5%", "amount": 125},
    {"type": "table_opened", "game": "poker", "gaming_day": "2024-03-09"},
]
BAD: list[dict[str, Any]] = [
    {"type": "card_dealt"},
    {"type": "card_dealt", "to": "nobody"},
    {"type": "card_dealt", "to": "player", "card": "1S"},
    {"type": "card_dealt", "to": "player", "seat": 0},
    {"type": "card_dealt", "to": "player", "colour": "red"},
    {"type": "wager_paid", "amount": 37.5},
    {"type": "wager_paid", "amount": "2500"},
    {"type": "wager_paid", "odds": "three to two"},
    {"type": "card_burned", "ts": "2024-03-09T20:15:00"},
    {"type": "no_such_event"},
]


def test_the_export_is_valid_json_schema_with_every_event_type() -> None:
    exported = export(SCHEMA)
    Draft202012Validator.check_schema(exported)
    assert len(exported["oneOf"]) == len(SCHEMA.events)
    assert SCHEMA.fingerprint in exported["description"]


@pytest.mark.parametrize("record", GOOD, ids=str)
def test_both_accept_a_good_record(record: dict[str, Any]) -> None:
    assert isinstance(event_from_record(SCHEMA, BASE | record), Event)
    assert Draft202012Validator(export(SCHEMA)).is_valid(BASE | record)


@pytest.mark.parametrize("record", BAD, ids=str)
def test_both_refuse_a_bad_record(record: dict[str, Any]) -> None:
    assert isinstance(event_from_record(SCHEMA, BASE | record), list)
    assert not Draft202012Validator(export(SCHEMA)).is_valid(BASE | record)


def test_one_event_type_can_be_exported_alone() -> None:
    alone = export(SCHEMA, "card_burned")
    Draft202012Validator.check_schema(alone)
    assert alone["title"] == "card_burned"
    assert Draft202012Validator(alone).is_valid(BASE | {"type": "card_burned", "card": "9S"})
    assert not Draft202012Validator(alone).is_valid(BASE | {"type": "card_dealt"})


def test_every_property_is_described() -> None:
    for event in SCHEMA.events:
        properties = export(SCHEMA, event)["properties"].values()
        assert all(item["description"] for item in properties)
