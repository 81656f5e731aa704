"""Waivers in the nightly batch: visible, marked, failing no night, and ending when they say."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from compliance.batch.due_nights import Asked
from compliance.store.finding_queries import FindingFilter, newest_findings
from compliance.store.tables import StoredWaiver
from tests.compliance.batch.site import FIRST, OFTEN, Site, simulated
from tests.compliance.small_rulebook import RULES, answer

WAIVER = """\
[[waiver]]
rule = "few-rounds"
authority = "Division"
reason = "A trial."
expires = {expires}
"""


@pytest.fixture
def site(tmp_path: Path) -> Site:
    rules = RULES.split("rule burn")[0] + OFTEN
    site = Site(tmp_path / "site", "compliance.db", 2, rules)
    site.logs(simulated(3, 2, 12, 1)[:2])
    return site


def waived_by_file(site: Site, expires: str) -> None:
    (site.folder / "waivers.toml").write_text(WAIVER.format(expires=expires), encoding="utf-8")
    site.settings(more='waivers = "waivers.toml"\n')


def waived(site: Site) -> dict[str, int | None]:
    store = site.store
    with store.reading() as session:
        rows = newest_findings(session, FindingFilter(), 1000)
        found = {row.id: row.waiver for row in rows if row.rule == "few-rounds"}
    store.engine.dispose()
    return found


def test_what_is_waived_fails_no_night_and_stays_visible(site: Site) -> None:
    assert {night.code for night in site.run().nights} == {1}
    waived_by_file(site, "2010-12-31")
    again = site.run(asked=Asked(since=FIRST))
    assert len(again.nights) == 2
    assert {night.code for night in again.nights} <= {0, 5}
    assert set(waived(site).values()) == {1}
    told = json.loads((site.folder / "results/AC/2010-03-06/run.json").read_text("utf-8"))
    assert told["summary"]["violations"] == told["summary"]["violations_waived"] > 0


def test_what_happens_after_the_last_day_counts(site: Site) -> None:
    waived_by_file(site, "2010-03-06")
    nights = site.run().nights
    assert [night.code == 1 for night in nights] == [False, True]


def test_a_waiver_that_ends_within_a_week_is_announced(site: Site) -> None:
    waived_by_file(site, "2010-03-14")
    site.run(now=datetime(2010, 3, 6, 20, tzinfo=UTC))
    assert site.heard.of("waiver_ending") == []
    site.run(now=datetime(2010, 3, 8, 20, tzinfo=UTC))
    assert site.heard.of("waiver_ending") == ["Waiver 1 (few-rounds) ends with 2010-03-14."]


def test_one_that_is_taken_out_of_the_file_is_withdrawn_and_kept(site: Site) -> None:
    waived_by_file(site, "2010-12-31")
    site.run()
    (site.folder / "waivers.toml").write_text("", encoding="utf-8")
    site.run()
    assert set(waived(site).values()) == {None}
    store = site.store
    with store.reading() as session:
        assert session.get_one(StoredWaiver, 1).withdrawn is not None
    store.engine.dispose()


def test_given_and_withdrawn_by_command(site: Site, capsys: pytest.CaptureFixture[str]) -> None:
    site.run()
    store = ("--store", site.folder / "batch.toml")
    words = ("--authority", "Division", "--reason", "A trial.", "--expires", "2010-12-31")
    code, said, _ = answer(capsys, "waivers", "add", "--rule", "few-rounds", *words, *store)
    assert code == 0
    assert f"Waiver 1 covers {len(waived(site))} findings" in said
    assert set(waived(site).values()) == {1}
    code, said, _ = answer(capsys, "waivers", "list", *store)
    assert "2010-12-31" not in said, "it has ended: --all shows it"
    assert "few-rounds" in answer(capsys, "waivers", "list", "--all", *store)[1]
    assert answer(capsys, "waivers", "withdraw", "1", "--reason", "Over.", *store)[0] == 0
    assert set(waived(site).values()) == {None}
    _, _, errors = answer(capsys, "waivers", "add", "--rule", "few-round", *words, *store)
    assert 'There is no rule "few-round". Did you mean few-rounds?' in errors
