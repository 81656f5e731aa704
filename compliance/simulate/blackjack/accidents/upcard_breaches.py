"""Multiple action: breaches after the upcard was picked up too early."""

from __future__ import annotations

from functools import partial

from compliance.simulate.breach import Opportunity
from compliance.simulate.breach import breach as any_breach
from compliance.simulate.table import Record

breach = partial(
    any_breach, since="1993-09-20", variant="multiple_action", accident="upcard-discarded"
)


@breach(
    "discarded-upcard-not-reported",
    "round",
    blackjack="discarded-upcard-reported-at-once",
)
def discarded_upcard_not_reported(op: Opportunity) -> Record | None:
    called = op.chapter.first("supervisor_called")
    if called is not None:
        op.chapter.drop(called)
    return op.chapter.first("irregularity")


@breach(
    "discarded-upcard-found-by-the-dealer",
    "round",
    blackjack="discarded-upcard-found-by-a-supervisor",
)
def discarded_upcard_found_by_the_dealer(op: Opportunity) -> Record | None:
    found = op.chapter.first("hand_reconstructed")
    if found is not None:
        found.update(by=found["dealer"], by_role="dealer")
    return op.chapter.first("irregularity")


@breach(
    "found-upcard-leaves-the-others-lying",
    "round",
    blackjack="restored-upcard-is-put-in-its-place",
)
def found_upcard_leaves_the_others_lying(op: Opportunity) -> Record | None:
    """All that was picked up lay in the rack before the upcard was looked for."""
    found = op.chapter.first("hand_reconstructed")
    if found is None:
        return None
    later = op.chapter.records[op.chapter.place(found) :]
    rest = next(record for record in later if record["type"] == "cards_collected")
    op.chapter.move(rest, op.chapter.place(found))
    return found
