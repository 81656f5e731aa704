"""A rule that goes on under another name takes its findings, its waivers and its history along."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from compliance.batch.due_nights import Asked
from compliance.store.finding_changes import changes_between_versions
from compliance.store.finding_queries import FindingFilter, newest_findings
from compliance.store.rulebook_history import name_today
from compliance.store.waiver_record import add_waiver, mark_waived
from reports.waiver import Waiver
from tests.compliance.batch.site import FIRST, Site, simulated
from tests.compliance.small_rulebook import RULES

OLD = """
rule few-rounds
  "A table plays ten rounds."
  cite N.J.A.C. 19:47-2.6(a)
  severity minor
  when round_started
  require at most 10 round_started so far
"""
NEW = OLD.replace("few-rounds", "ten-rounds").replace("2.6(a)", "2.7(b)")
CHANGED = NEW.replace("at most 10", "at most 11")


@pytest.fixture
def site(tmp_path: Path, store_place: str) -> Site:
    site = Site(tmp_path / "site", store_place, 3, RULES + OLD)
    site.logs(simulated(3, 2, 12, 1))
    site.run()
    return site


def of_rule(site: Site, rule: str) -> dict[str, str]:
    with site.store.reading() as session:
        rows = newest_findings(session, FindingFilter(rule=rule), 1000)
        return {row.id: row.status for row in rows}


def test_a_rule_with_another_name_and_citation_keeps_its_findings(site: Site) -> None:
    before = of_rule(site, "few-rounds")
    assert len(before) > 3
    site.rules(RULES + NEW)
    site.run(asked=Asked(since=FIRST))
    after = of_rule(site, "ten-rounds")
    assert after.keys() == before.keys()
    assert set(after.values()) == {"recurring"}
    assert of_rule(site, "few-rounds") == after
    with site.store.reading() as session:
        changes = changes_between_versions(session, 1, 2)
        assert (changes.new, changes.gone) == ([], [])
        assert changes.unchanged >= len(before)


def test_a_rule_that_was_changed_too_is_followed_where_that_is_said(site: Site) -> None:
    before = of_rule(site, "few-rounds")
    site.rules(RULES + CHANGED)
    site.settings(more='[rulebook]\nauthor = "A"\nrenamed = { "few-rounds" = "ten-rounds" }\n')
    site.run(asked=Asked(since=FIRST))
    after = of_rule(site, "ten-rounds")
    assert after.keys() == before.keys()
    assert set(after.values()) == {"recurring", "resolved"}


def test_nothing_is_followed_by_a_guess(site: Site) -> None:
    site.rules(RULES + CHANGED)
    site.run(asked=Asked(since=FIRST))
    assert set(of_rule(site, "few-rounds").values()) == {"resolved"}
    assert set(of_rule(site, "ten-rounds").values()) == {"new"}


def test_of_twins_none_is_followed(site: Site) -> None:
    site.rules(RULES + NEW + NEW.replace("ten-rounds", "twin-rounds"))
    site.run(asked=Asked(since=FIRST))
    assert set(of_rule(site, "few-rounds").values()) == {"resolved"}


def test_a_waiver_goes_on_under_the_new_name(site: Site) -> None:
    with site.store.writing() as session:
        waiver = Waiver(rule="few-rounds", authority="D", reason="r", expires=date(2010, 12, 31))
        add_waiver(session, waiver, "tests")
        assert mark_waived(session) == len(of_rule(site, "few-rounds"))
    site.rules(RULES + NEW)
    site.run(asked=Asked(since=FIRST))
    with site.store.reading() as session:
        assert name_today(session, "few-rounds") == "ten-rounds"
        rows = newest_findings(session, FindingFilter(rule="ten-rounds"), 1000)
        assert {row.waiver for row in rows} == {1}
    assert 'rule = "ten-rounds"' in (
        site.folder / "results" / "AC" / "2010-03-06" / "waivers.toml"
    ).read_text("utf-8")
