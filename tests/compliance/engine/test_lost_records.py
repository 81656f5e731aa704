"""What only a lost record in an interval's own condition leaves in doubt is in doubt for both."""

from __future__ import annotations

from dataclasses import replace

from event_schemas import LostRecord
from tests.compliance.reference_run import SCHEMA, events, rulebook
from tests.property.both_engines import checks_of_engine, checks_of_reference


def test_an_option_of_an_interval_is_asked_at_the_events_of_the_interval() -> None:
    book = rulebook(
        "when cards_shuffled\nrequire first card_dealt.seat later in the stretch is known",
        "interval stretch from (round_started where option soft_17 is hit) to round_ended",
    )
    log = events(
        """
        20:00 option_elected option_name=soft_17 value=hit
        20:01 round_started
        20:02 cards_shuffled
        20:03 lost_record until=20:04 may_be=option_elected
        20:05 card_dealt to=player
        20:06 round_started
        20:07 round_ended
        """
    )
    slow = checks_of_reference(book, SCHEMA, log)
    assert [check.verdict.value for check in slow] == ["undetermined"]
    assert checks_of_engine(book, SCHEMA, log) == slow


def test_a_breach_that_rests_on_the_habits_of_a_table_is_none() -> None:
    book = rulebook("when card_dealt\nrequire card_burned earlier")
    lost, dealt = events(
        "20:00 lost_record until=20:01 may_be=round_ended\n20:02 card_dealt to=player"
    )
    assert isinstance(lost, LostRecord)
    unusual = replace(lost, against_habit=frozenset({"card_burned"}))
    for record, verdict in ((lost, "violated"), (unusual, "undetermined")):
        found = checks_of_engine(book, SCHEMA, [record, dealt])
        assert [check.verdict.value for check in found] == [verdict]
        assert found == checks_of_reference(book, SCHEMA, [record, dealt])
