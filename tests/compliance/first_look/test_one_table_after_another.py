"""What is kept from one table serves the next one, and changes nothing that is seen there."""

from __future__ import annotations

import pytest

from compliance.columnar.plan import Plan
from compliance.columnar.scene import Table
from compliance.columns import from_events
from compliance.first_look.tables import first_look
from compliance.options import ElectedOptions
from compliance.reference.scene import circumstances
from compliance.simulate.night import play_night
from event_schemas import Event
from tests.compliance.first_look.compiled import compiled_only
from tests.compliance.simulate.checking import SCHEMA, as_events, bundled_rulebook, table_plan

pytestmark = compiled_only


def _night(game: str) -> list[Event]:
    plan = table_plan(game, "2010-03-06", seed=5, rounds=20, accidents=0.2)
    return as_events(plan.place, play_night(plan))


def _seen(events: list[Event], plan: Plan) -> list[tuple[str, int, int, int | None]]:
    """Of each rule how many checks complied at first sight, were excused, or were left."""
    rulebook = bundled_rulebook()
    around = circumstances(rulebook, SCHEMA, ElectedOptions(SCHEMA, events))
    table = Table(from_events(SCHEMA, events), around, plan)
    return [
        (rule.name, looked.complied, looked.excused, None if left is None else len(left))
        for rule in rulebook.rules
        for edition in rule.editions
        if edition.slice.across == "table"
        for looked in first_look(table, rule, edition) or ()
        for left in [looked.left]
    ]


@pytest.mark.parametrize("game", ["blackjack", "minibaccarat"])
def test_as_much_is_seen_at_a_table_whatever_was_looked_at_before(game: str) -> None:
    events, plan = _night(game), Plan()
    for other in ("blackjack", "red_dog", "minibaccarat"):
        _seen(_night(other), plan)
    assert _seen(events, plan) == _seen(events, Plan())
