"""What a source would have to record so that more of the law can be judged, the most first."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from compliance.table_check.rule_walk import Need, needs_listed
from reports.model import ClauseStatement, NotRecorded
from reports.verdicts import ClauseStatus


def clauses_to_open(
    wanted: Mapping[str, frozenset[Need]], statements: Iterable[ClauseStatement]
) -> tuple[NotRecorded, ...]:
    """For each thing, or several together, that rules lack: what recording it would open.

    `wanted` says for each rule that is not evaluable what it lacks. A clause opens when none of
    its rules lacks anything any more.
    """
    closed = [
        [wanted[rule] for rule in item.rules if rule in wanted]
        for item in statements
        if item.status is ClauseStatus.NOT_EVALUABLE
    ]
    lacking = [frozenset().union(*parts) for parts in closed if parts]
    found = []
    for lacked in {needs for needs in wanted.values() if needs}:
        rules = tuple(sorted(rule for rule, needs in wanted.items() if needs == lacked))
        clauses = sum(needs <= lacked for needs in lacking)
        record = needs_listed(sorted(lacked))
        found.append(NotRecorded(record=record, clauses=clauses, rules=rules))
    return tuple(sorted(found, key=lambda item: (-item.clauses, -len(item.rules), item.record)))
