"""Writing the report costs little beside the check that made it."""

from __future__ import annotations

from pathlib import Path

import pytest

from compliance.checking.check_log import check_log
from compliance.table_check.settings import Settings
from event_schemas import builtin_schema
from reports import render_html
from reports.model import Counts, Run
from reports.verdicts import FindingKind, RuleStatus, status_of
from tests.benchmarks.engine_runs import NEW_JERSEY, rulebook
from tests.benchmarks.measuring import Limit, Ratio, Record, processor_time

FINDINGS = 1_000
SHARE = Limit(most=0.1)


@pytest.mark.long
def test_the_report_of_a_thousand_findings_costs_a_tenth_of_the_check_of_ten_million_events(
    long_night: Path, record: Record
) -> None:
    book = rulebook(NEW_JERSEY)
    start = processor_time()
    run = check_log([long_night], Settings(book, builtin_schema())).run
    checked = processor_time() - start
    assert run is not None
    cut = _cut(run, FINDINGS)
    start = processor_time()
    page = render_html(cut)
    rendered = processor_time() - start
    events = sum(source.events for source in run.inputs)
    found = len(cut.findings(FindingKind.VIOLATION))
    what = f"report of {found:,} findings ({len(page):,} characters) / check of {events:,} events"
    ratio = Ratio("also", what, rendered / checked, SHARE)
    assert found == FINDINGS
    record(ratio)


def _cut(run: Run, most: int) -> Run:
    """The same run with no more findings than these, each rule giving up its last ones."""
    left = most
    outcomes = []
    for outcome in run.outcomes:
        kept = outcome.findings[:left] if outcome.kind is FindingKind.VIOLATION else ()
        left -= len(kept)
        counts = outcome.counts.model_copy(update={"violated": len(kept)})
        status = status_of(counts.by_verdict()) if counts.total else RuleStatus.NOT_EXERCISED
        changes = {"findings": kept, "counts": Counts(**counts.model_dump()), "status": status}
        outcomes.append(outcome.model_copy(update=changes))
    return run.model_copy(update={"outcomes": tuple(outcomes)})
