"""What a rule can still look back at is kept, even where the trigger is yet to come."""

from __future__ import annotations

import pytest

from tests.compliance.reference_run import events, rulebook, surroundings
from tests.engine_checks import EngineChecks

LOG = """
    20:00 card_dealt to=player seat=1
    20:30 dealer_arrived dealer=D1
    21:00 round_started
    21:01 cards_cut
    21:02 card_dealt to=player seat=2
    21:03 round_ended
"""


@pytest.mark.parametrize(
    "rule",
    [
        # Seen from an event between the end of the night and the trigger, the first card counts.
        "when cards_cut\nrequire no round_ended"
        " where (every round_started earlier has (card_dealt since cards_cut)), later",
        "when cards_cut\nrequire no round_ended where (card_dealt since cards_cut), later",
        "when round_ended\nonly if cards_cut earlier\nrequire no card_dealt since cards_cut",
    ],
)
@pytest.mark.parametrize("cut", [1, 2, 3])
def test_a_log_cut_before_the_trigger_joins_up(rule: str, cut: int) -> None:
    book, log = rulebook(rule), events(LOG)
    around = surroundings(book, log)
    engine = EngineChecks(book.rules[0], around)
    whole = engine.checks(log, "table")
    assert len(whole) == 1
    assert engine.in_nights(log, "table", [cut]) == whole
