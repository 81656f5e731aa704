"""A log record becomes an event, or a list of plain sentences about what is wrong with it."""

from fractions import Fraction
from typing import Any

import pytest

from event_schemas import Card, Event, RecordProblem, builtin_schema, event_from_record

SCHEMA = builtin_schema()
BASE = {
    "id": "e1",
    "ts": "2024-03-09T20:15:00-05:00",
    "seq": 4,
    "casino": "Boardwalk",
    "table": "BJ12",
}


def read(**fields: Any) -> Event:
    event = event_from_record(SCHEMA, BASE | fields)
    assert isinstance(event, Event), event
    return event


def problems(**fields: Any) -> list[RecordProblem]:
    found = event_from_record(SCHEMA, BASE | fields)
    assert isinstance(found, list)
    return found


def test_a_good_record_becomes_an_event_with_typed_values() -> None:
    event = read(type="card_dealt", to="player", seat=1, card="9S", face_up=True, pit="3")
    assert event.get("card") == Card.parse("9S")
    assert (event.get("to"), event.get("seat"), event.get("face_up")) == ("player", 1, True)
    assert (event.get("table"), event.get("seq"), event.get("pit")) == ("BJ12", 4, "3")


def test_money_may_be_cents_or_text_and_odds_are_exact() -> None:
    event = read(type="wager_paid", stake=2500, amount="$37.50", odds="3 to 2")
    assert (event.get("stake"), event.get("amount")) == (2500, 3750)
    assert event.get("odds") == Fraction(3, 2)


def test_a_missing_field_is_none_and_never_zero_or_false() -> None:
    event = read(type="card_dealt", to="dealer", card=None)
    assert event.get("card") is None
    assert event.get("face_up") is None
    assert "card" not in event.fields


def test_a_correction_names_the_record_that_it_replaces() -> None:
    assert read(type="card_burned", corrects="e0").get("corrects") == "e0"


def test_a_float_as_money_is_refused() -> None:
    [problem] = problems(type="insurance_placed", amount=12.5)
    assert problem.field == "amount"
    assert problem.found == "12.5"
    assert "cannot hold money exactly" in problem.message


def test_a_time_without_an_offset_is_refused() -> None:
    [problem] = problems(type="card_burned", ts="2024-03-09T20:15:00")
    assert problem.field == "ts"
    assert "no offset from UTC" in problem.message


def test_a_misspelt_event_type_gets_a_suggestion() -> None:
    [problem] = problems(type="card_delt")
    assert problem.message == 'There is no event type "card_delt".'
    assert problem.suggestion == "card_dealt"


def test_another_name_of_an_event_type_leads_to_the_name_used_here() -> None:
    [problem] = problems(type="burn_card_requested")
    assert problem.suggestion == "request_made"


@pytest.mark.parametrize("record", [{}, {"type": None}, {"type": ["card_dealt"]}])
def test_a_record_without_a_usable_type_is_refused(record: dict[str, Any]) -> None:
    found = event_from_record(SCHEMA, record)
    assert isinstance(found, list)
    assert [problem.field for problem in found] == ["type"]


def test_a_misspelt_field_gets_a_suggestion() -> None:
    [problem] = problems(type="card_dealt", to="player", crad="9S")
    assert problem.message == 'The event type card_dealt has no field "crad".'
    assert problem.suggestion == "card"


def test_a_misspelt_word_gets_a_suggestion() -> None:
    [problem] = problems(type="card_dealt", to="plyer")
    assert problem.suggestion == "player"
    assert problem.expected == "one of player, dealer, banker, community, stack"


def test_a_required_field_that_is_missing_is_named_with_its_meaning() -> None:
    [problem] = problems(type="dealer_arrived")
    assert problem.message == "The field dealer is missing: the dealer who arrived."


def test_every_problem_of_a_record_is_told_at_once() -> None:
    found = problems(type="card_dealt", seat=0, card="9X", colour="red")
    assert {problem.field for problem in found} == {"to", "seat", "card", "colour"}
    assert all(problem.message.endswith(".") for problem in found)


def test_a_long_value_is_shortened_in_the_message() -> None:
    [problem] = problems(type="card_burned", card="9" * 500)
    assert len(problem.found) == 60


def test_an_event_cannot_be_changed_after_it_was_read() -> None:
    with pytest.raises(AttributeError):
        read(type="card_burned").seq = 5  # type: ignore[misc]
