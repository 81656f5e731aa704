"""A batch judges every night that is due, once, and again only where something has changed."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from pathlib import Path

import pytest

from compliance.batch.due_nights import Asked
from tests.compliance.batch.site import FIRST, OFTEN, Site, simulated
from tests.compliance.small_rulebook import RULES

NIGHTS = 3


def nights(number: int = NIGHTS) -> tuple[dict[str, str], ...]:
    return simulated(number, 2, 12, 1)


@pytest.fixture
def site(tmp_path: Path, store_place: str) -> Site:
    made = Site(tmp_path / "site", store_place, NIGHTS)
    made.logs(nights())
    return made


def judged(site: Site) -> list[str]:
    return [f"{night.day}: {night.cause}" for night in site.run().nights]


def test_every_night_is_judged_once(site: Site) -> None:
    assert [night.day for night in site.run().nights] == [
        FIRST + timedelta(days=n) for n in range(NIGHTS)
    ]
    before = site.end_state
    assert judged(site) == []
    assert site.end_state == before
    assert sorted(path.split("/")[2] for path in before[1]) == sorted(
        ["findings.csv", "run.json"] * NIGHTS + ["before.nights"] * (NIGHTS - 1)
    )


def test_a_corrected_file_replaces_its_day_and_what_follows_from_it(site: Site) -> None:
    fresh = Site(site.folder.parent / "fresh", str(site.folder.parent / "fresh.db"), NIGHTS)
    corrected = [dict(night) for night in nights()]
    name = sorted(corrected[1])[0]
    lines = corrected[1][name].splitlines(keepends=True)
    corrected[1][name] = "".join(lines[: len(lines) // 2])
    site.run()
    site.log(1, corrected[1])
    again = site.run()
    assert [(night.day, night.cause) for night in again.nights] == [
        (date(2010, 3, 7), f"corrected: logs/2010-03-07/{name}"),
        (date(2010, 3, 8), "the night before left something else"),
    ]
    after = site.findings()
    gone = {mark for mark, status in after.items() if status == "resolved"}
    told = [mark for night in again.nights if night.changes for mark in night.changes.resolved]
    assert len(gone) == len(told) > 0
    fresh.logs(corrected)
    fresh.run()
    assert fresh.findings().keys() == after.keys() - gone


def test_what_comes_back_is_reopened(site: Site) -> None:
    site.run()
    before = site.findings()
    whole = dict(nights()[0])
    name = sorted(whole)[0]
    site.log(0, {name: "".join(whole[name].splitlines(keepends=True)[:30])})
    site.run()
    gone = {mark for mark, status in site.findings().items() if status == "resolved"}
    assert gone
    site.log(0, whole)
    site.run()
    after = site.findings()
    back = {mark for mark, status in after.items() if status == "reopened"}
    assert gone & before.keys() <= back
    assert {mark for mark, status in after.items() if status != "resolved"} == before.keys()


def test_a_file_that_comes_late_joins_its_day(site: Site) -> None:
    late = sorted(nights()[1])[1]
    path = site.folder / "logs" / "2010-03-07" / late
    path.unlink()
    site.run()
    site.log(1, nights()[1])
    assert judged(site)[0] == f"2010-03-07: late: logs/2010-03-07/{late}"


def test_a_day_that_comes_late_is_put_between_the_others(site: Site) -> None:
    whole = Site(site.folder.parent / "whole", str(site.folder.parent / "whole.db"), NIGHTS)
    whole.logs(nights())
    whole.run()
    for path in (site.folder / "logs" / "2010-03-07").iterdir():
        path.unlink()
    outcome = site.run()
    assert outcome.missing == [("AC", date(2010, 3, 7))]
    assert outcome.exit_code == 2
    assert site.heard.of("log_missing") == ["AC, 2010-03-07: there is no log of this day."]
    site.log(1, nights()[1])
    assert judged(site) == [
        "2010-03-07: a new night",
        "2010-03-08: the night before left something else",
    ]
    assert site.findings().keys() == whole.findings().keys()
    # What a whole row of nights says: nothing of the gap is left in the reports.
    assert site.reports() == whole.reports()


def test_the_same_contents_under_another_name_are_the_same_night(site: Site) -> None:
    site.run()
    folder = site.folder / "logs" / "2010-03-07"
    for path in sorted(folder.iterdir()):
        path.rename(folder / f"renamed-{path.name}")
    assert judged(site) == []


def test_logs_that_are_gone_leave_their_night_as_it_is(site: Site) -> None:
    site.run()
    before = site.findings()
    for path in (site.folder / "logs" / "2010-03-06").iterdir():
        path.unlink()
    outcome = site.run()
    assert (outcome.nights, outcome.missing) == ([], [])
    assert site.findings() == before


def test_a_day_on_which_nobody_played_is_not_missed_and_joins_its_neighbours(site: Site) -> None:
    for path in (site.folder / "logs" / "2010-03-07").iterdir():
        path.unlink()
    site.settings(more="closed = [2010-03-07]\n")
    outcome = site.run()
    assert outcome.missing == []
    assert "AC/2010-03-08/before.nights" in site.reports()


def test_new_rules_apply_from_the_next_night_on_unless_days_are_named(site: Site) -> None:
    site.run()
    site.rules(
        (RULES + OFTEN).replace("severity minor\n  when recut", "severity major\n  when recut")
    )
    assert judged(site) == []
    named = site.run(asked=Asked(since=date(2010, 3, 7)))
    assert [(night.day, night.cause) for night in named.nights] == [
        (date(2010, 3, 7), "other rules, options or settings"),
        (date(2010, 3, 8), "the night before left something else"),
    ]
    assert site.heard.of("remark")[0].endswith(
        "What 2010-03-06 left open was judged anew by the rules of today."
    )
    assert judged(site) == []


def test_one_day_is_judged_alone_with_what_depends_on_it(site: Site) -> None:
    outcome = site.run(asked=Asked(only=date(2010, 3, 7)))
    assert [night.day for night in outcome.nights][:1] == [date(2010, 3, 7)]
    assert date(2010, 3, 6) not in [night.day for night in outcome.nights]


def test_an_unreadable_file_keeps_only_its_own_night_from_being_judged(site: Site) -> None:
    bad = site.folder / "logs" / "2010-03-07" / "far.jsonl"
    bad.symlink_to(site.folder / "share-that-is-not-mounted" / "far.jsonl")
    outcome = site.run()
    assert outcome.exit_code == 2
    (said,) = site.heard.of("night_failed")
    assert "far.jsonl cannot be read: No such file or directory." in said
    assert [night.day for night in outcome.nights if night.changes] == [
        date(2010, 3, 6),
        date(2010, 3, 8),
    ]
    bad.unlink()
    whole = Site(site.folder.parent / "whole", str(site.folder.parent / "whole.db"), NIGHTS)
    whole.logs(nights())
    whole.run()
    site.run()
    assert site.findings().keys() == whole.findings().keys()
    assert site.reports() == whole.reports()


def test_a_file_that_is_still_written_to_is_judged_when_it_is_complete(site: Site) -> None:
    site.settings(more="ready_after_minutes = 60\n")
    over = site.run(now=datetime.fromisoformat("2010-03-07T11:30:00+00:00"))
    assert over.nights == []
    over = site.run(now=datetime.fromisoformat("2010-03-07T12:00:00+00:00"))
    assert [night.day for night in over.nights] == [FIRST]
