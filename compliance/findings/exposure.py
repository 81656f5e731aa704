"""What was at stake after a breach: counted until it was cured, or until it no longer could be.

The count ends with the first of these after the trigger:
- an event that the duty asked for: the breach is cured. An event whose own condition speaks of
  further events, or that lacks a field, is not taken for a cure;
- the event with which the duty begins anew (the next dealer, where the rule says `since
  dealer_arrived`), or the end of the interval in which the rule looks;
- the end of the round in which the time to act ran out, where the rule says `before` what or
  looks ahead;
- the last event of the table.
Where a rule forbids something or compares values, nothing done later can cure it: the count ends
with the interval of the rule or with the round, and outside a round with the trigger itself.
The round in which the trigger lies counts from its beginning.
"""

from __future__ import annotations

from collections.abc import Iterator

from compliance.findings.missing_events import MissingEvents, fulfils
from compliance.findings.table_facts import TableFacts
from compliance.judgement.circumstances import Circumstances
from reports.model import Check
from reports.surroundings import Exposure
from rules_dsl import core

AT_ONCE = "the event itself"
ROUND_ENDED = "the end of the round"
LOOKED_AT = 50
"""How many later events are tried as a cure, so that one breach cannot cost a whole night."""


def exposure(
    facts: TableFacts,
    check: Check,
    edition: core.Edition,
    missing: MissingEvents | None,
    row: int,
    surroundings: Circumstances,
) -> tuple[Exposure, int | None]:
    """What was at stake after the breach at a row of the table's log, and where it was cured."""
    end, until = _bound(facts, edition, missing, row)
    cure = _cure(facts, check, missing, row, end, surroundings) if missing else None
    if cure is not None:
        end, until = cure, facts.type_at(cure)
    started = facts.interval_start("round", row)
    first = row if started is None else started
    ends, began = facts.time_at(end), facts.time_at(row)
    at_stake = Exposure(
        cured=cure is not None,
        until=until,
        ends=ends,
        seconds=max(0, int((ends - began).total_seconds())),
        rounds=facts.rounds(first, end),
        hands=facts.hands(first, end),
        patrons=facts.patrons(first, end),
        wagered_cents=facts.wagered(first, end),
    )
    return at_stake, cure


def _bound(
    facts: TableFacts, edition: core.Edition, missing: MissingEvents | None, row: int
) -> tuple[int, str]:
    """The last event that counts, and what it means."""
    ends = [*_ends(facts, edition, missing, row)]
    if ends:
        return min(ends)
    if missing is None or missing.ahead:
        if facts.interval_start("round", row) is not None:
            return _round_end(facts, row)
        if missing is None:
            return row, AT_ONCE
    return len(facts) - 1, "the end of the log"


def _ends(
    facts: TableFacts, edition: core.Edition, missing: MissingEvents | None, row: int
) -> Iterator[tuple[int, str]]:
    """The rows at which the rule's own words end its duty."""
    interval = edition.slice.interval or (missing.interval if missing else None)
    if interval is not None:
        closed = facts.interval_end(interval, row)
        if closed is not None:
            yield closed, f"the end of the {interval}"
        elif edition.slice.interval is not None:
            # The rule looks at what is still going on when the log ends.
            yield len(facts) - 1, "the end of the log"
    if missing is None:
        return
    again = facts.after(missing.since, row)
    if again is not None:
        yield again, f"the next {facts.type_at(again)}"
    late = facts.after(missing.deadline, row) if missing.ahead else None
    if late is not None:
        yield _round_end(facts, late)


def _round_end(facts: TableFacts, row: int) -> tuple[int, str]:
    """The end of the round around a row; outside a round, the row itself."""
    if facts.interval_start("round", row) is None:
        return row, f"the {facts.type_at(row)} that came first"
    closed = facts.interval_end("round", row)
    return (len(facts) - 1, "the end of the log") if closed is None else (closed, ROUND_ENDED)


def _cure(
    facts: TableFacts,
    check: Check,
    missing: MissingEvents,
    row: int,
    end: int,
    surroundings: Circumstances,
) -> int | None:
    trigger = facts.events[row]
    for later in facts.following(missing.types, row, LOOKED_AT):
        if later > end:
            return None
        if fulfils(missing, check, trigger, facts.events[later], surroundings):
            return later
    return None
