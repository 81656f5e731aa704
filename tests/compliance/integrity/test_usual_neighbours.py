"""What stands between two records: never what the table's log shows hundreds of times elsewhere."""

from __future__ import annotations

from itertools import count, cycle, islice
from typing import Any

from compliance.integrity.usual_neighbours import ENOUGH
from event_schemas.lost_record import LostRecord
from tests.compliance.integrity.damaged_logs import Line, lost_of
from tests.compliance.integrity.small_tables import an

LOST = "?"
ROUND = ("wager_placed", "card_dealt", "decision", "card_dealt", "wager_paid")
FIELDS: dict[str, dict[str, Any]] = {
    "wager_placed": {"wager": "blackjack", "amount": 500},
    "card_dealt": {"to": "player"},
    "decision": {"kind": "hit"},
    "wager_paid": {"wager": "blackjack", "amount": 500},
}


def lost_after(rounds: int, *types: str, between: tuple[str, ...] = ()) -> LostRecord:
    """What is lost at the end of a log of many equal rounds, or of others with `between` in one."""
    whole = [*islice(cycle(ROUND), rounds * len(ROUND)), *between, *types, *ROUND]
    lines: list[Line] = [
        LOST if name == LOST else an(name, seq=seq, **FIELDS[name])
        for seq, name in zip(count(1), whole, strict=False)
    ]
    (found,) = lost_of(lines)
    return found


def test_what_the_log_never_shows_beside_a_neighbour_was_not_lost_there() -> None:
    found = lost_after(ENOUGH, "wager_placed", LOST, "decision", "card_dealt", "wager_paid")
    assert "card_dealt" in found.may_be
    assert not found.may_be & {"wager_placed", "decision", "wager_paid"}


def test_a_violation_does_not_rest_on_usual_neighbours() -> None:
    found = lost_after(ENOUGH, "wager_placed", LOST, "decision", "card_dealt", "wager_paid")
    assert {"wager_placed", "decision", "wager_paid"} <= found.whatever_the_habits().may_be


def test_a_type_that_is_rare_may_be_lost_anywhere() -> None:
    found = lost_after(ENOUGH, "wager_placed", LOST, "decision", "card_dealt", "wager_paid")
    assert {"announcement", "insurance_placed", "cards_collected"} <= found.may_be


def test_what_stood_there_once_may_stand_there_again() -> None:
    twice = ("wager_placed", "wager_placed", "decision", "card_dealt", "wager_paid")
    here = ("wager_placed", LOST, "decision", "card_dealt", "wager_paid")
    assert "wager_placed" in lost_after(ENOUGH, *here, between=twice).may_be


def test_a_short_log_shows_no_habit() -> None:
    found = lost_after(ENOUGH // 4, "wager_placed", LOST, "decision", "card_dealt", "wager_paid")
    assert {"wager_placed", "decision", "wager_paid"} <= found.may_be


def test_of_two_records_in_a_row_each_is_one_step_farther_from_a_neighbour() -> None:
    found = lost_after(ENOUGH, "wager_placed", LOST, LOST, "card_dealt", "wager_paid")
    assert {"card_dealt", "decision"} <= found.may_be
    assert "wager_paid" not in found.may_be
