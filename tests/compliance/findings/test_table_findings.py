"""Findings that come from many tables in any order make one and the same result."""

from __future__ import annotations

import random

from compliance.findings.breach_context import TIMELINES
from compliance.findings.table_findings import LogFindings, named_undecided, packed_findings
from event_schemas.lost_record import LOST_RECORD, UNRECORDED
from reports.model import Finding
from tests.reports.many_findings import LONG, many
from tests.reports.sample import DEALT

TABLES = 7


def shares() -> list[list[Finding]]:
    """The findings of one rule, as many tables tell them, each with all timelines that it can."""
    found = many(rules=1, findings=20 * TABLES).outcomes[0].findings
    all_told = [item.model_copy(update={"timeline": LONG}) for item in found]
    return [all_told[table::TABLES] for table in range(TABLES)]


def gathered(tables: list[list[Finding]]) -> tuple[Finding, ...]:
    whole = LogFindings()
    for found in tables:
        whole.add({"rule-0": packed_findings(found)})
    return tuple(whole.findings()["rule-0"])


def test_findings_come_in_order_of_time_whichever_table_was_first() -> None:
    tables = shares()
    expected = gathered(tables)
    moments = [found.trigger.ts for found in expected if found.trigger is not None]
    assert len(moments) == 20 * TABLES
    assert moments == sorted(moments)
    random.Random(1).shuffle(tables)
    assert gathered(tables) == expected


def test_the_first_findings_of_all_tables_keep_their_timeline() -> None:
    shown = [found.timeline == LONG for found in gathered(shares()[::-1])]
    assert shown == [True] * TIMELINES + [False] * (20 * TABLES - TIMELINES)


def test_a_finding_without_a_timeline_gets_none_of_another() -> None:
    first, *others = shares()
    bare = [found.model_copy(update={"timeline": None}) for found in first]
    found = gathered([bare, *others])
    without = {item.fingerprint for item in bare}
    assert all((item.timeline is None) == (item.fingerprint in without) for item in found[:20])


def test_a_check_that_a_lost_record_leaves_undecided_names_it() -> None:
    text = "record 196 of BA01 between 20:14:07 and 20:14:09 is lost"
    lost = DEALT.model_copy(update={"type": LOST_RECORD, "line_text": text, "part": "unclear"})
    assert named_undecided(DEALT, None, (DEALT, lost)) == f"card_dealt e-1042 at BJ-12 ({text})"


def test_a_lost_record_is_named_before_one_of_a_type_that_is_not_always_recorded() -> None:
    lost, perhaps = (
        DEALT.model_copy(update={"type": what, "line_text": what})
        for what in (LOST_RECORD, UNRECORDED)
    )
    assert named_undecided(DEALT, None, (perhaps, lost)).endswith(f"({LOST_RECORD})")
    assert named_undecided(DEALT, None, (perhaps,)).endswith(f"({UNRECORDED})")


def test_a_check_is_undecided_by_loss_only_if_a_lost_record_bears_on_it() -> None:
    assert named_undecided(DEALT, None, (DEALT,)) == "card_dealt e-1042 at BJ-12"
