"""The same log under two dates: the law in force on the day of the events decides."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import NamedTuple

import pytest

from reports.verdicts import FindingKind
from tests.compliance.scenario_checks import checked, stated
from tests.compliance.scenario_stories import (
    Records,
    draw_on_soft_17,
    lines,
    on,
    recut_ordered_by_a_dealer,
    recut_ordered_by_a_floorperson,
)


class Case(NamedTuple):
    """A story on a day: the rule that is broken, and what is stated of some clauses."""

    story: Callable[[], Records]
    day: date
    broken: list[str]
    clauses: dict[str, str]


CASES = {
    "soft 17 in 2005": Case(
        draw_on_soft_17,
        date(2005, 5, 5),
        ["dealer-stops-at-17"],
        {"19:47-2.12(b)": "violated", "19:47-2.12(b)#1": "not_in_force"},
    ),
    "soft 17 in 2007": Case(
        draw_on_soft_17,
        date(2007, 5, 5),
        [],
        {"19:47-2.12(b)": "not_in_force", "19:47-2.12(b)#1": "complied"},
    ),
    "soft 17 on the last day of the old law": Case(
        draw_on_soft_17, date(2006, 6, 18), ["dealer-stops-at-17"], {"19:47-2.12(b)": "violated"}
    ),
    "soft 17 on the first day of the new law": Case(
        draw_on_soft_17, date(2006, 6, 19), [], {"19:47-2.12(b)#1": "complied"}
    ),
    "a floorperson's recut in April 1996": Case(
        recut_ordered_by_a_floorperson,
        date(1996, 4, 15),
        ["no-second-cut-before-1996"],
        {"19:47-2.5(d)#4": "violated", "19:47-2.5(g)#1": "not_in_force"},
    ),
    "a floorperson's recut in June 1996": Case(
        recut_ordered_by_a_floorperson,
        date(1996, 6, 15),
        [],
        {"19:47-2.5(d)#4": "complied", "19:47-2.5(g)#1": "complied"},
    ),
    "a dealer's recut in April 1996": Case(
        recut_ordered_by_a_dealer,
        date(1996, 4, 15),
        ["no-second-cut-before-1996"],
        {"19:47-2.5(d)#4": "violated", "19:47-2.5(g)#1": "not_in_force"},
    ),
    "a dealer's recut in June 1996": Case(
        recut_ordered_by_a_dealer,
        date(1996, 6, 15),
        ["recut-ordered-by-a-supervisor"],
        {"19:47-2.5(d)#4": "complied", "19:47-2.5(g)#1": "violated"},
    ),
    "a floorperson's recut on the last day of the old law": Case(
        recut_ordered_by_a_floorperson,
        date(1996, 5, 19),
        ["no-second-cut-before-1996"],
        {"19:47-2.5(g)#1": "not_in_force"},
    ),
    "a floorperson's recut on the first day of the new law": Case(
        recut_ordered_by_a_floorperson, date(1996, 5, 20), [], {"19:47-2.5(g)#1": "complied"}
    ),
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_the_law_of_the_day_decides(case: Case, tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    log.write_text("\n".join(lines(on(case.day, case.story()))), encoding="utf-8")
    run = checked(log)
    said = {clause: stated(run.statements, clause) for clause in case.clauses}
    assert [finding.rule for finding in run.findings(FindingKind.VIOLATION)] == case.broken
    assert said == {clause: {status} for clause, status in case.clauses.items()}


@pytest.mark.parametrize("story", [draw_on_soft_17, recut_ordered_by_a_floorperson])
def test_only_the_date_differs_between_the_two_logs(story: Callable[[], Records]) -> None:
    before, after = on(date(1996, 4, 15), story()), on(date(1996, 6, 15), story())
    assert [{**record, "ts": ""} for record in before] == [{**r, "ts": ""} for r in after]
    assert [record["ts"][10:] for record in before] == [record["ts"][10:] for record in after]
