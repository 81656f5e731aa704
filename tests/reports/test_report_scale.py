"""A report of very many findings stays small, and says what it leaves to the attached table."""

from __future__ import annotations

import time
import tracemalloc

import pytest

from reports import render_html
from reports.shown import FULL_IN_ALL, FULL_OF_A_RULE, LINES_OF_A_RULE
from tests.reports.many_findings import many

MEGABYTE = 1_000_000


@pytest.mark.parametrize(("rules", "findings"), [(200, 500), (2, 50_000)])
def test_a_hundred_thousand_findings_make_a_page_of_less_than_20_megabytes_within_a_minute(
    rules: int, findings: int
) -> None:
    run = many(rules, findings)
    start = time.process_time()
    page = render_html(run)
    assert time.process_time() - start < 60
    assert len(page.encode()) < 20 * MEGABYTE
    assert "100,000 violations" in page


def test_a_group_shows_its_first_findings_in_full_and_counts_the_rest() -> None:
    page = render_html(many(1, 1_000))
    assert page.count('<details class="finding violation"') == FULL_OF_A_RULE
    assert page.count("<li data-finding") == LINES_OF_A_RULE
    assert "775 more findings of this rule are counted here" in page


def test_many_broken_rules_share_what_is_shown_in_full() -> None:
    page = render_html(many(400, 3))
    shown = page.count('<details class="finding violation"')
    assert 400 <= shown <= FULL_IN_ALL


def test_rendering_takes_little_memory_beside_the_run() -> None:
    run = many(5, 2_000)
    tracemalloc.start()
    page = render_html(run)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    # The page itself, in pieces and joined, and not the findings once more.
    assert peak < 6 * len(page) + 20 * MEGABYTE
