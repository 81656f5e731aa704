"""What a lost record may have changed is not said of a table, such as who its dealer was."""

from __future__ import annotations

import polars as pl

from compliance.findings.table_facts import TableFacts
from compliance.table_log.frame import FrameEvents
from compliance.table_log.lost_rows import LostRow, with_lost_rows
from event_schemas import builtin_schema
from rules_dsl.rulebook import load_text
from tests.compliance.integrity.small_tables import an, dealt, frame_of

SCHEMA = builtin_schema()
RULEBOOK = load_text("interval round from round_started to round_ended\n", SCHEMA).rulebook
FRAME = frame_of(
    an("dealer_arrived", dealer="D1"),
    an("round_started", round=7),
    an("wager_placed", seat=1, amount=500, player="P1", wager="blackjack"),
    dealt(seat=1),
    an("round_ended", round=7),
    an("dealer_departed", dealer="D1"),
    an("dealer_arrived", dealer="D2"),
)


def facts(before: int = 0, may_be: str = "") -> TableFacts:
    """The table with a record lost before a place, of one type."""
    lost = [LostRow(before, before, 1, frozenset((may_be,)))] if may_be else []
    frame: pl.DataFrame = with_lost_rows(SCHEMA, FRAME, lost, FRAME.clear())
    return TableFacts(SCHEMA, FrameEvents(SCHEMA, frame), RULEBOOK)


def test_the_dealer_is_not_named_after_another_may_have_come() -> None:
    assert facts().dealer(3) == "D1"
    doubtful = facts(2, "dealer_arrived")
    assert doubtful.dealer(1) == "D1"
    assert doubtful.dealer(4) is None
    assert doubtful.dealer(7) == "D2"


def test_a_lost_record_that_was_no_dealer_leaves_the_dealer_known() -> None:
    assert facts(2, "wager_placed").dealer(4) == "D1"


def test_the_round_is_not_named_where_another_may_have_begun() -> None:
    assert facts().round_number(3) == "7"
    assert facts(3, "round_started").round_number(4) is None
    assert facts(3, "card_dealt").round_number(4) == "7"


def test_what_was_at_stake_is_not_counted_where_some_of_it_may_be_lost() -> None:
    whole = facts()
    assert (whole.wagered(1, 4), whole.patrons(1, 4)) == (500, 1)
    assert (whole.hands(1, 4), whole.rounds(1, 4)) == (1, 1)
    wager, card, start = (
        facts(3, name) for name in ("wager_placed", "card_dealt", "round_started")
    )
    assert (wager.wagered(1, 5), wager.patrons(1, 5), wager.hands(1, 5)) == (None, None, 1)
    assert (card.hands(1, 5), card.wagered(1, 5)) == (None, 500)
    assert start.rounds(1, 5) is None
    assert wager.wagered(4, 5) == 0


def test_the_patron_and_the_money_of_a_box_are_those_of_its_wagers() -> None:
    whole = facts()
    assert (whole.player(3), whole.concerned(3)) == ("P1", 500)
    assert (whole.player(6), whole.concerned(6)) == (None, None)


def test_nobody_is_named_where_a_wager_or_a_round_may_be_lost() -> None:
    for name in ("wager_placed", "round_started"):
        doubtful = facts(3, name)
        assert (doubtful.player(4), doubtful.concerned(4)) == (None, None)
